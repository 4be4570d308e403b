import type { Seen } from "./callers.ts";

const TITLE = "## Soak";

export interface Memory {
  readonly earlyMiB: number;
  readonly lateMiB: number;
  readonly maxMiB: number;
  readonly flat: boolean;
}

/**
 * Flat: the last quarter's median is no more than a fifth above the second quarter's. The first quarter is the warm-up.
 */
export function flatness(samplesMiB: readonly number[]): Memory {
  const quarter = Math.floor(samplesMiB.length / 4);
  const earlyMiB = median(samplesMiB.slice(quarter, 2 * quarter));
  const lateMiB = median(samplesMiB.slice(3 * quarter));
  return { earlyMiB, lateMiB, maxMiB: Math.max(0, ...samplesMiB), flat: lateMiB <= earlyMiB * 1.2 };
}

export interface Soaked {
  readonly seconds: number;
  readonly machine: string;
  readonly callers: number;
  readonly seen: Seen;
  readonly spoiled: number;
  readonly violations: readonly string[];
  readonly memory: Memory;
}

/** The run as a section of the results. */
export function section({ seconds, machine, callers, seen, spoiled, violations, memory }: Soaked): string {
  const sorted = [...seen.latenciesMs].sort((a, b) => a - b);
  const at = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`;
  const statuses = Object.entries(seen.statuses).map(([status, count]) => `${status}: ${count}`);
  const rows: [string, string][] = [
    ["requests", String(seen.requests)],
    ["responses by status", statuses.join(", ")],
    ["responses that the upstream corrupted or delayed", String(spoiled)],
    ["stale responses", String(seen.stale)],
    ["wrong responses", String(seen.wrong.length)],
    ["quotas violated, or refused too early", String(violations.length)],
    ["latency p50, p95, p99", `${at(0.5)}, ${at(0.95)}, ${at(0.99)}`],
    ["memory, second quarter, last, maximum", `${memory.earlyMiB} MiB, ${memory.lateMiB} MiB, ${memory.maxMiB} MiB`],
    ["memory flat", memory.flat ? "yes" : "no"],
  ];
  return `${TITLE}

Written by \`npm run soak\`. ${machine}. ${seconds / 60} minutes of ${callers} callers (trackers, homepages, wallets, and five that send as fast as they can) and a stream of new ones against the whole product at its default quotas in one bare workerd. Its one upstream is in turn healthy, unreachable, failing, slow and truncating; once in each round there are no requests for 14 s, so that the objects are evicted.

| | |
|---|---|
${rows.map(([name, value]) => `| ${name} | ${value} |`).join("\n")}
`;
}

/** The results with this section in place of its predecessor, or at the end. */
export function withSection(results: string, text: string): string {
  const start = results.indexOf(`${TITLE}\n`);
  if (start === -1) return `${results.trimEnd()}\n\n${text}`;
  const next = results.indexOf("\n## ", start + TITLE.length);
  const rest = next === -1 ? "" : results.slice(next + 1);
  return `${results.slice(0, start)}${text}${rest === "" ? "" : `\n${rest}`}`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

import { setTimeout as sleepFor } from "node:timers/promises";
import { type AddressPair, type ComparePorts, type PollPlan, poll } from "./compare/poll.ts";
import { reportOf, reportText } from "./compare/report.ts";
import { EXIT, escapeControls, parseCommandLine, printText, Refusal, runTool } from "./lib/command-line.ts";
import { readAddresses } from "./schedule/addresses.ts";
import { REPOSITORY_FOLDER } from "./schedule/files.ts";

const HELP = `usage: npm run compare -- --old URL --new URL [--path PATH]... [--hours 24] [--tolerance 0.001%] [--json]
  asks an existing endpoint and a deployment side by side, and reports each difference with its cause where it can be known
  --old, --new   addresses of both sides; with a path in them, and no --path, these two are compared
  --path         a path with its query, on both sides; "OLD NEW" where they differ; may be repeated. Without one: the
                 registered addresses of this checkout
  --hours        duration; Ctrl-C ends it early and prints the report
  --every        seconds between two polls; 60 by default
  --tolerance    largest difference of two equal figures, in percent; 0.001% by default
  --json         the report as JSON; progress is on stderr
  exit code: 0 when the sides agree, 1 when a figure is further apart, a form differs or the new side alone fails,
  2 when it is not known: a wrong option, or no figure of the old side`;
const TEXT = { type: "string" } as const;
const OPTIONS = {
  old: TEXT,
  new: TEXT,
  path: { type: "string", multiple: true },
  hours: { type: "string", default: "24" },
  every: { type: "string", default: "60" },
  tolerance: { type: "string", default: "0.001%" },
  json: { type: "boolean", default: false },
} as const;

const HOUR_MS = 3_600_000;
const MAX_HOURS = 24 * 31;

/** Compares two endpoints and returns the exit code. */
export async function compare(words: string[], ports: ComparePorts, signal: AbortSignal): Promise<number> {
  const { values } = parseCommandLine(HELP, { args: words, options: OPTIONS });
  const hours = Number(values.hours);
  const seconds = Number(values.every);
  const [, percent] = /^(\d{1,2}(?:\.\d+)?)%?$/.exec(values.tolerance) ?? [];
  const [old, current] = [urlOf(values.old), urlOf(values.new)];
  const problems = [
    ...(old === undefined ? ["--old: must be an http or https address"] : []),
    ...(current === undefined ? ["--new: must be an http or https address"] : []),
    ...(hours >= 0 && hours <= MAX_HOURS ? [] : [`--hours: must be from 0 to ${MAX_HOURS}`]),
    ...(seconds >= 1 ? [] : ["--every: must be at least 1 second"]),
    ...(percent === undefined ? ["--tolerance: must be a percentage below 100, such as 0.001%"] : []),
  ];
  if (old === undefined || current === undefined || problems.length > 0) throw new Refusal(problems, EXIT.unusable);
  const plan: PollPlan = {
    pairs: pairsOf(old, current, values.path),
    breakdown: `${current.origin}/api/supply-breakdown`,
    durationMs: hours * HOUR_MS,
    everyMs: seconds * 1_000,
  };
  const report = reportOf(await poll(plan, ports, signal), Number(percent));
  printText(values.json ? JSON.stringify(report, null, 2) : reportText(report));
  if (report.is_same === null) return EXIT.unusable;
  return report.is_same ? 0 : EXIT.failed;
}

function urlOf(text: string | undefined): URL | undefined {
  return text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

function pairsOf(old: URL, current: URL, paths: readonly string[] | undefined): readonly AddressPair[] {
  const hasPath = ({ pathname, search }: URL): boolean => pathname !== "/" || search !== "";
  if (paths !== undefined) return paths.map((path) => pairOf(old, current, path));
  if (hasPath(old) || hasPath(current)) return [{ old: old.href, new: current.href }];
  const { entries = [] } = readAddresses(REPOSITORY_FOLDER) ?? {};
  if (entries.length === 0)
    throw new Refusal(["--path: give one, because this checkout registers no address"], EXIT.unusable);
  return entries.map(({ path, query }) =>
    pairOf(old, current, query === null ? path : `${path}?${new URLSearchParams([[query.name, query.value]])}`),
  );
}

function pairOf(old: URL, current: URL, path: string): AddressPair {
  const [left = "", right = left, ...others] = path.trim().split(/\s+/);
  if (!left.startsWith("/") || !right.startsWith("/") || others.length > 0)
    throw new Refusal([`--path: must be a path that begins with /, or two of them, not ${path}`], EXIT.unusable);
  return { old: old.origin + left, new: current.origin + right };
}

await runTool(import.meta.url, HELP, (words) => {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => controller.abort());
  const ports: ComparePorts = {
    fetch,
    now: () => Date.now(),
    sleep: (milliseconds, signal) => sleepFor(milliseconds, undefined, { signal }).catch(() => undefined),
    progress: (line) => console.error(escapeControls(line)),
  };
  return compare(words, ports, controller.signal);
});

import { setTimeout as sleep } from "node:timers/promises";
import { examine } from "../doctor/examine.ts";
import { type Expected, type Found, reportText } from "../doctor/finding.ts";
import { OVERRIDE_HEADER, type Target } from "../doctor/probe.ts";
import { Refusal, say } from "../lib/command-line.ts";
import { changesBeyond, type Figures, figuresAt } from "./figure-changes.ts";
import { latencies } from "./latency.ts";

/** A deployment reaches all data centres within a minute or two; a new domain gets its name and certificate first. */
export const ROLLOUT_MS = { known: 180_000, first: 900_000 } as const;
const PAUSE_MS = 2_000;
const REPORT_MS = 30_000;
const REQUEST_MS = 20_000;

/** What verification needs of its environment. */
export interface VerifyPorts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** Rejects when the deployment is interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Every bare figure of a version. */
  readonly figures: (target: Target) => Promise<Figures>;
  /** Carries the doctor's checks out. */
  readonly examine: (target: Target) => Promise<readonly Found[]>;
  readonly print: (line: string) => void;
}

/** Where a version is looked for. */
export interface VersionTarget extends Target {
  readonly versionId: string;
}

/** Waits until the version answers at the address; otherwise a {@link Refusal}. */
export async function waitForVersion(target: VersionTarget, rolloutMs: number, ports: VerifyPorts): Promise<void> {
  const { address, versionId } = target;
  const startedAtMs = ports.now();
  for (let reportAtMs = startedAtMs + REPORT_MS; ; ) {
    const seen = await versionAt(target, ports);
    if (seen === versionId) return;
    if (ports.now() - startedAtMs >= rolloutMs)
      throw new Refusal([`after ${rolloutMs / 1000} s ${address} still answers ${seen}, not version ${versionId}`]);
    if (ports.now() >= reportAtMs) {
      ports.print(`waiting: ${address} answers ${seen}, not yet version ${versionId}`);
      reportAtMs += REPORT_MS;
    }
    await ports.pause(PAUSE_MS);
  }
}

/**
 * Checks the version: a problem that is its own is a {@link Refusal}. Others stop nothing; a sentence with what fails
 * is returned, null when nothing does.
 */
export async function checkVersion(target: VersionTarget, ports: VerifyPorts): Promise<string | null> {
  const found = await ports.examine(target);
  ports.print(reportText(found));
  const failed = found.filter(({ problems }) => problems.length > 0);
  const namesOf = (checks: readonly Found[]): string => checks.map(({ name }) => name).join(", ");
  const own = failed.filter(({ isOfVersion }) => isOfVersion);
  if (own.length > 0)
    throw new Refusal([`version ${target.versionId} fails its checks at ${target.address}: ${namesOf(own)}`]);
  if (failed.length === 0) return null;
  ports.print(`not of the version, and no reason to stop: ${namesOf(failed)}`);
  return `${failed.length} of ${found.length} checks fail (${namesOf(failed)})`;
}

/** Compares each bare figure with what is live; a change that nobody has accepted is a {@link Refusal}. */
export async function compareFigures(
  live: Figures,
  target: VersionTarget,
  accepted: { readonly percent: number; readonly isAccepted: boolean },
  ports: VerifyPorts,
): Promise<void> {
  const { percent, isAccepted } = accepted;
  const changes = changesBeyond(live, await ports.figures(target), percent);
  for (const change of changes) ports.print(`a published figure changes: ${change}`);
  if (changes.length === 0 || isAccepted) return;
  throw new Refusal([
    `figures change by more than SUPPLY_STEP_PERCENT (${percent} %): ${changes.join(", ")}; if that is meant, deploy with --accept-change`,
  ]);
}

/** Prints where the objects are and the first latencies. */
export async function printLatencies(address: string, ports: VerifyPorts): Promise<void> {
  for (const line of await latencies(address, ports)) ports.print(line);
}

async function versionAt({ address, override }: Target, ports: VerifyPorts): Promise<string> {
  const headers: Record<string, string> = override === null ? {} : { [OVERRIDE_HEADER]: override };
  try {
    const response = await ports.fetch(`${address}/api/health`, { headers, signal: AbortSignal.timeout(REQUEST_MS) });
    const body: unknown = JSON.parse(await response.text());
    if (typeof body !== "object" || body === null) return `status ${response.status}`;
    if ("version_id" in body) return String(body.version_id);
    const message = "message" in body ? `: ${String(body.message).slice(0, 200)}` : "";
    return `status ${response.status} without a version${message}`;
  } catch (cause) {
    return `nothing (${cause instanceof SyntaxError ? "no JSON" : "no connection"})`;
  }
}

/** Real ports, which the signal interrupts. */
export function realPorts(signal: AbortSignal, expected: Expected): VerifyPorts {
  const ports = {
    fetch: ((input, init) => {
      const signals = [signal, ...(init?.signal ? [init.signal] : [])];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    }) satisfies typeof fetch,
    now: () => Date.now(),
    pause: (milliseconds: number) => sleep(milliseconds, undefined, { signal }),
    onWait: say,
  };
  return {
    ...ports,
    figures: async (target) => {
      const found = await figuresAt(target, ports);
      signal.throwIfAborted();
      return found;
    },
    examine: async (target) => {
      const found = await examine(target, expected, ports);
      signal.throwIfAborted();
      return found;
    },
    print: say,
  };
}

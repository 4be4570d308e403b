import { setTimeout as sleep } from "node:timers/promises";
import { runChecks } from "../doctor/examine.ts";
import { type Baseline, type CheckResult, reportText } from "../doctor/finding.ts";
import { OVERRIDE_HEADER, type Target } from "../doctor/probe.ts";
import { printText, Refusal } from "../lib/command-line.ts";
import { changesBeyond, type Figures, figuresAt, kindChange } from "./figure-changes.ts";
import { measureLatencies } from "./latency.ts";

/**
 * Time limits of a rollout. A deployment reaches all data centres within a minute or two; a new domain first needs its
 * name and certificate.
 */
export const ROLLOUT_LIMIT_MS = { known: 180_000, first: 900_000 } as const;
const PAUSE_MS = 2_000;
const REPORT_MS = 30_000;
const REQUEST_MS = 20_000;

/** Environment of the verification. */
export interface VerifyPorts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** Rejects when the deployment is interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Requests every bare figure of a version. */
  readonly figures: (target: Target) => Promise<Figures>;
  /** Runs the doctor's checks. */
  readonly examine: (target: Target) => Promise<readonly CheckResult[]>;
  readonly print: (line: string) => void;
}

/** Version that is expected at an address. */
export interface VersionTarget extends Target {
  readonly versionId: string;
}

/** Waits until the version answers at the address; throws a {@link Refusal} after `rolloutMs`. */
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
 * Checks the version. A problem that the version itself causes is thrown as a {@link Refusal}. Other problems do not
 * stop the deployment; they are returned as a sentence, null for none.
 */
export async function checkVersion(target: VersionTarget, ports: VerifyPorts): Promise<string | null> {
  const found = await ports.examine(target);
  ports.print(reportText(found));
  const failed = found.filter(({ problems }) => problems.length > 0);
  const namesOf = (checks: readonly CheckResult[]): string => checks.map(({ name }) => name).join(", ");
  const ownFailures = failed.filter(({ isOfVersion }) => isOfVersion);
  if (ownFailures.length > 0)
    throw new Refusal([`version ${target.versionId} fails its checks at ${target.address}: ${namesOf(ownFailures)}`]);
  if (failed.length === 0) return null;
  ports.print(`not caused by this version, so the deployment continues: ${namesOf(failed)}`);
  return `${failed.length} of ${found.length} checks fail (${namesOf(failed)})`;
}

/** Compares each bare figure with the live one; throws a {@link Refusal} for a change that nobody has accepted. */
export async function compareFigures(
  live: Figures,
  target: VersionTarget,
  accepted: { readonly percent: number; readonly isAccepted: boolean; readonly isKindAccepted: boolean },
  ports: VerifyPorts,
): Promise<void> {
  const { percent, isAccepted, isKindAccepted } = accepted;
  const next = await ports.figures(target);
  const kind = kindChange(live, next);
  if (kind !== null) ports.print(kind.what);
  if (kind !== null && !isKindAccepted) throw new Refusal([`${kind.what}; ${kind.remedy}`]);
  const changes = changesBeyond(live, next, percent);
  for (const change of changes) ports.print(`a published figure changes: ${change}`);
  if (changes.length === 0 || isAccepted) return;
  throw new Refusal([
    `figures change by more than SUPPLY_STEP_PERCENT (${percent} %): ${changes.join(", ")}; if that is intended, deploy with --accept-change`,
  ]);
}

/** Prints where the objects are and the first latencies. */
export async function printLatencies(address: string, ports: VerifyPorts): Promise<void> {
  for (const line of await measureLatencies(address, ports)) ports.print(line);
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

/** Ports of a real deployment; the signal interrupts them. */
export function realPorts(signal: AbortSignal, expected: Baseline): VerifyPorts {
  const ports = {
    fetch: ((input, init) => {
      const signals = [signal, ...(init?.signal ? [init.signal] : [])];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    }) satisfies typeof fetch,
    now: () => Date.now(),
    pause: (milliseconds: number) => sleep(milliseconds, undefined, { signal }),
    onWait: printText,
  };
  return {
    ...ports,
    figures: async (target) => {
      const found = await figuresAt(target, ports);
      signal.throwIfAborted();
      return found;
    },
    examine: async (target) => {
      const found = await runChecks(target, expected, ports);
      signal.throwIfAborted();
      return found;
    },
    print: printText,
  };
}

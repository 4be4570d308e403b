import { EXIT, Refusal, sayError } from "../lib/command-line.ts";
import type { DeployOptions } from "./arguments.ts";
import type { Platform } from "./platform.ts";
import type { PublishedRecord } from "./record.ts";
import { type RollOut, rollOut } from "./roll-out.ts";
import { isServing, type State, stateText } from "./state.ts";
import type { VerifyPorts } from "./verify.ts";

export interface Deploying {
  readonly platform: Platform;
  readonly config: Readonly<Record<string, unknown>>;
  readonly options: DeployOptions;
  /** Beyond which share of what is live a figure may change only if that is accepted. */
  readonly stepPercent: number;
  /** The version that serves; null: none. */
  readonly before: string | null;
  /** Aborted with a {@link Refusal} when the deployment is interrupted. */
  readonly signal: AbortSignal;
  readonly record: PublishedRecord;
  readonly ports: VerifyPorts;
}

/** Of a deployment that is live. */
export interface LastWord {
  readonly text: string;
  readonly exitCode: number;
}

/**
 * Rolls the version out, records what it serves and returns the last word on it. Whatever fails, the {@link Refusal}
 * says what is live, what is recorded and what to do next.
 */
export async function carryOut({ record, ports, signal, ...deploying }: Deploying): Promise<LastWord> {
  const { platform, before } = deploying;
  const onServing = () => {
    if (!record.complete()) throw new Refusal(["what serves could not be recorded"]);
  };
  const state: RollOut = { ...deploying, uploaded: null, onServing };
  try {
    // Before anything may serve: whatever ends this command, the next one finds out what is to be recorded.
    record.intend({ worker: platform.name, message: platform.message, before });
    const { address, failed } = await rollOut(state, ports);
    record.end();
    const checked = failed === null ? `deployed and checked: ${address}` : `deployed, but ${failed}: ${address}`;
    const unchecked = "deployed; it has no address yet: add `routes` or give --address to check it";
    const text = `${address === null ? unchecked : checked}: version ${state.uploaded}, before it ${before ?? "none"}; ${record.isChanged() ? "commit schedule/published.csv and published.json" : "nothing new was recorded"}${address === null ? "" : `. Next: npm run doctor -- ${address}`}`;
    return { text, exitCode: failed === null ? 0 : EXIT.liveButRed };
  } catch (cause) {
    const failure: unknown = signal.aborted ? signal.reason : cause;
    if (!(failure instanceof Refusal)) sayError(failure);
    const reason = failure instanceof Refusal ? failure.lines.join("; ") : "an error in this tool, printed above";
    const { now, uploaded, wentBack } = await settle(state, signal.aborted);
    const recorded = now === "unknown" ? "open" : settled(record, isServing({ uploaded, now }));
    const known = { name: platform.name, before, uploaded, now, record: recorded } as const;
    const exitCode = isServing({ uploaded, now }) ? EXIT.liveButRed : EXIT.failed;
    throw new Refusal([`${reason.replace(/\.$/, "")}${wentBack}. ${stateText(known)}`], exitCode);
  }
}

/** Makes the record that of what serves. */
function settled(record: PublishedRecord, serves: boolean): State["record"] {
  const isSettled = serves ? record.complete() : record.restore();
  record.end();
  if (!isSettled) return "left";
  return record.isChanged() ? (serves ? "kept" : "restored") : "unchanged";
}

const ANSWER_MS = 20_000;

/** After a failure: what is deployed, and whether this deployment was taken back. */
async function settle(state: RollOut, isInterrupted: boolean) {
  const { platform, before, options } = state;
  // Also of an interrupted deployment the last word is what is live, if the platform says it in time.
  const ask = () => platform.deployment(AbortSignal.timeout(ANSWER_MS)).catch(() => "unknown" as const);
  const now = await ask();
  const shares = now === "unknown" ? [] : (now ?? []);
  // wrangler may have failed, or have been ended, after an upload that it did not report.
  const unreported = shares.find(({ id }) => id !== before)?.id;
  const isOurs =
    unreported !== undefined && (await platform.isOurs(unreported, AbortSignal.timeout(ANSWER_MS)).catch(() => false));
  const uploaded = state.uploaded ?? (isOurs ? (unreported ?? null) : null);
  const left = { now, uploaded, wentBack: "" };
  const isAlone = shares.every(({ id }) => id === before || id === uploaded);
  const isIn = shares.some(({ id }) => id === uploaded);
  if (isInterrupted || before === null || !isAlone || !isIn) return left;
  // Taking back a version that serves nobody changes nothing for callers.
  if (isServing({ uploaded, now }) && !options.rollbackOnFailure) return left;
  try {
    await platform.rollBack(before, `${uploaded} failed its checks`);
    return { now: await ask(), uploaded, wentBack: "; it was taken back" };
  } catch {
    return { now: await ask(), uploaded, wentBack: "; taking it back failed (wrangler's reason is above)" };
  }
}

import { type CommandResult, EXIT, printError, Refusal } from "../lib/command-line.ts";
import type { DeployOptions } from "./arguments.ts";
import type { Platform } from "./platform.ts";
import type { PublishedRecord } from "./record.ts";
import { type DeploymentInProgress, rollOut } from "./roll-out.ts";
import { type FinalState, finalStateText, isServing } from "./state.ts";
import type { VerifyPorts } from "./verify.ts";

export interface DeployInputs {
  readonly platform: Platform;
  readonly config: Readonly<Record<string, unknown>>;
  readonly options: DeployOptions;
  /** Largest change of a live figure, in percent, that needs no --accept-change. */
  readonly stepPercent: number;
  /** Version that serves before this deployment; null: none. */
  readonly before: string | null;
  /** Aborted with a {@link Refusal} when the deployment is interrupted. */
  readonly signal: AbortSignal;
  readonly record: PublishedRecord;
  readonly ports: VerifyPorts;
}

/** Result of a deployment that is live, or of a dry run. */
export type DeployResult = Required<CommandResult>;

/**
 * Rolls the version out, records what it serves and returns the result. After any failure, the {@link Refusal} says
 * what is live, what is recorded and what to do next.
 */
export async function carryOut({ record, ports, signal, ...deploying }: DeployInputs): Promise<DeployResult> {
  const { platform, before } = deploying;
  const onServing = () => {
    if (!record.complete()) throw new Refusal(["the served figures could not be recorded"]);
  };
  const state: DeploymentInProgress = { ...deploying, uploaded: null, onServing };
  try {
    // The intent is written before anything may serve. If this command is killed, the next one reads it and completes
    // the record.
    record.intend({ worker: platform.name, message: platform.message, before });
    const { address, failed } = await rollOut(state, ports);
    record.end();
    const checked = failed === null ? `deployed and checked: ${address}` : `deployed, but ${failed}: ${address}`;
    const unchecked = "deployed; it has no address yet: add `routes` or give --address to check it";
    const text = `${address === null ? unchecked : checked}: version ${state.uploaded}, before it ${before ?? "none"}; ${record.isChanged() ? "commit schedule/published.csv and published.json" : "nothing new was recorded"}${address === null ? "" : `. Next: ${nextStep(deploying.options, address, failed)}`}`;
    const members = {
      address,
      version_id: state.uploaded,
      previous_version_id: before,
      failed_checks: failed,
      is_record_changed: record.isChanged(),
    };
    return { text, exitCode: failed === null ? 0 : EXIT.liveButRed, members };
  } catch (cause) {
    const failure: unknown = signal.aborted ? signal.reason : cause;
    if (!(failure instanceof Refusal)) printError(failure);
    const reason = failure instanceof Refusal ? failure.lines.join("; ") : "an error in this tool, printed above";
    const { now, uploaded, wentBack } = await settleFailure(state, signal.aborted);
    const recorded = now === "unknown" ? "open" : finishRecord(record, isServing({ uploaded, now }));
    const known = { name: platform.name, before, uploaded, now, record: recorded } as const;
    const exitCode = isServing({ uploaded, now }) ? EXIT.liveButRed : EXIT.failed;
    const members = { version_id: uploaded, previous_version_id: before, is_live_known: now !== "unknown" };
    throw new Refusal([`${reason.replace(/\.$/, "")}${wentBack}. ${finalStateText(known)}`], exitCode, members);
  }
}

/** Returns the command or page that follows. The doctor has just run, so only a failed check leads to it. */
function nextStep({ environment }: DeployOptions, address: string, failed: string | null): string {
  if (failed !== null) return `repair what failed, then npm run doctor -- ${address}`;
  if (environment === "staging") return "npm run deploy -- --env production";
  return `the forms of trackers (${address}/docs/trackers)`;
}

/** Makes the record match what serves. */
function finishRecord(record: PublishedRecord, serves: boolean): FinalState["record"] {
  const isSettled = serves ? record.complete() : record.restore();
  record.end();
  if (!isSettled) return "left";
  return record.isChanged() ? (serves ? "kept" : "restored") : "unchanged";
}

/** How long the platform's answer is awaited after a failure. An interrupted deployment shall end soon. */
const ANSWER_MS = { interrupted: 20_000, failed: 120_000 } as const;

/** Finds out, after a failure, what is deployed, and takes this deployment back where that is allowed. */
async function settleFailure(state: DeploymentInProgress, isInterrupted: boolean) {
  const { platform, before, options } = state;
  // An interrupted deployment reports what is live too, if the platform answers in time.
  const answerMs = isInterrupted ? ANSWER_MS.interrupted : ANSWER_MS.failed;
  const ask = () => platform.deployment(AbortSignal.timeout(answerMs)).catch(() => "unknown" as const);
  const now = await ask();
  const shares = now === "unknown" ? [] : (now ?? []);
  // wrangler may have uploaded a version and failed, or been killed, before it reported the id.
  const unreported = shares.find(({ id }) => id !== before)?.id;
  const isOurs =
    unreported !== undefined && (await platform.isOurs(unreported, AbortSignal.timeout(answerMs)).catch(() => false));
  const uploaded = state.uploaded ?? (isOurs ? (unreported ?? null) : null);
  const left = { now, uploaded, wentBack: "" };
  const isAlone = shares.every(({ id }) => id === before || id === uploaded);
  const isIn = shares.some(({ id }) => id === uploaded);
  if (isInterrupted || before === null || !isAlone || !isIn) return left;
  // A version that serves nobody is always taken back: callers notice nothing.
  if (isServing({ uploaded, now }) && !options.rollbackOnFailure) return left;
  try {
    await platform.rollBack(before, `${uploaded} failed its checks`);
    return { now: await ask(), uploaded, wentBack: "; it was taken back" };
  } catch {
    return { now: await ask(), uploaded, wentBack: "; taking it back failed (wrangler's reason is above)" };
  }
}

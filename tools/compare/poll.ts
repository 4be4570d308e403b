import { parseJson } from "../../src/base/json.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { type ListedWallet, walletsIn } from "./cause.ts";

/** Addresses of the same figure, one on each side. */
export interface AddressPair {
  readonly old: string;
  readonly new: string;
}

export interface Sample {
  readonly atMs: number;
  readonly old: Answer;
  readonly new: Answer;
}

/** Answers of all polls, up to an interruption. */
export interface PollResult {
  readonly pairs: readonly { readonly pair: AddressPair; readonly samples: readonly Sample[] }[];
  /** Wallets that the new deployment lists, at the start and at the end. */
  readonly wallets: readonly (readonly ListedWallet[])[];
  readonly polls: number;
  readonly planned: number;
  readonly isInterrupted: boolean;
}

export interface ComparePorts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly progress: (line: string) => void;
}

export interface PollPlan {
  readonly pairs: readonly AddressPair[];
  /** Address at which the new deployment lists its wallets; null: none. */
  readonly breakdown: string | null;
  readonly durationMs: number;
  readonly everyMs: number;
}

const REQUEST_MS = 20_000;
const PROGRESS_MS = 600_000;

/** Asks both sides, pair by pair, until the time is over or the signal is aborted. */
export async function poll(plan: PollPlan, ports: ComparePorts, signal: AbortSignal): Promise<PollResult> {
  const pairs = plan.pairs.map((pair) => ({ pair, samples: [] as Sample[] }));
  const planned = Math.floor(plan.durationMs / plan.everyMs) + 1;
  const wallets = await walletsAt(plan.breakdown, ports);
  const startMs = ports.now();
  let [polls, toldMs] = [0, Number.NEGATIVE_INFINITY];
  while (polls < planned && !signal.aborted) {
    for (const { pair, samples } of pairs) {
      if (signal.aborted) break;
      const atMs = ports.now();
      const [old, current] = await Promise.all([ask(pair.old, ports), ask(pair.new, ports)]);
      samples.push({ atMs, old, new: current });
    }
    polls += 1;
    if (ports.now() - toldMs >= PROGRESS_MS || polls === planned) {
      ports.progress(progressText(polls, planned, pairs));
      toldMs = ports.now();
    }
    // Poll times count from the start, so slow answers do not delay later polls.
    if (polls < planned) await ports.sleep(Math.max(0, startMs + polls * plan.everyMs - ports.now()), signal);
  }
  // Balances may have changed since the start.
  const latest = signal.aborted ? [] : await walletsAt(plan.breakdown, ports);
  return { pairs, wallets: [wallets, latest], polls, planned, isInterrupted: signal.aborted };
}

function progressText(
  polls: number,
  planned: number,
  pairs: readonly { readonly samples: readonly Sample[] }[],
): string {
  const all = pairs.flatMap(({ samples }) => samples);
  const differ = all.filter((each) => each.old.body !== each.new.body).length;
  return `poll ${polls} of ${planned}: ${all.length} answers of each side, ${differ} pairs differ in their bytes`;
}

async function ask(url: string, { fetch }: ComparePorts): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) });
    return readAnswer(response.status, response.headers.get("Content-Type") ?? "", await response.text());
  } catch (cause) {
    return readAnswer(0, "", cause instanceof Error ? cause.message : String(cause));
  }
}

async function walletsAt(url: string | null, ports: ComparePorts): Promise<ListedWallet[]> {
  return url === null ? [] : walletsIn(parseJson((await ask(url, ports)).body));
}

import type { Known, Recall, Seen } from "../swr/loader.ts";

/** A number that was read, and what decides whether it counts. */
export interface Question {
  readonly seen: Seen;
  /** The last good reading; undefined: there is none. */
  readonly last: Seen | undefined;
  /** Whether the reading may follow another one; undefined: whether it may be the first. */
  readonly isNear: (reference: Seen | undefined) => boolean;
}

export type Verdict =
  | { readonly kind: "counts" }
  /** Counts once it is repeated; `since` is the first reading of its kind. */
  | { readonly kind: "doubtful"; readonly since: Seen };

/**
 * The gate between a listing, which is the only source of its rates, and a value. A reading that may follow the last
 * good one counts. Any other counts when a reading at least `confirmMs` before was like it and none between was good.
 */
export function judge({ seen, last, isNear }: Question, doubt: Seen | undefined, confirmMs: number): Verdict {
  if (isNear(last)) return { kind: "counts" };
  // A doubt of a time to come is from before the clock was set back.
  const since = doubt !== undefined && doubt.atMs <= seen.atMs && isNear(doubt) ? doubt : seen;
  return since !== seen && seen.atMs - since.atMs >= confirmMs ? { kind: "counts" } : { kind: "doubtful", since };
}

/** The verdicts by the questions' names, the last good value that they rest on, and what is to be remembered. */
interface Judged<T> extends Known<T> {
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/** Judges the numbers of one listing. Before a doubt is raised the store is read: another isolate may know better. */
export async function judgeAll<T>(
  recall: Recall<T>,
  questionsOf: (known: Known<T>) => ReadonlyMap<string, Question>,
  confirmMs: number,
): Promise<Judged<T>> {
  const verdictsOf = (known: Known<T>): [string, Verdict][] =>
    [...questionsOf(known)].map(([name, question]) => [name, judge(question, known.doubts.get(name), confirmMs)]);
  let known = await recall();
  let verdicts = verdictsOf(known);
  if (verdicts.some(([, { kind }]) => kind === "doubtful")) {
    known = await recall("stored");
    verdicts = verdictsOf(known);
  }
  const doubts = new Map<string, Seen>();
  for (const [name, verdict] of verdicts) if (verdict.kind === "doubtful") doubts.set(name, verdict.since);
  return { best: known.best, verdicts: new Map(verdicts), doubts };
}

/** Whether two numbers have one sign and neither is more than `factor` times the other. */
export function isWithinFactor(left: bigint, right: bigint, factor: number): boolean {
  if (left < 0n) return isWithinFactor(-left, -right, factor);
  return left <= right * BigInt(factor) && right <= left * BigInt(factor);
}

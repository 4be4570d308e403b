import type { Known, Recall, Seen } from "./loader.ts";

/** A number that was read, and what decides whether it counts. */
export interface Question {
  readonly seen: Seen;
  /** The last good reading; undefined: there is none. */
  readonly last: Seen | undefined;
  /** The law of the product that the reading breaks, as a clause; null: none. */
  readonly broken: string | null;
  /** Whether the reading may follow another one; undefined: whether it may be the first. */
  readonly isNear: (reference: Seen | undefined) => boolean;
}

/** What upstreams say of a reading at its own ledger version; `alone`: fewer than two answered. */
export type Confirmation = "confirmed" | "contradicted" | "alone";

export type Verdict =
  | { readonly kind: "counts" }
  | { readonly kind: "refused"; readonly reason: string }
  /** Counts once confirmed; `since` is the first reading of its kind. */
  | { readonly kind: "doubtful"; readonly since: Seen };

/**
 * The gate between a reading and a value. A reading that breaks a law never counts. One that may follow the last good
 * one counts. Any other counts when a second upstream confirms it or, where only one answers, when a reading at least
 * `confirmMs` before was like it and none between was good. `confirmation` is null until upstreams were asked.
 */
export function judge(
  { seen, last, broken, isNear }: Question,
  doubt: Seen | undefined,
  confirmation: Confirmation | null,
  confirmMs: number,
): Verdict {
  if (broken !== null) return { kind: "refused", reason: broken };
  if (isNear(last) || confirmation === "confirmed") return { kind: "counts" };
  if (confirmation === "contradicted") return { kind: "refused", reason: "the chain nodes contradict each other" };
  // A doubt of a time to come is from before the clock was set back.
  const since = doubt !== undefined && doubt.atMs <= seen.atMs && isNear(doubt) ? doubt : seen;
  const repeated = confirmation === "alone" && seen.atMs - since.atMs >= confirmMs;
  return repeated ? { kind: "counts" } : { kind: "doubtful", since };
}

/** The verdicts by the questions' names, the last good value that they rest on, and what is to be remembered. */
export interface Judged<T> extends Known<T> {
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/**
 * Judges the numbers of one reading. Before a doubt is raised the store is read, because another isolate may know
 * better, and upstreams are asked.
 */
export async function judgeAll<T>(
  recall: Recall<T>,
  questionsOf: (known: Known<T>) => ReadonlyMap<string, Question>,
  confirm: (name: string) => Promise<Confirmation>,
  confirmMs: number,
): Promise<Judged<T>> {
  const unasked = (known: Known<T>) =>
    [...questionsOf(known)].map(([name, question]) => {
      const doubt = known.doubts.get(name);
      return { name, question, doubt, verdict: judge(question, doubt, null, confirmMs) };
    });
  let known = await recall();
  let judged = unasked(known);
  if (judged.some(({ verdict }) => verdict.kind === "doubtful")) {
    known = await recall("stored");
    judged = unasked(known);
  }
  const verdicts = await Promise.all(
    judged.map(async ({ name, question, doubt, verdict }): Promise<[string, Verdict]> => {
      if (verdict.kind !== "doubtful") return [name, verdict];
      return [name, judge(question, doubt, await confirm(name), confirmMs)];
    }),
  );
  const doubts = new Map<string, Seen>();
  for (const [name, verdict] of verdicts) if (verdict.kind === "doubtful") doubts.set(name, verdict.since);
  return { best: known.best, verdicts: new Map(verdicts), doubts };
}

/** Why a reading does not count, as a clause; null: it does. */
export function problemOf(verdict: Verdict | undefined): string | null {
  if (verdict?.kind === "doubtful") return "it was read far from its last good value, and awaits confirmation";
  return verdict?.kind === "refused" ? verdict.reason : null;
}

/** Whether two numbers have one sign and neither is more than `factor` times the other. */
export function isWithinFactor(left: bigint, right: bigint, factor: number): boolean {
  if (left < 0n) return isWithinFactor(-left, -right, factor);
  return left <= right * BigInt(factor) && right <= left * BigInt(factor);
}

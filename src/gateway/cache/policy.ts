import type { Hold } from "../node-types.ts";
import type { EndpointId } from "../request/endpoints.ts";

/** What an answer turned out to be, once its body was read. */
export type AnswerKind =
  /** Fixed for ever by an explicit version, height or hash at or below the node's tip. */
  | "committed"
  /** A whole page from an explicit start. */
  | "full_page"
  /** True at the node's tip: no explicit version, or a page that may still grow. */
  | "current"
  | "pending"
  /** 404 for a state at an explicit version that exists. */
  | "absent_at_version"
  /** 404 for a state at the tip. */
  | "absent"
  /** 404 for a version or height that is still to come. */
  | "not_yet"
  | "unknown_hash"
  | "pruned"
  /** Pruned where it was asked for; another upstream did not answer. */
  | "pruned_so_far"
  /** Any other status below 500. */
  | "refused";

export interface Rule {
  readonly endpoints: readonly EndpointId[] | "any";
  readonly answer: AnswerKind | "any";
  readonly hold: Hold;
  /** How long `pinned` and `timed` last; a `tip` body lasts until the published tip passes it, and no longer than this. */
  readonly seconds: number;
  readonly because: string;
}

const DAY = 86_400;
/** Longer than any quiet chain goes without a block; a bound, not a freshness. */
const UNTIL_THE_TIP_MOVES = 3_600;

/** First match wins; the last row catches everything. */
export const RULES: readonly Rule[] = [
  { endpoints: ["submit", "submit_batch"], answer: "any", hold: "never", seconds: 0, because: "sends a transaction" },
  {
    endpoints: ["simulate", "encode_submission"],
    answer: "any",
    hold: "never",
    seconds: 0,
    because: "is about one caller's own transaction, at the tip",
  },
  { endpoints: ["healthy"], answer: "any", hold: "never", seconds: 0, because: "says how a node is now" },
  {
    endpoints: ["wait_by_hash"],
    answer: "any",
    hold: "never",
    seconds: 0,
    because: "the wait is the point; what it finds is kept as by_hash",
  },
  {
    endpoints: ["estimate_gas_price"],
    answer: "current",
    hold: "timed",
    seconds: 2,
    because: "is an estimate over many blocks, which the node itself keeps for half a second",
  },
  {
    endpoints: ["view"],
    answer: "absent",
    hold: "never",
    seconds: 0,
    because: "an error of a view may be about its execution",
  },
  {
    endpoints: ["view"],
    answer: "absent_at_version",
    hold: "never",
    seconds: 0,
    because: "an error of a view may be about its execution",
  },
  {
    endpoints: "any",
    answer: "committed",
    hold: "pinned",
    seconds: DAY,
    because: "committed is final; a day, because its rendering may change with the node's software",
  },
  {
    endpoints: "any",
    answer: "full_page",
    hold: "pinned",
    seconds: DAY,
    because: "a whole page from an explicit start holds only committed items",
  },
  {
    endpoints: "any",
    answer: "absent_at_version",
    hold: "pinned",
    seconds: DAY,
    because: "what a committed version lacks it will always lack",
  },
  {
    endpoints: "any",
    answer: "current",
    hold: "tip",
    seconds: UNTIL_THE_TIP_MOVES,
    because: "true until the next commit",
  },
  {
    endpoints: "any",
    answer: "absent",
    hold: "tip",
    seconds: UNTIL_THE_TIP_MOVES,
    because: "the next commit may create it",
  },
  {
    endpoints: "any",
    answer: "not_yet",
    hold: "tip",
    seconds: 0.5,
    because: "exists as soon as it is committed, which the tip may not have told yet",
  },
  { endpoints: "any", answer: "pending", hold: "never", seconds: 0, because: "turns into committed at any moment" },
  {
    endpoints: "any",
    answer: "unknown_hash",
    hold: "never",
    seconds: 0,
    because: "turns into pending with a submit, without a commit",
  },
  {
    endpoints: "any",
    answer: "pruned",
    hold: "timed",
    seconds: 60,
    because: "history does not come back, but an archive may be added",
  },
  {
    endpoints: "any",
    answer: "pruned_so_far",
    hold: "timed",
    seconds: 1,
    because: "the upstream that may have it did not answer, for the moment",
  },
  { endpoints: "any", answer: "any", hold: "never", seconds: 0, because: "errors are not kept" },
];

export function ruleFor(endpoint: EndpointId, answer: AnswerKind): Rule {
  const found = RULES.find(
    (rule) =>
      (rule.endpoints === "any" || rule.endpoints.includes(endpoint)) &&
      (rule.answer === "any" || rule.answer === answer),
  );
  if (found === undefined) throw new Error(`no cache rule for ${endpoint} ${answer}`);
  return found;
}

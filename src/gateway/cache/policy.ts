import type { Retention } from "../node-types.ts";
import type { EndpointId } from "../request/endpoints.ts";

/** What an answer turned out to be, once its body was read. */
export type ResponseKind =
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
  /** Too large to be parsed: nobody has checked what it is about. */
  | "unchecked"
  /** Any other status below 500. */
  | "refused";

export interface CacheRule {
  readonly endpoints: readonly EndpointId[] | "any";
  readonly answer: ResponseKind | "any";
  readonly retention: Retention;
  /** How long `immutable` and `ttl` last; a `until-tip` body lasts until the published tip passes it, and no longer than this. */
  readonly seconds: number;
  readonly because: string;
}

const DAY = 86_400;
/** Longer than any quiet chain goes without a block; a bound, not a freshness. */
const UNTIL_THE_TIP_MOVES = 3_600;

/** First match wins; the last row catches everything. */
export const CACHE_POLICY: readonly CacheRule[] = [
  {
    endpoints: ["submit", "submit_batch"],
    answer: "any",
    retention: "no-store",
    seconds: 0,
    because: "sends a transaction",
  },
  {
    endpoints: ["simulate", "encode_submission"],
    answer: "any",
    retention: "no-store",
    seconds: 0,
    because: "is about one caller's own transaction, at the tip",
  },
  { endpoints: ["healthy"], answer: "any", retention: "no-store", seconds: 0, because: "says how a node is now" },
  {
    endpoints: ["wait_by_hash"],
    answer: "any",
    retention: "no-store",
    seconds: 0,
    because: "the wait is the point; what it finds is kept as by_hash",
  },
  {
    endpoints: ["estimate_gas_price"],
    answer: "current",
    retention: "ttl",
    seconds: 2,
    because: "is an estimate over many blocks, which the node itself keeps for half a second",
  },
  {
    endpoints: ["view"],
    answer: "absent",
    retention: "no-store",
    seconds: 0,
    because: "an error of a view may be about its execution",
  },
  {
    endpoints: ["view"],
    answer: "absent_at_version",
    retention: "no-store",
    seconds: 0,
    because: "an error of a view may be about its execution",
  },
  {
    endpoints: "any",
    answer: "committed",
    retention: "immutable",
    seconds: DAY,
    because: "committed is final; a day, because its rendering may change with the node's software",
  },
  {
    endpoints: "any",
    answer: "full_page",
    retention: "immutable",
    seconds: DAY,
    because: "a whole page from an explicit start holds only committed items",
  },
  {
    endpoints: "any",
    answer: "absent_at_version",
    retention: "immutable",
    seconds: DAY,
    because: "what a committed version lacks it will always lack",
  },
  {
    endpoints: "any",
    answer: "current",
    retention: "until-tip",
    seconds: UNTIL_THE_TIP_MOVES,
    because: "true until the next commit",
  },
  {
    endpoints: "any",
    answer: "absent",
    retention: "until-tip",
    seconds: UNTIL_THE_TIP_MOVES,
    because: "the next commit may create it",
  },
  {
    endpoints: "any",
    answer: "not_yet",
    retention: "until-tip",
    seconds: 0.5,
    because: "exists as soon as it is committed, which the tip may not have told yet",
  },
  {
    endpoints: "any",
    answer: "pending",
    retention: "no-store",
    seconds: 0,
    because: "turns into committed at any moment",
  },
  {
    endpoints: "any",
    answer: "unknown_hash",
    retention: "no-store",
    seconds: 0,
    because: "turns into pending with a submit, without a commit",
  },
  { endpoints: "any", answer: "unchecked", retention: "no-store", seconds: 0, because: "may be about something else" },
  {
    endpoints: "any",
    answer: "pruned",
    retention: "ttl",
    seconds: 60,
    because: "history does not come back, but an archive may be added",
  },
  {
    endpoints: "any",
    answer: "pruned_so_far",
    retention: "ttl",
    seconds: 1,
    because: "the upstream that may have it did not answer, for the moment",
  },
  { endpoints: "any", answer: "any", retention: "no-store", seconds: 0, because: "errors are not kept" },
];

export function cacheRuleFor(endpoint: EndpointId, answer: ResponseKind): CacheRule {
  const found = CACHE_POLICY.find(
    (rule) =>
      (rule.endpoints === "any" || rule.endpoints.includes(endpoint)) &&
      (rule.answer === "any" || rule.answer === answer),
  );
  if (found === undefined) throw new Error(`no cache rule for ${endpoint} ${answer}`);
  return found;
}

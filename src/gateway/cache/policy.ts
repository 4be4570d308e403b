import { sha256 } from "../../base/hash/sha256.ts";
import type { EndpointId } from "../../chain/endpoints.ts";
import type { CachedResponse, NodeRequest, NodeResponse, Retention } from "../model/node-types.ts";
import type { ResponseKind, ValidResponse } from "../upstream/classify.ts";
import { isRefusedSubmit } from "../upstream/trust.ts";
import { isTimelessRequest } from "./freshness.ts";

interface CacheRule {
  readonly endpoints: readonly EndpointId[] | "any";
  readonly kinds: readonly ResponseKind[] | "any";
  readonly retention: Retention;
  /** Maximum age. An `until-tip` response also ends when the published tip passes it. */
  readonly seconds: number;
}

const DAY = 86_400;
/** Upper bound of the retention `until-tip`: no chain goes longer without a block. It says nothing about freshness. */
const UNTIL_THE_TIP_MOVES = 3_600;

/** Cache rules. The first match wins; the last row catches everything. */
export const CACHE_POLICY: readonly CacheRule[] = [
  // These concern one caller's own transaction.
  {
    endpoints: ["submit", "submit_batch", "simulate", "encode_submission"],
    kinds: "any",
    retention: "no-store",
    seconds: 0,
  },
  // A node's health is of the moment. A wait itself cannot be cached; its result is stored under `by_hash`.
  { endpoints: ["healthy", "node_info", "wait_by_hash"], kinds: "any", retention: "no-store", seconds: 0 },
  // The gas price is an estimate over many blocks, which the node itself caches for half a second.
  { endpoints: ["estimate_gas_price"], kinds: ["current"], retention: "ttl", seconds: 2 },
  // An error of a view may be about its execution.
  { endpoints: ["view"], kinds: ["absent", "absent_at_version"], retention: "no-store", seconds: 0 },
  // Committed data is final. A day, because its rendering may change with the node's software.
  { endpoints: "any", kinds: ["committed", "absent_at_version"], retention: "immutable", seconds: DAY },
  // Valid until the next commit, which may create what is absent.
  { endpoints: "any", kinds: ["current", "absent"], retention: "until-tip", seconds: UNTIL_THE_TIP_MOVES },
  // The version may exist before the known tip advances.
  { endpoints: "any", kinds: ["not_yet"], retention: "until-tip", seconds: 0.5 },
  // These may change at any moment without a commit, were not verified, or another upstream may have more.
  { endpoints: "any", kinds: ["pending", "unknown_hash", "unchecked", "late"], retention: "no-store", seconds: 0 },
  // Pruned history does not return, but an archive upstream may be added.
  { endpoints: "any", kinds: ["pruned"], retention: "ttl", seconds: 60 },
  // The upstream that may have the history did not respond.
  { endpoints: "any", kinds: ["pruned_so_far"], retention: "ttl", seconds: 1 },
  // Errors are not cached.
  { endpoints: "any", kinds: "any", retention: "no-store", seconds: 0 },
];

const NOT_STORED = { retention: "no-store", seconds: 0 } as const;

export function cacheRuleFor(endpoint: EndpointId, kind: ResponseKind): CacheRule {
  const cacheRule = CACHE_POLICY.find(
    (rule) =>
      (rule.endpoints === "any" || rule.endpoints.includes(endpoint)) &&
      (rule.kinds === "any" || rule.kinds.includes(kind)),
  );
  if (cacheRule === undefined) throw new Error(`no cache rule for ${endpoint} ${kind}`);
  return cacheRule;
}

/** Adds cache rule, ETag, time and era to an upstream's response, and decides whether it is timeless. */
export async function responseOf(
  request: NodeRequest,
  { response, classification }: { response: NodeResponse; classification: ValidResponse },
  era: number,
  nowMs: number,
): Promise<CachedResponse> {
  const { endpoint } = request;
  const { kind, revealsVersion } = classification;
  const isCommittedWait = endpoint === "wait_by_hash" && kind === "committed";
  // A read without a canonical form has no key, so it is not stored.
  const isKeyless = request.mode === "compute";
  const rule = isKeyless ? NOT_STORED : cacheRuleFor(isCommittedWait ? "transaction_by_hash" : endpoint, kind);
  const { retention, seconds } = rule;
  const { ledger, large, body } = response;
  const etag = retention === "no-store" || large !== undefined ? "" : `"${(await sha256(body)).slice(0, 32)}"`;
  const isStateless = isTimelessRequest(request) && !isRefusedSubmit(request, response);
  const timeless = retention === "immutable" || retention === "ttl" || (retention === "no-store" && isStateless);
  const point = ledger === null ? null : { era, version: ledger.version };
  const revealed = point === null || !timeless || revealsVersion === null ? point : { era, version: revealsVersion };
  return { ...response, retention, seconds, etag, storedAtMs: nowMs, era, point, revealed, timeless };
}

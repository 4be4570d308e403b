import { responseOf as cachedResponseOf } from "../../../src/gateway/cache/policy.ts";
import type { CachedResponse, NodeRequest } from "../../../src/gateway/node-types.ts";
import type { Ledger } from "../../../src/gateway/tip/ledger-headers.ts";
import { classifyResponse } from "../../../src/gateway/upstream/classify-response.ts";
import type { FailoverResult } from "../../../src/gateway/upstream/failover.ts";
import { ledgerAt, responseOf } from "../../unit/gateway/upstream/nodes.ts";

const BLOCK_MS = 250;
const FIRST_VERSION = 100_000;

/** A node whose chain moves with the simulated time. It answers at once. */
export class SimulatedNode {
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  tip(): Ledger {
    return ledgerAt(BigInt(FIRST_VERSION + Math.floor(this.#now() / BLOCK_MS)));
  }

  respond(request: NodeRequest): Extract<FailoverResult, { kind: "response" }> {
    const response = responseOf(bodyFor(request), this.tip());
    const classification = classifyResponse(request, response);
    if (classification.kind === "invalid") throw new Error(classification.why);
    return { kind: "response", response, classification, attempts: [] };
  }

  /** What the data centres' caches store before the first request, by key. */
  async cachedEverywhere(requests: readonly NodeRequest[]): Promise<[string, CachedResponse][]> {
    const values = requests.map(async (request): Promise<[string, CachedResponse]> => {
      const value = await cachedResponseOf(request, this.respond(request), 0, this.#now());
      return [`0 ${request.key}`, value];
    });
    return Promise.all(values);
  }
}

function bodyFor({ endpoint, params, body }: NodeRequest): unknown {
  switch (endpoint) {
    case "transaction_by_version":
      return { type: "user_transaction", version: params["txn_version"], hash: `0x${"ab".repeat(32)}`, success: true };
    case "view":
      return new TextDecoder().decode(body ?? undefined).includes("decimals") ? [8] : [{ vec: ["1000000000000000"] }];
    case "estimate_gas_price":
      return { gas_estimate: 100 };
    case "ledger_info":
      return { chain_id: 4, ledger_version: String(FIRST_VERSION) };
    default:
      return { sequence_number: "7", authentication_key: "0x00" };
  }
}

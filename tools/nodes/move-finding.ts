import { isRecord } from "../../src/base/json.ts";
import { nodeAccess } from "../../src/chain/node-key.ts";
import {
  decimalsProblem,
  type ExpectedChain,
  type NodeProblem,
  noAnswer,
  otherChainProblem,
  refusedByChain,
} from "./finding.ts";
import { nodeAt } from "./move-views.ts";

const DEADLINE_MS = 10_000;

/** Returns why a Move node cannot report the supply of that chain; null when it can. */
export async function moveNodeProblem(address: string, key: string, chain: ExpectedChain): Promise<NodeProblem | null> {
  const { url, headers } = nodeAccess(address, key);
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) }).catch(() => undefined);
  if (response === undefined) return noAnswer("does not answer");
  const ledger: unknown = await response.json().catch(() => undefined);
  const { chain_id: chainId, ledger_version: newest } = isRecord(ledger) ? ledger : {};
  if (typeof chainId !== "number" || typeof newest !== "string" || !/^\d+$/.test(newest))
    return noAnswer(`does not answer as a chain node (status ${response.status})`);
  const other = otherChainProblem(chainId, chain);
  if (other !== null) return other;
  const { asset, decimals } = chain;
  const version = BigInt(newest);
  const supply = await nodeAt(url, version, headers).supply(asset, version, null);
  if (!("why" in supply)) return decimalsProblem(supply.decimals, decimals);
  const text = `says of ${asset.text}: ${supply.reason}`;
  return supply.why === "refused" && !NOT_OF_THE_CHAIN.test(supply.reason) ? refusedByChain(text) : noAnswer(text);
}

/**
 * Matches any status but 400. A view that fails on chain is 400, so any other status comes from the node's software or a
 * proxy.
 */
const NOT_OF_THE_CHAIN = /answers (?!400)\d{3} to /;

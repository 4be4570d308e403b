import type { Holding } from "../../src/chain/holding.ts";
import type { ReportedPrice, SharePrice } from "../../src/chain/share-price.ts";
import type { ChainNode, CirculatingView, NodeError, Supply } from "../../src/families/chain-node.ts";
import { type Block, parseBlock, parseQuantity } from "../../src/families/evm/block.ts";
import { evmNode } from "../../src/families/evm/evm-node.ts";
import type { Rpc } from "../../src/families/evm/json-rpc.ts";
import { unexpectedAnswerText } from "./evm.ts";
import {
  decimalsProblem,
  type ExpectedChain,
  type NodeProblem,
  noAnswer,
  otherChainProblem,
  refusedByChain,
} from "./finding.ts";

/** How many times a node is asked if it replaces its head meanwhile. */
const ATTEMPTS = 3;

/** Returns why a node cannot report the token's supply and wallets at its newest block; null when it can. */
export async function evmNodeProblem(call: Rpc, chain: ExpectedChain): Promise<NodeProblem | null> {
  const { asset, decimals, wallets, circulatingView, prices } = chain;
  const named = await call("eth_chainId", []);
  const chainId = named.kind === "result" ? Number(parseQuantity(named.value) ?? 0n) : 0;
  if (chainId === 0) return noAnswer(`does not answer: it ${unexpectedAnswerText(named)}`);
  const other = otherChainProblem(chainId, chain);
  if (other !== null) return other;
  for (let attempt = 1; ; attempt += 1) {
    const newest = await call("eth_getBlockByNumber", ["latest", false]);
    const head = newest.kind === "result" ? parseBlock(newest.value) : undefined;
    if (head === undefined) return noAnswer(`reports no newest block: it ${unexpectedAnswerText(newest)}`);
    const node = evmNode({ label: "", chainId, head, call }, wallets, circulatingView);
    const supply = await node.supply(asset, head.number, null);
    if (!("why" in supply)) {
      const balances = await node.balances(asset, wallets, head.number);
      return (
        decimalsProblem(supply.decimals, decimals) ??
        walletProblem(wallets, balances) ??
        viewProblem(circulatingView, supply) ??
        priceProblem(prices, (await node.prices?.(asset, prices, head.number)) ?? [])
      );
    }
    if (supply.why === "refused") return refusedByChain(`says: ${supply.reason}`);
    if (attempt < ATTEMPTS) continue;
    return noAnswer(`${await unsupportedCall(call, head, asset.text)}: ${supply.reason}`);
  }
}

/**
 * Finds the first wallet that cannot be read. The chain refuses a lock whose contract lacks the view. A lock above its
 * balance is no refusal, because the next block may repair it.
 */
function walletProblem(
  wallets: readonly Holding[],
  balances: Awaited<ReturnType<ChainNode["balances"]>>,
): NodeProblem | null {
  for (const [index, { address, label }] of wallets.entries()) {
    const balance = balances[index];
    if (balance === undefined || !("why" in balance) || balance.why !== "refused") continue;
    const makeProblem = balance.mayPass === true ? noAnswer : refusedByChain;
    return {
      ...makeProblem(`says of the wallet ${address} (${label}): ${balance.reason}`),
      consequence: "figures that count this wallet cannot be read",
    };
  }
  return null;
}

/** States that the contract does not answer its view. The chain does not refuse: no figure depends on the view. */
function viewProblem(view: CirculatingView | undefined, { circulating }: Supply): NodeProblem | null {
  if (view === undefined || typeof circulating !== "object") return null;
  return {
    ...noAnswer(`says of ${view.contract}: ${circulating.reason}`),
    consequence: "the circulating figure is then compared with no contract",
  };
}

/** Names every share price that cannot be read. The chain does not refuse: no figure depends on a price. */
function priceProblem(
  prices: readonly SharePrice[],
  reports: readonly (ReportedPrice | NodeError)[],
): NodeProblem | null {
  const reasons = reports.flatMap((report, index) =>
    "why" in report ? [`of the price ${prices[index]?.id}: ${report.reason}`] : [],
  );
  if (reasons.length === 0) return null;
  const consequence = "these products get no new price, and are stale two days after their last one";
  return { ...noAnswer(`says ${reasons.join("; ")}`), consequence };
}

/** Finds out which part of the reading's call a node does not support although it has the block. */
async function unsupportedCall(call: Rpc, { hash, number }: Block, to: string): Promise<string> {
  const isWord = async (at: unknown): Promise<boolean> => {
    const answer = await call("eth_call", [{ to, data: TOTAL_SUPPLY }, at]);
    return answer.kind === "result" && typeof answer.value === "string" && answer.value.length === WORD_LENGTH;
  };
  if (await isWord({ blockHash: hash, requireCanonical: true }))
    return "does not execute eth_call without `to`, with which everything is read at once";
  if (await isWord("latest")) return "does not accept a block hash (EIP-1898)";
  return `does not answer eth_call at its newest block ${number}`;
}

const TOTAL_SUPPLY = "0x18160ddd";
const WORD_LENGTH = 66;

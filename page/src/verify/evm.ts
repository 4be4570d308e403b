import type { Holding } from "../../../src/chain/holding.ts";
import { parseEvmAddress } from "../../../src/families/evm/address.ts";
import { parseQuantity } from "../../../src/families/evm/block.ts";
import { evmNode } from "../../../src/families/evm/evm-node.ts";
import { holdingQuery } from "../../../src/families/evm/holdings.ts";
import { parseAnswer, type Rpc } from "../../../src/families/evm/json-rpc.ts";
import { callOf } from "../../../src/families/evm/question.ts";
import { noAnswer } from "../../../src/families/node-exchange.ts";
import { exchangeWith, type NodeFailure } from "./exchange.ts";
import type { BrowserNode, ServedChain } from "./node.ts";

/** Makes a node that is read at the block of a reading, by hash, in two calls: the supply, and all balances. */
export function evmBrowserNode(address: string, chain: ServedChain): BrowserNode {
  const { ask, record, firstFailure } = exchangeWith(address);
  const call: Rpc = async (method, params) => {
    const answer = await ask("", { jsonrpc: "2.0", id: 1, method, params });
    if ("kind" in answer) return noAnswer("");
    if (answer.status === 200) return parseAnswer(answer.value);
    record({ kind: "status", status: answer.status });
    return noAnswer("");
  };
  const quantity = async (method: string): Promise<bigint | NodeFailure> => {
    const answer = await call(method, []);
    const value = answer.kind === "result" ? parseQuantity(answer.value) : undefined;
    if (value !== undefined) return value;
    if (answer.kind === "error") return record({ kind: "rpc_error", code: answer.code });
    return firstFailure() ?? record({ kind: "not_a_node" });
  };
  return {
    firstFailure,
    info: async () => {
      const chainId = await quantity("eth_chainId");
      if (typeof chainId !== "bigint") return chainId;
      const newest = await quantity("eth_blockNumber");
      if (typeof newest !== "bigint") return newest;
      return { kind: "info", chainId: Number(chainId), newest, oldest: 0n };
    },
    chain: ({ chainId }) => {
      const head = { number: chain.version, hash: hashIn(chain), timestampMs: 0 };
      return evmNode({ label: "", chainId, head, call }, []);
    },
  };
}

function hashIn({ block: hash }: ServedChain): string {
  if (hash === null) throw new TypeError("the API names no block");
  return hash;
}

/**
 * Writes the commands that read a holding, or the supply (null), at a node: calls of the contracts' own functions. A lock
 * has two, of its balance and of its view.
 */
export async function evmCommands(address: string, chain: ServedChain, holding: Holding | null): Promise<string> {
  const token = parseEvmAddress(chain.asset.text);
  const query = holding === null || token === undefined ? null : holdingQuery(token, holding);
  const calls =
    query === null || "why" in query ? [{ to: chain.asset.text, data: TOTAL_SUPPLY }] : query.questions.map(callOf);
  const at = { blockHash: hashIn(chain), requireCanonical: true };
  const commands = calls.map((call) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [call, at] });
    return `curl -sSf "${address}" -H "Content-Type: application/json" -d '${body}'`;
  });
  return commands.join("\n");
}

const TOTAL_SUPPLY = "0x18160ddd";

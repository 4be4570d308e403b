import type { Holding } from "../../../src/chain/holding.ts";
import { parseQuantity } from "../../../src/families/evm/block.ts";
import { evmNode } from "../../../src/families/evm/evm-node.ts";
import { parseAnswer, type Rpc } from "../../../src/families/evm/json-rpc.ts";
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

/** Writes the command that reads a holding, or the supply (null), at a node: a call of the contract's own function. */
export async function evmCommand(address: string, chain: ServedChain, holding: Holding | null): Promise<string> {
  const data = holding === null ? "0x18160ddd" : `0x70a08231${holding.address.slice(2).padStart(64, "0")}`;
  const params = [
    { to: chain.asset.text, data },
    { blockHash: hashIn(chain), requireCanonical: true },
  ];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params });
  return `curl -sSf "${address}" -H "Content-Type: application/json" -d '${body}'`;
}

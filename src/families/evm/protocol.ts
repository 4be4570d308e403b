import type { Head } from "../../chain/heads.ts";
import type { NodeConnection, ProbedNode } from "../definition.ts";
import { type Block, parseBlock, parseQuantity } from "./block.ts";
import { evmNode } from "./evm-node.ts";
import { type RpcAnswer, rpcOver } from "./json-rpc.ts";

/**
 * Probes a node: asks for its chain id, then for its newest block. The calls are sequential, because a Durable Object
 * has few connections.
 */
export async function probe(calls: NodeConnection, follows: (chainId: number) => boolean): Promise<ProbedNode> {
  const call = rpcOver(calls);
  const named = await call("eth_chainId", []);
  const chainId = named.kind === "result" ? Number(parseQuantity(named.value) ?? 0n) : 0;
  if (chainId === 0) return failed(named);
  if (!follows(chainId)) return { kind: "wrong_chain" };
  const newest = await call("eth_getBlockByNumber", ["latest", false]);
  const head = newest.kind === "result" ? parseBlock(newest.value) : undefined;
  if (head === undefined) return failed(newest);
  return {
    kind: "answers",
    head: headOf(head),
    node: (reached, label, ...asked) => evmNode({ label, chainId, head, call: rpcOver(reached) }, ...asked),
  };
}

function failed(answer: RpcAnswer): ProbedNode {
  if (answer.kind === "none") return { kind: "fails", failure: answer };
  const behaviour =
    answer.kind === "error"
      ? `answers with the JSON-RPC error ${answer.code}`
      : "answers something else than its chain id and newest block";
  return { kind: "fails", failure: { behaviour, status: null, retryAfterMs: null } };
}

function headOf({ number: version, timestampMs: atMs }: Block): Head {
  return { version, atMs };
}

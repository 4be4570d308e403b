import { isRecord } from "../../src/base/json.ts";
import { nodeAccess } from "../../src/chain/node-key.ts";
import { type Block, blockIn, quantityIn, quantityText } from "../../src/families/evm/block.ts";
import { evmNode } from "../../src/families/evm/evm-node.ts";
import { type Rpc, type RpcAnswer, rpcOver } from "../../src/families/evm/json-rpc.ts";
import { jsonExchangeOver } from "../../src/home/json-exchange.ts";
import { Refusal } from "../lib/command-line.ts";
import type { Blocks } from "./blocks.ts";
import type { GivenNode } from "./given-node.ts";

/** Calls of a node; its key stands where {@link nodeAccess} says. */
export function rpcAt(address: string, key: string): Rpc {
  const { url, headers } = nodeAccess(address, key);
  const exchange = jsonExchangeOver(
    (_path, init) => fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } }),
    {
      after: (milliseconds, then) => {
        const timer = setTimeout(then, milliseconds);
        return () => clearTimeout(timer);
      },
      now: () => Date.now(),
      userAgent: "edge-api-tools",
    },
  );
  return rpcOver({ exchange });
}

/** A node of an EVM chain by its calls. */
export function evmNodeAt(call: Rpc): GivenNode {
  const chainId = async (): Promise<number> => {
    const answer = await call("eth_chainId", []);
    const id = answer.kind === "result" ? Number(quantityIn(answer.value) ?? 0n) : 0;
    if (id > 0) return id;
    throw new Refusal([`--node: does not answer as a node of an EVM chain: it ${doesInstead(answer)}`]);
  };
  const blockAt = async (at: bigint | "latest"): Promise<Block | null> => {
    const answer = await call("eth_getBlockByNumber", [at === "latest" ? at : quantityText(at), false]);
    return (answer.kind === "result" ? blockIn(answer.value) : undefined) ?? null;
  };
  const neededBlock = async (at: bigint | null): Promise<Block> => {
    const block = await blockAt(at ?? "latest");
    if (block !== null) return block;
    throw new Refusal([`--node: has no block ${at ?? "at all"}; take an archive node, or a later block`]);
  };
  return {
    pointAt: async (version) => {
      const id = await chainId();
      const { number, timestampMs } = await neededBlock(version);
      return { chainId: id, version: number, atMs: timestampMs };
    },
    at: async (version, wallets = []) =>
      evmNode({ label: "--node", chainId: await chainId(), head: await neededBlock(version), call }, wallets),
    blocks: async () => {
      await chainId();
      return { ...(await rangeOf(call, (await neededBlock(null)).number)), at: (height) => heightAt(blockAt, height) };
    },
  };
}

/** From where on a node has the state, by its own word where it knows the question. */
async function rangeOf(call: Rpc, head: bigint): Promise<Omit<Blocks, "at">> {
  const newest = Number(head);
  const answer = await call("eth_capabilities", []);
  const state = answer.kind === "result" && isRecord(answer.value) ? answer.value["state"] : undefined;
  const oldest = isRecord(state) && state["disabled"] !== true ? quantityIn(state["oldestBlock"]) : undefined;
  if (oldest !== undefined)
    return { oldest: Number(oldest), newest, note: `the node says that it has the state from block ${oldest} on` };
  return {
    oldest: 0,
    newest,
    note: "the node does not say from which block on it has the state (eth_capabilities); each day is tried",
  };
}

async function heightAt(blockAt: (at: bigint) => Promise<Block | null>, height: number) {
  const block = await blockAt(BigInt(height));
  return block && { height, atMs: block.timestampMs, lastVersion: block.number };
}

/** What came in place of what was asked for. */
export function doesInstead(answer: RpcAnswer): string {
  if (answer.kind === "none") return answer.behaviour;
  return answer.kind === "error" ? `answers with the JSON-RPC error ${answer.code}` : "answers something else";
}

import { isRecord } from "../../src/base/json.ts";
import { nodeAccess } from "../../src/chain/node-key.ts";
import { type Block, parseBlock, parseQuantity, quantityText } from "../../src/families/evm/block.ts";
import { evmNode } from "../../src/families/evm/evm-node.ts";
import { type Rpc, type RpcAnswer, rpcOver } from "../../src/families/evm/json-rpc.ts";
import { jsonExchangeOver } from "../../src/home/json-exchange.ts";
import { Refusal } from "../lib/command-line.ts";
import type { Blocks } from "./blocks.ts";
import type { GivenNode } from "./given-node.ts";

/** Makes the calls of a node. {@link nodeAccess} decides where its key is sent. */
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

/** Makes a node of an EVM chain from its calls. */
export function evmNodeAt(call: Rpc): GivenNode {
  const chainId = async (): Promise<number> => {
    const answer = await call("eth_chainId", []);
    const id = answer.kind === "result" ? Number(parseQuantity(answer.value) ?? 0n) : 0;
    if (id > 0) return id;
    throw new Refusal([`--node: does not answer as a node of an EVM chain: it ${unexpectedAnswerText(answer)}`]);
  };
  const blockAt = async (at: bigint | "latest"): Promise<Block | null> => {
    const answer = await call("eth_getBlockByNumber", [at === "latest" ? at : quantityText(at), false]);
    return (answer.kind === "result" ? parseBlock(answer.value) : undefined) ?? null;
  };
  const neededBlock = async (at: bigint | null): Promise<Block> => {
    const block = await blockAt(at ?? "latest");
    if (block !== null) return block;
    throw new Refusal([`--node: has no block ${at ?? "at all"}; use an archive node, or a later block`]);
  };
  return {
    pointAt: async (version) => {
      const id = await chainId();
      const { number, timestampMs } = await neededBlock(version);
      return { chainId: id, version: number, atMs: timestampMs };
    },
    at: async (version, wallets = [], view) =>
      evmNode({ label: "--node", chainId: await chainId(), head: await neededBlock(version), call }, wallets, view),
    blocks: async () => {
      await chainId();
      return { ...(await rangeOf(call, (await neededBlock(null)).number)), at: (height) => heightAt(blockAt, height) };
    },
  };
}

/** Reads from which block on a node has the state, if the node supports the question. */
async function rangeOf(call: Rpc, head: bigint): Promise<Omit<Blocks, "at">> {
  const newest = Number(head);
  const answer = await call("eth_capabilities", []);
  const state = answer.kind === "result" && isRecord(answer.value) ? answer.value["state"] : undefined;
  const oldest = isRecord(state) && state["disabled"] !== true ? parseQuantity(state["oldestBlock"]) : undefined;
  if (oldest !== undefined)
    return { oldest: Number(oldest), newest, note: `the node reports that it has the state from block ${oldest} on` };
  return {
    oldest: 0,
    newest,
    note: "the node does not report its oldest block with state (eth_capabilities), so each day is tried",
  };
}

async function heightAt(blockAt: (at: bigint) => Promise<Block | null>, height: number) {
  const block = await blockAt(BigInt(height));
  return block && { height, atMs: block.timestampMs, lastVersion: block.number };
}

/** Describes an answer that is not the expected one. */
export function unexpectedAnswerText(answer: RpcAnswer): string {
  if (answer.kind === "none") return answer.behaviour;
  return answer.kind === "error" ? `answers with the JSON-RPC error ${answer.code}` : "answers something else";
}

import type { Config } from "../../src/config.ts";
import { type Block, blockIn, quantityIn } from "../../src/evm/block.ts";
import { evmNode } from "../../src/evm/evm-node.ts";
import type { Rpc } from "../../src/evm/json-rpc.ts";
import type { Finding } from "../doctor/finding.ts";
import { doesInstead, rpcAt } from "../nodes/evm.ts";
import { nodesFinding } from "../nodes/finding.ts";

interface Nodes extends Pick<Config, "nodeUrls" | "nodeKeys" | "chainId"> {
  readonly assets: Pick<Config["assets"], "native"> & Partial<Config["assets"]>;
  /** Of the chain, in their labels; absent: of the first one. */
  readonly name?: string;
}

/** Whether each node executes the call by which a reading is made, and what happens where one does not. */
export async function evmNodesFinding(
  { nodeUrls, nodeKeys, chainId, assets, name: chain = "upstream" }: Nodes,
  rpcOf: (url: string, key: string) => Rpc = rpcAt,
): Promise<Finding> {
  return nodesFinding(
    { chain, nodeUrls, nodeKeys },
    "executed the call that reads everything at one block",
    (url, key) => whyNot(rpcOf(url, key), chainId, assets.native, chain),
  );
}

/** How often a node may replace its head while it is asked. */
const ATTEMPTS = 3;

/** What the node does instead; null: it has said the token's supply at its newest block. */
async function whyNot(
  call: Rpc,
  wanted: number | null,
  asset: Nodes["assets"]["native"],
  chain: string,
): Promise<string | null> {
  const named = await call("eth_chainId", []);
  const chainId = named.kind === "result" ? Number(quantityIn(named.value) ?? 0n) : 0;
  if (chainId === 0) return `does not answer: it ${doesInstead(named)}`;
  if (wanted !== null && chainId !== wanted)
    return `is of chain ${chainId}, and ${chain === "upstream" ? "CHAIN_ID" : "its chain_id in the schedule"} is ${wanted}`;
  for (let attempt = 1; ; attempt += 1) {
    const newest = await call("eth_getBlockByNumber", ["latest", false]);
    const head = newest.kind === "result" ? blockIn(newest.value) : undefined;
    if (head === undefined) return `says no newest block: it ${doesInstead(newest)}`;
    const said = await evmNode({ label: "", chainId, head, call }, []).supply(asset, head.number, null);
    if (!("why" in said)) return null;
    if (said.why === "refused") return `says: ${said.reason}`;
    if (attempt < ATTEMPTS) continue;
    return asset.kind === "contract" ? `${await whyNoWord(call, head, asset.address)}: ${said.reason}` : said.reason;
  }
}

/** Which part of the call is too much for a node that has the block. */
async function whyNoWord(call: Rpc, { hash, number }: Block, to: string): Promise<string> {
  const isWord = async (at: unknown): Promise<boolean> => {
    const answer = await call("eth_call", [{ to, data: TOTAL_SUPPLY }, at]);
    return answer.kind === "result" && typeof answer.value === "string" && answer.value.length === WORD_LENGTH;
  };
  if (await isWord({ blockHash: hash, requireCanonical: true }))
    return "executes no eth_call without `to`, which reads everything at once";
  if (await isWord("latest")) return "takes no block by its hash (EIP-1898)";
  return `answers no eth_call at its newest block ${number}`;
}

const TOTAL_SUPPLY = "0x18160ddd";
const WORD_LENGTH = 66;

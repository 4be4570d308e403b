import type { Config } from "../../src/config.ts";
import { type Block, blockIn, quantityIn } from "../../src/evm/block.ts";
import { evmNode } from "../../src/evm/evm-node.ts";
import type { Rpc } from "../../src/evm/json-rpc.ts";
import { doesInstead, rpcAt } from "./evm.ts";
import { type Cannot, type NodesFinding, no, nodesFinding, otherChain, silent } from "./finding.ts";

interface Nodes extends Pick<Config, "nodeUrls" | "nodeKeys" | "chainId"> {
  readonly assets: Pick<Config["assets"], "native"> & Partial<Config["assets"]>;
  /** Of the chain, in their labels; absent: of the first one. */
  readonly name?: string;
  /** The token's, which its contract must have too; absent: it may have others. */
  readonly decimals?: number;
}

/** Whether each node executes the call by which a reading is made, and what happens where one does not. */
export async function evmNodesFinding(
  { nodeUrls, nodeKeys, chainId, assets, name: chain = "upstream", decimals }: Nodes,
  rpcOf: (url: string, key: string) => Rpc = rpcAt,
): Promise<NodesFinding> {
  return nodesFinding(
    { chain, nodeUrls, nodeKeys },
    "executed the call that reads everything at one block",
    (url, key) => whyNot(rpcOf(url, key), { chainId, asset: assets.native, chain, decimals }),
  );
}

/** How often a node may replace its head while it is asked. */
const ATTEMPTS = 3;

interface Wanted extends Pick<Nodes, "chainId"> {
  readonly asset: Nodes["assets"]["native"];
  readonly chain: string;
  readonly decimals: number | undefined;
}

/** What the node does instead; null: it has said the token's supply at its newest block. */
async function whyNot(call: Rpc, { chainId: wanted, asset, chain, decimals }: Wanted): Promise<Cannot | null> {
  const named = await call("eth_chainId", []);
  const chainId = named.kind === "result" ? Number(quantityIn(named.value) ?? 0n) : 0;
  if (chainId === 0) return silent(`does not answer: it ${doesInstead(named)}`);
  if (wanted !== null && chainId !== wanted)
    return otherChain(
      `is of chain ${chainId}, and ${chain === "upstream" ? "CHAIN_ID" : "its chain_id in the schedule"} is ${wanted}`,
    );
  for (let attempt = 1; ; attempt += 1) {
    const newest = await call("eth_getBlockByNumber", ["latest", false]);
    const head = newest.kind === "result" ? blockIn(newest.value) : undefined;
    if (head === undefined) return silent(`says no newest block: it ${doesInstead(newest)}`);
    const said = await evmNode({ label: "", chainId, head, call }, []).supply(asset, head.number, null);
    if (!("why" in said)) return decimalsProblem(said.decimals, decimals);
    if (said.why === "refused") return no(`says: ${said.reason}`);
    if (attempt < ATTEMPTS) continue;
    const isContract = asset.kind === "contract";
    return silent(isContract ? `${await whyNoWord(call, head, asset.address)}: ${said.reason}` : said.reason);
  }
}

/** A schedule's amounts in other decimals than the token's are other amounts. null: they are the same. */
export function decimalsProblem(onChain: number, scheduled: number | undefined): Cannot | null {
  if (scheduled === undefined || onChain === scheduled) return null;
  return no(`says that the token has ${onChain} decimals, and the schedule says ${scheduled}`);
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

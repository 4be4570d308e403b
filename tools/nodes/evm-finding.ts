import { type Block, blockIn, quantityIn } from "../../src/families/evm/block.ts";
import { evmNode } from "../../src/families/evm/evm-node.ts";
import type { Rpc } from "../../src/families/evm/json-rpc.ts";
import { doesInstead } from "./evm.ts";
import { type Cannot, decimalsProblem, no, otherChainProblem, silent, type TriedChain } from "./finding.ts";

/** How often a node may replace its head while it is asked. */
const ATTEMPTS = 3;

/** Says why a node cannot report the token's supply at its newest block; null when it can. */
export async function whyNotEvm(call: Rpc, chain: TriedChain): Promise<Cannot | null> {
  const { asset, decimals } = chain;
  const named = await call("eth_chainId", []);
  const chainId = named.kind === "result" ? Number(quantityIn(named.value) ?? 0n) : 0;
  if (chainId === 0) return silent(`does not answer: it ${doesInstead(named)}`);
  const other = otherChainProblem(chainId, chain);
  if (other !== null) return other;
  for (let attempt = 1; ; attempt += 1) {
    const newest = await call("eth_getBlockByNumber", ["latest", false]);
    const head = newest.kind === "result" ? blockIn(newest.value) : undefined;
    if (head === undefined) return silent(`says no newest block: it ${doesInstead(newest)}`);
    const said = await evmNode({ label: "", chainId, head, call }, []).supply(asset, head.number, null);
    if (!("why" in said)) return decimalsProblem(said.decimals, decimals);
    if (said.why === "refused") return no(`says: ${said.reason}`);
    if (attempt < ATTEMPTS) continue;
    return silent(`${await whyNoWord(call, head, asset.text)}: ${said.reason}`);
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

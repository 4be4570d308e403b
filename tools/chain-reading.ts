import type { Asset } from "../src/chain/asset.ts";
import { askNodes } from "../src/onchain/ask.ts";
import type { ChainNode } from "../src/onchain/chain-node.ts";
import { judge, NOTHING_KNOWN } from "../src/onchain/judge.ts";
import type { Reading } from "../src/onchain/reading.ts";
import type { ReadingRules } from "../src/onchain/rules.ts";

/** What the node says is taken as it is, as the embedded one's word is, however far it is from the schedule. */
export const AS_READ = {
  chain: "embedded",
  supplyStepPercent: 100,
  aboveMaxPercent: 1_000_000,
  confirmSeconds: 0,
  staking: false,
} as const;

/** A reading at the node's version, by the word of that node; or why there is none. */
export async function readingAt(
  node: ChainNode,
  asset: Asset,
  rules: ReadingRules,
  atMs: number,
): Promise<Reading | { readonly reason: string }> {
  let nowMs = atMs;
  // A node that is given one version has it, or will not have it in seconds either.
  const sleep = async (milliseconds: number) => {
    nowMs += milliseconds;
  };
  const ports = { nodes: async () => [node], now: () => nowMs, sleep };
  const question = { asset, rules, knownDecimals: null, floor: 0n, tip: null, outvoted: null };
  const asked = await askNodes(ports, question);
  if ("reason" in asked) return asked;
  const verdict = judge(NOTHING_KNOWN, asked.words, rules, atMs);
  return "good" in verdict ? verdict.good.value : verdict;
}

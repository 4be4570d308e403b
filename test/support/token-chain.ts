import { NATIVE_COIN } from "../../src/chain/asset.ts";
import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import type { TokenChain } from "../../src/families/token-chain.ts";
import type { Reading } from "../../src/onchain/reading.ts";

/** Makes a chain of a token; by default its first one, a Move chain with its own coin. */
export function tokenChain(changes: Partial<TokenChain> = {}): TokenChain {
  return {
    id: NATIVE_CHAIN,
    family: "move",
    chainId: null,
    asset: { kind: "coin", text: NATIVE_COIN },
    supply: "issued",
    escrow: null,
    ...changes,
  };
}

/** Makes a reading of one chain. All nodes that reported the supply have reported everything. */
export function readingOfOne(reading: Omit<Reading, "chains">, id: string = NATIVE_CHAIN): Reading {
  const { ledgerVersion, readAtMs, block = null, minted, confirmedBy, nodeCount } = reading;
  const chain = { id, missing: null, ledgerVersion, readAtMs, block, minted, confirmedBy, nodeCount };
  return { ...reading, chains: [{ ...chain, fullyConfirmedBy: confirmedBy }] };
}

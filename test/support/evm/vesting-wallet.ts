import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import vestingWalletFile from "../../fixtures/contracts/vesting-wallet.json" with { type: "json" };
import type { EvmChain } from "./chain.ts";

interface VestingTerms {
  /** Begin of the vesting in Unix seconds, and its length. */
  readonly start: number;
  readonly duration: number;
  /** Base units of each token that were released already. */
  readonly released: ReadonlyMap<string, bigint>;
}

/** Slot of the map from tokens to released amounts. */
const RELEASED_SLOT = 2n;

/** Creates a VestingWallet in the chain's EVM from the bytes that its package has. */
export async function vestingWallet(chain: EvmChain, { start, duration, released }: VestingTerms) {
  const beneficiary = 0xbe4en;
  const data = vestingWalletFile.bytecode + [beneficiary, BigInt(start), BigInt(duration)].map(word).join("");
  const at = { blockHash: chain.head.hash, requireCanonical: true };
  const created = await chain.answer("eth_call", [{ data, gas: "0xf00000" }, at]);
  if (!("result" in created)) throw new Error(created.error.message);
  const slotOf = (token: string): bigint =>
    BigInt(`0x${Buffer.from(keccak_256(hexToBytes(word(BigInt(token)) + word(RELEASED_SLOT)))).toString("hex")}`);
  return {
    code: hexToBytes(String(created.result).slice(2)),
    writes: new Map([...released].map(([token, amount]) => [slotOf(token), amount] as const)),
  };
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

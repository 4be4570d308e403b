import { KINDS, sdkTransaction } from "../support/sdk-transactions.ts";

/** Values of a running chain for generated requests. Always the same number of each, so that a seed is reproducible. */
export interface World {
  readonly hashes: readonly string[];
  /** BCS of signed transactions, with every kind of signature; none is executable. */
  readonly signed: readonly Uint8Array[];
  /** Whether a chain node answers: without one, reads of it may be 503. */
  readonly chain: boolean;
}

const HASHES = 8;

/** Reads the values from the product once, before fuzzing. */
export async function look(url: string): Promise<World> {
  const signed = KINDS.map(
    (kind, index) =>
      sdkTransaction({
        kind,
        sequenceNumber: BigInt(index),
        amount: 1n,
        maxGasAmount: 2_000n,
        gasUnitPrice: 100n,
        expirationTimestampSecs: 4_000_000_000n,
        chainId: 4,
        typeArguments: ["0x1::aptos_coin::AptosCoin"],
        multisig: false,
      }).signed,
  );
  const hashes = await Promise.all(Array.from({ length: HASHES }, (_, version) => hashOf(url, version)));
  const found = hashes.filter((hash) => hash !== null);
  const chain = found.length === HASHES;
  return { hashes: chain ? found : hashes.map((_, index) => `0x${String(index).repeat(64)}`), signed, chain };
}

async function hashOf(url: string, version: number): Promise<string | null> {
  const response = await fetch(`${url}/v1/transactions/by_version/${version}`);
  if (!response.ok) return null;
  const { hash } = (await response.json()) as { hash: string };
  return hash;
}

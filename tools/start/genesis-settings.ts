import { coinName, MAX_DECIMALS, SYMBOL } from "../../devnode/config.ts";
import { economyOf } from "../../devnode/economy.ts";
import { parseAddress } from "../../src/chain/address.ts";
import { type Holding, NATIVE_CHAIN } from "../../src/chain/holding.ts";
import type { FirstChainSettings } from "../../src/families/token-chain.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { type Bucket, bucketsOf, type Schedule } from "../../src/supply/schedule.ts";
import { referenceOf } from "../../src/supply/wallets.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule } from "../schedule/files.ts";

const MAX_U64 = 2n ** 64n - 1n;
/** Divisor of the unlocked amount: each wallet outside a bucket starts with this part. */
const OTHERS_DIVISOR = 1_000n;

/**
 * Returns the genesis settings that follow from this checkout's schedule. Genesis settings on the command line replace
 * all of them. Throws a Refusal when the schedule is invalid.
 */
export function checkoutGenesis(
  vars: Readonly<Record<string, string>>,
  first: FirstChainSettings,
  nowMs: number,
): Readonly<Record<string, string>> {
  if (Object.keys(vars).some((name) => name.startsWith("GENESIS_"))) return {};
  return genesisSettings(readSchedule(nativePath({ folder: REPOSITORY_FOLDER, nowMs }), first), nowMs);
}

/** Supply at genesis of a token that has no maximum. */
const SUPPLY_WITHOUT_MAXIMUM = 1_000_000_000n;

/**
 * Makes the settings with which the embedded node's chain starts in accordance with the schedule. The maximum supply
 * exists, locked tokens are in the wallets of their buckets, and the other wallets share the rest. A balance has 64
 * bits, so a wallet that must hold more begins with the largest balance. Returns no settings for a token of more than
 * 22 decimals, or with almost nothing unlocked.
 */
export function genesisSettings(schedule: Schedule, nowMs: number): Readonly<Record<string, string>> {
  const { token, maxSupply } = schedule;
  const supply = maxSupply ?? SUPPLY_WITHOUT_MAXIMUM * 10n ** BigInt(token.decimals);
  const circulating = stepAt(schedule, nowMs)?.buckets ?? [];
  const wallets = bucketsOf(schedule).flatMap((bucket) =>
    walletsOf(bucket, bucket.allocation - (circulating.find(({ id }) => id === bucket.id)?.circulating ?? 0n)),
  );
  const locked = wallets.reduce((sum, { amount }) => sum + amount, 0n);
  const others = listed(schedule.wallets).map((wallet) => ({ wallet, amount: (supply - locked) / OTHERS_DIVISOR }));
  if (token.decimals > MAX_DECIMALS || supply - locked < economyOf(supply).minUnlocked) return {};
  return {
    GENESIS_SUPPLY: String(supply),
    GENESIS_DECIMALS: String(token.decimals),
    ...(coinName(token.name) === undefined ? {} : { GENESIS_NAME: token.name }),
    ...(SYMBOL.test(token.symbol) ? { GENESIS_SYMBOL: token.symbol } : {}),
    GENESIS_WALLETS: [...wallets, ...others].map(({ wallet, amount }) => genesisWallet(wallet, amount)).join(),
  };
}

function listed<Listed extends Holding>(wallets: readonly Listed[]): readonly Listed[] {
  return wallets.filter(({ chain, address }) => chain === NATIVE_CHAIN && parseAddress(address) !== undefined);
}

function genesisWallet(wallet: Holding, amount: bigint): string {
  const { pool, operator } = referenceOf(wallet);
  return [wallet.holds, wallet.address, amount > MAX_U64 ? MAX_U64 : amount, pool ?? operator ?? []].flat().join(":");
}

/** Divides a bucket's locked amount equally among its addresses on this chain; the first gets the remainder. */
function walletsOf({ addresses }: Bucket, locked: bigint) {
  const ours = listed(addresses);
  const part = locked > 0n ? locked / BigInt(Math.max(ours.length, 1)) : 0n;
  return ours.map((wallet, index) => ({
    wallet,
    amount: index === 0 && locked > 0n ? locked - part * BigInt(ours.length - 1) : part,
  }));
}

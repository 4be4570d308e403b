import type { Asset } from "../chain/asset.ts";
import type { ReadView } from "../chain/view.ts";
import { parseStored } from "../json.ts";
import { type LastGood, type LoadError, type Loader, loadError, type Sample } from "../swr/loader.ts";
import { type Breakdown, lockedAt, nextWalletState, stateOf } from "./breakdown.ts";
import { readSupply } from "./onchain.ts";
import type { Schedule } from "./schedule.ts";
import { isOnChain, readBalance, walletsOf } from "./wallets.ts";

export interface BreakdownPorts {
  readonly schedule: Schedule;
  readonly asset: Asset;
  readonly readView: ReadView;
  /** Where the previous breakdown is stored, and under which key. */
  readonly lastGood: LastGood;
  readonly key: string;
}

/** Views under way at once for one reading. */
const PARALLEL_WALLETS = 32;

/**
 * Reads the total at the newest version, then all wallets at that version. An unreadable wallet does not affect the
 * others; without a total there is no breakdown.
 */
export function breakdownSource({ schedule, asset, readView, lastGood, key }: BreakdownPorts): Loader<Breakdown> {
  const wallets = walletsOf(schedule).filter(isOnChain);
  return async (nowMs): Promise<Sample<Breakdown> | LoadError> => {
    const newest = await readSupply(readView, asset, null);
    if (newest.kind === "failure") return newest;
    const { ledgerVersion } = newest;
    if (ledgerVersion === null) return loadError("the chain node names no ledger version");
    const [supply, stored, balances] = await Promise.all([
      readSupply(readView, asset, ledgerVersion),
      lastGood.get(key),
      inParallel(PARALLEL_WALLETS, wallets, (wallet) => readBalance(readView, asset, wallet, ledgerVersion)),
    ]);
    if (supply.kind === "failure") return supply;
    const { decimals } = schedule.token;
    if (supply.decimals !== decimals)
      return loadError(`Decimals differ: chain ${supply.decimals}, schedule ${decimals}`);
    const before = stored === null ? undefined : parseStored<Breakdown>(stored.value);
    const observedAtMs = nowMs - newest.ageSeconds * 1000;
    const states = wallets.map((wallet, index) =>
      nextWalletState(wallet, stateOf(wallet, before?.wallets ?? []), balances[index] ?? loadError("it was not read"), {
        ledgerVersion,
        atMs: observedAtMs,
        unlockedSince: (sinceMs) =>
          lockedAt(schedule, wallet.bucket, sinceMs) - lockedAt(schedule, wallet.bucket, observedAtMs),
      }),
    );
    return { kind: "observed", value: { ledgerVersion, minted: supply.baseUnits, wallets: states }, observedAtMs };
  };
}

/** The results in order, with at most `limit` calls under way. */
async function inParallel<Item, Result>(
  limit: number,
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await call(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}

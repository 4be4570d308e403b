import type { Asset } from "../chain/asset.ts";
import type { ConfirmView, ReadView } from "../chain/view.ts";
import { type Confirmation, judgeAll, problemOf, type Question } from "../swr/gate.ts";
import { type Known, type LoadError, type Loader, loadError, type Sample } from "../swr/loader.ts";
import { type Breakdown, nextWalletState, stateOf, sumOf, walletQuestion } from "./breakdown.ts";
import { readSupply, type Supply } from "./onchain.ts";
import { confirmationOf, type Thresholds, totalQuestion } from "./plausibility.ts";
import type { Schedule } from "./schedule.ts";
import { holdingKey, isOnChain, readBalance, walletsOf } from "./wallets.ts";

export interface BreakdownPorts {
  readonly schedule: Schedule;
  readonly asset: Asset;
  readonly readView: ReadView;
  readonly confirmView: ConfirmView;
  readonly thresholds: Thresholds;
}

/** Views under way at once for one reading. */
const PARALLEL_WALLETS = 32;
/** The name of the total among the numbers of a reading; the others are named by their wallets. */
const TOTAL = "total_supply";

/**
 * Reads the total at the newest version, then all wallets at that version, each through the gate. A wallet that cannot
 * be read or does not count keeps its last good balance; without a total there is no breakdown.
 */
export function breakdownSource(ports: BreakdownPorts): Loader<Breakdown> {
  const { schedule, asset, readView, confirmView, thresholds } = ports;
  const wallets = walletsOf(schedule).filter(isOnChain);
  const totalAsked = totalQuestion(schedule, thresholds);
  const walletAsked = walletQuestion(schedule, thresholds);
  let knownDecimals: number | null = null;
  return async (nowMs, recall): Promise<Sample<Breakdown> | LoadError> => {
    const newest = await readSupply(readView, asset, null, knownDecimals);
    if (newest.kind === "failure") return newest;
    const { ledgerVersion, decimals } = newest;
    if (ledgerVersion === null) return loadError("the chain node names no ledger version");
    const [supply, balances] = await Promise.all([
      readSupply(readView, asset, ledgerVersion, decimals),
      inParallel(PARALLEL_WALLETS, wallets, (wallet) => readBalance(readView, asset, wallet, ledgerVersion)),
    ]);
    if (supply.kind === "failure") return supply;
    if (decimals !== schedule.token.decimals)
      return loadError(`Decimals differ: chain ${decimals}, schedule ${schedule.token.decimals}`);
    const observedAtMs = nowMs - newest.ageSeconds * 1000;
    const at = { ledgerVersion, atMs: observedAtMs };
    const holdings = wallets.map((wallet, index) => ({
      wallet,
      name: holdingKey(wallet),
      result: balances[index] ?? loadError("it was not read"),
    }));
    const questionsOf = ({ best }: Known<Breakdown>): ReadonlyMap<string, Question> => {
      const last = best && supplySample({ ...supply, baseUnits: best.value.minted }, best.observedAtMs);
      const questions = new Map([[TOTAL, totalAsked(supplySample(supply, observedAtMs), last)]]);
      for (const { wallet, name, result } of holdings)
        if (result.kind === "balance")
          questions.set(name, walletAsked(wallet, result, at, stateOf(wallet, best?.value.wallets ?? [])));
      return questions;
    };
    const confirm = (name: string): Promise<Confirmation> => {
      const holding = holdings.find((each) => each.name === name);
      if (holding?.result.kind !== "balance")
        return confirmationOf(
          confirmView,
          (read) => readSupply(read, asset, ledgerVersion, decimals),
          supply.baseUnits,
        );
      const { wallet, result } = holding;
      const readAgain = async (read: ReadView) => readBalance(read, asset, wallet, ledgerVersion);
      return confirmationOf(confirmView, readAgain, result.baseUnits);
    };
    const { best, verdicts, doubts } = await judgeAll(recall, questionsOf, confirm, thresholds.confirmSeconds * 1000);
    const problem = problemOf(verdicts.get(TOTAL));
    if (problem !== null) return loadError(problem, doubts);
    knownDecimals = decimals;
    const states = holdings.map(({ wallet, name, result }) =>
      nextWalletState(wallet, stateOf(wallet, best?.value.wallets ?? []), result, verdicts.get(name), at),
    );
    if (sumOf(states) > supply.baseUnits) return loadError("the wallets hold more than exists on chain", doubts);
    const value = { ledgerVersion, minted: supply.baseUnits, wallets: states };
    return { kind: "observed", value, observedAtMs, doubts };
  };
}

function supplySample({ baseUnits, decimals, ledgerVersion }: Supply, observedAtMs: number): Sample<Supply> {
  return { kind: "observed", value: { baseUnits, decimals, ledgerVersion }, observedAtMs };
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

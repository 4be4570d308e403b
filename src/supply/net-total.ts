import type { BaseUnits } from "../chain/amount.ts";
import type { ReadView } from "../chain/view.ts";
import { judgeAll, problemOf, type Question } from "../swr/gate.ts";
import { type Known, type LoadError, type Loader, loadError } from "../swr/loader.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import type { Supply } from "./onchain.ts";
import type { ChainFigure } from "./onchain-handlers.ts";
import { confirmationOf, isExplained, percentOf, type Thresholds } from "./plausibility.ts";
import type { Schedule } from "./schedule.ts";
import type { SupplyPorts } from "./supply-source.ts";
import { isBurned, isOnChain, readBalance, walletsOf } from "./wallets.ts";

/** What exists on chain, and how much of it is burned, read at one ledger version. */
export interface Minted extends Supply {
  readonly burned: BaseUnits;
}

/** The total: what exists on chain less what is burned. */
export function netTotal(minted: SwrValue<Minted>): ChainFigure & Pick<SwrValue<Supply>, "renew"> {
  const net = <Reading extends Awaited<ReturnType<SwrValue<Minted>["read"]>>>(current: Reading) => {
    if (current.kind === "unavailable") return current;
    const { baseUnits, burned, decimals, ledgerVersion } = current.value;
    return { ...current, value: { baseUnits: baseUnits - burned, decimals, ledgerVersion } };
  };
  return {
    name: minted.name,
    policy: minted.policy,
    read: async (...when) => net(await minted.read(...when)),
    readWithin: async (...when) => net(await minted.readWithin(...when)),
    renew: async (...when) => net(await minted.renew(...when)),
  };
}

/** The name of the burned tokens among the numbers of a reading. */
const BURNED = "burned";

/** Reads the burn wallets at the version of the supply, through the gate. Without them nothing is burned. */
export function withBurned(
  schedule: Schedule,
  { readView, confirmView, asset }: SupplyPorts,
  { supplyStepPercent, confirmSeconds }: Thresholds,
  supply: Loader<Supply>,
): Loader<Minted> {
  const burning = walletsOf(schedule).filter(isBurned);
  const step = percentOf(supplyStepPercent, schedule.maxSupply);
  const foreign = burning.find((wallet) => !isOnChain(wallet));
  const sumOf = async (read: ReadView, version: bigint): Promise<{ readonly baseUnits: BaseUnits } | LoadError> => {
    const balances = await Promise.all(burning.map((wallet) => readBalance(read, asset, wallet, version)));
    let baseUnits = 0n;
    for (const [index, balance] of balances.entries()) {
      if (balance.kind === "failure") return loadError(`wallet ${burning[index]?.address}: ${balance.reason}`);
      baseUnits += balance.baseUnits;
    }
    return { baseUnits };
  };
  return async (nowMs, recall) => {
    if (foreign !== undefined)
      return loadError(`wallet ${foreign.address} (${foreign.label}) is on ${foreign.chain}, which is not read`);
    const found = await supply(nowMs, recall);
    if (found.kind === "failure") return found;
    const { value, observedAtMs } = found;
    if (burning.length === 0) return { ...found, value: { ...value, burned: 0n } };
    const { ledgerVersion } = value;
    if (ledgerVersion === null) return loadError("the chain node names no ledger version");
    const burned = await sumOf(readView, ledgerVersion);
    if ("kind" in burned) return burned;
    const seen = { value: burned.baseUnits, atMs: observedAtMs };
    const question = ({ best }: Known<Minted>): Question => ({
      seen,
      last: best && { value: best.value.burned, atMs: best.observedAtMs },
      broken: value.baseUnits - seen.value < 10n ** BigInt(value.decimals) ? "all that exists is burned" : null,
      isNear: (reference) => isExplained(seen.value - (reference?.value ?? 0n), 0n, step),
    });
    const { verdicts, doubts } = await judgeAll(
      recall,
      (known) => new Map([[BURNED, question(known)]]),
      () => confirmationOf(confirmView, (agreed) => sumOf(agreed, ledgerVersion), seen.value),
      confirmSeconds * 1000,
    );
    const problem = problemOf(verdicts.get(BURNED));
    const all = new Map([...(found.doubts ?? []), ...doubts]);
    return problem === null
      ? { ...found, value: { ...value, burned: seen.value }, doubts: all }
      : loadError(problem, all);
  };
}

import type { Asset } from "../chain/asset.ts";
import type { ConfirmView, ReadView } from "../chain/view.ts";
import { judgeAll, problemOf } from "../swr/gate.ts";
import { type Loader, loadError, type Sample } from "../swr/loader.ts";
import { readSupply, type Supply } from "./onchain.ts";
import { confirmationOf, type SupplyQuestion } from "./plausibility.ts";

export interface SupplyPorts {
  readonly readView: ReadView;
  readonly confirmView: ConfirmView;
  readonly asset: Asset;
  readonly questionOf: SupplyQuestion;
  readonly confirmSeconds: number;
}

/** Loads an asset's supply through the gate. An asset's decimals never change, so they are read once. */
export function supplySource(ports: SupplyPorts): Loader<Supply> {
  const { readView, confirmView, asset, questionOf, confirmSeconds } = ports;
  let knownDecimals: number | null = null;
  return async (nowMs, recall) => {
    const supply = await readSupply(readView, asset, null, knownDecimals);
    if (supply.kind === "failure") return supply;
    const { baseUnits, decimals, ledgerVersion, ageSeconds } = supply;
    const value = { baseUnits, decimals, ledgerVersion };
    const read: Sample<Supply> = { kind: "observed", value, observedAtMs: nowMs - ageSeconds * 1000 };
    const { verdicts, doubts } = await judgeAll(
      recall,
      ({ best }) => new Map([[SUPPLY, questionOf(read, best)]]),
      () => confirmationOf(confirmView, (agreed) => readSupply(agreed, asset, ledgerVersion, decimals), baseUnits),
      confirmSeconds * 1000,
    );
    const problem = problemOf(verdicts.get(SUPPLY));
    if (problem !== null) return loadError(problem, doubts);
    knownDecimals = decimals;
    return { ...read, doubts };
  };
}

/** The name of the only number in a reading of supply. */
const SUPPLY = "supply";

import type { BaseUnits } from "../chain/amount.ts";
import type { ConfirmView, ReadView } from "../chain/view.ts";
import type { Config } from "../config.ts";
import { type Confirmation, isWithinFactor, type Question } from "../swr/gate.ts";
import type { LoadError, Sample, Seen } from "../swr/loader.ts";
import { stepAt } from "./circulating.ts";
import type { Supply } from "./onchain.ts";
import type { Schedule } from "./schedule.ts";

/** What a reading is compared with, and how far it may be from it. */
export type Thresholds = Pick<Config, "supplyStepPercent" | "stepFactor" | "aboveMaxPercent" | "confirmSeconds">;

/** How a reading of one asset's supply is judged. */
export type SupplyQuestion = (read: Sample<Supply>, last: Sample<Supply> | undefined) => Question;

const U128_MAX = 2n ** 128n - 1n;

/** The native token's total, which the schedule explains; compared in the schedule's decimals. */
export function totalQuestion(schedule: Schedule, thresholds: Thresholds): SupplyQuestion {
  const { maxSupply, token } = schedule;
  const ceiling = maxSupply + percentOf(thresholds.aboveMaxPercent, maxSupply);
  const step = percentOf(thresholds.supplyStepPercent, maxSupply);
  const circulating = (atMs: number): BaseUnits => stepAt(schedule, atMs)?.circulating ?? 0n;
  const seenOf = ({ value: { baseUnits, decimals }, observedAtMs }: Sample<Supply>): Seen => {
    return { value: (baseUnits * 10n ** BigInt(token.decimals)) / 10n ** BigInt(decimals), atMs: observedAtMs };
  };
  return (read, last) => {
    const seen = seenOf(read);
    const isZero = read.value.baseUnits < 10n ** BigInt(read.value.decimals);
    const aboveMax = seen.value > ceiling ? "the total on chain is above the maximum supply" : null;
    return {
      seen,
      last: last && seenOf(last),
      broken: isZero ? "the supply of this asset on chain is zero" : (aboveMax ?? decimalsChanged(read, last)),
      isNear: (reference) =>
        reference === undefined
          ? seen.value + step >= circulating(seen.atMs)
          : isExplained(seen.value - reference.value, circulating(seen.atMs) - circulating(reference.atMs), step),
    };
  };
}

/** The supply of a token without a schedule. */
export function unscheduledQuestion({ stepFactor }: Thresholds): SupplyQuestion {
  const seenOf = ({ value, observedAtMs }: Sample<Supply>): Seen => ({ value: value.baseUnits, atMs: observedAtMs });
  return (read, last) => {
    const seen = seenOf(read);
    const largest = seen.value === U128_MAX ? "the supply on chain is the largest that can be written" : null;
    return {
      seen,
      last: last && seenOf(last),
      broken: largest ?? decimalsChanged(read, last),
      isNear: (reference) => reference === undefined || isWithinFactor(seen.value, reference.value, stepFactor),
    };
  };
}

function decimalsChanged({ value: { decimals } }: Sample<Supply>, last: Sample<Supply> | undefined): string | null {
  if (last === undefined || last.value.decimals === decimals) return null;
  return `the token's decimals changed from ${last.value.decimals} to ${decimals}`;
}

/** Whether a change is at most `step` beyond what the schedule unlocked (positive) or removed (negative) since. */
export function isExplained(change: BaseUnits, scheduled: BaseUnits, step: BaseUnits): boolean {
  const [least, most] = scheduled < 0n ? [scheduled, 0n] : [0n, scheduled];
  return change >= least - step && change <= most + step;
}

export function percentOf(percent: number, amount: BaseUnits): BaseUnits {
  return (amount * BigInt(percent)) / 100n;
}

/**
 * Reads a number again at its ledger version, from views on which two upstreams agree: what they say of the reading.
 */
export async function confirmationOf(
  confirmView: ConfirmView,
  readAgain: (read: ReadView) => Promise<{ readonly baseUnits: BaseUnits } | LoadError>,
  baseUnits: BaseUnits,
): Promise<Confirmation> {
  let isAlone = false;
  const again = await readAgain(async (call) => {
    const answers = call.ledgerVersion === null ? [] : await confirmView(call, call.ledgerVersion);
    isAlone ||= answers.length < 2;
    const texts = answers.map((values) => JSON.stringify(values));
    const agreed = answers[texts.findIndex((text, index) => texts.lastIndexOf(text) > index)];
    if (agreed === undefined) return { kind: "unavailable" };
    return { kind: "returned", values: agreed, ledgerVersion: call.ledgerVersion, ageSeconds: 0 };
  });
  if (isAlone) return "alone";
  return "baseUnits" in again && again.baseUnits === baseUnits ? "confirmed" : "contradicted";
}

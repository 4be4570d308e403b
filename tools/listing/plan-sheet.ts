import { DAY_MS, dayText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { toTokenUnits } from "../../src/onchain/reading.ts";
import { allowanceAt, isPlanWatched, unwatchedBuckets } from "../../src/supply/above-plan.ts";
import { allSteps, lockedOf } from "../../src/supply/circulating.ts";
import { percentText } from "../../src/supply/representations.ts";
import { bucketsOf, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { servedRows } from "../history/served.ts";
import { Refusal } from "../lib/command-line.ts";
import type { Facts, RecordedDay } from "./facts.ts";
import { FORMS } from "./forms.ts";
import { type Sheet, type Sum, sheet } from "./sheet.ts";

const FIGURE = "circulating_supply_on_chain";
/** Most days that `/api/history` returns: ten years. */
const MAX_DAYS = 3_653;

/** Reads the days that a deployment recorded before the day of the reading, with their corrections. */
export async function recordedBefore(
  atMs: number,
  { calendar, token }: UnlockSchedule,
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<readonly RecordedDay[]> {
  const toMs = atMs - DAY_MS;
  const fromMs = Math.max(calendar.startMs, toMs - MAX_DAYS * DAY_MS);
  if (fromMs > toMs) return [];
  const address = `${url}/api/history?figure=${FIGURE}&from=${dayText(fromMs)}&to=${dayText(toMs)}`;
  const served = await servedRows(address, fetch).catch((cause: unknown) => {
    const why = cause instanceof Refusal ? cause.message : `${address} does not answer`;
    throw new Refusal([`--history: ${why}; --history none writes the sheet without earlier readings`]);
  });
  return served.flatMap(({ date, base_units: baseUnits, decimals, ledger_version: ledgerVersion }) => {
    // A correction may withdraw a figure: it is null.
    if (baseUnits === null) return [];
    const isRow = /^\d{4}-\d\d-\d\d$/.test(String(date)) && /^\d+$/.test(String(baseUnits));
    if (!isRow || decimals !== token.decimals)
      throw new Refusal([
        `--history: ${address} has a row of ${date} that is no amount with ${token.decimals} decimals`,
      ]);
    // A day that a correction added has no ledger version.
    return [{ day: String(date), baseUnits: BigInt(String(baseUnits)), ledgerVersion: String(ledgerVersion ?? "") }];
  });
}

/**
 * Title of the column of locked tokens in allocations without a wallet. The column follows the plan's, and exists only
 * where there are such allocations.
 */
const UNWATCHED_COLUMN = "Locked in allocations that list no wallet";

/**
 * Compares each step of the plan with the last figure of its time: the reading for the present step, the last recorded
 * day for earlier ones. Steps without a record say so; future steps have the plan alone. The difference is what
 * circulates beyond the plan and {@link UNWATCHED_COLUMN}. It is empty where no allocation with locked tokens lists a wallet.
 */
export function planSheet({ reading, atMs, recorded }: Facts, schedule: UnlockSchedule): Sheet {
  const { decimals } = schedule.token;
  const text = (amount: BaseUnits): string => tokenText(amount, decimals);
  const now: RecordedDay = {
    day: dayText(atMs),
    baseUnits: toTokenUnits(reading.amounts.circulating, reading.reading),
    ledgerVersion: String(reading.reading.ledgerVersion),
  };
  const isKnown = isPlanWatched(schedule);
  const hasUnseen = unwatchedBuckets(schedule).some((bucket) => lockedOf(bucket, schedule, 0) > 0n);
  const sums: Sum[] = [];
  const cells = allSteps(schedule).map(({ index, effectiveFromMs, nextStepMs, circulating }) => {
    const [from, next] = [dayText(effectiveFromMs), nextStepMs === null ? null : dayText(nextStepMs)];
    const fact = [...recorded, now].findLast(({ day }) => day >= from && (next === null || day < next));
    const { unseen } = allowanceAt(schedule, effectiveFromMs);
    const plan = [text(circulating), ...(hasUnseen ? [text(unseen)] : [])];
    const adjustments = adjustmentsAt(schedule, index);
    if (fact === undefined)
      return [from, ...plan, effectiveFromMs > atMs ? "" : "not recorded", "", "", "", "", adjustments];
    const beyond = fact.baseUnits - circulating - unseen;
    const difference = isKnown ? [text(beyond), signedPercent(beyond, circulating)] : ["", ""];
    if (isKnown)
      sums.push({
        what: `each date's plan${hasUnseen ? ", what is locked without a wallet" : ""} and difference are what circulates`,
        parts: [...plan, text(beyond)],
        total: text(fact.baseUnits),
      });
    return [from, ...plan, text(fact.baseUnits), ...difference, fact.day, fact.ledgerVersion, adjustments];
  });
  const { columns } = FORMS.planAndFacts;
  return sheet(
    FORMS.planAndFacts,
    cells,
    sums,
    hasUnseen ? [...columns.slice(0, 2), UNWATCHED_COLUMN, ...columns.slice(2)] : columns,
  );
}

function signedPercent(part: BaseUnits, whole: BaseUnits): string {
  if (whole === 0n) return "";
  return part < 0n ? `-${percentText(-part, whole)}` : percentText(part, whole);
}

/** Describes the published adjustments of a step: allocation, amount, kind and source. */
function adjustmentsAt(schedule: UnlockSchedule, index: number): string {
  const labels = new Map(bucketsOf(schedule).map(({ id, label }) => [id, label]));
  return schedule.adjustments
    .filter((each) => each.index === index)
    .map(({ bucket, delta, kind, source }) => {
      const amount = tokenText(delta, schedule.token.decimals);
      return `${labels.get(bucket) ?? bucket}: ${delta > 0n ? "+" : ""}${amount} (${kind}, ${source})`;
    })
    .join("; ");
}

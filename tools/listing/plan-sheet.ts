import { DAY_MS, dayText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { toTokenUnits } from "../../src/onchain/reading.ts";
import { allowanceAt, isPlanWatched, unwatchedBuckets } from "../../src/supply/above-plan.ts";
import { lockedOf, rows } from "../../src/supply/circulating.ts";
import { percentText } from "../../src/supply/representations.ts";
import { bucketsOf, type Schedule } from "../../src/supply/schedule.ts";
import { servedRows } from "../history/served.ts";
import { Refusal } from "../lib/command-line.ts";
import type { Facts, Recorded } from "./facts.ts";
import { FORMS } from "./forms.ts";
import { type Sheet, type Sum, sheet } from "./sheet.ts";

const FIGURE = "circulating_supply_on_chain";
/** `/api/history` answers for ten years at most. */
const MAX_DAYS = 3_653;

/** What a deployment has recorded before the day of the reading, as it is published now: with its corrections. */
export async function recordedBefore(
  atMs: number,
  { calendar, token }: Schedule,
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<readonly Recorded[]> {
  const toMs = atMs - DAY_MS;
  const fromMs = Math.max(calendar.startMs, toMs - MAX_DAYS * DAY_MS);
  if (fromMs > toMs) return [];
  const address = `${url}/api/history?figure=${FIGURE}&from=${dayText(fromMs)}&to=${dayText(toMs)}`;
  const served = await servedRows(address, fetch).catch((cause: unknown) => {
    const why = cause instanceof Refusal ? cause.message : `${address} does not answer`;
    throw new Refusal([`--history: ${why}; --history none writes the sheet without earlier readings`]);
  });
  return served.flatMap(({ date, base_units: baseUnits, decimals, ledger_version: ledgerVersion }) => {
    // A figure that a correction has taken back is null.
    if (baseUnits === null) return [];
    const isRow = /^\d{4}-\d\d-\d\d$/.test(String(date)) && /^\d+$/.test(String(baseUnits));
    if (!isRow || decimals !== token.decimals)
      throw new Refusal([
        `--history: ${address} has a row of ${date} that is no amount with ${token.decimals} decimals`,
      ]);
    // What a correction has added was read at none.
    return [{ day: String(date), baseUnits: BigInt(String(baseUnits)), ledgerVersion: String(ledgerVersion ?? "") }];
  });
}

/** Locked tokens of the allocations that list no wallet, after the plan's column; only where there are such allocations. */
const UNSEEN = "Locked in allocations that list no wallet";

/**
 * Each step of the plan beside the last figure of its time: the reading in the present one, the last recorded day in
 * those before. What was not recorded is said; what is to come has the plan alone. A difference is what circulates
 * beyond the plan and beyond {@link UNSEEN}; empty where no allocation with locked tokens lists a wallet.
 */
export function planSheet({ schedule, reading, atMs, recorded }: Facts): Sheet {
  const { decimals } = schedule.token;
  const text = (amount: BaseUnits): string => tokenText(amount, decimals);
  const now: Recorded = {
    day: dayText(atMs),
    baseUnits: toTokenUnits(reading.amounts.circulating, reading.reading),
    ledgerVersion: String(reading.reading.ledgerVersion),
  };
  const isKnown = isPlanWatched(schedule);
  const hasUnseen = unwatchedBuckets(schedule).some((bucket) => lockedOf(bucket, schedule, 0) > 0n);
  const sums: Sum[] = [];
  const cells = rows(schedule).map(({ index, effectiveFromMs, nextStepMs, circulating }) => {
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
    hasUnseen ? [...columns.slice(0, 2), UNSEEN, ...columns.slice(2)] : columns,
  );
}

function signedPercent(part: BaseUnits, whole: BaseUnits): string {
  if (whole === 0n) return "";
  return part < 0n ? `-${percentText(-part, whole)}` : percentText(part, whole);
}

/** What was published of a step's changes: allocation, amount, kind and source. */
function adjustmentsAt(schedule: Schedule, index: number): string {
  const labels = new Map(bucketsOf(schedule).map(({ id, label }) => [id, label]));
  return schedule.adjustments
    .filter((each) => each.index === index)
    .map(({ bucket, delta, kind, source }) => {
      const amount = tokenText(delta, schedule.token.decimals);
      return `${labels.get(bucket) ?? bucket}: ${delta > 0n ? "+" : ""}${amount} (${kind}, ${source})`;
    })
    .join("; ");
}

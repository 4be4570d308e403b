import { DAY_MS, dayText, instantText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { stepMs } from "../../src/supply/calendar.ts";
import { allSteps, stepOf } from "../../src/supply/circulating.ts";
import { bucketsOf, CATEGORIES, type Phase, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { unlockEvents } from "../../src/supply/unlock-events.ts";
import { FORMS } from "./forms.ts";
import { type Sheet, sheet } from "./sheet.ts";

/** Makes one row per rule of the schedule; tokens that never unlock have none. */
export function unlockSheet(schedule: UnlockSchedule): Sheet {
  const { plan, calendar, token, adjustments, lastIndex } = schedule;
  const row = (name: string, amount: BaseUnits, { fromMs, toMs, every, unit }: Vesting): string[] => [
    name,
    timeText(fromMs),
    timeText(toMs),
    amount < 0n ? "deflationary" : unit === "" ? "cliff" : "linear",
    every,
    unit,
    "",
    tokenText(amount < 0n ? -amount : amount, token.decimals),
  ];
  const buckets = bucketsOf(schedule);
  const cells = buckets.flatMap(({ id, label, genesis, phases }) => [
    row(label, genesis, atOnce(calendar.startMs)),
    ...phases.flatMap((phase) => {
      const vesting = vestingOf(phase, schedule);
      return vesting === null ? [] : [row(label, phase.amount, vesting)];
    }),
    ...adjustments
      .filter(({ bucket }) => bucket === id)
      .map(({ index, delta }) => row(label, delta, atOnce(stepMs(calendar, index)))),
  ]);
  // A table has figures but no rules, so each change of the figure is a row.
  if (plan.kind === "table")
    cells.push(...unlockEvents(schedule).map(({ atMs, amount }) => row(token.name, amount, atOnce(atMs))));
  const shown = cells.filter((cell) => cell[7] !== "0");
  const signed = shown.map((cell) => (cell[3] === "deflationary" ? `-${cell[7]}` : (cell[7] ?? "")));
  const total = tokenText(stepOf(schedule, lastIndex).circulating, token.decimals);
  return sheet(FORMS.cmcUnlocks, shown, [{ what: "the rows are all that ever unlocks", parts: signed, total }]);
}

interface Vesting {
  readonly fromMs: number;
  readonly toMs: number;
  readonly every: string;
  readonly unit: "" | "month" | "day";
}

const atOnce = (atMs: number): Vesting => ({ fromMs: atMs, toMs: atMs, every: "", unit: "" });

/** Time from the first to the last installment; null for a phase that never unlocks. */
function vestingOf(phase: Phase, { calendar }: UnlockSchedule): Vesting | null {
  switch (phase.kind) {
    case "never":
      return null;
    case "cliff":
      return atOnce(stepMs(calendar, phase.month));
    case "monthly": {
      const { firstMonth, count, everyMonths } = phase;
      const fromMs = stepMs(calendar, firstMonth);
      if (count === 1) return atOnce(fromMs);
      const toMs = stepMs(calendar, firstMonth + (count - 1) * everyMonths);
      return { fromMs, toMs, every: String(everyMonths), unit: "month" };
    }
    case "daily": {
      const { firstDay, count, everyDays } = phase;
      const fromMs = calendar.startMs + firstDay * DAY_MS;
      if (count === 1) return atOnce(fromMs);
      return { fromMs, toMs: fromMs + (count - 1) * everyDays * DAY_MS, every: String(everyDays), unit: "day" };
    }
    case "linear":
      return { fromMs: phase.fromMs, toMs: phase.toMs, every: "1", unit: "day" };
  }
}

/** Lists what has unlocked by each step, by category. */
export function cumulativeSheet(schedule: UnlockSchedule): Sheet {
  const { token } = schedule;
  const buckets = bucketsOf(schedule);
  const categories = CATEGORIES.filter((category) => buckets.some((bucket) => bucket.category === category));
  const categoryOf = new Map(buckets.map(({ id, category }) => [id, category]));
  const text = (amount: BaseUnits): string => tokenText(amount, token.decimals);
  const cells = allSteps(schedule).map((step) => {
    const inCategory = (category: string): BaseUnits =>
      step.buckets.reduce((sum, { id, circulating }) => sum + (categoryOf.get(id) === category ? circulating : 0n), 0n);
    return [
      dayText(step.effectiveFromMs),
      ...categories.map((category) => text(inCategory(category))),
      text(step.circulating),
    ];
  });
  const [date = "", total = ""] = FORMS.xangle.columns;
  const what = "each date's categories are its total";
  const sums =
    categories.length === 0 ? [] : cells.map((cell) => ({ what, parts: cell.slice(1, -1), total: cell.at(-1) ?? "" }));
  return sheet(FORMS.xangle, cells, sums, [date, ...categories, total]);
}

/** Writes an instant as `YYYY-MM-DD hh:mm:ss`, in UTC. */
function timeText(ms: number): string {
  return instantText(ms).replace("T", " ").replace("Z", "");
}

import { dayText } from "../../../../../src/base/utc.ts";
import { tokenText } from "../../../../../src/chain/amount.ts";
import { monthText, stepMs } from "../../../../../src/supply/calendar.ts";
import { circulatingAt } from "../../../../../src/supply/circulating.ts";
import { calendarOf } from "../../../../../src/supply/file/steps.ts";
import { Refusal } from "../../../../../tools/lib/command-line.ts";
import { readCsv, separatorOf } from "../../../../../tools/lib/csv.ts";
import type { SheetRows } from "../../../../../tools/schedule/cells/rows.ts";
import { unlockScheduleOf } from "../../../../../tools/schedule/files.ts";
import { parseSchedule } from "../../../../../tools/schedule/parse-schedule.ts";
import type { SheetFacts } from "../../../../../tools/schedule/sheet/arithmetic.ts";
import { nextOf } from "../../../../../tools/schedule/sheet/ask.ts";
import type { Mapping } from "../../../../../tools/schedule/sheet/mapping.ts";
import { answered, type OpenPlace, unanswered } from "../../../../../tools/schedule/sheet/open-places.ts";
import { proposeMapping } from "../../../../../tools/schedule/sheet/propose.ts";
import { readByMapping, type Sheet } from "../../../../../tools/schedule/sheet/read.ts";
import { neverBucket } from "../../../../../tools/schedule/table.ts";

export const DECIMALS = 8;
const UNIT = 10n ** BigInt(DECIMALS);

/** Facts as a command line states them, with a maximum in tokens. */
export const facts = ({
  maxSupply,
  ...others
}: Partial<Omit<SheetFacts, "maxSupply">> & { readonly maxSupply: number }): SheetFacts => ({
  decimals: DECIMALS,
  symbol: "ORB",
  amounts: undefined,
  gaps: undefined,
  rest: undefined,
  start: undefined,
  stepDay: undefined,
  ...others,
  maxSupply: BigInt(maxSupply) * UNIT,
});

export const csvRows = (text: string): SheetRows => ({ rows: readCsv(text, "sheet"), separator: separatorOf(text) });

type Answer = (place: OpenPlace, letter: string | undefined) => string | number | readonly string[] | undefined;

/** The mapping of a sheet, with every open place answered as a person would; how many places were answered. */
export function proposed(
  rows: SheetRows,
  known: SheetFacts,
  answer: Answer,
): { readonly mapping: Mapping; readonly answers: number } {
  let proposal = proposeMapping("sheet", rows, known);
  let [answers, begun] = [0, unanswered(proposal.mapping)];
  for (let place = nextOf(proposal); place !== undefined; place = nextOf(proposal)) {
    const index = place.owner?.[0] === "columns" ? place.owner[1] : undefined;
    const value = answer(place, proposal.mapping.columns[index ?? -1]?.column);
    if (value === undefined) throw new Error(`nobody can answer: ${place.question}`);
    begun = answered(begun, place, value);
    proposal = proposeMapping("sheet", rows, known, begun);
    answers += 1;
    if (answers > 100) throw new Error(`asks again and again: ${place.question}`);
  }
  return { mapping: proposal.mapping, answers };
}

/** Something of the plan of a sheet; undefined where it is refused. */
export function readWith<Value>(rows: SheetRows, mapping: Mapping, use: (sheet: Sheet) => Value): Value | undefined {
  return unlessRefused(() => use(readByMapping("sheet", rows, mapping, DECIMALS)));
}

export function unlessRefused<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
}

/** The schedule of a plan, as `new` writes it. */
export function scheduleOf(sheet: Sheet) {
  const result = parseSchedule({
    revision: 1,
    published_at: "2026-01-01",
    sources: [{ title: "a", url: "https://example.org" }],
    token: { symbol: "ORB", name: "Orb", decimals: DECIMALS },
    max_supply: decimal(sheet.maxSupply),
    start: sheet.start,
    step_day: sheet.stepDay,
    ...(sheet.isOneFigure
      ? { table: tableOf(sheet) }
      : { buckets: [...sheet.buckets, ...neverBucket(sheet.maxSupply - sheet.unlocking, DECIMALS, "reserve")] }),
  });
  if (result.kind === "errors") throw new Error(JSON.stringify(result.errors));
  return unlockScheduleOf(result.schedule);
}

function tableOf(sheet: Sheet) {
  const steps = calendarOf(Date.parse(sheet.start), sheet.stepDay);
  return sheet.figures.map((figure, at) => ({ month: monthText(stepMs(steps, at)), circulating: decimal(figure) }));
}

const decimal = (units: bigint): string => tokenText(units, DECIMALS);

/** Circulating supply on the first day of each month from January 2026 on, in tokens. */
export function figuresOf(sheet: Sheet, months: number): readonly number[] {
  const schedule = scheduleOf(sheet);
  return Array.from({ length: months }, (_, month) => {
    const ms = Date.UTC(2026, month);
    return ms < Date.parse(dayText(schedule.calendar.startMs)) ? 0 : Number(circulatingAt(schedule, ms)) / Number(UNIT);
  });
}

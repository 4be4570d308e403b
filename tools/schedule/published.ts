import { type BaseUnits, tokenText, wholeTokens } from "../../src/supply/amount.ts";
import { rows, type SupplyStep } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { instantText } from "../../src/utc.ts";
import type { ScheduleError } from "./schedule-result.ts";

/** One figure that was served: what a later revision must not change without saying so. */
export interface PublishedRow {
  readonly effectiveFrom: string;
  readonly baseUnits: BaseUnits;
  readonly maxSupply: string;
  readonly decimals: string;
}

const HEADER = "effective_from,circulating,circulating_base_units,max_supply,decimals";
const ROW = /^(\d{4}-\d\d-\d\dT00:00:00Z),(\d+),(\d+),(\d+(?:\.\d+)?),(\d+)$/;

/** The file's rows, or what is wrong with it by line. */
export function parsePublished(text: string): {
  readonly rows: readonly PublishedRow[];
  readonly errors: readonly ScheduleError[];
} {
  const [header, ...lines] = text.replace(/\n$/, "").split("\n");
  if (header !== HEADER) return { rows: [], errors: [{ path: "line 1", message: `must be ${HEADER}` }] };
  const errors: ScheduleError[] = [];
  const found: PublishedRow[] = [];
  lines.forEach((line, index) => {
    const [, effectiveFrom, , units, maxSupply, decimals] = ROW.exec(line) ?? [];
    const path = `line ${index + 2}`;
    if (effectiveFrom === undefined || units === undefined || maxSupply === undefined || decimals === undefined)
      errors.push({ path, message: "is not a row of figures" });
    else if (effectiveFrom <= (found.at(-1)?.effectiveFrom ?? "")) errors.push({ path, message: "is out of order" });
    else found.push({ effectiveFrom, baseUnits: BigInt(units), maxSupply, decimals });
  });
  return { rows: found, errors };
}

/** What a schedule says of the published past that was not so when it was served. */
export function publishedErrors(schedule: Schedule, published: readonly PublishedRow[]): ScheduleError[] {
  const now = new Map(rows(schedule).map((row) => [instantText(row.effectiveFromMs), row]));
  const text = (amount: BaseUnits): string => tokenText(amount, schedule.token.decimals);
  const changes = published.flatMap(({ effectiveFrom, baseUnits, maxSupply, decimals }): ScheduleError[] => {
    const row = now.get(effectiveFrom);
    if (decimals !== String(schedule.token.decimals))
      return [
        { path: effectiveFrom, message: `was published with ${decimals} decimals, now ${schedule.token.decimals}` },
      ];
    if (maxSupply !== text(schedule.maxSupply))
      return [
        { path: effectiveFrom, message: `was published with max_supply ${maxSupply}, now ${text(schedule.maxSupply)}` },
      ];
    if (row === undefined) return [{ path: effectiveFrom, message: "was published and is no step any more" }];
    if (isExplained(schedule, row, baseUnits)) return [];
    const message = `was published as ${text(baseUnits)}, now ${text(row.circulating)}, and no adjustment explains the difference`;
    return [{ path: effectiveFrom, message }];
  });
  return [...changes, ...gaps([...now.keys()], published)];
}

/** Steps are published in order: one that is left out before the last was taken away, and its figure with it. */
function gaps(steps: readonly string[], published: readonly PublishedRow[]): ScheduleError[] {
  const held = new Set(published.map(({ effectiveFrom }) => effectiveFrom));
  const last = published.at(-1)?.effectiveFrom ?? "";
  return steps
    .filter((step) => step < last && !held.has(step))
    .map((step) => ({ path: step, message: "was published and is not in the file any more" }));
}

/** Every choice among them is weighed, so there is a bound; a revision brings a few at the end of the list. */
const WEIGHED_ADJUSTMENTS = 12;

/** True when leaving out some of the newest adjustments in force gives the figure as it was published. */
function isExplained({ adjustments }: Schedule, row: SupplyStep, published: BaseUnits): boolean {
  const newest = adjustments.filter(({ index }) => index <= row.index).slice(-WEIGHED_ADJUSTMENTS);
  let differences = new Set([row.circulating - published]);
  for (const { delta } of newest) differences = new Set([...differences].flatMap((left) => [left, left - delta]));
  return differences.has(0n);
}

/** The file with every step up to an instant; the rows already there are kept as they are. */
export function withPublished(
  schedule: Schedule,
  text: string | undefined,
  nowMs: number,
): { readonly text: string; readonly added: number } {
  const kept = text ?? `${HEADER}\n`;
  const last = parsePublished(kept).rows.at(-1)?.effectiveFrom ?? "";
  const { maxSupply, token } = schedule;
  const lines = rows(schedule)
    .filter(({ effectiveFromMs }) => effectiveFromMs <= nowMs && instantText(effectiveFromMs) > last)
    .map(({ effectiveFromMs, circulating }) =>
      [
        instantText(effectiveFromMs),
        wholeTokens(circulating, token.decimals),
        String(circulating),
        tokenText(maxSupply, token.decimals),
        String(token.decimals),
      ].join(","),
    );
  return { text: kept + lines.map((line) => `${line}\n`).join(""), added: lines.length };
}

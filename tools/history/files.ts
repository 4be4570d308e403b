import { existsSync } from "node:fs";
import { join } from "node:path";
import { scheduleErrorText } from "../../src/supply/file/schedule-result.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";
import { shortened } from "../schedule/check.ts";
import { readText, type ScheduleContext } from "../schedule/files.ts";
import { type Corrections, parseCorrections } from "./corrections.ts";
import { type PastFigures, parseBackfill } from "./csv.ts";
import { type PastPrices, parsePrices } from "./prices-csv.ts";

/** Files of the history that the operator maintains; the Worker serves them unchanged. */
export interface HistoryFiles {
  /** Rows of earlier days, read from an archive node; undefined: no file. */
  readonly past: PastFigures | undefined;
  readonly corrections: Corrections | undefined;
  /** Prices of shares on earlier days, read from an archive node; undefined: no file. */
  readonly prices: PastPrices | undefined;
}

/** Reads the files of a folder; throws a {@link Refusal} with every line and place that is wrong. */
export function readHistory({ folder, nowMs }: ScheduleContext, { token }: Pick<Schedule, "token">): HistoryFiles {
  const [rowsPath, pricesPath, correctionsPath] = ["history.csv", "history-prices.csv", "history-corrections.json"].map(
    (name) => join(folder, name),
  ) as [string, string, string];
  const rows = existsSync(rowsPath) ? parseBackfill(readText(rowsPath), { token, nowMs }) : undefined;
  const prices = existsSync(pricesPath) ? parsePrices(readText(pricesPath), nowMs) : undefined;
  const found = existsSync(correctionsPath) ? parseCorrections(readText(correctionsPath), nowMs) : undefined;
  const problems = [
    ...(rows?.kind === "errors" ? rows.errors.map((error) => scheduleErrorText(displayPath(rowsPath), error)) : []),
    ...(prices?.kind === "errors"
      ? prices.errors.map((error) => scheduleErrorText(displayPath(pricesPath), error))
      : []),
    ...(found !== undefined && "problems" in found
      ? found.problems.map((problem) => `${displayPath(correctionsPath)}: ${problem}`)
      : []),
  ];
  if (problems.length > 0) throw new Refusal(shortened(problems));
  return {
    past: rows?.kind === "rows" ? rows.rows : undefined,
    prices: prices?.kind === "rows" ? prices.rows : undefined,
    corrections: found !== undefined && "corrections" in found ? found.corrections : undefined,
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { circulatingAt } from "../../../../../src/supply/circulating.ts";
import { decodeText, readCsv, separatorOf } from "../../../../../tools/lib/csv.ts";
import type { SheetRows } from "../../../../../tools/schedule/cells/rows.ts";
import { workbookRows } from "../../../../../tools/schedule/cells/workbook.ts";
import { parseMapping } from "../../../../../tools/schedule/sheet/mapping.ts";
import { proposeMapping } from "../../../../../tools/schedule/sheet/propose.ts";
import { readByMapping } from "../../../../../tools/schedule/sheet/read.ts";
import { DECIMALS, facts, scheduleOf } from "./sheets.ts";

/** Sheets as people write them, with the mapping that a person has completed and the figures that it must give. */
const FOLDER = "test/fixtures/sheets/mapped";
const TRUTHS: Readonly<Record<string, Truth>> = JSON.parse(readFileSync(join(FOLDER, "figures.json"), "utf8"));

interface Truth {
  readonly encoding?: string;
  readonly sheet?: string;
  /** Tokens in circulation by day; two: at least and at most. */
  readonly at: Readonly<Record<string, string | readonly [string, string]>>;
}

async function rowsOf(file: string, { encoding, sheet }: Truth): Promise<SheetRows> {
  const bytes = readFileSync(join(FOLDER, file));
  if (file.endsWith(".xlsx")) return workbookRows(file, bytes, sheet);
  const text = decodeText(file, bytes, encoding);
  return { rows: readCsv(text, file), separator: separatorOf(text) };
}

const UNIT = 10n ** BigInt(DECIMALS);
const units = (tokens: string): bigint => {
  const [whole = "", fraction = ""] = tokens.split(".");
  return BigInt(whole) * UNIT + BigInt(fraction.padEnd(DECIMALS, "0"));
};

test("every fixture has its mapping and its figures", () => {
  const files = readdirSync(FOLDER).filter((file) => !file.endsWith(".json"));
  const published = Object.keys(TRUTHS).filter((file) => file.startsWith("../"));
  expect([...published, ...files].toSorted()).toEqual(Object.keys(TRUTHS).toSorted());
  expect(files.length).toBeGreaterThanOrEqual(45);
});

test.each(Object.entries(TRUTHS))("%s has its figures by its mapping", async (file, truth) => {
  const rows = await rowsOf(file, truth);
  const mapping = parseMapping(file, readFileSync(join(FOLDER, `${file}.columns.json`), "utf8"));
  const known = facts({ maxSupply: Number(mapping.max_supply) });
  expect(proposeMapping(file, rows, known, mapping).places, "nothing is open").toEqual([]);
  const schedule = scheduleOf(readByMapping(file, rows, mapping, DECIMALS));
  for (const [day, figure] of Object.entries(truth.at)) {
    const [least = "", most = ""] = typeof figure === "string" ? [figure, figure] : figure;
    const atMs = Date.parse(day);
    const found = atMs < schedule.calendar.startMs ? 0n : circulatingAt(schedule, atMs);
    // Three base units: a rule's parts are rounded down one by one in some sheets, and together in others.
    expect(found >= units(least) - 3n && found <= units(most) + 3n, `${day}: ${found}, not ${figure}`).toBe(true);
  }
});

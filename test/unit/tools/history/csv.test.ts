import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordedFigureRow } from "../../../../src/home/history/rows.ts";
import { backfillText, parseBackfill } from "../../../../tools/history/csv.ts";

const COIN = "0x1::aptos_coin::AptosCoin";
const HEADER = "date,figure,chain_id,asset,base_units,decimals,ledger_version,observed_at";
const LINE = `2026-11-01,total_supply,1,${COIN},5,8,7,2026-11-01T00:00:09Z`;
const TERMS = { token: { decimals: 8 }, nowMs: Date.parse("2026-11-21T09:00:00Z") };
const parse = (...lines: readonly string[]) => parseBackfill(`${[HEADER, ...lines].join("\n")}\n`, TERMS);
const ROW: RecordedFigureRow = {
  figure: "total_supply",
  series: `1 ${COIN}`,
  day: "2026-11-01",
  baseUnits: "5",
  decimals: 8,
  ledgerVersion: "7",
  observedAtMs: Date.parse("2026-11-01T00:00:09Z"),
  source: "backfill",
  witnesses: 1,
};

describe("a backfill file", () => {
  test("is read row by row", () => {
    expect(parse(LINE)).toEqual({ kind: "rows", rows: [ROW] });
  });

  test("has the schedule's decimals, five for a percentage, and those of a stable token", () => {
    const percent = LINE.replace("total_supply", "staked_percent").replace(",8,", ",5,");
    const stable = LINE.replace("total_supply", "stable_supply").replace(",8,", ",6,");
    expect(parse(LINE, percent, stable)).toMatchObject({ rows: [{ decimals: 8 }, { decimals: 5 }, { decimals: 6 }] });
  });

  test.each<[string, string, string]>([
    ["an unknown figure", LINE.replace("total_supply", "price"), "figure must be one of"],
    ["a cell too few", LINE.replace(",7,", ","), "must have the cells date,figure,"],
    ["a cell too many", `${LINE},`, "must have the cells date,figure,"],
    ["31 February", LINE.replaceAll("2026-11-01", "2026-02-31"), "date must be a day that exists"],
    ["24:00", LINE.replace("T00:00:09", "T24:00:00"), "observed_at must be an instant that exists"],
    ["another day's reading", LINE.replace("2026-11-01T", "2026-11-02T"), "observed_at is of another day"],
    ["a day to come", LINE.replaceAll("2026-11-01", "2031-01-01"), "observed_at must not be in the future"],
    ["an instant to come", LINE.replaceAll("2026-11-01", "2026-11-21").replace("T00", "T10"), "in the future"],
    ["no chain id", LINE.replace(",1,", ",,"), "chain_id must be digits"],
    ["another form of the asset", LINE.replace("0x1:", "0x01:"), "asset must be a type tag or an address in its"],
    ["an amount with a point", LINE.replace(",5,", ",5.5,"), "base_units must be digits"],
    ["a negative amount", LINE.replace(",5,", ",-5,"), "base_units must be digits"],
    ["leading zeros", LINE.replace(",5,", ",05,"), "base_units must be digits"],
    ["an amount of 79 digits", LINE.replace(",5,", `,${"9".repeat(79)},`), "base_units must be digits"],
    ["a padded version", LINE.replace(",7,", ",0007,"), "ledger_version must be digits"],
    ["99 decimals", LINE.replace(",8,", ",99,"), "decimals must be 8"],
    ["padded decimals", LINE.replace(",8,", ",08,"), "decimals must be 8"],
    ["a percentage in the token's decimals", LINE.replace("total_supply", "staked_percent"), "decimals must be 5"],
    [
      "decimals of no token",
      LINE.replace("total_supply", "stable_supply").replace(",8,", ",37,"),
      "decimals must be 0 to 36",
    ],
  ])("with %s is refused, naming the line and the rule", (_what, line, message) => {
    const good = LINE.replaceAll("2026-11-01", "2026-10-31");
    expect(parse(good, line)).toEqual({
      kind: "errors",
      errors: [{ path: "line 3", message: expect.stringContaining(message) }],
    });
  });

  test("with another header is refused", () => {
    expect(parseBackfill("date,figure\n", TERMS)).toMatchObject({ errors: [{ path: "line 1" }] });
  });

  test("names every wrong line, and the earlier one of two of a key", () => {
    const errors = [
      {
        path: "line 3",
        message: "total_supply of 2026-11-01 and this chain and asset is already in line 2: leave one of them out",
      },
      { path: "line 4", message: expect.stringContaining("base_units") },
    ];
    // Control: another asset or network is another series.
    const others = [LINE.replace("0x1:", "0x2:"), LINE.replace(",1,", ",2,")];
    expect(parse(LINE, LINE.replace(",5,", ",6,"), LINE.replace(",5,", ",x,"), ...others)).toEqual({
      kind: "errors",
      errors,
    });
  });

  test("of several chains names the version of each in one form", () => {
    const several = (versions: string) => parseBackfill(`${HEADER},ledger_versions\n${LINE},${versions}\n`, TERMS);
    expect(several("native=12 base=7")).toMatchObject({ rows: [{ versions: "native=12 base=7" }] });
    expect(several("")).toEqual({ kind: "rows", rows: [ROW] });
    for (const versions of ["native", "native=01", "native=12  base=7", "native=-1", "N=1"])
      expect(several(versions), versions).toMatchObject({ errors: [{ path: "line 2" }] });
  });

  test("property: what backfill writes is read as it was, and twice the same row never", () => {
    const day = fc.integer({ min: 0, max: 5_000 }).map((ago) => new Date(TERMS.nowMs - (ago + 1) * 86_400_000));
    const row = fc.record({
      figure: fc.constantFrom("total_supply", "burned_supply"),
      day: day.map((at) => at.toISOString().slice(0, 10)),
      baseUnits: fc.bigInt({ min: 0n, max: 2n ** 128n }).map(String),
      series: fc.constantFrom(`1 ${COIN}`, "2 0xa", "3 0x1::lp::LP<0x1::a::A, 0x2::b::B>"),
    });
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: (each) => `${each.day} ${each.figure}`, maxLength: 8 }), (drawn) => {
        const rows = drawn.map((each) => ({ ...ROW, ...each, observedAtMs: Date.parse(`${each.day}T23:59:59Z`) }));
        const text = backfillText(rows as RecordedFigureRow[]);
        expect(parseBackfill(text, TERMS)).toEqual({ kind: "rows", rows });
        const [, first] = text.split("\n");
        if (rows.length > 0) expect(parseBackfill(`${text}${first}\n`, TERMS).kind).toBe("errors");
      }),
    );
  });
});

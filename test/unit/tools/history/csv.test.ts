import { describe, expect, test } from "vitest";
import { parseBackfill } from "../../../../tools/history/csv.ts";

const COIN = "0x1::aptos_coin::AptosCoin";

describe("a backfill file", () => {
  const header = "date,figure,asset,base_units,decimals,ledger_version,observed_at";
  const line = `2026-11-01,total_supply,${COIN},5,8,7,2026-11-01T00:00:09Z`;

  test("is read row by row", () => {
    expect(parseBackfill(`${header}\n${line}\n`)).toEqual({
      kind: "rows",
      rows: [
        {
          figure: "total_supply",
          asset: COIN,
          day: "2026-11-01",
          baseUnits: "5",
          decimals: 8,
          ledgerVersion: "7",
          observedAtMs: Date.parse("2026-11-01T00:00:09Z"),
          source: "backfill",
          witnesses: 1,
        },
      ],
    });
  });

  test.each([
    ["another header", "date,figure\n", 1],
    ["an unknown figure", `${header}\n${line.replace("total_supply", "price")}\n`, 2],
    ["an amount with a point", `${header}\n${line.replace(",5,", ",5.5,")}\n`, 2],
    ["another day's reading", `${header}\n${line}\n${line.replace("2026-11-01T", "2026-11-02T")}\n`, 3],
  ])("with %s is refused, naming the line", (_what, text, at) => {
    expect(parseBackfill(text)).toMatchObject({ kind: "error", line: at });
  });
});

import { describe, expect, test } from "vitest";
import { readCsv } from "../../../../tools/lib/csv.ts";
import { escapeMarkdown } from "../../../../tools/lib/escape.ts";
import type { Facts, RecordedDay } from "../../../../tools/listing/facts.ts";
import { listingKit } from "../../../../tools/listing/kit.ts";
import { recordedBefore } from "../../../../tools/listing/plan-sheet.ts";
import { refusalOfPromise } from "../../../support/refusal.ts";
import { BURN, bucket, file, valid, wallet } from "../../supply/schedules.ts";
import { AT_MS, EVIDENCE, factsOf, listed, TOKEN } from "./facts.ts";

const URL = "https://api.example.org";

const COMMUNITY = {
  label: "Community",
  genesis: "400",
  phases: [{ kind: "installments", amount: "600", first_month: 8, count: 6, every_months: 1 }],
};
const [VAULT, BURNED] = [listed("0xa1", "team"), listed("0xbb", "burn")];

/** 400 of 1,000 tokens circulate from 13 Feb 2025; 100 more in each of six months from Oct 2025 on. */
const scheduleOf = (changes: object) =>
  valid(
    file({
      adjustments: [{ ...BURN, month: "2025-12", delta: "-20", source: "https://example.org/burn" }],
      ...changes,
    }),
  );
const SCHEDULE = scheduleOf({
  buckets: [bucket({ ...COMMUNITY, addresses: [wallet("0xa1")] })],
  wallets: [BURNED],
});

const rowsOf = (facts: Facts) =>
  readCsv(listingKit(facts, EVIDENCE).get("exchange-plan-and-facts.csv") ?? "")
    .slice(1)
    .map(({ cells }) => cells);
const recorded = (day: string, tokens: number, ledgerVersion: string): RecordedDay => ({
  day,
  baseUnits: BigInt(tokens) * TOKEN,
  ledgerVersion,
});

test("each month of the plan stands beside the last figure of its time, their difference and its cause", () => {
  // At the reading, on 2026-01-01, 1,000 exist, of which wallets hold 310: 690 circulate.
  const facts = {
    ...factsOf(SCHEDULE, [300n, 10n]),
    recorded: [recorded("2025-10-02", 500, "3"), recorded("2025-10-31", 545, "4"), recorded("2025-11-30", 599, "5")],
  };
  const rows = rowsOf(facts);
  expect(rows.slice(0, 2)).toEqual([
    ["2025-02-13", "400", "not recorded", "", "", "", "", ""],
    ["2025-03-01", "400", "not recorded", "", "", "", "", ""],
  ]);
  expect(rows.slice(8)).toEqual([
    ["2025-10-01", "500", "545", "45", "9", "2025-10-31", "4", ""],
    ["2025-11-01", "600", "599", "-1", "-0.1666", "2025-11-30", "5", ""],
    ["2025-12-01", "680", "not recorded", "", "", "", "", "Community: -20 (burn, https://example.org/burn)"],
    ["2026-01-01", "780", "690", "-90", "-11.5384", "2026-01-01", "7", ""],
    ["2026-02-01", "880", "", "", "", "", "", ""],
    ["2026-03-01", "980", "", "", "", "", "", ""],
  ]);
});

test("what allocations without a wallet must keep locked stands beside the plan, and is no difference", () => {
  const team = { id: "team", label: "Team", category: "team", allocation: "170", genesis: "0" };
  const schedule = scheduleOf({
    max_supply: "1170",
    buckets: [
      bucket({ ...COMMUNITY, addresses: [wallet("0xa1")] }),
      bucket({ ...team, phases: [{ kind: "never", amount: "170" }] }),
    ],
    wallets: [BURNED],
  });
  // 1,170 exist, of which wallets hold 310.
  const facts = { ...factsOf(schedule, [300n, 10n], 1_170n), recorded: [recorded("2025-10-31", 715, "4")] };
  const rows = rowsOf(facts);
  expect(rows.slice(8)).toEqual([
    ["2025-10-01", "500", "170", "715", "45", "9", "2025-10-31", "4", ""],
    ["2025-11-01", "600", "170", "not recorded", "", "", "", "", ""],
    ["2025-12-01", "680", "170", "not recorded", "", "", "", "", "Community: -20 (burn, https://example.org/burn)"],
    ["2026-01-01", "780", "170", "860", "-90", "-11.5384", "2026-01-01", "7", ""],
    ["2026-02-01", "880", "170", "", "", "", "", "", ""],
    ["2026-03-01", "980", "170", "", "", "", "", "", ""],
  ]);
});

test("where no allocation with locked tokens lists a wallet, no difference is known", () => {
  const schedule = scheduleOf({ buckets: [bucket(COMMUNITY)], wallets: [VAULT, BURNED] });
  const row = rowsOf(factsOf(schedule, [300n, 10n]))[11];
  expect(row).toEqual(["2026-01-01", "780", "200", "690", "", "", "2026-01-01", "7", ""]);
});

test("where more circulates than planned the kit is written, and says so among its warnings", () => {
  const facts = factsOf(SCHEDULE, [100n, 0n]);
  const departures = ["circulating_above_plan: 900 XYZ circulate on chain; the schedule allows 780."];
  const kit = listingKit({ ...facts, reading: { ...facts.reading, departures } }, EVIDENCE);
  expect(kit.get("README.md")).toContain(`- ${escapeMarkdown(departures[0] ?? "")}\n`);
  expect(kit.get("exchange-plan-and-facts.csv")).toContain("2026-01-01,780,900,120,15.3846,2026-01-01,7,\n");
});

describe("what a deployment has recorded", () => {
  const asked: string[] = [];
  const answering = (answer: () => Response) => async (address: string | URL | Request) => {
    asked.push(String(address));
    return answer();
  };
  const silent = () => {
    throw new TypeError("fetch failed");
  };
  const row = { date: "2025-12-30", figure: "circulating_supply_on_chain", decimals: 8, ledger_version: "6" };
  const read = (answer: () => Response) => recordedBefore(AT_MS, SCHEDULE, URL, answering(answer));

  test("is read from its start to the day before the reading; what a correction took back is none", async () => {
    const data = [
      { ...row, base_units: "69000000000" },
      { ...row, date: "2025-12-31", base_units: null, corrected: true },
      { ...row, date: "2025-12-29", base_units: "68000000000", ledger_version: null, corrected: true },
    ];
    expect(await read(() => Response.json({ data }))).toEqual([
      recorded("2025-12-30", 690, "6"),
      recorded("2025-12-29", 680, ""),
    ]);
    expect(asked.at(-1)).toBe(`${URL}/api/history?figure=circulating_supply_on_chain&from=2025-02-13&to=2025-12-31`);
  });

  test.each<[string, () => Response, RegExp]>([
    ["does not answer", silent, /does not answer; --history none/],
    ["has no such figure", () => Response.json({ message: "absent" }, { status: 404 }), /answers 404; --history none/],
    [
      "has other decimals",
      () => Response.json({ data: [{ ...row, decimals: 6, base_units: "1" }] }),
      /no amount with 8 decimals$/,
    ],
    [
      "has no amount",
      () => Response.json({ data: [{ ...row, base_units: "1.5" }] }),
      /a row of 2025-12-30 that is no amount/,
    ],
  ])("is refused with the way on where the deployment %s", async (_what, answer, reason) => {
    const refused = await refusalOfPromise(read(answer));
    expect(refused.join()).toMatch(reason);
    expect(refused.join()).toMatch(/^--history: /);
  });
});

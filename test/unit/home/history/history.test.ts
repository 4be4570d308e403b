import { describe, expect, test } from "vitest";
import { dayText } from "../../../../src/base/utc.ts";
import { RECORDED_FIGURES, type RecordedFigure } from "../../../../src/figures.ts";
import type { Correction } from "../../../../src/home/history/corrections.ts";
import { type HistoryPorts, historyRoutes } from "../../../../src/home/history/history-handlers.ts";
import { type RecordedFigureRow, rateRows } from "../../../../src/home/history/rows.ts";
import type { Outcome } from "../../../../src/http/handler.ts";
import { getContext } from "../../../support/get-context.ts";
import { memoryHistory, type Recorded } from "./memory-history.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const DAY_MS = 86_400_000;
const SERIES = "1 0x1::aptos_coin::AptosCoin";

const row = (atMs: number, changes: Partial<RecordedFigureRow> = {}): RecordedFigureRow => ({
  figure: "total_supply",
  series: SERIES,
  day: dayText(atMs),
  baseUnits: "100000000000000001",
  decimals: 8,
  ledgerVersion: "42",
  observedAtMs: atMs,
  source: "observed",
  witnesses: 2,
  ...changes,
});

/** The history's paths over a store in memory and a chain whose figures a test sets. */
function history({
  chainUp = true,
  backfill = [] as readonly RecordedFigureRow[] | null,
  corrections = [] as readonly Correction[] | null,
  storeUp = true,
  series = new Map<RecordedFigure, string>([["total_supply", SERIES]]),
} = {}) {
  const recorded: Recorded = { figures: [], rates: [], changes: [] };
  const store = { ...memoryHistory(recorded) };
  const world = { chainUp, reads: 0 };
  /** Reads and records the figures. */
  const read = async (nowMs: number) => {
    world.reads += 1;
    const rates = rateRows(
      [{ id: "a/b", apy: 5, apy_base: 4, apy_reward: 1, tvl: "7", tvl_usd: 9, source: "s" }],
      nowMs,
    );
    store.record(dayText(nowMs), world.chainUp ? [row(nowMs)] : [], rates);
  };
  const ports: HistoryPorts = {
    store: storeUp ? store : { ...store, figures: async () => null, rates: async () => null },
    readToday: ({ nowMs }) => read(nowMs),
    series,
    notOffered: new Map([["burned_supply", "The schedule lists no wallet or constant of category burn."]]),
    backfill: async () => backfill,
    corrections: async () => corrections,
    findProduct: async (_when, id) => ({ kind: "cached", value: ["listed", "a/b"].includes(id) ? {} : undefined }),
    pause: () => new Promise(() => undefined),
  };
  const routes = historyRoutes(ports);
  const get = async (url: string, nowMs = NOON): Promise<Outcome> => {
    const [path = ""] = url.split("?");
    const id = /^\/api\/rates\/([^/]+)\/history$/.exec(path)?.[1];
    const pattern = id === undefined ? path : "/api/rates/:id/history";
    const found = routes.find((route) => route.path === pattern);
    if (found === undefined) throw new Error(`no route ${path}`);
    return found.handler(getContext(url, { nowMs, params: id === undefined ? {} : { id } }));
  };
  const json = async (url: string, nowMs = NOON) => {
    const outcome = await get(url, nowMs);
    if (outcome.kind !== "reply") throw new Error(JSON.stringify(outcome));
    return { ...JSON.parse(String(outcome.body)), cacheControl: outcome.headers["Cache-Control"] };
  };
  return { world, recorded, store, get, json, read };
}

describe("the first request of a day", () => {
  test("leads to its readings once, and to others after a minute while its rows are missing", async () => {
    const { world, json } = history({ chainUp: false });
    await json("/api/history");
    await json("/api/history", NOON + 30_000);
    expect(world.reads).toBe(1);
    world.chainUp = true;
    expect((await json("/api/history", NOON + 61_000)).count).toBe(1);
    await json("/api/history", NOON + 200_000);
    expect(world.reads).toBe(2);
  });
});

describe("/api/history", () => {
  test("is exact in tokens and base units, with the ledger version", async () => {
    expect(await history().json("/api/history?figure=total_supply")).toEqual({
      from: "2025-11-21",
      to: "2026-11-21",
      count: 1,
      data: [
        {
          date: "2026-11-21",
          figure: "total_supply",
          tokens: "1000000000.00000001",
          base_units: "100000000000000001",
          decimals: 8,
          ledger_version: "42",
          observed_at: "2026-11-21T12:00:00Z",
          source: "observed",
          corrected: false,
          witnesses: 2,
        },
      ],
      corrections: [],
      absent: { burned_supply: "The schedule lists no wallet or constant of category burn." },
      cacheControl: "public, max-age=43200",
    });
  });

  test("is available as CSV with the same rows", async () => {
    const outcome = await history().get("/api/history.csv");
    expect(outcome).toMatchObject({ headers: { "Content-Type": "text/csv; charset=utf-8" } });
    expect(outcome.kind === "reply" ? outcome.body : "").toBe(
      "date,figure,tokens,base_units,decimals,ledger_version,observed_at,source,corrected,witnesses\n" +
        "2026-11-21,total_supply,1000000000.00000001,100000000000000001,8,42,2026-11-21T12:00:00Z,observed,false,2\n",
    );
  });

  test("has no number of nodes for a row that was recorded without one", async () => {
    const backfill = [row(NOON, { source: "backfill", witnesses: null })];
    const { json, get } = history({ backfill, chainUp: false });
    expect((await json("/api/history")).data).toMatchObject([{ witnesses: null }]);
    const csv = await get("/api/history.csv");
    expect(csv.kind === "reply" ? csv.body : "").toContain(",backfill,false,\n");
  });

  test("is cacheable until midnight if it includes today, else for 5 minutes, never past midnight", async () => {
    const down = history({ chainUp: false });
    expect((await down.json("/api/history")).cacheControl).toBe("public, max-age=300");
    const late = Date.parse("2026-11-21T23:58:20.500Z");
    expect((await down.json("/api/history", late)).cacheControl).toBe("public, max-age=99");
    expect((await history().json("/api/history", late)).cacheControl).toBe("public, max-age=99");
    expect((await down.json("/api/history?to=2026-11-20")).cacheControl).toBe("public, max-age=43200");
  });

  test("is read once for all ranges, figures and forms, and the last days until they are complete", async () => {
    const { world, store, json, get } = history({ chainUp: false });
    const { figures } = store;
    const read: string[] = [];
    store.figures = (days) => {
      read.push(`${days.from} ${days.to}`);
      return figures(days);
    };
    await json("/api/history");
    // The rows are there after the readings that they come from.
    expect(read).toEqual(["2025-01-01 2026-11-21", "2026-11-21 2026-11-21"]);
    await json("/api/history");
    expect(read.splice(0).slice(2)).toEqual(["2026-11-21 2026-11-21"]);
    world.chainUp = true;
    const first = await get("/api/history", NOON + 61_000);
    expect(await get("/api/history", NOON + 61_000)).toEqual(first);
    expect((await json("/api/history", NOON + 3_661_000)).cacheControl).toBe("public, max-age=39539");
    expect(read).toEqual(Array(2).fill("2026-11-21 2026-11-21"));
    for (const query of [".csv", "?figure=total_supply", "?from=2026-11-01", "?to=2026-11-30"])
      expect(await get(`/api/history${query}`, NOON + 61_000)).toMatchObject({ kind: "reply" });
    // The day after, when that range is of the past, and today's one is another.
    expect((await json("/api/history?from=2025-11-21&to=2026-11-21", NOON + DAY_MS)).count).toBe(1);
    expect(read.splice(0).slice(2)).toEqual([]);
    expect((await json("/api/history", NOON + DAY_MS)).count).toBe(2);
    expect(read).toEqual(["2026-11-21 2026-11-22", "2026-11-22 2026-11-22"]);
  });

  test("has every row of a day that got them one after another", async () => {
    const { json, recorded } = history({
      series: new Map([
        ["total_supply", SERIES],
        ["burned_supply", SERIES],
      ]),
    });
    expect((await json("/api/history")).count).toBe(1);
    recorded.figures.push(row(NOON, { figure: "burned_supply" }));
    expect((await json("/api/history")).count).toBe(2);
  });

  test("backfilled rows fill only days without a reading; rows of another asset or network fill none", async () => {
    const backfill = [
      row(NOON, { baseUnits: "1", source: "backfill" }),
      row(NOON - DAY_MS, { baseUnits: "2", source: "backfill", witnesses: 1 }),
      row(NOON - DAY_MS, { figure: "stable_supply", series: "1 0x9", source: "backfill" }),
      row(NOON - 2 * DAY_MS, { series: SERIES.replace("1 ", "2 "), source: "backfill" }),
      row(NOON - 400 * DAY_MS, { baseUnits: "3", source: "backfill" }),
    ];
    const { json, read } = history({ backfill });
    await read(NOON);
    const { data } = await json("/api/history");
    const members = ["date", "base_units", "source", "witnesses"];
    expect(data.map((each: Record<string, unknown>) => members.map((name) => each[name]))).toEqual([
      ["2026-11-20", "2", "backfill", 1],
      ["2026-11-21", "100000000000000001", "observed", 2],
    ]);
  });

  const correction = (figure: string, to: string | null): Correction => {
    return { day: "2026-11-21", figure, to, reason: "One node lied.", correctedOn: "2026-11-22" };
  };

  test("a corrected row has the operator's value, and the reason is published; the recorded row stays", async () => {
    const corrections = [correction("total_supply", "900"), { ...correction("total_supply", "7"), day: "2026-11-20" }];
    const { json, recorded, get } = history({ corrections });
    const found = await json("/api/history?from=2026-11-21");
    expect(found).toMatchObject({
      count: 1,
      data: [{ date: "2026-11-21", tokens: "0.000009", base_units: "900", source: "observed", corrected: true }],
      corrections: [
        {
          date: "2026-11-21",
          figure: "total_supply",
          value: "900",
          reason: "One node lied.",
          corrected_on: "2026-11-22",
        },
      ],
    });
    expect(recorded.figures).toMatchObject([{ baseUnits: "100000000000000001" }]);
    const csv = await get("/api/history.csv");
    expect(csv.kind === "reply" ? csv.body : "").toContain(",900,8,42,2026-11-21T12:00:00Z,observed,true,2\n");
  });

  test("a row whose correction has no value is left out, and the reason says so", async () => {
    const found = await history({ corrections: [correction("total_supply", null)] }).json("/api/history");
    expect(found).toMatchObject({ count: 0, data: [], corrections: [{ value: null, reason: "One node lied." }] });
  });

  test("a correction of another figure changes nothing, and is listed with that figure only", async () => {
    const found = await history({ corrections: [correction("apy:a/b", "3")] }).json("/api/history");
    expect(found).toMatchObject({ count: 1, data: [{ corrected: false }], corrections: [] });
  });

  test("the APY of a product can be corrected: its parts are then unknown", async () => {
    const { json, read } = history({ corrections: [correction("apy:a/b", "3.5")] });
    await read(NOON);
    expect(await json("/api/rates/a%2Fb/history")).toMatchObject({
      data: [{ apy: 3.5, apy_base: null, apy_reward: null, tvl: "7", corrected: true }],
      corrections: [{ figure: "apy:a/b", value: "3.5" }],
    });
  });

  test.each([
    ["figure=price", `Parameter figure must be one of ${RECORDED_FIGURES.join(", ")}.`],
    ["from=2026-02-30", "Parameter from must be a day that exists"],
    ["to=today", "Parameter to must be a day that exists"],
    ["from=2026-11-02&to=2026-11-01", "Parameter from must not be later than to."],
    ["from=2010-01-01", "Parameters from and to must be at most ten years apart."],
    ["from=2026-11-01&from=2026-11-01", "Parameter from is given more than once."],
  ])("refuses %s, without a reading of its upstreams", async (query, message) => {
    const { world, get } = history();
    expect(await get(`/api/history?${query}`)).toMatchObject({
      kind: "invalid_input",
      message: expect.stringContaining(message),
    });
    expect(world.reads).toBe(0);
  });

  test("is unavailable while its store does not respond, or the corrections cannot be read", async () => {
    for (const missing of [{ storeUp: false }, { corrections: null }, { backfill: null }])
      for (const path of ["/api/history", ...("backfill" in missing ? [] : ["/api/rates/a%2Fb/history"])])
        expect(await history(missing).get(path)).toMatchObject({ kind: "unavailable" });
  });
});

describe("/api/rates/{id}/history", () => {
  test("has the rates of each day, by the percent-decoded id", async () => {
    expect(await history().json("/api/rates/a%2Fb/history")).toMatchObject({
      id: "a/b",
      count: 1,
      data: [
        {
          date: "2026-11-21",
          apy: 5,
          apy_base: 4,
          apy_reward: 1,
          tvl: "7",
          tvl_usd: 9,
          observed_at: "2026-11-21T12:00:00Z",
          source: "s",
        },
      ],
    });
  });

  test("reads the rows of a product once for all ranges, with the days that its means count", async () => {
    const { store, json, read: readToday } = history();
    await readToday(NOON);
    const { rates } = store;
    const read: string[] = [];
    store.rates = (product, days) => {
      read.push(`${product} ${days.from} ${days.to}`);
      return rates(product, days);
    };
    for (const from of ["2026-01-05", "2026-02-01", "2026-11-20"])
      expect((await json(`/api/rates/a%2Fb/history?from=${from}`)).count).toBe(1);
    expect(read).toEqual(["a/b 2025-01-01 2026-11-21"]);
  });

  test("is empty for a listed product without rows, and unknown for every other", async () => {
    expect(await history().json("/api/rates/listed/history")).toMatchObject({ count: 0, data: [] });
    const message = 'There is no product "unknown". Every product is listed at /api/rates.';
    expect(await history().get("/api/rates/unknown/history")).toEqual({ kind: "not_found", message });
    const { message: shortened } = (await history().get(`/api/rates/${"p".repeat(900)}/history`)) as {
      message: string;
    };
    expect(shortened.length).toBeLessThan(200);
  });
});

import { describe, expect, test } from "vitest";
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { call } from "../support/call.ts";
import { expectDocumented } from "../support/openapi.ts";

const BARE = ["/api/max-supply", "/api/circulating-supply"];
const PATHS = [...BARE, "/api/supply", "/api/unlock-schedule", "/api/unlock-schedule.csv"];
const DERIVED = ["/api/allocations", "/api/unlock-events", "/api/unlock-events.csv", "/api/unlock-events.ics"];

describe.each([...PATHS, ...DERIVED])("every answer of %s", (path) => {
  test("answers HEAD with the fields of GET and no body", async () => {
    const [get, head] = [await call("GET", path), await call("HEAD", path)];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const name of ["Content-Type", "ETag", "Last-Modified", "Vary"])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  test("answers 304 to a caller with the same ETag, and 200 to one without", async () => {
    const tag = (await call("GET", path)).headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    const same = await call("GET", path, { headers: { "If-None-Match": tag } });
    expect([same.status, await same.text(), same.headers.get("ETag")]).toEqual([304, "", tag]);
    const other = await call("GET", path, { headers: { "If-None-Match": '"another"' } });
    expect(other.status).toBe(200);
  });

  test("is publicly cacheable for a bounded time", async () => {
    const field = (await call("GET", path)).headers.get("Cache-Control") ?? "";
    const [, seconds = "-1"] = /^public, max-age=(\d+)$/.exec(field) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(0);
    expect(Number(seconds)).toBeLessThanOrEqual(path === "/api/max-supply" ? 86_400 : 300);
  });
});

describe.each(BARE)("%s as a bare number", (path) => {
  test.each<[string, Record<string, string>, string, RegExp]>([
    ["", {}, "application/json", /^[1-9]\d*$/],
    ["", { Accept: "*/*" }, "application/json", /^[1-9]\d*$/],
    ["", { Accept: "text/html, application/xhtml+xml" }, "application/json", /^[1-9]\d*$/],
    ["", { Accept: "text/plain" }, "text/plain", /^[1-9]\d*$/],
    ["", { Accept: "text/plain;q=0.4, application/json;q=0.5" }, "application/json", /^[1-9]\d*$/],
    ["?format=number", { Accept: "text/plain" }, "application/json", /^[1-9]\d*$/],
    ["?format=plain", {}, "text/plain", /^[1-9]\d*$/],
    ["?format=result", {}, "application/json", /^\{"result":"[1-9]\d*"\}$/],
    ["?unknown=1&unknown=2", {}, "application/json", /^[1-9]\d*$/],
  ])("%s %o is %s", async (query, headers, type, form) => {
    const response = await call("GET", path + query, { headers });
    expect(response.headers.get("Content-Type")?.split(";")[0]).toBe(type);
    expect(response.headers.get("Vary")).toBe("Accept, X-API-Version");
    // Bytes, because decoding would drop a byte order mark.
    const bytes = [...new Uint8Array(await response.arrayBuffer())];
    expect(String.fromCharCode(...bytes)).toMatch(form);
  });

  test("each format has its own ETag", async () => {
    const tags = await Promise.all(
      ["number", "plain", "result"].map(async (format) =>
        (await call("GET", `${path}?format=${format}`)).headers.get("ETag"),
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test.each(["xml", "", "NUMBER", "plain,number"])("refuses format %o", async (format) => {
    const response = await call("GET", `${path}?format=${format}`);
    expect(response.status).toBe(400);
    expect(JSON.parse(await expectDocumented(publicDocument, "GET", path, response))).toEqual({
      message: "Parameter format must be one of number, plain, result.",
      error_code: "invalid_input",
    });
  });
});

describe("circulating supply of another period", () => {
  test("each row of the published schedule, by its month, its day and the day before", async () => {
    const { rows } = await publishedSchedule();
    const [first, last] = [rows[0], rows[rows.length - 1]];
    if (first === undefined || last === undefined) throw new Error("a schedule has rows");
    // A few rows are enough to find a fault.
    const chosen = [0, 1, Math.floor(rows.length / 2), rows.length - 1];
    const expected = [...new Set(chosen.filter((index) => index < rows.length))].flatMap((index) => {
      const [row = first, before] = [rows[index], rows[index - 1]];
      const day = row.effective_from.slice(0, 10);
      const own: [string, string][] = [
        [`month=${row.month}`, whole(row)],
        [`date=${day}`, whole(row)],
      ];
      return before === undefined ? own : [...own, [`date=${dayBefore(day)}`, whole(before)] as [string, string]];
    });
    for (const [query, tokens] of [...expected, ["month=9999-12", whole(last)], ["date=9999-12-31", whole(last)]]) {
      const response = await call("GET", `/api/circulating-supply?${query}`);
      expect([query, response.status, await response.text()]).toEqual([query, 200, tokens]);
    }
  });

  test("a period before the start is refused, naming the start", async () => {
    const [first] = (await publishedSchedule()).rows;
    const day = first?.effective_from.slice(0, 10) ?? "";
    const refused = [
      [
        `month=${dayBefore(`${first?.month}-01`).slice(0, 7)}`,
        `month must not be before the schedule's start, ${first?.month}.`,
      ],
      [`date=${dayBefore(day)}`, `date must not be before the schedule's start, ${day}.`],
    ];
    for (const [query, message] of refused) {
      const response = await call("GET", `/api/circulating-supply?${query}`);
      expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
        400,
        `Parameter ${message}`,
      ]);
    }
  });

  test.each([
    ["month=2026-13", "Parameter month must be a month as YYYY-MM"],
    ["month=2026-1", "Parameter month must be"],
    ["month=", "Parameter month must be"],
    ["month=2026-03-01", "Parameter month must be"],
    ["month=%D9%A2026-03", "Parameter month must be"],
    ["date=2023-02-29", "Parameter date must be a day that exists as YYYY-MM-DD"],
    ["date=2023-04-31", "Parameter date must be"],
    ["date=2026-03", "Parameter date must be"],
    ["date=2026-03-01T00:00:00Z", "Parameter date must be"],
    ["month=2026-03&date=2026-03-01", "Parameters month and date exclude one another"],
    ["month=2026-03&month=2026-03", "Parameter month is given more than once."],
    ["format=plain&format=plain", "Parameter format is given more than once."],
  ])("%s is refused: %s", async (query, message) => {
    const path = "/api/circulating-supply";
    const response = await call("GET", `${path}?${query}`);
    expect(response.status).toBe(400);
    const body = JSON.parse(await expectDocumented(publicDocument, "GET", path, response));
    expect(body).toEqual({ message: expect.stringContaining(message), error_code: "invalid_input" });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  test("a future period has no Last-Modified, a past one has its step's unless it was revised since", async () => {
    const { rows } = await publishedSchedule();
    const future = rows.find((row) => Date.parse(row.effective_from) > Date.now());
    const past = rows.findLast((row) => Date.parse(row.effective_from) <= Date.now());
    for (const row of [future, past]) {
      if (row === undefined) continue;
      const response = await call("GET", `/api/circulating-supply?month=${row.month}`);
      const modified = row === past ? [new Date(row.effective_from).toUTCString(), null] : [null];
      expect(modified).toContain(response.headers.get("Last-Modified"));
      await expectDocumented(publicDocument, "GET", "/api/circulating-supply", response);
    }
  });
});

interface Row {
  readonly month: string;
  readonly effective_from: string;
  readonly circulating: { readonly tokens: string };
}

async function publishedSchedule(): Promise<{ readonly rows: readonly Row[] }> {
  return (await call("GET", "/api/unlock-schedule")).json();
}

function whole({ circulating }: Row): string {
  return circulating.tokens.split(".")[0] ?? "";
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

test("the figures of every path agree", async () => {
  const [max, circulating, supply, schedule, csv] = await Promise.all(
    ["max-supply", "circulating-supply", "supply", "unlock-schedule", "unlock-schedule.csv"].map(async (name) =>
      (await call("GET", `/api/${name}`)).text(),
    ),
  );
  const figures = JSON.parse(supply ?? "");
  const { rows, token, max_supply: maximum } = JSON.parse(schedule ?? "");
  const whole = (tokens: string) => tokens.split(".")[0];
  expect(whole(figures.max.tokens)).toBe(max);
  expect(whole(figures.circulating.tokens)).toBe(circulating);
  expect(maximum).toEqual(figures.max);
  expect(BigInt(figures.locked.base_units)).toBe(
    BigInt(figures.max.base_units) - BigInt(figures.circulating.base_units),
  );
  const row = rows.find((entry: { effective_from: string }) => entry.effective_from === figures.effective_from);
  expect(row).toMatchObject({ month: figures.month, circulating: figures.circulating });
  const [header, ...lines] = (csv ?? "").trimEnd().split("\n");
  const columns = ["month", "effective_from", "circulating", "circulating_base_units", ...Object.keys(row.buckets)];
  expect(header).toBe([...columns, "token", "decimals", "unit"].join(","));
  const { symbol, decimals } = token;
  expect(lines).toEqual(
    rows.map(({ month, effective_from, circulating: { tokens, base_units }, buckets }: typeof row) =>
      [
        month,
        effective_from,
        whole(tokens),
        base_units,
        ...Object.values(buckets),
        symbol,
        decimals,
        "base_units",
      ].join(","),
    ),
  );
  for (const {
    circulating: { base_units },
    buckets,
  } of rows) {
    // A table of figures has no buckets to add up.
    if (Object.keys(buckets).length === 0) continue;
    expect(Object.values<string>(buckets).reduce((sum, units) => sum + BigInt(units), 0n)).toBe(BigInt(base_units));
  }
});

import { describe, expect, test } from "vitest";
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { ask } from "../support/ask.ts";
import { expectDocumented } from "../support/openapi.ts";

const BARE = ["/api/max-supply", "/api/circulating-supply"];
const PATHS = [...BARE, "/api/supply", "/api/unlock-schedule", "/api/unlock-schedule.csv"];
const DERIVED = ["/api/allocations", "/api/unlock-events", "/api/unlock-events.csv", "/api/unlock-events.ics"];

describe.each([...PATHS, ...DERIVED])("%s", (path) => {
  test("answers as documented", async () => {
    const response = await ask("GET", path);
    expect(response.status).toBe(200);
    await expectDocumented(publicDocument, "GET", path, response);
  });

  test("answers HEAD with the fields of GET and no body", async () => {
    const [get, head] = [await ask("GET", path), await ask("HEAD", path)];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const name of ["Content-Type", "ETag", "Last-Modified", "Vary"])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  test("answers 304 to a caller that holds the same, and 200 to one that does not", async () => {
    const tag = (await ask("GET", path)).headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    const same = await ask("GET", path, { headers: { "If-None-Match": tag } });
    expect([same.status, await same.text(), same.headers.get("ETag")]).toEqual([304, "", tag]);
    const other = await ask("GET", path, { headers: { "If-None-Match": '"another"' } });
    expect(other.status).toBe(200);
  });

  test.each(["POST", "PUT", "DELETE", "PATCH"])("refuses %s with Allow", async (method) => {
    const response = await ask(method, path);
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    await expectDocumented(publicDocument, "GET", path, response);
  });

  test("may be held for a bounded time by anyone", async () => {
    const field = (await ask("GET", path)).headers.get("Cache-Control") ?? "";
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
    const response = await ask("GET", path + query, { headers });
    expect(response.headers.get("Content-Type")?.split(";")[0]).toBe(type);
    expect(response.headers.get("Vary")).toBe("Accept");
    // Bytes, so that a byte-order mark is not swallowed by decoding.
    const bytes = [...new Uint8Array(await response.arrayBuffer())];
    expect(String.fromCharCode(...bytes)).toMatch(form);
  });

  test("each form has its own tag", async () => {
    const tags = await Promise.all(
      ["number", "plain", "result"].map(async (format) =>
        (await ask("GET", `${path}?format=${format}`)).headers.get("ETag"),
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test.each(["xml", "", "NUMBER", "plain,number"])("refuses format %o", async (format) => {
    const response = await ask("GET", `${path}?format=${format}`);
    expect(response.status).toBe(400);
    expect(JSON.parse(await expectDocumented(publicDocument, "GET", path, response))).toEqual({
      message: "Parameter format must be one of number, plain, result.",
      error_code: "invalid_input",
    });
  });
});

describe("circulating supply of another period", () => {
  test.each([
    ["month=2022-10", "130000000"],
    ["month=2022-11", "134543477"],
    ["month=2023-10", "184521735"],
    ["month=2023-11", "209364128"],
    ["month=2024-04", "333576094"],
    ["month=2024-05", "344885877"],
    ["month=2026-10", "672869584"],
    ["month=2032-10", "1000000000"],
    ["month=9999-12", "1000000000"],
    ["date=2022-10-12", "130000000"],
    ["date=2022-11-11", "130000000"],
    ["date=2022-11-12", "134543477"],
    ["date=2024-02-29", "283891308"],
    ["date=2032-10-11", "995456522"],
    ["date=9999-12-31", "1000000000"],
  ])("%s is %s", async (query, tokens) => {
    const response = await ask("GET", `/api/circulating-supply?${query}`);
    expect([response.status, await response.text()]).toEqual([200, tokens]);
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
    ["month=2022-09", "Parameter month must not be before the schedule's start, 2022-10."],
    ["date=2022-10-11", "Parameter date must not be before the schedule's start, 2022-10-12."],
    ["month=2026-03&date=2026-03-01", "Parameters month and date exclude one another"],
    ["month=2026-03&month=2026-03", "Parameter month is given more than once."],
    ["format=plain&format=plain", "Parameter format is given more than once."],
  ])("%s is refused: %s", async (query, message) => {
    const path = "/api/circulating-supply";
    const response = await ask("GET", `${path}?${query}`);
    expect(response.status).toBe(400);
    const body = JSON.parse(await expectDocumented(publicDocument, "GET", path, response));
    expect(body).toEqual({ message: expect.stringContaining(message), error_code: "invalid_input" });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  test("a period to come has no date of last change", async () => {
    const future = await ask("GET", "/api/circulating-supply?month=2032-10");
    const past = await ask("GET", "/api/circulating-supply?month=2022-11");
    expect(future.headers.get("Last-Modified")).toBeNull();
    await expectDocumented(publicDocument, "GET", "/api/circulating-supply", future);
    expect(past.headers.get("Last-Modified")).toBe("Sat, 12 Nov 2022 00:00:00 GMT");
  });
});

test("the figures of every path agree", async () => {
  const [max, circulating, supply, schedule, csv] = await Promise.all(
    PATHS.map(async (path) => (await ask("GET", path)).text()),
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
  const ids = Object.keys(row.buckets).join(",");
  expect(header).toBe(`month,effective_from,circulating,circulating_base_units,${ids},token,decimals,unit`);
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
  } of rows)
    expect(Object.values<string>(buckets).reduce((sum, units) => sum + BigInt(units), 0n)).toBe(BigInt(base_units));
});

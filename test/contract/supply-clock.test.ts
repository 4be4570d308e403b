import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "../support/call.ts";

describe("at the step", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => vi.useRealTimers());

  async function circulatingAt(instant: string, headers: Record<string, string> = {}) {
    vi.setSystemTime(new Date(instant));
    const response = await call("GET", "/api/circulating-supply", { headers });
    return {
      status: response.status,
      body: await response.text(),
      maxAge: response.headers.get("Cache-Control"),
      modified: response.headers.get("Last-Modified"),
      tag: response.headers.get("ETag") ?? "",
      retryAfter: response.headers.get("Retry-After"),
    };
  }

  test.each([
    ["the first step", "2022-11-11", "130000000", "2022-11-12", "134543477"],
    ["the end of a year", "2022-12-11", "134543477", "2023-01-12", "143630433"],
    ["a leap February", "2024-02-11", "259048915", "2024-02-12", "283891308"],
    ["the last step", "2032-10-11", "995456522", "2032-10-12", "1000000000"],
  ])("%s: the figure changes at midnight UTC, not before", async (_what, before, old, after, next) => {
    expect(await circulatingAt(`${before}T23:59:59.999Z`)).toMatchObject({ body: old });
    expect(await circulatingAt(`${after}T00:00:00.000Z`)).toMatchObject({
      body: next,
      modified: new Date(`${after}T00:00:00Z`).toUTCString(),
    });
    // After the clock is set back, no cached reply of a later time is served.
    expect(await circulatingAt(`${before}T23:59:59.999Z`)).toMatchObject({ body: old });
  });

  test.each([
    ["2024-02-29", 200, "283891308"],
    ["2024-03-12", 200, "308733701"],
    ["2025-02-29", 400, expect.stringContaining("a day that exists")],
    ["2025-04-31", 400, expect.stringContaining("a day that exists")],
  ])("the day %s is %i", async (date, status, text) => {
    vi.setSystemTime(new Date("2025-06-01"));
    const response = await call("GET", `/api/circulating-supply?date=${date}`);
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  test.each([
    ["2023-01-11T00:00:00.000Z", 300],
    ["2023-01-11T23:55:00.000Z", 300],
    ["2023-01-11T23:55:00.001Z", 299],
    ["2023-01-11T23:58:30.000Z", 90],
    ["2023-01-11T23:59:58.001Z", 1],
    ["2023-01-11T23:59:59.000Z", 1],
    ["2023-01-11T23:59:59.001Z", 0],
    ["2023-01-11T23:59:59.999Z", 0],
    ["2023-01-12T00:00:00.000Z", 300],
    ["2040-01-01T00:00:00.000Z", 300],
  ])("at %s a copy may be cached for %i seconds, never past the step", async (instant, seconds) => {
    expect((await circulatingAt(instant)).maxAge).toBe(`public, max-age=${seconds}`);
    expect((await circulatingAt(instant)).maxAge).toBe(`public, max-age=${seconds}`);
  });

  test.each([
    "/api/supply",
    "/api/supply-breakdown",
    "/api/allocations",
    "/api/badge/circulating-supply.json",
    "/badge/circulating-supply.svg",
    "/feed.atom",
  ])("no copy of %s outlives the step", async (path) => {
    const maxAge = async (instant: string) => {
      vi.setSystemTime(new Date(instant));
      const response = await call("GET", path);
      await response.body?.cancel();
      expect(response.status).toBe(200);
      return Number(/^public, max-age=(\d+)$/.exec(response.headers.get("Cache-Control") ?? "")?.[1]);
    };
    expect(await maxAge("2023-01-11T23:50:00.000Z")).toBeGreaterThan(20);
    expect(await maxAge("2023-01-11T23:59:40.000Z")).toBe(20);
    expect(await maxAge("2023-01-11T23:59:59.000Z")).toBe(1);
    expect(await maxAge("2023-01-11T23:59:59.999Z")).toBe(0);
  });

  test("a cached copy is fresh until the step", async () => {
    const cached = await circulatingAt("2023-01-11T23:59:59.999Z");
    const tagged = { "If-None-Match": cached.tag };
    const dated = { "If-Modified-Since": cached.modified ?? "" };
    expect(await circulatingAt("2023-01-11T23:59:59.999Z", tagged)).toMatchObject({ status: 304, body: "" });
    expect(await circulatingAt("2023-01-11T23:59:59.999Z", dated)).toMatchObject({ status: 304, body: "" });
    expect(await circulatingAt("2023-01-12T00:00:00.000Z", tagged)).toMatchObject({ status: 200, body: "143630433" });
    expect(await circulatingAt("2023-01-12T00:00:00.000Z", dated)).toMatchObject({ status: 200, body: "143630433" });
  });

  test.each([
    ["2022-10-11T23:59:59.999Z", "1"],
    ["2022-10-11T12:00:00.000Z", "43200"],
    ["2022-01-01T00:00:00.000Z", "86400"],
  ])("before the start, at %s, there is no figure, and Retry-After is %s", async (instant, retryAfter) => {
    const { status, body, ...rest } = await circulatingAt(instant);
    expect({ status, ...rest }).toMatchObject({ status: 503, retryAfter, maxAge: "no-store" });
    expect(JSON.parse(body)).toEqual({
      message: "The schedule starts at 2022-10-12T00:00:00Z; there is no figure before.",
      error_code: "service_unavailable",
    });
    expect((await call("GET", "/api/supply")).status).toBe(503);
    expect((await call("GET", "/api/max-supply")).status).toBe(200);
    expect((await call("GET", "/api/unlock-schedule")).status).toBe(200);
  });

  test("/api/supply has the current step and the next unlock", async () => {
    vi.setSystemTime(new Date("2023-10-31T12:00:00Z"));
    const now = await (await call("GET", "/api/supply")).json();
    const exact = { tokens: expect.stringMatching(/^\d+(\.\d+)?$/), base_units: expect.stringMatching(/^\d+$/) };
    expect(now).toEqual({
      max: { tokens: "1000000000", base_units: "100000000000000000" },
      // The embedded chain's current total: fees have been burnt since its genesis.
      total: exact,
      circulating: { tokens: "184521735.9767", base_units: "18452173597670000" },
      locked: { tokens: "815478264.0233", base_units: "81547826402330000" },
      circulating_percent: "18.4521",
      month: "2023-10",
      effective_from: "2023-10-12T00:00:00Z",
      next_unlock: {
        at: "2023-11-12T00:00:00Z",
        amount: { tokens: "24842393.01262083", base_units: "2484239301262083" },
        buckets: [
          {
            id: "community",
            label: "Community",
            amount: { tokens: "3210144.664725", base_units: "321014466472500" },
          },
          {
            id: "contributors",
            label: "Core contributors",
            amount: { tokens: "11875000", base_units: "1187500000000000" },
          },
          {
            id: "foundation",
            label: "Foundation",
            amount: { tokens: "1333333.33333333", base_units: "133333333333333" },
          },
          {
            id: "investors",
            label: "Investors",
            amount: { tokens: "8423915.0145625", base_units: "842391501456250" },
          },
        ],
      },
      schedule_revision: 1,
      circulating_on_chain: exact,
      circulating_above_plan: exact,
      burned: exact,
      unavailable: {},
    });
    vi.setSystemTime(new Date("2040-01-01T00:00:00Z"));
    expect(await (await call("GET", "/api/supply")).json()).toMatchObject({
      locked: { tokens: "0", base_units: "0" },
      circulating_percent: "100",
      month: "2032-10",
      effective_from: "2032-10-12T00:00:00Z",
      next_unlock: null,
    });
  });
});

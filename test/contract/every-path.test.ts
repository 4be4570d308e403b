import { describe, expect, test, vi } from "vitest";
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { type CallInit, call, served } from "../support/call.ts";
import { undocumentedHeaders } from "../support/documented.ts";
import { exampleOf } from "../support/openapi.ts";

describe("every header is documented", () => {
  const unlisted = async (
    path: string,
    method: string,
    init: CallInit = {},
    target = exampleOf(publicDocument, path),
  ) => {
    const { status, headers, body } = await call(method, target, init);
    await body?.cancel();
    return [status, undocumentedHeaders(publicDocument, path, status, headers.keys())] as const;
  };

  test.each(served)("of %s: 200, 304, 400 and 405", async (path) => {
    const tag = (await call("GET", exampleOf(publicDocument, path))).headers.get("ETag");
    expect(await unlisted(path, "GET")).toEqual([200, []]);
    if (tag !== null) expect(await unlisted(path, "GET", { headers: { "If-None-Match": tag } })).toEqual([304, []]);
    expect(await unlisted(path, "GET", { headers: { "X-API-Version": "9" } })).toEqual([400, []]);
    expect(await unlisted(path, "POST")).toEqual([405, []]);
  });

  test.each([
    ["/api/rates/{id}", "/api/rates/unknown"],
    ["/api/rates/{id}/history", "/api/rates/unknown/history"],
    ["/api/badge/{figure}.json", "/api/badge/unknown.json"],
  ])("of %s: 404", async (path, target) => {
    expect(await unlisted(path, "GET", {}, target)).toEqual([404, []]);
  });

  test.each([
    ["/api/supply", "/api/supply"],
    ["/api/circulating-supply", "/api/circulating-supply"],
    ["/api/badge/{figure}.json", "/api/badge/circulating-supply.json"],
  ])("of %s before the schedule's start: 503", async (path, target) => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2022-01-01") });
    expect(await unlisted(path, "GET", {}, target).finally(() => vi.useRealTimers())).toEqual([503, []]);
  });

  test("of the request after the last that the quota admits: 429", async ({ skip, onTestFinished }) => {
    // All requests are in one window, however long they take.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const remaining: number[] = [];
    let quota = Number.POSITIVE_INFINITY;
    while (remaining.at(-1) !== 0 && remaining.length < quota) {
      const sentMs = performance.now();
      const { status, headers, body } = await call("GET", "/api/max-supply", { headers: { "X-Server-Timing": "1" } });
      await body?.cancel();
      if (headers.get("Server-Timing")?.includes('desc="local ') === true)
        skip(`the machine was too slow: the limiter's object did not respond in ${performance.now() - sentMs} ms`);
      expect(status).toBe(200);
      quota = Number(/;q=(\d+);/.exec(headers.get("RateLimit-Policy") ?? "")?.[1]);
      remaining.push(Number(/;r=(\d+);/.exec(headers.get("RateLimit") ?? "")?.[1]));
    }
    expect(remaining).toEqual(Array.from({ length: quota }, (_, index) => quota - 1 - index));
    expect(await unlisted("/api/max-supply", "GET")).toEqual([429, []]);
  });
});

/** The paths that take or ignore `month` and `date`, by the document's description; every other one refuses them. */
const OTHER_PERIODS = [
  ...(publicDocument.info.description.split("answers 400. Beside")[1] ?? "").matchAll(/`(\/[^`]+)`/g),
].map(([, path]) => path ?? "");
/** The path that takes a day and refuses a month, by its own description. */
const DAILY = "/api/circulating-supply-daily";

test("the document names the paths of which month and date change nothing", () => {
  expect(OTHER_PERIODS).toEqual(expect.arrayContaining(["/api/circulating-supply", "/feed.atom"]));
});

describe.each(served)("parameters that %s does not have", (path) => {
  test("are ignored", async () => {
    const plain = await call("GET", exampleOf(publicDocument, path));
    const tracked = await call(
      "GET",
      `${exampleOf(publicDocument, path)}?utm_source=tracker&mnth=2026-01&utm_source=again`,
    );
    expect(tracked.status).toBe(plain.status);
  });

  test.each(["month=2026-01", "date=2026-01-31"])("%s gives no figure of another period", async (period) => {
    const response = await call("GET", `${exampleOf(publicDocument, path)}?${period}`);
    const isDayOfDaily = path === DAILY && period.startsWith("date");
    const status = OTHER_PERIODS.includes(path) || isDayOfDaily ? 200 : 400;
    expect([response.status, await response.text()]).toEqual([
      status,
      status === 200 ? expect.any(String) : expect.stringContaining('"error_code":"invalid_input"'),
    ]);
  });
});

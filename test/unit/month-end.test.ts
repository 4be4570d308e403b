import { describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { supplyRoutes } from "../../src/supply/handlers.ts";
import { appOf, ask } from "../support/app.ts";
import { bucket, file, valid } from "./supply/schedules.ts";

const SECOND_MS = 1_000;
/** A hundred tokens more on the first of every month: the steps are at the ends of months, leap days and years. */
const phases = [{ kind: "installments", amount: "1000", first_month: 1, count: 10, every_months: 1 }];
const schedule = valid(file({ start: "2023-12-15", buckets: [bucket({ genesis: "0", phases })] }));

/** The whole edge with its own clock; one isolate, so that its memory is kept between requests. */
function edgeAt(clock: { nowMs: number }): App {
  const unread = { reason: "No node answers." };
  const onChain = { figures: { total: unread, circulating_on_chain: unread, burned: unread }, headers: {} };
  const noAsset = async () => undefined;
  const routes = supplyRoutes(schedule, async () => onChain, noAsset);
  return appOf(
    routes.map((row) => ({ method: "GET", ...row })),
    { now: () => clock.nowMs },
  );
}

/** A shared cache by RFC 9111: a copy is served until its max-age is over, then revalidated with its ETag. */
function behindCache(clock: { nowMs: number }) {
  const app = edgeAt(clock);
  const stored = new Map<string, { text: string; tag: string; untilMs: number }>();
  return async (path: string): Promise<string> => {
    const copy = stored.get(path);
    if (copy !== undefined && clock.nowMs < copy.untilMs) return copy.text;
    const headers: Record<string, string> = copy === undefined ? {} : { "If-None-Match": copy.tag };
    const response = await ask(app, path, { headers });
    const text = response.status === 304 && copy !== undefined ? copy.text : await response.text();
    const [, seconds] = /^public, max-age=(\d+)$/.exec(response.headers.get("Cache-Control") ?? "") ?? [];
    const untilMs = clock.nowMs + Number(seconds) * SECOND_MS;
    stored.set(path, { text, tag: response.headers.get("ETag") ?? "", untilMs });
    return text;
  };
}

describe.each([
  ["the year's end", "2024-01-01T00:00:00Z", "0", "100"],
  ["a month's end", "2024-02-01T00:00:00Z", "100", "200"],
  ["a leap day", "2024-03-01T00:00:00Z", "200", "300"],
  ["the last step", "2024-10-01T00:00:00Z", "900", "1000"],
])("%s, through the whole edge and a shared cache", (_what, step, before, after) => {
  const stepMs = Date.parse(step);

  test.each([301_000, 300_000, 299_999, 61_000, 60_000, 1_001, 1_000, 999, 500, 1])(
    "a copy stored %i ms before is not served at the step",
    async (earlierMs) => {
      const clock = { nowMs: stepMs - earlierMs };
      const call = behindCache(clock);
      const paths = ["/api/circulating-supply", "/api/circulating-supply?format=plain"];
      for (const path of paths) expect(await call(path)).toBe(before);
      const whole = JSON.parse(await call("/api/supply"));
      expect(whole.circulating.tokens).toBe(before);
      expect(whole.next_unlock.at).toBe(step);
      clock.nowMs = stepMs - 1;
      for (const path of paths) expect(await call(path)).toBe(before);
      clock.nowMs = stepMs;
      for (const path of paths) expect(await call(path)).toBe(after);
      expect(JSON.parse(await call("/api/supply")).circulating.tokens).toBe(after);
      // After the clock is set back, the edge serves nothing that it cached for a later time.
      clock.nowMs = stepMs - 1;
      const fresh = await ask(edgeAt(clock), "/api/circulating-supply");
      expect(await fresh.text()).toBe(before);
    },
  );
});

test("29 February has a figure in a leap year, and is refused in others", async () => {
  const app = edgeAt({ nowMs: Date.parse("2024-06-01T00:00:00Z") });
  const on = async (date: string) => {
    const response = await ask(app, `/api/circulating-supply?date=${date}`);
    return [response.status, response.status === 200 ? await response.text() : ""];
  };
  expect(await on("2024-02-29")).toEqual([200, "200"]);
  expect(await on("2024-03-01")).toEqual([200, "300"]);
  expect(await on("2025-02-29")).toEqual([400, ""]);
});

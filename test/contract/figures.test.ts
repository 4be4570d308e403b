import { describe, expect, test } from "vitest";
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { ask } from "../support/ask.ts";
import { expectDocumented } from "../support/openapi.ts";

/** Upstreams may be down where this runs; then nothing is made up, and what is said is documented all the same. */
const FORMS = [
  ["", {}, "application/json", /^(0|[1-9]\d*)$/],
  ["?format=number", { Accept: "text/plain" }, "application/json", /^(0|[1-9]\d*)$/],
  ["?format=plain", {}, "text/plain; charset=utf-8", /^(0|[1-9]\d*)$/],
  ["", { Accept: "text/plain" }, "text/plain; charset=utf-8", /^(0|[1-9]\d*)$/],
  ["?format=result&unknown=1", {}, "application/json", /^\{"result":"(0|[1-9]\d*)"\}$/],
] as const;

describe.each(["/api/total-supply", "/api/stable-supply"])("%s", (path) => {
  test.each(FORMS)("%s with %o is %s", async (query, headers, type, body) => {
    const response = await ask("GET", path + query, { headers });
    const text = await expectDocumented(publicDocument, "GET", path, response);
    if (response.status === 503) {
      expect(JSON.parse(text)).toMatchObject({ error_code: "service_unavailable" });
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      return;
    }
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, type]);
    expect(text).toMatch(body);
    expect(Number(response.headers.get("Age"))).toBeLessThanOrEqual(3_600);
    const again = await ask("GET", path + query, {
      headers: { ...headers, "If-None-Match": response.headers.get("ETag") ?? "" },
    });
    expect([200, 304]).toContain(again.status);
  });

  test.each(["?format=xml", "?format=plain&format=plain"])("%s is refused", async (query) => {
    const response = await ask("GET", path + query);
    expect(response.status).toBe(400);
    await expectDocumented(publicDocument, "GET", path, response);
  });
});

test("/api/rates holds its arithmetic, or is unavailable; it is never empty", async () => {
  const response = await ask("GET", "/api/rates");
  const body = JSON.parse(await expectDocumented(publicDocument, "GET", "/api/rates", response));
  if (response.status === 503) return;
  expect(body.count).toBe(body.data.length);
  expect(new Set(body.data.map((each: { id: string }) => each.id)).size).toBe(body.count);
  for (const { apy, apy_base, apy_reward, apr, apy_mean_30d } of body.data) {
    for (const rate of [apy, apy_base, apy_reward, apr, apy_mean_30d])
      expect(rate === null || /^-?\d+(\.\d{1,5})?$/.test(String(rate))).toBe(true);
    if (apy_base !== null && apy_reward !== null) expect(apy).toBeCloseTo(apy_base + apy_reward, 5);
  }
});

test("/api/health agrees with itself, is stored by nobody and names no address", async () => {
  const response = await ask("GET", "/api/health");
  const text = await expectDocumented(publicDocument, "GET", "/api/health", response);
  const report = JSON.parse(text);
  const unavailable = report.figures.filter((figure: { available: boolean }) => !figure.available);
  expect([response.status, report.status === "failing"]).toEqual(unavailable.length > 0 ? [503, true] : [200, false]);
  expect(report.status === "ok").toBe(report.problems.length === 0);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(text).not.toMatch(/https?:/);
});

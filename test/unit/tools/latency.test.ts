import { expect, test } from "vitest";
import { measureLatencies } from "../../../tools/deploy/latency.ts";

test("the first request stands apart, the median is of the next ones, and a path that is not served has no line", async () => {
  const durations = [5, 10, 60, 20, 50];
  let [nowMs, requests] = [0, 0];
  const fetch = async (input: unknown): Promise<Response> => {
    nowMs += durations[requests++ % durations.length] ?? 0;
    const headers = { "CF-Ray": "8a-FRA", "Server-Timing": "limiter;desc=exact" };
    return new Response("1", { status: String(input).endsWith("/v1") ? 404 : 200, headers });
  };
  // Cast: the overloads of `fetch` take more than this test sends.
  const ports = { fetch: fetch as unknown as typeof globalThis.fetch, now: () => nowMs };
  expect(await measureLatencies("https://edge.example", ports)).toEqual([
    "/api/circulating-supply: first 5 ms, then 50 ms; data centre FRA; limiter;desc=exact",
    "/api/total-supply: first 5 ms, then 50 ms; data centre FRA; limiter;desc=exact",
  ]);
  expect(requests).toBe(15);
});

import { describe, expect, test } from "vitest";
import type { Environment } from "../../../src/base/settings.ts";
import { misconfiguredResponse } from "../../../src/compose/misconfigured.ts";
import { parseConfig } from "../../../src/config.ts";

const LIMITS = { RATE_LIMIT_DEFAULT: "10/30", RATE_LIMIT_NODE: "99999/1" };

/** The limits that are known when the settings are invalid: these, and a chain id that no chain has. */
function policiesOf(settings: Environment) {
  const parsed = parseConfig({ ...settings, CHAIN_ID: "0" });
  if (parsed.kind === "config") throw new Error("the settings are invalid");
  return parsed.policies;
}

describe("a misconfigured deployment", () => {
  test.each([
    ["api", { message: "This service is not configured.", error_code: "service_unavailable" }],
    ["node", { message: "This service is not configured.", error_code: "internal_error", vm_error_code: null }],
  ] as const)("on %s answers 503 with Retry-After", async (surface, body) => {
    const response = misconfiguredResponse(surface, policiesOf({}), "GET", "id-1");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "60"]);
    expect([response.headers.get("Cache-Control"), response.headers.get("X-Request-Id")]).toEqual(["no-store", "id-1"]);
    expect(await response.json()).toEqual(body);
  });

  test.each([
    ["the published limit", {}, "api", "default;q=60;w=60", "default;r=0;t=60"],
    ["the published limit", {}, "node", "node;q=300;w=60", "node;r=0;t=60"],
    ["the operator's limit", LIMITS, "api", "default;q=10;w=30", "default;r=0;t=60"],
    ["no limit when that setting is invalid", LIMITS, "node", null, null],
    ["no limit when that setting is not a string", { RATE_LIMIT_NODE: 60 }, "node", null, null],
  ] as const)("advertises %s (%o, %s)", (_limit, settings, surface, policy, state) => {
    const { headers } = misconfiguredResponse(surface, policiesOf(settings), "GET", "id-1");
    expect([headers.get("RateLimit-Policy"), headers.get("RateLimit")]).toEqual([policy, state]);
  });
});

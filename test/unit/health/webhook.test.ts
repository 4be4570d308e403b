import { describe, expect, test } from "vitest";
import type { Notice } from "../../../src/health/alert.ts";
import { webhookRequest } from "../../../src/health/webhook.ts";

const NOTICE: Notice = {
  id: "0011",
  text: "ok -> failing: rates cannot be served.",
  status: "failing",
  previous_status: "ok",
  reason: "rates cannot be served.",
  problems: [{ code: "figure_unavailable", subject: "rates", message: "rates cannot be served." }],
  changed_at: "2026-11-21T02:00:00.000Z",
  build_revision: "abc",
};
const SUBJECT = { deployment: "edge-api-production", environment: "production", token: "APT" };
const TEXT = "APT, edge-api-production (production): ok -> failing: rates cannot be served.";
const bodyOf = (notice: Notice, url = "https://hooks.example/T0/B0", subject = SUBJECT) =>
  JSON.parse(webhookRequest(url, notice, subject).body);

test("the notice matches its documentation, member for member, and says whose it is", () => {
  expect(bodyOf(NOTICE)).toMatchObject({ ...NOTICE, ...SUBJECT, text: TEXT });
});

test("chat receivers get their text: Slack in text, Discord in content", () => {
  expect(bodyOf(NOTICE)).toMatchObject({ text: TEXT, content: TEXT });
});

describe("PagerDuty (Events API v2)", () => {
  const url = "https://events.pagerduty.com/v2/enqueue?routing_key=R0UT1NG";

  test("gets its key in the body, not in the URL, which proxies log", () => {
    expect(bodyOf(NOTICE, url).routing_key).toBe("R0UT1NG");
    expect(webhookRequest(url, NOTICE, SUBJECT).url).toBe("https://events.pagerduty.com/v2/enqueue");
  });

  test.each([
    ["failing", "trigger", "critical"],
    ["degraded", "trigger", "warning"],
    ["ok", "resolve", "warning"],
    ["not_started", "resolve", "warning"],
  ] as const)("%s is %s with severity %s, under one key", (status, action, severity) => {
    expect(bodyOf({ ...NOTICE, status })).toMatchObject({
      event_action: action,
      dedup_key: "edge-api-production/health",
      payload: { severity, summary: TEXT, source: "edge-api-production", timestamp: NOTICE.changed_at },
    });
  });

  test("a recovery of staging resolves no alert of production", () => {
    const staging = bodyOf(NOTICE, url, { ...SUBJECT, deployment: "edge-api-staging" });
    expect(staging.dedup_key).not.toBe(bodyOf(NOTICE, url).dedup_key);
  });
});

test("a text longer than a receiver's maximum is shortened in that receiver's field", () => {
  const { content, payload, text } = bodyOf({ ...NOTICE, text: "x".repeat(5_000) });
  expect([content.length, payload.summary.length]).toEqual([2_000, 1_024]);
  expect(text.length).toBeGreaterThan(5_000);
});

test("without a routing key there is none; other parameters stay in the URL", () => {
  expect(bodyOf(NOTICE)).not.toHaveProperty("routing_key");
  const url = "https://hooks.example/x?thread=7&text=~a%20b&flag";
  expect(webhookRequest(url, NOTICE, SUBJECT).url).toBe(url);
});

import { describe, expect, test } from "vitest";
import type { Notice } from "../../../src/health/alert.ts";
import { webhookRequest } from "../../../src/health/webhook.ts";
import { publishedProblem } from "../../../src/problems.ts";

const NOTICE: Notice = {
  id: "0011",
  text: "ok -> failing: rates cannot be served.",
  status: "failing",
  previous_status: "ok",
  reason: "rates cannot be served.",
  problems: [publishedProblem({ code: "figure_unavailable", subject: "rates", message: "rates cannot be served." })],
  changed_at: "2026-11-21T02:00:00.000Z",
  build_revision: "abc",
};
const SUBJECT = { deployment: "edge-api-production", environment: "production", token: "APT" };
const TEXT = "APT, edge-api-production (production): ok -> failing: rates cannot be served.";
const PAGERDUTY = "https://events.pagerduty.com/v2/enqueue?routing_key=R0UT1NG";
const bodyOf = (notice: Notice, url = "https://hooks.example/T0/B0", subject = SUBJECT) =>
  JSON.parse(webhookRequest(url, notice, subject).body);

/** Documented body of each receiver, with no other member: several receivers answer 400 to an unknown one. */
const BODIES: readonly (readonly [address: string, receiver: string, body: object])[] = [
  ["https://hooks.slack.com/services/T0/B0/x", "Slack", { text: TEXT }],
  ["https://hooks.slack-gov.com/services/T0/B0/x", "Slack", { text: TEXT }],
  ["https://discord.com/api/webhooks/1/x/slack", "Slack", { text: TEXT }],
  ["https://discord.com/api/webhooks/1/x", "Discord", { content: TEXT, allowed_mentions: { parse: [] } }],
  ["https://ptb.discord.com/api/v10/webhooks/1/x", "Discord", { content: TEXT, allowed_mentions: { parse: [] } }],
  ["https://discordapp.com/api/webhooks/1/x?wait=true", "Discord", { content: TEXT, allowed_mentions: { parse: [] } }],
  ["https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t", "Google Chat", { text: TEXT }],
  ["https://proxy.example/v1/spaces/A/messages?key=k", "Google Chat", { text: TEXT }],
  ...[
    "https://prod-1.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=s",
    "https://default1.2.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/3?sig=s",
    "https://token.webhook.office.com/webhookb2/1/IncomingWebhook/2/3",
  ].map((address): [string, string, object] => [
    address,
    "Microsoft Teams",
    {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [{ type: "TextBlock", text: TEXT, wrap: true }],
          },
        },
      ],
    },
  ]),
  ["https://alerts.example/hook", "a receiver of your own", { ...NOTICE, ...SUBJECT, text: TEXT }],
  ["https://mattermost.example/hooks/1", "a receiver of your own", { ...NOTICE, ...SUBJECT, text: TEXT }],
  // Names that only look like those of a receiver.
  ["https://notdiscord.com/hook", "a receiver of your own", { ...NOTICE, ...SUBJECT, text: TEXT }],
  ["https://chat.googleapis.com.evil.example/x", "a receiver of your own", { ...NOTICE, ...SUBJECT, text: TEXT }],
];

describe("a notice has one body for each receiver, by its address:", () => {
  test.each(BODIES)("%s is %s", (address, receiver, body) => {
    const { body: sent, ...request } = webhookRequest(address, NOTICE, SUBJECT);
    expect(JSON.parse(sent)).toEqual(body);
    expect(request).toEqual({ url: new URL(address).href, receiver });
  });

  test.each(["https://events.pagerduty.com", "https://events.eu.pagerduty.com"])("%s is PagerDuty", (origin) => {
    const { body, ...request } = webhookRequest(`${origin}/v2/enqueue?routing_key=R0UT1NG`, NOTICE, SUBJECT);
    expect(JSON.parse(body)).toEqual({
      routing_key: "R0UT1NG",
      event_action: "trigger",
      dedup_key: "edge-api-production/health",
      payload: {
        summary: TEXT,
        source: "edge-api-production",
        severity: "critical",
        timestamp: NOTICE.changed_at,
        custom_details: { problems: NOTICE.problems, build_revision: "abc" },
      },
    });
    // The key is not in the URL, which proxies log.
    expect(request).toEqual({ url: `${origin}/v2/enqueue`, receiver: "PagerDuty" });
  });
});

describe("PagerDuty", () => {
  test.each([
    ["failing", "trigger", "critical"],
    ["degraded", "trigger", "warning"],
    ["ok", "resolve", "warning"],
    ["not_started", "resolve", "warning"],
  ] as const)("is told of %s as %s with severity %s, under one key", (status, action, severity) => {
    expect(bodyOf({ ...NOTICE, status }, PAGERDUTY)).toMatchObject({
      event_action: action,
      dedup_key: "edge-api-production/health",
      payload: { severity },
    });
  });

  test("a recovery of staging resolves no alert of production", () => {
    const staging = bodyOf(NOTICE, PAGERDUTY, { ...SUBJECT, deployment: "edge-api-staging" });
    expect(staging.dedup_key).not.toBe(bodyOf(NOTICE, PAGERDUTY).dedup_key);
  });
});

test("a text longer than a receiver's maximum is shortened for that receiver alone", () => {
  const long = { ...NOTICE, text: "x".repeat(5_000) };
  expect(bodyOf(long, "https://discord.com/api/webhooks/1/x").content).toHaveLength(2_000);
  expect(bodyOf(long, PAGERDUTY).payload.summary).toHaveLength(1_024);
  expect(bodyOf(long, "https://hooks.slack.com/services/T0").text).toHaveLength(4_000);
  expect(bodyOf(long).text.length).toBeGreaterThan(5_000);
});

test("other parameters of an address stay as they are written: a receiver may have signed them", () => {
  const url = "https://hooks.example/x?thread=7&text=~a%20b&flag";
  expect(webhookRequest(url, NOTICE, SUBJECT).url).toBe(url);
});

import type { Notice } from "./alert.ts";

/** PagerDuty matches a resolution to its alert by this key, of which a deployment has one. */
const DEDUP_KEY = "edge-api-health";
/** PagerDuty requires its key in the body; the setting is a single URL, so the key is a query parameter of it. */
const ROUTING_KEY = "routing_key";

/**
 * A notice in the formats of common receivers, all in one body: `text` (Slack, Mattermost, Google Chat), `content`
 * (Discord) and a PagerDuty event (Events API v2). Receivers ignore unknown members.
 */
export function webhookRequest(webhook: string, notice: Notice): { readonly url: string; readonly body: string } {
  const url = new URL(webhook);
  const routingKey = url.searchParams.get(ROUTING_KEY);
  url.searchParams.delete(ROUTING_KEY);
  const body = {
    ...notice,
    content: shortened(notice.text),
    ...(routingKey === null ? {} : { routing_key: routingKey }),
    event_action: notice.status === "ok" || notice.status === "not_started" ? "resolve" : "trigger",
    dedup_key: DEDUP_KEY,
    payload: {
      summary: shortened(notice.text).slice(0, MAX_SUMMARY),
      source: DEDUP_KEY,
      severity: notice.status === "failing" ? "critical" : "warning",
      timestamp: notice.changed_at,
      custom_details: { problems: notice.problems, build_revision: notice.build_revision },
    },
  };
  return { url: url.href, body: JSON.stringify(body) };
}

/** Maximum length of a message in Discord, and of a summary in PagerDuty. */
const MAX_CONTENT = 2_000;
const MAX_SUMMARY = 1_024;

function shortened(text: string): string {
  return text.length <= MAX_CONTENT ? text : `${text.slice(0, MAX_CONTENT - 1)}…`;
}

import type { Notice } from "./alert.ts";

/** One POST of a notice. */
export interface WebhookRequest {
  readonly url: string;
  readonly body: string;
}

/** PagerDuty joins a resolution to what it resolves by this; one deployment has one health. */
const DEDUP_KEY = "edge-api-health";
/** PagerDuty wants its key in the body; the setting is one URL, so it is given there. */
const ROUTING_KEY = "routing_key";

/**
 * A notice as common receivers take it, all in one body: `text` (Slack, Mattermost, Google Chat), `content` (Discord),
 * and a PagerDuty event (Events API v2). Receivers ignore the members that they do not know.
 */
export function webhookRequest(webhook: string, notice: Notice): WebhookRequest {
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

/** Characters that Discord takes in a message, and PagerDuty in a summary. */
const MAX_CONTENT = 2_000;
const MAX_SUMMARY = 1_024;

function shortened(text: string): string {
  return text.length <= MAX_CONTENT ? text : `${text.slice(0, MAX_CONTENT - 1)}…`;
}

import type { Notice } from "./alert.ts";

/** Whose health a notice is about. */
export interface Subject {
  /** The deployment's name, which no other one of the account has. */
  readonly deployment: string;
  readonly environment: string;
  /** The token's symbol. */
  readonly token: string;
}

/** PagerDuty requires its key in the body; the setting is a single URL, so the key is a query parameter of it. */
const ROUTING_KEY = "routing_key";

/**
 * A notice in the formats of common receivers, all in one body: `text` (Slack, Mattermost, Google Chat), `content`
 * (Discord) and a PagerDuty event (Events API v2), which matches a resolution to its alert by `dedup_key`: one key may
 * receive the notices of several deployments. Receivers ignore unknown members.
 */
export function webhookRequest(
  webhook: string,
  notice: Notice,
  subject: Subject,
): { readonly url: string; readonly body: string } {
  const { deployment, environment, token } = subject;
  const text = `${token}, ${deployment} (${environment}): ${notice.text}`;
  const url = new URL(webhook);
  const routingKey = url.searchParams.get(ROUTING_KEY);
  // Deleting spells the whole query anew, which a receiver may have signed.
  if (routingKey !== null) url.searchParams.delete(ROUTING_KEY);
  const body = {
    ...notice,
    ...subject,
    text,
    content: shortened(text),
    ...(routingKey === null ? {} : { routing_key: routingKey }),
    event_action: notice.status === "ok" || notice.status === "not_started" ? "resolve" : "trigger",
    dedup_key: `${deployment}/health`,
    payload: {
      summary: text.slice(0, MAX_SUMMARY),
      source: deployment,
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

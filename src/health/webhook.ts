import type { Notice } from "./alert.ts";

/** The deployment whose health a notice is about. */
export interface Subject {
  /** Name of the deployment, unique in the account. */
  readonly deployment: string;
  readonly environment: string;
  /** Symbol of the token. */
  readonly token: string;
}

/**
 * A kind of receiver: how its addresses look, and the body that it accepts. Several receivers refuse members of
 * another's body.
 */
interface Receiver {
  readonly name: string;
  readonly isAt: (url: URL) => boolean;
  readonly body: (text: string, notice: Notice, subject: Subject, url: URL) => object;
}

/** Query parameter with PagerDuty's key. PagerDuty requires the key in the body, but the setting is a single URL. */
const ROUTING_KEY = "routing_key";
/**
 * Maximum lengths of a message in Discord, a summary in PagerDuty, and a text for other receivers. The last is below
 * the limits of all of them.
 */
const [MAX_CONTENT, MAX_SUMMARY, MAX_TEXT] = [2_000, 1_024, 4_000];

/**
 * Kinds of receivers; the first match wins, and the last row matches any https address. A known path matches on every
 * host, because a proxy may stand before the receiver.
 */
const RECEIVERS: readonly Receiver[] = [
  {
    // Events API v2, also in the European service region. PagerDuty matches a resolution to its alert by `dedup_key`.
    name: "PagerDuty",
    isAt: ({ hostname, searchParams }) =>
      /^events(\.\w+)?\.pagerduty\.com$/.test(hostname) || searchParams.has(ROUTING_KEY),
    body: (text, notice, { deployment }, { searchParams }) => ({
      routing_key: searchParams.get(ROUTING_KEY),
      event_action: notice.status === "ok" || notice.status === "not_started" ? "resolve" : "trigger",
      dedup_key: `${deployment}/health`,
      payload: {
        summary: shortened(text, MAX_SUMMARY),
        source: deployment,
        severity: notice.status === "failing" ? "critical" : "warning",
        timestamp: notice.changed_at,
        custom_details: { problems: notice.problems, build_revision: notice.build_revision },
      },
    }),
  },
  {
    // A message (spaces.messages). Google answers 400 to a member that it does not know.
    name: "Google Chat",
    isAt: ({ hostname, pathname }) =>
      hostname === "chat.googleapis.com" || /^\/v1\/spaces\/[^/]+\/messages$/.test(pathname),
    body: (text) => ({ text: shortened(text, MAX_TEXT) }),
  },
  {
    // Addresses of Discord that end in `/slack` take Slack's body.
    name: "Slack",
    isAt: ({ hostname, pathname }) =>
      /^hooks\.slack(-gov)?\.com$/.test(hostname) || /^\/api\/(v\d+\/)?webhooks\/[^/]+\/[^/]+\/slack$/.test(pathname),
    body: (text) => ({ text: shortened(text, MAX_TEXT) }),
  },
  {
    // `allowed_mentions` is empty so that a problem's text cannot mention anybody.
    name: "Discord",
    isAt: ({ hostname, pathname }) =>
      /(^|\.)discord(app)?\.com$/.test(hostname) || /^\/api\/(v\d+\/)?webhooks\/[^/]+\/[^/]+$/.test(pathname),
    body: (text) => ({ content: shortened(text, MAX_CONTENT), allowed_mentions: { parse: [] } }),
  },
  {
    // One body serves workflows that post an adaptive card, and the older connectors.
    name: "Microsoft Teams",
    isAt: ({ hostname }) =>
      /\.(logic\.azure|api\.powerplatform|webhook\.office)\.(com|us|cn)$|^outlook\.office(365)?\.com$/.test(hostname),
    body: (text) => ({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [{ type: "TextBlock", text: shortened(text, MAX_TEXT), wrap: true }],
          },
        },
      ],
    }),
  },
  {
    // The documented members; Mattermost shows `text`.
    name: "a receiver of your own",
    isAt: () => true,
    body: (text, notice, subject) => ({ ...notice, ...subject, text }),
  },
];

/** Builds the request that delivers a notice. The webhook's address decides the receiver, and so the body's format. */
export function webhookRequest(
  webhook: string,
  notice: Notice,
  subject: Subject,
): { readonly url: string; readonly body: string; readonly receiver: string } {
  const { deployment, environment, token } = subject;
  const url = new URL(webhook);
  const receiver = RECEIVERS.find(({ isAt }) => isAt(url));
  if (receiver === undefined) throw new Error("the last row of the receivers is any address");
  const text = `${token}, ${deployment} (${environment}): ${notice.text}`;
  const body = JSON.stringify(receiver.body(text, notice, subject, url));
  // Removes the key from the URL, which proxies log. Deletes only if present: deleting re-encodes the whole query,
  // which a receiver may have signed.
  if (url.searchParams.has(ROUTING_KEY)) url.searchParams.delete(ROUTING_KEY);
  return { url: url.href, body, receiver: receiver.name };
}

function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

import type { Notice } from "../../src/health/alert.ts";
import { webhookRequest } from "../../src/health/webhook.ts";
import type { Finding } from "../lib/finding.ts";

/** Receivers of a deployment's notices, as its secrets name them. */
export interface Receivers {
  readonly alertWebhook: string | undefined;
  readonly heartbeatUrl: string | undefined;
}

const POST_MS = 10_000;

/**
 * Posts a test notice and a heartbeat as the deployment would. A receiver that refuses the body is thus found before an
 * outage. null: neither address is known here.
 */
export async function receiversFinding(
  { alertWebhook, heartbeatUrl }: Receivers,
  deployment: string,
  nowMs: number,
  fetch: typeof globalThis.fetch,
): Promise<Finding | null> {
  const results: { readonly what: string; readonly setting: string; readonly status: number | null }[] = [];
  const post = async (what: string, setting: string, url: string, body: string): Promise<void> => {
    const headers = { "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(POST_MS);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal }).catch(() => null);
    await response?.body?.cancel();
    results.push({ what, setting, status: response?.status ?? null });
  };
  if (alertWebhook) {
    // The test has its own name, so that in PagerDuty it resolves no alert of the deployment.
    const subject = { deployment: `${deployment} test`, environment: "test", token: "test" };
    const { url, body, receiver } = webhookRequest(alertWebhook, testNotice(nowMs), subject);
    await post(`test notice to ${receiver}`, "ALERT_WEBHOOK", url, body);
  }
  if (heartbeatUrl) await post("heartbeat", "HEARTBEAT_URL", heartbeatUrl, JSON.stringify({ build_revision: "test" }));
  if (results.length === 0) return null;
  const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
  return {
    is: results.map(({ what, status }) => `${what}: accepted (status ${status})`).join(", "),
    problems: results.flatMap(({ what, setting, status }) =>
      isAccepted(status)
        ? []
        : `${what}: ${status === null ? "no answer" : `refused with status ${status}`}; nobody would be notified of an outage: check ${setting}`,
    ),
  };
}

function testNotice(nowMs: number): Notice {
  const reason = "this is a test; changes of health are posted here.";
  return {
    id: `test-${nowMs}`,
    text: `ok -> ok: ${reason}`,
    status: "ok",
    previous_status: "ok",
    reason,
    problems: [],
    changed_at: new Date(nowMs).toISOString(),
    build_revision: "test",
  };
}

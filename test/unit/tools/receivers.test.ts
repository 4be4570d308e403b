import { expect, test } from "vitest";
import { receiversFinding } from "../../../tools/doctor/receivers.ts";

const NOW_MS = Date.UTC(2026, 10, 28);
const CHAT = "https://chat.googleapis.com/v1/spaces/A/messages?key=k";

/** Receivers that answer with these statuses in turn; null: none answers. */
function receivers(...statuses: readonly (number | null)[]) {
  const posts: { url: string; body: unknown }[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    posts.push({ url: String(url), body: JSON.parse(String(init?.body)) });
    const status = statuses[posts.length - 1] ?? null;
    if (status === null) throw new TypeError("unreachable");
    return new Response(status === 204 ? null : "{}", { status });
  };
  return { posts, fetch };
}

test("a notice and a heartbeat are posted as the deployment would, and each result is reported", async () => {
  const { posts, fetch } = receivers(200, 204);
  const given = { alertWebhook: CHAT, heartbeatUrl: "https://monitor.example/beat" };
  expect(await receiversFinding(given, "api.example", NOW_MS, fetch)).toEqual({
    is: "test notice to Google Chat: accepted (status 200), heartbeat: accepted (status 204)",
    problems: [],
  });
  const text = "test, api.example test (test): ok -> ok: this is a test; changes of health are posted here.";
  expect(posts).toEqual([
    { url: CHAT, body: { text } },
    { url: "https://monitor.example/beat", body: { build_revision: "test" } },
  ]);
});

test.each([
  [400, "test notice to Google Chat: refused with status 400; "],
  [302, "test notice to Google Chat: refused with status 302; "],
  [null, "test notice to Google Chat: no answer; "],
])("a receiver that answers %s is a problem, without its address", async (status, problem) => {
  const { fetch } = receivers(status);
  const found = await receiversFinding({ alertWebhook: CHAT, heartbeatUrl: undefined }, "a", NOW_MS, fetch);
  expect(found?.problems).toEqual([`${problem}nobody would be notified of an outage: check ALERT_WEBHOOK`]);
});

test("in PagerDuty the test resolves no alert of the deployment", async () => {
  const { posts, fetch } = receivers(202);
  const alertWebhook = "https://events.pagerduty.com/v2/enqueue?routing_key=R";
  await receiversFinding({ alertWebhook, heartbeatUrl: "" }, "edge-api", NOW_MS, fetch);
  expect(posts).toMatchObject([{ body: { event_action: "resolve", dedup_key: "edge-api test/health" } }]);
});

test("without an address nothing is posted", async () => {
  const { posts, fetch } = receivers();
  expect(await receiversFinding({ alertWebhook: "", heartbeatUrl: undefined }, "a", NOW_MS, fetch)).toBeNull();
  expect(posts).toEqual([]);
});

import { expect, test } from "vitest";
import { sendersFor } from "../../../../src/gateway/upstream/client.ts";

/** The upstreams of these settings, and what each call sends: its URL and the key. */
async function upstreamsOf(nodeUrls: string[], nodeKeys: string[] = [], hasEmbedded = true) {
  const sent: [string, string | null][] = [];
  const caches: (string | undefined)[] = [];
  const fetchUrl = async (url: string, init: RequestInit): Promise<Response> => {
    const { authorization, "x-api-key": own } = Object.fromEntries(new Headers(init.headers));
    sent.push([url, authorization ?? own ?? null]);
    caches.push(init.cache);
    return new Response();
  };
  const senders = sendersFor({ nodeUrls, nodeKeys }, fetchUrl, hasEmbedded ? fetchUrl : undefined);
  for (const { transport } of senders) await transport("/accounts/0x1", { headers: { Accept: "application/json" } });
  return { labels: senders.map(({ label }) => label), origins: senders.map(({ origin }) => origin), sent, caches };
}

test.each<[string, string[], boolean, string[], string[]]>([
  ["without URLs, the embedded node", [], true, ["embedded"], ["http://node/v1/accounts/0x1"]],
  ["without URLs or embedded node, none", [], false, [], []],
  [
    "with URLs, those in their order, and not the embedded node",
    ["https://a.test/v1", "https://b.test/v1"],
    true,
    ["upstream-1", "upstream-2"],
    ["https://a.test/v1/accounts/0x1", "https://b.test/v1/accounts/0x1"],
  ],
])("upstreams are, %s", async (_what, nodeUrls, hasEmbedded, labels, called) => {
  const upstreams = await upstreamsOf(nodeUrls, [], hasEmbedded);
  expect([upstreams.labels, upstreams.sent.map(([url]) => url)]).toEqual([labels, called]);
});

test("each upstream gets its own key as a header, and no other's", async () => {
  const urls = ["https://a.test/v1", "https://b.test/v1", "https://c.test/v1"];
  const { sent } = await upstreamsOf(urls, ["one", "", "three"]);
  expect(sent.map(([, key]) => key)).toEqual(["Bearer one", null, "Bearer three"]);
  expect((await upstreamsOf(urls, [""])).sent.map(([, key]) => key)).toEqual([null, null, null]);
});

test("no cache on the way answers for a node, whatever a node says of its answers", async () => {
  const { caches } = await upstreamsOf(["https://a.test/v1", "https://b.test/v1"]);
  expect(caches).toEqual(["no-store", "no-store"]);
});

test("a key may be another header, or stand in the address", async () => {
  const urls = ["https://a.test/v1", "https://b.test/{key}/v1", "https://c.test/v1"];
  const { sent, origins } = await upstreamsOf(urls, ["X-Api-Key: k-123", "k/4", "id:secret"]);
  expect(sent).toEqual([
    ["https://a.test/v1/accounts/0x1", "k-123"],
    ["https://b.test/k%2F4/v1/accounts/0x1", null],
    ["https://c.test/v1/accounts/0x1", "Bearer id:secret"],
  ]);
  expect(origins).toEqual((await upstreamsOf(urls, ["x", "y", "z"])).origins);
});

test("an origin stays the same when a key in the path is rotated, and does not contain the host", async () => {
  const { origins } = await upstreamsOf(["https://a.test/k1/v1", "https://a.test/k2/v1", "https://b.test/v1"]);
  expect([origins[0] === origins[1], origins[1] === origins[2]]).toEqual([true, false]);
  expect(origins.join()).not.toContain("test");
});

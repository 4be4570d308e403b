import { expect, test } from "vitest";
import { ByteBudget } from "../../../../src/gateway/byte-budget.ts";
import { LEDGER_INFO } from "../../../../src/gateway/upstream/pool.ts";
import { poolOver, upstreamSenders } from "../../../../src/gateway/upstream/senders.ts";

/** Senders whose calls are refused; the URLs that they call. */
function sendersOf(nodeUrls: readonly string[], hasEmbedded: boolean) {
  const urls: string[] = [];
  const call = async (url: string): Promise<Response> => {
    urls.push(url);
    throw new Error("refused");
  };
  const senders = upstreamSenders({
    ...{ nodeUrls, apiKey: undefined, userAgent: "edge-api/test", fetchUrl: call },
    fetchEmbedded: hasEmbedded ? call : undefined,
    after: () => () => undefined,
    largeBodies: new ByteBudget(1_000),
  });
  return { urls, senders };
}

test.each<[string, readonly string[], boolean, readonly string[], readonly string[]]>([
  ["without any there is none", [], false, [], []],
  ["without URLs it is the embedded node", [], true, ["embedded"], ["http://node/v1"]],
  [
    "with URLs they are those, in their order, and not the embedded node",
    ["https://a.test/v1", "https://b.test/v1"],
    true,
    ["upstream-1", "upstream-2"],
    ["https://a.test/v1", "https://b.test/v1"],
  ],
])("upstreams: %s", async (_what, nodeUrls, hasEmbedded, labels, called) => {
  const { urls, senders } = sendersOf(nodeUrls, hasEmbedded);
  expect(senders.map(({ label }) => label)).toEqual(labels);
  expect(poolOver(senders).upstreams.map(({ label, index }) => [label, index])).toEqual(
    [...labels.entries()].map(([index, label]) => [label, index]),
  );
  for (const { send } of senders) expect((await send(LEDGER_INFO, "node", 1_000)).kind).toBe("error");
  expect(urls).toEqual(called);
});

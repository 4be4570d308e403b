import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LEDGER_HEADERS } from "../../../../src/chain/ledger-headers.ts";
import { discoveryRoutes } from "../../../../src/publish/discovery/discovery-handlers.ts";
import { manualRoutes } from "../../../../src/publish/discovery/manual-handlers.ts";
import { getContext } from "../../../support/get-context.ts";

const NODE_DOCUMENT = readFileSync("openapi/node.json", "utf8");

/** Serves each path when every file of the build has this text. */
async function served(text: string, { nodeHeaderPrefix = "X-NODE-", servesNode = true } = {}) {
  const routes = discoveryRoutes(async () => text, { servesNode, nodeHeaderPrefix });
  const replies = routes.map(async ({ path, handler }) => {
    const reply = await handler(getContext(path));
    return [path, reply.kind === "reply" ? reply : undefined] as const;
  });
  return new Map(await Promise.all(replies));
}

test("the node's document names the ledger headers as this deployment sends them", async () => {
  const specification = async (nodeHeaderPrefix: string) =>
    String((await served(NODE_DOCUMENT, { nodeHeaderPrefix })).get("/v1/spec.json")?.body);
  const [own, other] = [await specification("X-NODE-"), await specification("X-APTOS-")];
  expect(JSON.parse(own)).toEqual(JSON.parse(NODE_DOCUMENT));
  for (const suffix of Object.values(LEDGER_HEADERS)) {
    expect([own.includes(`"X-NODE-${suffix}"`), other.includes(`"X-APTOS-${suffix}"`)]).toEqual([true, true]);
    expect(other).not.toContain(`X-NODE-${suffix}`);
  }
});

test("every document names this host and has its own tag; the catalog alone links to itself", async () => {
  const replies = [...(await served("at https://HOST/api"))];
  expect(new Set(replies.map(([, reply]) => reply?.body))).toEqual(new Set(["at https://edge.example/api"]));
  expect(new Set(replies.map(([, reply]) => reply?.headers["ETag"])).size).toBe(6);
  const linked = replies.filter(([, reply]) => reply?.headers["Link"] !== undefined);
  expect(linked.map(([path, reply]) => [path, reply?.headers["Link"]])).toEqual([
    ["/.well-known/api-catalog", '<https://edge.example/.well-known/api-catalog>; rel="api-catalog"'],
  ]);
});

test("without the node's interface its document is not served", async () => {
  const paths = [...(await served("", { servesNode: false })).keys()];
  expect(paths).toEqual(["/api/openapi.json", "/llms.txt", "/robots.txt", "/sitemap.xml", "/.well-known/api-catalog"]);
});

test("each host is named its own address, also when an isolate has answered another one before", async () => {
  const text = "at https://HOST/api";
  const routes = [
    ...discoveryRoutes(async () => text, { servesNode: true, nodeHeaderPrefix: "X-NODE-" }),
    ...manualRoutes(async () => new Response(text)),
  ];
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(["/llms.txt", "/docs"]));
  for (const { path, handler } of routes)
    for (const host of ["a.example", "b.example", "b.example", "a.example"]) {
      const reply = await handler({ ...getContext(path), request: new Request(`https://${host}${path}`) });
      expect([path, reply.kind === "reply" && reply.body]).toEqual([path, `at https://${host}/api`]);
    }
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LEDGER_HEADERS } from "../../../src/chain/ledger-headers.ts";
import { discoveryRoutes } from "../../../src/discovery/handlers.ts";

const NODE_DOCUMENT = readFileSync("openapi/node.json", "utf8");

async function specification(nodeHeaderPrefix: string): Promise<string> {
  const routes = discoveryRoutes(async () => NODE_DOCUMENT, { servesNode: true, nodeHeaderPrefix });
  const request = new Request("https://edge.example/v1/spec.json");
  const context = { request, method: "GET", path: "/v1/spec.json", query: "", params: {}, nowMs: 0, requestId: "r" };
  const reply = await routes
    .find(({ path }) => path === context.path)
    ?.handler({ ...context, waitUntil: () => undefined });
  return reply?.kind === "reply" ? String(reply.body) : "";
}

test("the node's document names the ledger headers as this deployment sends them", async () => {
  const [own, other] = [await specification("X-NODE-"), await specification("X-APTOS-")];
  expect(JSON.parse(own)).toEqual(JSON.parse(NODE_DOCUMENT));
  for (const suffix of Object.values(LEDGER_HEADERS)) {
    expect([own.includes(`"X-NODE-${suffix}"`), other.includes(`"X-APTOS-${suffix}"`)]).toEqual([true, true]);
    expect(other).not.toContain(`X-NODE-${suffix}`);
  }
});

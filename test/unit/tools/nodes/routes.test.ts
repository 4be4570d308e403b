import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { missingRoutes, unforwardedRoutesFinding } from "../../../../tools/nodes/routes.ts";

const OPERATION = { responses: {} };
/** Document as today's nodes write it: relative to their `/v1`. */
const DOCUMENT = {
  paths: {
    "/": { get: OPERATION },
    "/info": { get: OPERATION },
    "/spec.json": { get: OPERATION },
    "/spec": { get: OPERATION },
    "/accounts/{address}/transaction_summaries": { get: OPERATION },
    "/transactions": { get: OPERATION, post: OPERATION },
    "/transactions/auxiliary_info": { get: OPERATION },
    "/experimental/state_values/raw": { post: OPERATION },
  },
};

test("a document whose every route is passed on lacks nothing, in a node's form and in ours", () => {
  expect(missingRoutes(DOCUMENT)).toEqual([]);
  expect(missingRoutes(JSON.parse(readFileSync("openapi/node.json", "utf8")))).toEqual([]);
});

test("a route, or a method of one, that is not passed on is named", () => {
  const grown = {
    paths: {
      ...DOCUMENT.paths,
      "/accounts/{a}/keys/{k}": { get: OPERATION },
      "/view": { get: OPERATION, post: OPERATION },
    },
  };
  expect(missingRoutes(grown)).toEqual(["GET /accounts/{a}/keys/{k}", "GET /view"]);
});

test.each([null, "<html>", {}, { paths: 1 }])("%j is no document", (document) => {
  expect(missingRoutes(document)).toBeUndefined();
});

test("each node is asked with its key, and its further routes are reported", async () => {
  const asked: unknown[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    asked.push([String(url), init?.headers]);
    return asked.length === 1 ? Response.json({ paths: { "/new": { get: OPERATION } } }) : new Response("no");
  };
  const nodes = { nodeUrls: ["https://a.example/v1", "https://b.example/v1"], nodeKeys: ["a-key-of-a-node", ""] };
  expect(await unforwardedRoutesFinding(nodes, fetch)).toEqual({
    is: "/v1 passes every route of the nodes on",
    problems: [],
    warnings: [
      "upstream-1 serves GET /new, which /v1 does not pass on",
      "upstream-2 does not serve a document of its routes (/spec.json)",
    ],
  });
  expect(asked).toEqual([
    ["https://a.example/v1/spec.json", { Authorization: "Bearer a-key-of-a-node" }],
    ["https://b.example/v1/spec.json", {}],
  ]);
});

import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyExample, exampleUrl, type OpenApi, operationsOf } from "../../page/build/openapi.ts";
import { parseU64 } from "../../src/chain/integer.ts";
import { mint, type RunningNode, startNode } from "../support/devnode.ts";
import { type Edge, startEdge } from "../support/edge.ts";

/**
 * Header fields that the public Rust client (`aptos-rest-client`) requires, and with it that family's command line
 * tool. It stops at a 2xx that lacks one of them, or whose number is too large for its type.
 */
const REQUIRED = [
  "X-Aptos-Ledger-Version",
  "X-Aptos-Ledger-TimestampUsec",
  "X-Aptos-Epoch",
  "X-Aptos-Ledger-Oldest-Version",
  "X-Aptos-Block-Height",
  "X-Aptos-Oldest-Block-Height",
] as const;
const JSON_TYPE = "application/json";
const BCS = "application/x-bcs";

const DOCUMENT = JSON.parse(readFileSync("openapi/node.json", "utf8")) as OpenApi; // the linter validates it
const isError = new Ajv2020({ strict: false }).compile({
  ...DOCUMENT.components["schemas"]?.["Error"],
  // Its enumeration of codes is closed: an unknown one is an error that it cannot decode.
  required: ["message", "error_code", "vm_error_code"],
  components: DOCUMENT.components,
});

let node: RunningNode;
let edge: Edge;
beforeAll(async () => {
  node = await startNode();
  edge = await startEdge([node.url], { NODE_HEADER_PREFIX: "X-APTOS-" });
});
afterAll(async () => {
  await edge.close();
  await node.close();
});

interface Call {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly body?: string;
}

/** Sends a call and returns what the client would stop at; nothing when it goes on. */
async function faultsOf(base: string, { method, path, accept = JSON_TYPE, body }: Call): Promise<string[]> {
  const headers = { Accept: accept, ...(body === undefined ? {} : { "Content-Type": JSON_TYPE }) };
  const response = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const missing = REQUIRED.filter((name) => parseU64(response.headers.get(name) ?? "") === undefined);
  const chainId = parseU64(response.headers.get("X-Aptos-Chain-Id") ?? "");
  const named = chainId === undefined || chainId > 255n ? ["X-Aptos-Chain-Id", ...missing] : missing;
  const where = `${method} ${path} (${accept}) -> ${response.status}`;
  if (response.ok) return named.map((name) => `${where}: ${name}`);
  const decoded = method === "HEAD" || isError(JSON.parse(text));
  // An error's ledger is optional: all of it or nothing.
  const isWhole = named.length === 0 || named.length === REQUIRED.length + 1;
  return decoded && isWhole ? [] : [`${where}: ${text.slice(0, 200)} ${named.join(" ")}`];
}

/** Every documented operation with the documented examples, as JSON and as BCS; a GET also as HEAD. */
const CALLS: readonly Call[] = operationsOf(DOCUMENT)
  .filter(({ path }) => path !== "/v1/spec.json")
  .flatMap((at) => {
    const body = bodyExample(DOCUMENT, at.operation);
    const call = { path: exampleUrl(DOCUMENT, at), ...(body === undefined ? {} : { body }) };
    const methods = at.method === "get" ? ["GET", "HEAD"] : ["POST"];
    return methods.flatMap((method) => [JSON_TYPE, BCS].map((accept) => ({ method, accept, ...call })));
  });

test("the calls are of every documented operation", () => {
  const called = CALLS.filter(({ method }) => method !== "HEAD").map(({ method, path }) => `${method} ${path}`);
  expect(new Set(called).size).toBe(operationsOf(DOCUMENT).length - 1);
});

describe.each([
  ["when nothing is stored", (): string => edge.url],
  ["when it comes from a cache", (): string => edge.url],
  ["through another isolate", (): string => edge.other.url],
])("the Rust client can read every documented response %s", (_when, base) => {
  test.each(CALLS)("$method $path ($accept)", async (call) => expect(await faultsOf(base(), call)).toEqual([]));
});

test("it can read every error", async () => {
  const none = `0x${"0".repeat(64)}`;
  const calls: readonly Call[] = [
    ...["/accounts/zz", "/accounts/0xabcdef", "/accounts/0x1?ledger_version=99999999", "/accounts/0x1/module/none"],
    ...["/transactions/by_version/99999999", `/transactions/by_hash/${none}`, "/blocks/by_height/99999999"],
    ...["/transactions?limit=0", "/nothing", "/accounts/0x1/resource/nothing", "/-/healthy?duration_secs=0"],
  ].map((path) => ({ method: "GET", path: `/v1${path}` }));
  const bodies = ["/view", "/transactions", "/tables/0x1/item"].map((path) => ({ path: `/v1${path}`, body: "{" }));
  const all = [...calls, ...bodies.map((call) => ({ method: "POST", ...call })), { method: "POST", path: "/v1" }];
  const found = [];
  for (const call of [...all, ...all.map((each) => ({ ...each, accept: BCS }))])
    found.push(...(await faultsOf(edge.url, call)));
  expect(found).toEqual([]);
});

test("it can read its own write, through both isolates in turn", async () => {
  const found: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const hash = await mint(node, "0xc11e47", 1_000n);
    const paths = [
      `wait_by_hash/${hash}`,
      `by_hash/${hash}`,
      `wait_by_hash/${hash}`,
      "by_version/1",
      `by_hash/${hash}`,
    ];
    for (const [index, path] of paths.entries()) {
      const call = { method: index === 4 ? "HEAD" : "GET", path: `/v1/transactions/${path}` };
      found.push(...(await faultsOf(index % 2 === 0 ? edge.url : edge.other.url, call)));
    }
  }
  expect(found).toEqual([]);
});

test("the ledger of the index is the one in its headers, which the client asserts", async () => {
  const members = {
    ledger_version: "Ledger-Version",
    epoch: "Epoch",
    block_height: "Block-Height",
    chain_id: "Chain-Id",
  };
  for (let round = 0; round < 10; round += 1) {
    if (round % 2 === 0) await mint(node, "0xc11e47", 1n);
    const { headers, text } = await edge.get("/v1");
    const index: unknown = JSON.parse(text);
    const named = Object.entries(members).map(([name, header]) => [name, headers.get(`X-Aptos-${header}`)]);
    expect(index).toMatchObject({ ...Object.fromEntries(named), chain_id: 4 });
  }
});

import { expect, test } from "vitest";
import { decodeBcs } from "../../codec/bcs-reader.ts";
import { answer } from "../../http/handle-request.ts";
import type { Node, NodeSettings } from "../../http/node-context.ts";
import type { Ledger } from "../../ledger/api.ts";

const SECRET = "the disk is on fire";

function broken(): never {
  throw new Error(SECRET);
}

/** Ledger with a tip, in which every other call throws, like a bug in the node. */
const FAULTY: Ledger = {
  info: () => ({
    chainId: 4,
    version: 12n,
    oldestVersion: 0n,
    timestampMicros: 1_000_000n,
    epoch: 1n,
    blockHeight: 4n,
    oldestBlockHeight: 0n,
  }),
  stateAt: broken,
  list: broken,
  transactionByVersion: broken,
  transactionByHash: broken,
  waitByHash: broken,
  transactions: broken,
  accountTransactions: broken,
  blockByHeight: broken,
  blockByVersion: broken,
  events: broken,
  gasEstimate: broken,
  submit: broken,
  submitBatch: broken,
  simulate: broken,
  fund: broken,
};

const SETTINGS: NodeSettings = { headerPrefix: "X-NODE-", statelessAccounts: false, revision: "test" };

function nodeWith(ledger: Partial<Ledger>, settings: Partial<NodeSettings> = {}): Node {
  return { ledger: { ...FAULTY, ...ledger }, settings: { ...SETTINGS, ...settings }, nowMs: 5_000 };
}

/** An empty state. */
const EMPTY: Partial<Ledger> = {
  stateAt: () => ({ kind: "found", version: 12n, timestampMicros: 0n, state: { get: () => undefined } }),
};

async function call(node: Node, path: string, headers: Record<string, string> = {}): Promise<[Response, unknown[]]> {
  const errors: unknown[] = [];
  const response = await answer(new Request(`http://node${path}`, { headers }), node, (cause) => errors.push(cause));
  return [response, errors];
}

test("an unexpected exception is 500 internal_error: logged, not sent to the client", async () => {
  const [response, errors] = await call(nodeWith({}), "/v1/accounts/0x1");
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ error_code: "internal_error", vm_error_code: null });
  expect(text).not.toContain(SECRET);
  expect(String(errors[0])).toContain(SECRET);
  const [valid] = await call(nodeWith({}), "/v1");
  expect(valid.status).toBe(200);
});

test("ledger headers have the configured prefix", async () => {
  const [response] = await call(nodeWith({}, { headerPrefix: "X-APTOS-" }), "/v1");
  expect([response.headers.get("X-APTOS-LEDGER-VERSION"), response.headers.get("X-NODE-LEDGER-VERSION")]).toEqual([
    "12",
    null,
  ]);
});

test("with stateless accounts, an unused address is served as a fresh account in JSON and BCS", async () => {
  const path = "/v1/accounts/0xabc";
  const [missing] = await call(nodeWith(EMPTY), path);
  expect(missing.status).toBe(404);
  const stateless = nodeWith(EMPTY, { statelessAccounts: true });
  const [json] = await call(stateless, path);
  const authentication_key = `0x${"abc".padStart(64, "0")}`;
  expect(await json.json()).toEqual({ sequence_number: "0", authentication_key });
  const [bcs] = await call(stateless, path, { Accept: "application/x-bcs" });
  const decoded = decodeBcs(new Uint8Array(await bcs.arrayBuffer()), (reader) => ({
    key: reader.bytes().length,
    numbers: [reader.u64(), reader.u64()],
    streams: [1, 2].map(() => [reader.u64(), reader.u64(), reader.address()]),
    offers: [reader.uleb(), reader.uleb()],
  }));
  expect(decoded).toEqual({
    kind: "decoded",
    value: {
      key: 32,
      numbers: [0n, 2n],
      streams: [
        [0n, 0n, "0xabc"],
        [0n, 1n, "0xabc"],
      ],
      offers: [0, 0],
    },
  });
});

test("health compares the newest block with the clock", async () => {
  const [healthy] = await call(nodeWith({}), "/v1/-/healthy?duration_secs=4");
  const [unhealthy] = await call(nodeWith({}), "/v1/-/healthy?duration_secs=3");
  expect([healthy.status, unhealthy.status]).toEqual([200, 503]);
});

test("a response to a page allows its origin, with credentials", async () => {
  const [response] = await call(nodeWith({}), "/v1", { Origin: "https://app.example" });
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("https://app.example");
  expect(response.headers.get("Access-Control-Allow-Credentials")).toBe("true");
  expect(response.headers.get("Vary")).toBe("Origin");
});

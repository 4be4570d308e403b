import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DOCUMENTED_ENDPOINTS } from "../../src/chain/endpoints.ts";
import { LEDGER_HEADERS } from "../../src/chain/ledger-headers.ts";
import { type RunningNode, startNode } from "../support/devnode.ts";
import { type Edge, startEdge } from "../support/edge.ts";

let node: RunningNode;
let edge: Edge;
let hash: string;

beforeAll(async () => {
  node = await startNode();
  edge = await startEdge([node.url]);
  const record: unknown = await (await fetch(`${node.url}/transactions/by_version/1`)).json();
  hash = typeof record === "object" && record !== null && "hash" in record ? String(record.hash) : "";
});
afterAll(async () => {
  await edge.close();
  await node.close();
});

const COIN = "0x1::coin::CoinInfo%3C0x1::aptos_coin::AptosCoin%3E";
const JSON_TYPE = "application/json";
const TRANSACTION = "application/x.aptos.signed_transaction+bcs";
const VIEW = JSON.stringify({ function: "0x1::chain_id::get", type_arguments: [], arguments: [] });
const ITEM = JSON.stringify({ key_type: "address", value_type: "u64", key: "0x1" });

type Row = readonly [method: "GET" | "POST", path: string, body?: string, contentType?: string];

/**
 * Every documented endpoint with a valid request and its documented failures. HASH is a committed transaction's hash.
 */
const REQUESTS: readonly Row[] = [
  ["GET", ""],
  ["GET", "/-/healthy"],
  ["GET", "/-/healthy?duration_secs=100000"],
  ["GET", "/estimate_gas_price"],
  ["GET", "/accounts/0x1"],
  ["GET", "/accounts/0x1?ledger_version=1"],
  ["GET", "/accounts/0x1?ledger_version=99999999"],
  ["GET", "/accounts/0xabcdef"],
  ["GET", "/accounts/zz"],
  ["GET", "/accounts/0x1/resources"],
  ["GET", "/accounts/0x1/resources?limit=2&ledger_version=5"],
  ["GET", `/accounts/0x1/resource/${COIN}`],
  ["GET", `/accounts/0x1/resource/${COIN}?ledger_version=3`],
  ["GET", "/accounts/0x1/resource/0x1::coin::Nothing"],
  ["GET", "/accounts/0x1/resource/nothing"],
  ["GET", "/accounts/0x1/modules?limit=1"],
  ["GET", "/accounts/0x1/module/coin"],
  ["GET", "/accounts/0x1/module/nothing"],
  ["GET", "/accounts/0x1/balance/0x1::aptos_coin::AptosCoin"],
  ["GET", "/accounts/0xa550c18/transactions?limit=2"],
  ["GET", "/accounts/0xa550c18/transactions?start=0&limit=1"],
  ["GET", "/accounts/0x1/events/3?start=0&limit=2"],
  ["GET", "/accounts/0x1/events/0x1::block::BlockResource/new_block_events?start=0&limit=2"],
  ["GET", "/accounts/0x1/events/0x1::block::BlockResource/nothing"],
  ["GET", "/blocks/by_height/0"],
  ["GET", "/blocks/by_height/1?with_transactions=true"],
  ["GET", "/blocks/by_version/1"],
  ["GET", "/blocks/by_height/99999999"],
  ["GET", "/blocks/by_height/x"],
  ["GET", "/transactions?start=0&limit=3"],
  ["GET", "/transactions?limit=2"],
  ["GET", "/transactions?limit=0"],
  ["GET", "/transactions?start=99999999"],
  ["GET", "/transactions/by_version/1"],
  ["GET", "/transactions/by_version/99999999"],
  ["GET", "/transactions/by_version/%2B1"],
  ["GET", "/transactions/by_version/0001"],
  ["GET", "/transactions/by_hash/HASH"],
  ["GET", "/transactions/wait_by_hash/HASH"],
  ["GET", `/transactions/by_hash/0x${"0".repeat(64)}`],
  ["GET", "/transactions/by_hash/0x1"],
  ["POST", "/view", VIEW, JSON_TYPE],
  ["POST", "/view?ledger_version=2", VIEW, JSON_TYPE],
  ["POST", "/view", "{", JSON_TYPE],
  ["POST", "/tables/0x1/item", ITEM, JSON_TYPE],
  ["POST", "/tables/0x1/raw_item", '{"key":"0x01"}', JSON_TYPE],
  ["POST", "/transactions", "{}", JSON_TYPE],
  ["POST", "/transactions", "nonsense", TRANSACTION],
  ["POST", "/transactions", "x", "text/plain"],
  ["POST", "/transactions/batch", "[]", JSON_TYPE],
  ["POST", "/transactions/simulate", "{}", JSON_TYPE],
  ["POST", "/transactions/encode_submission", "{}", JSON_TYPE],
];

interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
  /** Headers of the response itself, such as a cursor. */
  readonly extras: readonly (readonly [string, string])[];
  /** The ledger headers; empty when the response has none. */
  readonly ledger: Readonly<Record<string, string>>;
}

const LEDGER_NAMES = Object.values(LEDGER_HEADERS).map((suffix) => `x-node-${suffix.toLowerCase()}`);
const VERSION = `x-node-${LEDGER_HEADERS.version.toLowerCase()}`;
const TIMESTAMP = `x-node-${LEDGER_HEADERS.timestampMicros.toLowerCase()}`;

async function seen(base: string, [method, path, body, contentType]: Row, accept: string): Promise<Seen> {
  const headers = { Accept: accept, ...(contentType === undefined ? {} : { "Content-Type": contentType }) };
  const init = body === undefined ? { method, headers } : { method, headers, body };
  const answer = await fetch(base + path.replace("HASH", hash), init);
  const fields = [...answer.headers].filter(([name]) => name.startsWith("x-node-"));
  return {
    status: answer.status,
    type: answer.headers.get("Content-Type"),
    body: Buffer.from(await answer.arrayBuffer()).toString("latin1"),
    extras: fields.filter(([name]) => !LEDGER_NAMES.includes(name)),
    ledger: Object.fromEntries(fields.filter(([name]) => LEDGER_NAMES.includes(name))),
  };
}

/** The edge's own errors have no ledger headers and another message; status and code equal the node's. */
function isUnread({ status, body }: Seen): boolean {
  const code = errorCodeOf(status, body);
  return code !== null && (status === 415 || code === "web_framework_error" || code === "invalid_input");
}

function errorCodeOf(status: number, body: string): unknown {
  const error: unknown = status >= 400 ? JSON.parse(body) : null;
  return typeof error === "object" && error !== null && "error_code" in error ? error.error_code : null;
}

function comparable(answer: Seen): unknown {
  const { status, type, body, extras } = answer;
  const code = errorCodeOf(status, body);
  if (code === null) return { status, type, body, extras, fields: Object.keys(answer.ledger) };
  return { status, code, ...(isUnread(answer) ? {} : { extras, fields: Object.keys(answer.ledger) }) };
}

/** The edge's ledger equals the node's, or one that the node had at most a second before the request. */
function ledgerProblem(direct: Seen, through: Seen, after: Seen, sentAtMs: number): string | null {
  const versionOf = ({ ledger }: Seen) => BigInt(ledger[VERSION] ?? "0");
  if (isUnread(direct) || isDeepStrictEqual(through.ledger, direct.ledger)) return null;
  if (isDeepStrictEqual(through.ledger, after.ledger)) return null;
  if (versionOf(through) > versionOf(after)) return "is later than the node's";
  if (versionOf(through) >= versionOf(direct)) return "is none of the node's";
  const leftBehindMs = sentAtMs - Number(direct.ledger[TIMESTAMP]) / 1_000;
  return leftBehindMs <= 1_000 ? null : `is older than the node's, which is ${leftBehindMs} ms old`;
}

const BCS_TYPE = "application/x-bcs";
const CASES = [
  ...REQUESTS.flatMap((row) => [JSON_TYPE, BCS_TYPE].map((accept) => ({ accept, row }))),
  ...[`${BCS_TYPE}, ${JSON_TYPE}`, `${JSON_TYPE}, ${BCS_TYPE}`, `${JSON_TYPE};q=0.5, ${BCS_TYPE}`, "*/*"].map(
    (accept) => ({ accept, row: ["GET", "/transactions/by_version/1"] as const }),
  ),
].map(({ accept, row }) => ({ method: row[0], path: row[1], accept, row }));

test.each(CASES)("$method $path as $accept is answered like the node", async ({ accept, row }) => {
  // The chain commits blocks meanwhile: a triple during which the ledger headers change is sent again.
  for (let round = 0; ; round += 1) {
    // An immutable hit has the newest ledger that its caller may see, which a read of the tip makes at most a second
    // old.
    const sentAtMs = Date.now();
    await fetch(`${edge.url}/v1`).then((answer) => answer.arrayBuffer());
    const direct = await seen(node.url, row, accept);
    const through = await seen(`${edge.url}/v1`, row, accept);
    const after = await seen(node.url, row, accept);
    const hasMoved = !isDeepStrictEqual(direct.ledger, after.ledger);
    const isEarlier = !isUnread(direct) && !isDeepStrictEqual(through.ledger, direct.ledger);
    if ((hasMoved || isEarlier) && round < 20) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      continue;
    }
    expect(comparable(through)).toEqual(comparable(direct));
    expect(ledgerProblem(direct, through, after, sentAtMs)).toBeNull();
    return;
  }
});

test.each([
  "/transactions/by_version/18446744073709551616",
  "/transactions/by_version/-1",
  "/accounts/zz",
  "/accounts/0x1/resource/nothing",
  "/accounts/0x1/module/1m",
  "/accounts/0x1/balance/nothing",
  "/transactions/by_hash/0x1",
  "/accounts/0x1?ledger_version=",
  "/accounts/0x1/resources?limit=65536",
  "/blocks/by_height/0?with_transactions=1",
])("GET %s is refused with the node's error", async (path) => {
  const [direct, through] = await Promise.all([fetch(node.url + path), fetch(`${edge.url}/v1${path}`)]);
  expect([through.status, await through.json()]).toEqual([direct.status, await direct.json()]);
});

test("every endpoint of the table was compared", () => {
  const requested = REQUESTS.map(([method, path]) => `${method} ${path.split("?")[0]}`);
  const missing = DOCUMENTED_ENDPOINTS.filter(({ method, path }) => {
    const pattern = new RegExp(`^${method} ${path.slice("/v1".length).replace(/:\w+/g, "[^/]+")}$`);
    return !requested.some((line) => pattern.test(line));
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});

import { request as rawRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import document from "../../../openapi/node.json" with { type: "json" };
import { type RunningNode, startNode } from "../../../test/support/devnode.ts";
import { expectDocumented } from "../../../test/support/openapi.ts";
import { ALICE, BOB, CAROL } from "../../development-keys.ts";
import { commit, read, request, send, sequenceNumber, signed, transfer, unsignedFor } from "../support/node-sender.ts";

/**
 * Error codes by their documented causes. `state_value_not_found` is missing: it belongs to a route for raw state
 * values that this interface does not have. So is `internal_error`: it answers an unexpected exception, which the unit
 * tests inject.
 */
let node: RunningNode;
/** Retains ten versions, and ten pending transactions per account. */
let small: RunningNode;

beforeAll(async () => {
  [node, small] = await Promise.all([
    startNode({ BLOCK_MS: "50" }),
    startNode({
      PRUNE_WINDOW: "10",

      MEMPOOL_PER_ACCOUNT: "10",
      BLOCK_MS: "50",
      HEARTBEAT_SECONDS: "3600",
    }),
  ]);
});

afterAll(async () => {
  await Promise.all([node.close(), small.close()]);
});

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string | RegExp;
  /** null when omitted. */
  readonly vm?: number;
}

async function expectRefusal(template: string, method: string, response: Response, refusal: Refusal): Promise<void> {
  const body = JSON.parse(await expectDocumented(document, method, template, response));
  const { status, code, message, vm } = refusal;
  expect([response.status, body.error_code, body.vm_error_code]).toEqual([status, code, vm ?? null]);
  if (typeof message === "string") expect(body.message).toBe(message);
  else expect(body.message).toMatch(message);
}

const NOWHERE = "0xdead";
const HASH = `0x${"ab".repeat(32)}`;

const LOOKUPS: readonly (readonly [template: string, path: string, refusal: Refusal])[] = [
  [
    "/v1/accounts/{address}",
    `/v1/accounts/${NOWHERE}`,
    {
      status: 404,
      code: "account_not_found",
      message: /^Account not found by Address\(0xdead\) and Ledger version\(\d+\)$/,
    },
  ],
  [
    "/v1/accounts/{address}/resource/{resource_type}",
    `/v1/accounts/0x1/resource/0x1::coin::CoinStore%3Cu8%3E`,
    {
      status: 404,
      code: "resource_not_found",
      message:
        /^Resource not found by Address\(0x1\), Struct tag\(0x1::coin::CoinStore<u8>\) and Ledger version\(\d+\)$/,
    },
  ],
  [
    "/v1/accounts/{address}/module/{module_name}",
    "/v1/accounts/0x1/module/nothing",
    {
      status: 404,
      code: "module_not_found",
      message: /^Module not found by Address\(0x1\), Module name\(nothing\) and Ledger version\(\d+\)$/,
    },
  ],
  [
    "/v1/accounts/{address}/events/{event_handle}/{field_name}",
    "/v1/accounts/0x1/events/0x1::block::BlockResource/nothing",
    {
      status: 404,
      code: "struct_field_not_found",
      message:
        /^Struct Field not found by Address\(0x1\), Struct tag\(0x1::block::BlockResource\), Field name\(nothing\) and Ledger version\(\d+\)$/,
    },
  ],
  [
    "/v1/accounts/{address}/events/{event_handle}/{field_name}",
    "/v1/accounts/0x1/events/0x1::block::BlockResource/constructor",
    { status: 404, code: "struct_field_not_found", message: /Field name\(constructor\)/ },
  ],
  [
    "/v1/accounts/{address}/events/{event_handle}/{field_name}",
    "/v1/accounts/0x1/events/0x1::block::BlockResource/height",
    {
      status: 400,
      code: "invalid_input",
      message: "Deserialization error, field(height) type is not a EventHandle struct: unexpected end of input",
    },
  ],
  [
    "/v1/accounts/{address}",
    "/v1/accounts/0x1?ledger_version=1000000",
    { status: 404, code: "version_not_found", message: "Ledger version not found by Ledger version(1000000)" },
  ],
  [
    "/v1/transactions/by_hash/{txn_hash}",
    `/v1/transactions/by_hash/${HASH}`,
    { status: 404, code: "transaction_not_found", message: `Transaction not found by Transaction hash(${HASH})` },
  ],
  [
    "/v1/transactions/by_version/{txn_version}",
    "/v1/transactions/by_version/1000000",
    { status: 404, code: "transaction_not_found", message: "Transaction not found by Ledger version(1000000)" },
  ],
  [
    "/v1/blocks/by_height/{block_height}",
    "/v1/blocks/by_height/1000000",
    { status: 404, code: "block_not_found", message: "Block not found by Block height(1000000)" },
  ],
  [
    "/v1/blocks/by_version/{version}",
    "/v1/blocks/by_version/1000000",
    { status: 404, code: "version_not_found", message: "Ledger version not found by Ledger version(1000000)" },
  ],
  [
    "/v1/transactions",
    "/v1/transactions?limit=0",
    { status: 400, code: "invalid_input", message: "Given limit value (0) must not be zero" },
  ],
  [
    "/v1/transactions",
    "/v1/transactions?start=1000000",
    {
      status: 400,
      code: "invalid_input",
      message: /^Given start value \(1000000\) is higher than the current ledger version, it must be < \d+$/,
    },
  ],
  [
    "/v1/accounts/{address}/resources",
    "/v1/accounts/0x1/resources?start=zz",
    { status: 400, code: "invalid_input", message: /cursor/ },
  ],
  [
    "/v1/accounts/{address}",
    "/v1/accounts/0xzz",
    {
      status: 400,
      code: "web_framework_error",
      message:
        "failed to parse path `address`: failed to parse \"string(Address)\": Invalid account address: Hex characters are invalid: Invalid character 'z' at position 0",
    },
  ],
  [
    "/v1/transactions/by_hash/{txn_hash}",
    "/v1/transactions/by_hash/0x12",
    {
      status: 400,
      code: "web_framework_error",
      message: 'failed to parse path `txn_hash`: failed to parse "string(HashValue)": unable to parse HashValue',
    },
  ],
  [
    "/v1/accounts/{address}/resource/{resource_type}",
    "/v1/accounts/0x1/resource/0x1::GUID_Generator",
    { status: 400, code: "web_framework_error", message: /invalid struct tag: 0x1::GUID_Generator/ },
  ],
];

test.each(LOOKUPS)("GET %s: %s is refused", async (template, path, refusal) => {
  await expectRefusal(template, "GET", await send(node, "GET", path), refusal);
});

test("errors about the ledger have ledger headers, malformed requests do not", async () => {
  const requested = await send(node, "GET", `/v1/accounts/${NOWHERE}`);
  const unread = await send(node, "GET", "/v1/accounts/0xzz");
  expect([requested.headers.has("X-NODE-LEDGER-VERSION"), unread.headers.has("X-NODE-LEDGER-VERSION")]).toEqual([
    true,
    false,
  ]);
});

test("a missing table item is table_item_not_found", async () => {
  const body = { key_type: "u64", value_type: "u64", key: "7" };
  const response = await send(node, "POST", `/v1/tables/${NOWHERE}/item`, { body });
  await expectRefusal("/v1/tables/{table_handle}/item", "POST", response, {
    status: 404,
    code: "table_item_not_found",
    message: /^Table Item not found by Table handle\(0xdead\), Table key\("7"\) and Ledger version\(\d+\)$/,
  });
});

test("raw_item where only JSON is accepted is api_disabled, encode_submission in BCS bcs_not_supported", async () => {
  await expectRefusal(
    "/v1/tables/{table_handle}/raw_item",
    "POST",
    await send(node, "POST", `/v1/tables/${NOWHERE}/raw_item`, {
      body: { key: "0x00" },
      headers: { Accept: "application/json" },
    }),
    {
      status: 403,
      code: "api_disabled",
      message: "Get raw table item is not allowed. Only BCS is supported as an AcceptType.",
    },
  );
  await expectRefusal(
    "/v1/transactions/encode_submission",
    "POST",
    await send(node, "POST", "/v1/transactions/encode_submission", {
      body: transfer(ALICE, 0n, BOB.address, "1"),
      headers: { Accept: "application/x-bcs" },
    }),
    { status: 400, code: "bcs_not_supported", message: "BCS is not supported for encode submission" },
  );
});

test("a stalled chain fails its health check", async () => {
  await expectRefusal("/v1/-/healthy", "GET", await send(small, "GET", "/v1/-/healthy?duration_secs=0"), {
    status: 503,
    code: "health_check_failed",
    message: /^The latest ledger info timestamp is \d+ ms, which is more than 0 s ago$/,
  });
});

const SUBMIT = "/v1/transactions";

async function submitted(changes: Parameters<typeof transfer>[4], sequence?: bigint): Promise<Response> {
  const next = sequence ?? (await sequenceNumber(node, ALICE.address));
  const body = await signed(node, ALICE, transfer(ALICE, next, BOB.address, "1", changes));
  return send(node, "POST", SUBMIT, { body });
}

test("a transaction that the virtual machine refuses is vm_error, with the machine's code", async () => {
  await expectRefusal(SUBMIT, "POST", await submitted({ expiration_timestamp_secs: "1" }), {
    status: 400,
    code: "vm_error",
    message: /TRANSACTION_EXPIRED/,
    vm: 6,
  });
});

test("a signature over another message is vm_error 1", async () => {
  const next = await sequenceNumber(node, ALICE.address);
  const body = { ...(await signed(node, ALICE, transfer(ALICE, next, BOB.address, "1"))), gas_unit_price: "101" };
  await expectRefusal(SUBMIT, "POST", await send(node, "POST", SUBMIT, { body }), {
    status: 400,
    code: "vm_error",
    message: /^Invalid transaction: Type: Validation Code: INVALID_SIGNATURE/,
    vm: 1,
  });
});

test("a used sequence number is sequence_number_too_old", async () => {
  const next = await sequenceNumber(node, CAROL.address);
  await commit(node, CAROL, transfer(CAROL, next, BOB.address, "1"));
  const body = await signed(node, CAROL, transfer(CAROL, next, BOB.address, "2"));
  await expectRefusal(SUBMIT, "POST", await send(node, "POST", SUBMIT, { body }), {
    status: 400,
    code: "sequence_number_too_old",
    message: `Invalid transaction: Type: Validation Code: SEQUENCE_NUMBER_TOO_OLD. The transaction's sequence number is ${next}, the account's ${next + 1n}.`,
    vm: 3,
  });
});

test("another payload with a pending sequence number is invalid_transaction_update", async () => {
  const parked = (await sequenceNumber(node, BOB.address)) + 5n;
  const first = await send(node, "POST", SUBMIT, {
    body: await signed(node, BOB, transfer(BOB, parked, ALICE.address, "1")),
  });
  expect(first.status).toBe(202);
  const other = await signed(node, BOB, transfer(BOB, parked, ALICE.address, "2"));
  await expectRefusal(SUBMIT, "POST", await send(node, "POST", SUBMIT, { body: other }), {
    status: 400,
    code: "invalid_transaction_update",
    message: /^Transaction already in mempool with a different payload/,
  });
});

test("an account with its maximum of pending transactions is 507 mempool_is_full", async () => {
  const parked = (await sequenceNumber(small, ALICE.address)) + 5n;
  const submitAhead = async (ahead: bigint): Promise<Response> =>
    send(small, "POST", SUBMIT, {
      body: await signed(small, ALICE, transfer(ALICE, parked + ahead, BOB.address, "1")),
    });
  for (let ahead = 0n; ahead < 10n; ahead += 1n) expect((await submitAhead(ahead)).status).toBe(202);
  await expectRefusal(SUBMIT, "POST", await submitAhead(10n), {
    status: 507,
    code: "mempool_is_full",
    message: /^Mempool over capacity for account/,
  });
});

test("scripts and module bundles are refused with an explanation", async () => {
  const next = await sequenceNumber(node, ALICE.address);
  const script = { type: "script_payload", code: { bytecode: "0xa11ceb0b" }, type_arguments: [], arguments: [] };
  const unsigned = request(ALICE, next, { name: "", values: [] }, { payload: script });
  const response = await send(node, "POST", SUBMIT, { body: await signed(node, ALICE, unsigned) });
  expect(await response.json()).toMatchObject({ error_code: "vm_error" });
  const bundle = request(ALICE, next, { name: "", values: [] }, { payload: { type: "module_bundle_payload" } });
  const refused = await send(node, "POST", SUBMIT, { body: unsignedFor(ALICE, bundle) });
  expect(await refused.json()).toMatchObject({
    error_code: "invalid_input",
    message: expect.stringContaining("Module bundle payload has been removed"),
  });
});

test("a signed simulation, a malformed transaction and an oversized batch are invalid_input", async () => {
  const next = await sequenceNumber(node, ALICE.address);
  const valid = await signed(node, ALICE, transfer(ALICE, next, BOB.address, "1"));
  await expectRefusal(
    "/v1/transactions/simulate",
    "POST",
    await send(node, "POST", "/v1/transactions/simulate", { body: valid }),
    {
      status: 400,
      code: "invalid_input",
      message: "Simulated transactions must not have a valid signature",
    },
  );
  const bcs = { "Content-Type": "application/x.aptos.signed_transaction+bcs" };
  await expectRefusal(
    SUBMIT,
    "POST",
    await send(node, "POST", SUBMIT, { body: new Uint8Array([1, 2]), headers: bcs }),
    {
      status: 400,
      code: "invalid_input",
      message: "Failed to deserialize input into SignedTransaction: unexpected end of input",
    },
  );
  const eleven = Array.from({ length: 11 }, () => valid);
  await expectRefusal(
    "/v1/transactions/batch",
    "POST",
    await send(node, "POST", "/v1/transactions/batch", { body: eleven }),
    {
      status: 400,
      code: "invalid_input",
      message: "Submitted too many transactions: 11, while limit is 10",
    },
  );
});

test("arguments that do not match the function are invalid_input, and the message names them", async () => {
  const wrong = request(ALICE, 0n, { name: "0x1::aptos_account::transfer", values: [BOB.address, 5] });
  await expectRefusal(
    "/v1/transactions/encode_submission",
    "POST",
    await send(node, "POST", "/v1/transactions/encode_submission", { body: wrong }),
    {
      status: 400,
      code: "invalid_input",
      message:
        /^The given transaction is invalid: Failed to parse transaction payload: parse arguments\[1\] failed, expect string<u64>, caused by error: /,
    },
  );
});

test("pruned data is 410: state and transactions by version, blocks by height", async () => {
  for (let version = 0n; version < 12n; ) {
    const next = await sequenceNumber(small, CAROL.address);
    version = BigInt((await commit(small, CAROL, transfer(CAROL, next, BOB.address, "1"))).version);
  }
  const { oldest_ledger_version } = (await read(small, "/v1")) as { oldest_ledger_version: string }; // as documented
  expect(Number(oldest_ledger_version)).toBeGreaterThan(0);
  const pruned = { status: 410, code: "version_pruned", message: "Ledger version(0) has been pruned" };
  await expectRefusal(
    "/v1/accounts/{address}",
    "GET",
    await send(small, "GET", "/v1/accounts/0x1?ledger_version=0"),
    pruned,
  );
  await expectRefusal("/v1/transactions", "GET", await send(small, "GET", "/v1/transactions?start=0"), pruned);
  await expectRefusal(
    "/v1/transactions/by_version/{txn_version}",
    "GET",
    await send(small, "GET", "/v1/transactions/by_version/0"),
    pruned,
  );
  await expectRefusal(
    "/v1/blocks/by_height/{block_height}",
    "GET",
    await send(small, "GET", "/v1/blocks/by_height/0"),
    {
      status: 410,
      code: "block_pruned",
      message: "Block(0) has been pruned",
    },
  );
});

test.each([
  ["GET", "/v1/nothing", 404, "not found"],
  ["GET", "/v1/accounts/0x1/", 404, "not found"],
  ["DELETE", "/v1/transactions", 405, "method not allowed"],
  ["GET", "/v1/transactions/batch", 405, "method not allowed"],
])("%s %s is %i in JSON", async (method, path, status, message) => {
  const response = await send(node, method, path);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ message, error_code: "web_framework_error", vm_error_code: null });
});

test("a POST without a length is 411, a long one 413, an unknown media type 415", async () => {
  expect(await chunked(`${node.url}/transactions`)).toBe(411);
  const long = new Uint8Array(8 * 1024 * 1024 + 1);
  const headers = { "Content-Type": "application/json" };
  expect((await send(node, "POST", SUBMIT, { body: long, headers })).status).toBe(413);
  expect((await send(node, "POST", SUBMIT, { body: "x", headers: { "Content-Type": "invalid" } })).status).toBe(415);
});

/** The status of a POST whose body comes in chunks, without a Content-Length. */
function chunked(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = rawRequest(
      url,
      { method: "POST", headers: { "Content-Type": "application/json" } },
      (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode);
      },
    );
    outgoing.on("error", reject);
    outgoing.write("{");
    outgoing.end("}");
  });
}

test("a browser's preflight is allowed, and refused for other methods", async () => {
  const Origin = "https://app.example";
  const allowed = await preflight({ Origin, "Access-Control-Request-Method": "POST" });
  expect([allowed.status, allowed.origin]).toEqual([200, Origin]);
  expect((await preflight({ Origin, "Access-Control-Request-Method": "DELETE" })).status).toBe(403);
});

/** A raw request: fetch may not set these headers. */
function preflight(
  headers: Record<string, string>,
): Promise<{ status: number | undefined; origin: string | undefined }> {
  return new Promise((resolve, reject) => {
    const outgoing = rawRequest(`${node.url}/view`, { method: "OPTIONS", headers }, (incoming) => {
      incoming.resume();
      resolve({ status: incoming.statusCode, origin: incoming.headers["access-control-allow-origin"] });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

test("a view's error quotes an invalid type argument unchanged", async () => {
  const body = { function: "0x1::coin::supply", type_arguments: [{ a: 1 }], arguments: [] };
  const response = await send(node, "POST", "/v1/view", { body });
  expect(await response.json()).toMatchObject({ message: 'invalid Move type: {"a":1}', error_code: "invalid_input" });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import document from "../../../openapi/node.json" with { type: "json" };
import { addressBytes } from "../../../src/chain/address.ts";
import { hexOf, parseHex } from "../../../src/chain/hex.ts";
import { parseStructTag, parseTypeTag, printStructTag } from "../../../src/chain/type-tag.ts";
import { type RunningNode, startNode } from "../../../test/support/devnode.ts";
import { expectDocumented } from "../../../test/support/openapi.ts";
import { encode } from "../../codec/bcs.ts";
import { type BcsReader, decodeBcs } from "../../codec/bcs-reader.ts";
import { encodeBcs } from "../../codec/bcs-writer.ts";
import { type EntryFunction, entryFunction, signedTransaction } from "../../codec/transaction.ts";
import { structTag } from "../../codec/type-tag-bcs.ts";
import { ALICE, BOB } from "../../development-keys.ts";
import { FRAMEWORK } from "../../framework/addresses.ts";
import {
  type CommittedRecord,
  commit,
  NATIVE,
  read,
  request,
  send,
  sequenceNumber,
  transfer,
} from "../support/node-sender.ts";
import { readEvent, readHash, readRecord } from "../support/record-bcs.ts";

/** JSON and BCS responses have the same content. */
let node: RunningNode;
let sent: CommittedRecord;

beforeAll(async () => {
  node = await startNode({ HEARTBEAT_SECONDS: "3600", BLOCK_MS: "50" });
  const next = await sequenceNumber(node, ALICE.address);
  sent = await commit(node, ALICE, transfer(ALICE, next, BOB.address, "1000"));
  await commit(node, ALICE, request(ALICE, next + 1n, { name: "0xde5::table_demo::put", values: ["7", "seven"] }));
});

afterAll(() => node.close());

const BCS = { Accept: "application/x-bcs" };

/** The bytes of a response, decoded completely. */
async function readBcs<T>(template: string, path: string, read: (reader: BcsReader) => T): Promise<T> {
  const response = await send(node, "GET", path, { headers: BCS });
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  await expectDocumented(document, "GET", template, response);
  expect(response.headers.get("Content-Type")).toBe("application/x-bcs");
  const decoded = decodeBcs(bytes, read);
  if (decoded.kind === "malformed") throw new Error(`${path}: ${decoded.message}`);
  return decoded.value;
}

const rest = (reader: BcsReader): Uint8Array => reader.fixed(reader.remaining);

test("an account", async () => {
  const path = `/v1/accounts/${ALICE.address}`;
  const account = await readBcs("/v1/accounts/{address}", path, (reader) => {
    const authentication_key = hexOf(reader.bytes());
    const sequence_number = String(reader.u64());
    rest(reader);
    return { sequence_number, authentication_key };
  });
  expect(account).toEqual(await read(node, path));
});

test("the ledger, the gas estimate, a balance", async () => {
  const info = await readBcs("/v1", "/v1", (reader) => ({
    chain_id: reader.u8(),
    epoch: String(reader.u64()),
    ledger_version: String(reader.u64()),
    oldest_ledger_version: String(reader.u64()),
    ledger_timestamp: String(reader.u64()),
    node_role: ["validator", "full_node"][reader.uleb()],
    oldest_block_height: String(reader.u64()),
    block_height: String(reader.u64()),
  }));
  expect(await read(node, "/v1")).toMatchObject(info);
  const price = await readBcs("/v1/estimate_gas_price", "/v1/estimate_gas_price", (reader) => Number(reader.u64()));
  expect(await read(node, "/v1/estimate_gas_price")).toMatchObject({ gas_estimate: price });
  const path = `/v1/accounts/${BOB.address}/balance/${NATIVE}`;
  const balance = await readBcs("/v1/accounts/{address}/balance/{asset_type}", path, (reader) => Number(reader.u64()));
  expect(await read(node, path)).toBe(balance);
});

test("resources: the map contains each single resource", async () => {
  const path = `/v1/accounts/${ALICE.address}/resources`;
  const map = await readBcs("/v1/accounts/{address}/resources", path, (reader) =>
    reader.vector((inner) => ({ type: printStructTag(structTag.read(inner)), value: inner.bytes() })),
  );
  const listed = (await read(node, path)) as { type: string }[]; // as documented
  expect(map.map(({ type }) => type).sort()).toEqual(listed.map(({ type }) => type).sort());
  for (const { type, value } of map) {
    const one = `/v1/accounts/${ALICE.address}/resource/${encodeURIComponent(type)}`;
    expect(await readBcs("/v1/accounts/{address}/resource/{resource_type}", one, rest)).toEqual(value);
  }
  const keys = map.map(({ type }) => {
    const tag = parseStructTag(type);
    return tag === undefined ? "" : hexOf(encode(structTag, tag));
  });
  expect(keys).toEqual([...keys].sort());
});

test("modules: the map contains each module's bytecode", async () => {
  const map = await readBcs("/v1/accounts/{address}/modules", "/v1/accounts/0x1/modules", (reader) =>
    reader.vector((inner) => ({ address: inner.address(), name: inner.string(), bytecode: hexOf(inner.bytes()) })),
  );
  const listed = (await read(node, "/v1/accounts/0x1/modules")) as { bytecode: string; abi: { name: string } }[]; // as documented
  const byName = (left: { name: string }, right: { name: string }) => (left.name < right.name ? -1 : 1);
  expect(map.map(({ name, bytecode }) => ({ name, bytecode })).sort(byName)).toEqual(
    listed.map(({ bytecode, abi }) => ({ name: abi.name, bytecode })).sort(byName),
  );
  const coin = await readBcs("/v1/accounts/{address}/module/{module_name}", "/v1/accounts/0x1/module/coin", rest);
  expect(hexOf(coin)).toBe(map.find(({ name }) => name === "coin")?.bytecode);
});

/** A record's JSON with only what {@link readRecord} reads. */
function comparable(json: Record<string, unknown>): unknown {
  const events = (json["events"] ?? []) as { type: string; sequence_number: string }[]; // a list where there is one
  return {
    version: json["version"],
    type: json["type"],
    sender: json["sender"] ?? null,
    sequence_number: json["sequence_number"] ?? null,
    hash: json["hash"],
    gas_used: json["gas_used"],
    success: json["success"],
    state_change_hash: json["state_change_hash"],
    event_root_hash: json["event_root_hash"],
    state_checkpoint_hash: json["state_checkpoint_hash"],
    accumulator_root_hash: json["accumulator_root_hash"],
    events: events.map(({ type, sequence_number }) => ({ type, sequence_number })),
    changes: (json["changes"] as unknown[]).length, // always a list
  };
}

type Records = Record<string, unknown>[];

test("transactions: by hash, by version, listed, of an account", async () => {
  const found = (reader: BcsReader) => (reader.variant(2) === 0 ? readRecord(reader) : null);
  const json = (await read(node, `/v1/transactions/by_hash/${sent.hash}`)) as Record<string, unknown>; // as documented
  for (const [template, path] of [
    ["/v1/transactions/by_hash/{txn_hash}", `/v1/transactions/by_hash/${sent.hash}`],
    ["/v1/transactions/by_version/{txn_version}", `/v1/transactions/by_version/${sent.version}`],
    ["/v1/transactions/wait_by_hash/{txn_hash}", `/v1/transactions/wait_by_hash/${sent.hash}`],
  ] as const) {
    expect(await readBcs(template, path, found)).toEqual(comparable(json));
  }
  for (const [template, path] of [
    ["/v1/transactions", "/v1/transactions?start=0&limit=100"],
    ["/v1/accounts/{address}/transactions", `/v1/accounts/${ALICE.address}/transactions`],
  ] as const) {
    const listed = (await read(node, path)) as Records; // as documented
    expect(await readBcs(template, path, (reader) => reader.vector(readRecord))).toEqual(listed.map(comparable));
    expect(listed.length).toBeGreaterThan(0);
  }
});

test("a block with its transactions", async () => {
  const path = `/v1/blocks/by_version/${sent.version}?with_transactions=true`;
  const block = await readBcs("/v1/blocks/by_version/{version}", path, (reader) => ({
    block_height: String(reader.u64()),
    block_hash: readHash(reader),
    block_timestamp: String(reader.u64()),
    first_version: String(reader.u64()),
    last_version: String(reader.u64()),
    transactions: reader.option((inner) => inner.vector(readRecord)),
  }));
  const json = (await read(node, path)) as { transactions: Records }; // as documented
  expect(block).toEqual({ ...json, transactions: json.transactions.map(comparable) });
});

test("events", async () => {
  const path = "/v1/accounts/0x1/events/0x1::block::BlockResource/new_block_events?start=0&limit=5";
  const events = await readBcs("/v1/accounts/{address}/events/{event_handle}/{field_name}", path, (reader) =>
    reader.vector((inner) => ({ version: String(inner.u64()), ...readEvent(inner) })),
  );
  const json = (await read(node, path)) as { version: string; type: string; sequence_number: string }[]; // as documented
  expect(events).toEqual(json.map(({ version, type, sequence_number }) => ({ version, type, sequence_number })));
  expect(events.length).toBeGreaterThan(1);
});

test("a table item: typed JSON, typed BCS and raw BCS are one value", async () => {
  const tables = (await read(node, `/v1/accounts/${ALICE.address}/resource/0xde5::table_demo::Notebook`)) as {
    data: { simple: { handle: string } };
  }; // as its module declares it
  const path = `/v1/tables/${tables.data.simple.handle}`;
  const typed = { key_type: "u64", value_type: "0x1::string::String", key: "7" };
  const json = await send(node, "POST", `${path}/item`, { body: typed });
  expect(JSON.parse(await expectDocumented(document, "POST", "/v1/tables/{table_handle}/item", json))).toBe("seven");
  const asBcs = await send(node, "POST", `${path}/item`, { body: typed, headers: BCS });
  const bytes = encodeBcs((writer) => writer.string("seven"));
  expect(new Uint8Array(await asBcs.arrayBuffer())).toEqual(bytes);
  // The raw item has one form, for whoever accepts it.
  for (const headers of [BCS, {}, { Accept: "*/*" }, { Accept: "application/json, text/plain, */*" }]) {
    const raw = await send(node, "POST", `${path}/raw_item`, { body: { key: "0x0700000000000000" }, headers });
    expect(new Uint8Array(await raw.clone().arrayBuffer())).toEqual(bytes);
    await expectDocumented(document, "POST", "/v1/tables/{table_handle}/raw_item", raw);
  }
});

test("a view with a BCS request and a BCS response", async () => {
  const request = { function: "0x1::coin::balance", type_arguments: [NATIVE], arguments: [BOB.address] };
  const json = (await (await send(node, "POST", "/v1/view", { body: request })).json()) as string[]; // as documented
  const call: EntryFunction = {
    id: { address: FRAMEWORK, module: "coin", name: "balance" },
    typeArguments: [parseTypeTag(NATIVE) ?? { kind: "bool" }],
    arguments: [addressBytes(BOB.address)],
  };
  const response = await send(node, "POST", "/v1/view", {
    body: encode(entryFunction, call),
    headers: { ...BCS, "Content-Type": "application/x.aptos.view_function+bcs" },
  });
  const decoded = decodeBcs(new Uint8Array(await response.arrayBuffer()), (reader) =>
    reader.vector((inner) => decodeBcs(inner.bytes(), (value) => String(value.u64()))),
  );
  expect(decoded).toEqual({ kind: "decoded", value: json.map((value) => ({ kind: "decoded", value })) });
});

test("BCS submit is empty; a BCS batch reports by index; hashes agree with JSON", async () => {
  const malformed = parseHex("0x0102");
  const headers = { ...BCS, "Content-Type": "application/x.node.signed_transaction+bcs" };
  const refused = await send(node, "POST", "/v1/transactions", { body: malformed, headers });
  expect([refused.status, refused.headers.get("Content-Type")]).toEqual([400, "application/json; charset=utf-8"]);
  const pending = await send(node, "GET", `/v1/transactions/by_hash/${sent.hash}`, { headers: BCS });
  const bytes = new Uint8Array(await pending.arrayBuffer());
  const signed = signedBytesOf(bytes);
  const again = await send(node, "POST", "/v1/transactions/batch", {
    body: new Uint8Array([1, ...signed]),
    headers,
  });
  expect(again.status).toBe(206);
  const report = decodeBcs(new Uint8Array(await again.arrayBuffer()), (reader) =>
    reader.vector((inner) => ({
      message: inner.string(),
      code: inner.uleb(),
      vm: inner.option((each) => Number(each.u64())),
      index: Number(inner.u64()),
    })),
  );
  expect(report).toMatchObject({ kind: "decoded", value: [{ code: 13, vm: 3, index: 0 }] });
});

/** The signed transaction of a record: after two variant numbers and the version. */
function signedBytesOf(found: Uint8Array): Uint8Array {
  let signed: Uint8Array = new Uint8Array();
  decodeBcs(found, (reader) => {
    reader.variant(2);
    reader.u64();
    reader.variant(4);
    const start = reader.offset;
    signedTransaction.read(reader);
    signed = reader.since(start);
  });
  return signed;
}

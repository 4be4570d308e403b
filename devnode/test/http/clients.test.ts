import {
  Account,
  AccountAddress,
  Deserializer,
  Ed25519PrivateKey,
  RotationProofChallenge,
  SignedTransaction,
} from "@aptos-labs/ts-sdk";
import { beforeEach, describe, expect, test } from "vitest";
import { bytes, encode, string, u8, u64 } from "../../codec/bcs.ts";
import { ALICE } from "../../development-keys.ts";
import { DEVELOPMENT } from "../../framework/addresses.ts";
import { answer } from "../../http/handle-request.ts";
import { openWorld, START_MS, signed, type World } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

let world: World;
beforeEach(() => {
  world = openWorld(sqliteStorage());
  world.block();
});

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const settings = { headerPrefix: "X-NODE-", statelessAccounts: false, revision: "test" };
  const node = { ledger: world.ledger, settings, nowMs: START_MS };
  return answer(new Request(`http://node${path}`, init), node, (cause) => {
    throw cause;
  });
}

async function post(path: string, body: unknown): Promise<Response> {
  const text = JSON.stringify(body);
  const headers = { "Content-Type": "application/json", "Content-Length": String(text.length) };
  return request(path, { method: "POST", headers, body: text });
}

const read = async (path: string) => (await request(path)).json();
const balance = (address: string, asset = "0x1::aptos_coin::AptosCoin") =>
  read(`/v1/accounts/${address}/balance/${asset}`);

describe("the faucet", () => {
  const key = new Ed25519PrivateKey(new Uint8Array(32).fill(0x5a));
  const account = Account.fromPrivateKey({ privateKey: key });
  const address = account.accountAddress.toString();

  test.each([
    ["address", address],
    ["auth_key", address.slice(2)],
    ["pub_key", account.publicKey.toString()],
  ])("pays the account given as %s, in a query and in JSON", async (name, value) => {
    expect((await request(`/mint?${name}=${value}&amount=7`, { method: "POST" })).status).toBe(200);
    expect((await post("/fund", { [name]: value, amount: 5 })).status).toBe(200);
    expect(await balance(address)).toBe(12);
  });

  test.each([
    ["no recipient", ""],
    ["two recipients", `address=${address}&auth_key=${address}&`],
    ["a key of 31 bytes", `auth_key=${"ab".repeat(31)}&`],
  ])("refuses a request with %s", async (_, query) => {
    const response = await request(`/mint?${query}amount=1`, { method: "POST" });
    const expected = { message: expect.stringContaining("one of `address`, `auth_key` and `pub_key`") };
    expect([response.status, await response.json()]).toMatchObject([400, expected]);
  });

  const WHOLE = "`amount` must be a whole number of base units, 0 to 2^64 - 1";
  test.each([
    [2 ** 53, "`amount` is above 2^53 - 1, where a JSON number is not exact: give it as a string"],
    [1.5, WHOLE],
    [-1, WHOLE],
    ["1.5", WHOLE],
    ["18446744073709551616", WHOLE],
    [null, WHOLE],
  ])("refuses the amount %j in JSON: %s", async (amount, reason) => {
    const response = await post("/fund", { address, amount });
    const expected = { message: `parse request payload error: ${reason}` };
    expect([response.status, await response.json()]).toMatchObject([400, expected]);
  });

  test.each([Number.MAX_SAFE_INTEGER, "9007199254740993"])("reads the amount %j", async (amount) => {
    const response = await post("/fund", { address, amount });
    expect(await response.json()).not.toMatchObject({ message: expect.stringContaining("parse request payload") });
  });

  test("with return_txns answers the signed transactions in the Rust client's form", async () => {
    const response = await request(`/mint?auth_key=${address}&amount=3&return_txns=true`, { method: "POST" });
    expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    const text = await response.text();
    expect(text).toMatch(/^[0-9a-f]+$/);
    const reader = new Deserializer(Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
    const transactions = reader.deserializeVector(SignedTransaction);
    expect(transactions).toHaveLength(1);
    expect(transactions[0]?.raw_txn.sender.toString()).toBe(
      "0x000000000000000000000000000000000000000000000000000000000a550c18",
    );
    expect(reader.remaining()).toBe(0);
  });

  test("answers tap:ok at its base, which a client's faucet URL may be", async () => {
    const response = await request("/faucet");
    expect([response.status, await response.text()]).toEqual([200, "tap:ok"]);
    expect((await request(`/faucet/mint?address=${address}&amount=1`, { method: "POST" })).status).toBe(200);
  });
});

describe("a balance", () => {
  test.each([
    ["an account that does not exist", "0xdead", "0x1::aptos_coin::AptosCoin"],
    ["a coin that does not exist", ALICE.address, "0x1::foo::Bar"],
    ["a fungible asset that does not exist", ALICE.address, "0xfa11"],
  ])("of %s is 0", async (_, owner, asset) => {
    expect(await balance(owner, asset)).toBe(0);
  });

  test("of 0xa, and of its long form, is the native coin's", async () => {
    const units = await balance(ALICE.address);
    expect(units).toBeGreaterThan(0);
    expect(await balance(ALICE.address, "0xa")).toBe(units);
    expect(await balance(ALICE.address, AccountAddress.A.toStringLong())).toBe(units);
  });
});

test("the chain says that it operates", async () => {
  const call = (name: string) => ({ function: `0x1::chain_status::${name}`, type_arguments: [], arguments: [] });
  expect(await (await post("/v1/view", call("is_operating"))).json()).toEqual([true]);
  expect(await (await post("/v1/view", call("is_genesis"))).json()).toEqual([false]);
});

test.each(["0x1", "0x3", "0xa"])("framework account %s has its address as its authentication key", async (address) => {
  const { authentication_key } = (await read(`/v1/accounts/${address}`)) as { authentication_key: string };
  expect(authentication_key).toBe(AccountAddress.from(address).toStringLong());
});

test("a cursor is sent under every header prefix that clients use", async () => {
  const { headers } = await request("/v1/accounts/0x1/modules?limit=2");
  expect(headers.get("X-NODE-CURSOR")).toMatch(/^[0-9a-f]+$/);
  expect(headers.get("X-APTOS-CURSOR")).toBe(headers.get("X-NODE-CURSOR"));
});

test("a block's metadata and its event have the same votes", async () => {
  const [record] = (await read("/v1/transactions?start=1&limit=1")) as {
    type: string;
    previous_block_votes_bitvec: number[];
    events: { type: string; data: { previous_block_votes_bitvec: string } }[];
  }[];
  expect(record?.type).toBe("block_metadata_transaction");
  const event = record?.events.find(({ type }) => type === "0x1::block::NewBlockEvent");
  expect([record?.previous_block_votes_bitvec, event?.data.previous_block_votes_bitvec]).toEqual([[0], "0x00"]);
});

test("changes of table items have the written and removed values, by their types", async () => {
  const values = (...list: Uint8Array[]) => ({ module: "table_demo", arguments: list });
  const submit = async (sequence: bigint, name: string, call: ReturnType<typeof values>) => {
    const options = { from: ALICE, sequence, call: { ...call, name, address: DEVELOPMENT }, maxGas: 20_000n };
    const result = await world.ledger.submit(signed(options));
    if (result.kind !== "accepted") throw new Error(result.kind);
    world.block();
    const record = (await read(`/v1/transactions/by_hash/${result.pending.hash}`)) as { changes: { type: string }[] };
    return record.changes.filter(({ type }) => type.endsWith("_table_item"));
  };
  const types = { key_type: "u64", value_type: "0x1::string::String" };
  expect(await submit(0n, "put", values(encode(u64, 7n), encode(string, "seven")))).toMatchObject([
    { type: "write_table_item", key: "0x0700000000000000", data: { key: "7", value: "seven", ...types } },
  ]);
  expect(await submit(1n, "remove", values(encode(u64, 7n)))).toEqual([
    expect.objectContaining({ type: "delete_table_item", data: { key: "7", key_type: "u64" } }),
  ]);
});

const TRANSFER = {
  sender: ALICE.address,
  sequence_number: "0",
  max_gas_amount: "2000",
  gas_unit_price: "100",
  expiration_timestamp_secs: "9999999999",
  payload: {
    type: "entry_function_payload",
    function: "0x1::aptos_account::transfer",
    type_arguments: [],
    arguments: ["0x1", "1"],
  },
};

test("a transaction in JSON without a key is simulated, and cannot be submitted", async () => {
  const body = { ...TRANSFER, signature: { type: "no_account_signature" } };
  const simulated = await post("/v1/transactions/simulate", body);
  expect([simulated.status, await simulated.json()]).toMatchObject([200, [{ success: true }]]);
  const submitted = await post("/v1/transactions", body);
  expect([submitted.status, await submitted.json()]).toMatchObject([400, { vm_error_code: 1 }]);
});

test.each(["7", "invalid"])("a replay protection nonce (%s) is refused, not ignored", async (nonce) => {
  const body = TRANSFER;
  const response = await post("/v1/transactions/encode_submission", { ...body, replay_protection_nonce: nonce });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error_code: "invalid_input", message: expect.stringContaining("replay_protection_nonce") },
  ]);
  const open = await post("/v1/transactions/encode_submission", { ...body, replay_protection_nonce: null });
  expect(open.status).toBe(200);
});

test.each([
  [
    "a struct that does not exist",
    "0x1::coin::balance",
    ["0x1::foo::Bar"],
    ["0x1"],
    2021,
    "Struct 0x1::foo::Bar does not exist",
  ],
  ["a function that does not exist", "0x1::coin::nothing", [], [], null, "could not find view function by 0x1::coin"],
  ["too few type arguments", "0x1::coin::balance", [], ["0x1"], 1076, "NUMBER_OF_TYPE_ARGUMENTS_MISMATCH"],
  [
    "a function that is not a view",
    "0x1::coin::transfer",
    ["0x1::aptos_coin::AptosCoin"],
    ["0x1", "1"],
    1011,
    "function not marked as view function",
  ],
  ["a coin that does not exist", "0x1::coin::decimals", ["0x1::chain_id::ChainId"], [], 4008, "Execution failed in"],
])("a view of %s fails with the machine's code", async (_, name, types, args, code, message) => {
  const response = await post("/v1/view", { function: name, type_arguments: types, arguments: args });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error_code: "invalid_input", vm_error_code: code, message: expect.stringContaining(message) },
  ]);
});

describe("an account's key", () => {
  const keyed = (fill: number) =>
    Account.fromPrivateKey({ privateKey: new Ed25519PrivateKey(new Uint8Array(32).fill(fill)) });
  const [from, to, other] = [keyed(0xa1), keyed(0x71), keyed(0x72)];
  const OriginatingAddress = "/v1/accounts/0x1/resource/0x1::account::OriginatingAddress";

  async function rotate(sequence: bigint, signer = to, proofOf = from): Promise<string> {
    const challenge = new RotationProofChallenge({
      sequenceNumber: sequence,
      originator: proofOf.accountAddress,
      currentAuthKey: AccountAddress.from(ALICE.address),
      newPublicKey: to.publicKey,
    }).bcsToBytes();
    const values = [
      encode(u8, 0),
      encode(bytes, ALICE.publicKey),
      encode(u8, 0),
      encode(bytes, to.publicKey.toUint8Array()),
      encode(bytes, from.sign(challenge).toUint8Array()),
      encode(bytes, signer.sign(challenge).toUint8Array()),
    ];
    const call = { module: "account", name: "rotate_authentication_key", arguments: values };
    const result = await world.ledger.submit(signed({ from: ALICE, sequence, call, maxGas: 20_000n }));
    if (result.kind !== "accepted") return JSON.stringify(result, (_, value) => String(value));
    world.block();
    return ((await read(`/v1/transactions/by_hash/${result.pending.hash}`)) as { vm_status: string }).vm_status;
  }

  async function origin(key: string): Promise<Response> {
    const { data } = (await read(OriginatingAddress)) as { data: { address_map: { handle: string } } };
    return post(`/v1/tables/${data.address_map.handle}/item`, { key_type: "address", value_type: "address", key });
  }

  test("is rotated by the SDK's proof of both keys, and the lookup table finds the account", async () => {
    expect((await origin(to.accountAddress.toString())).status).toBe(404);
    expect(await rotate(0n)).toBe("Executed successfully");
    const { authentication_key } = (await read(`/v1/accounts/${ALICE.address}`)) as { authentication_key: string };
    expect(authentication_key).toBe(to.accountAddress.toStringLong());
    expect(await (await origin(to.accountAddress.toString())).json()).toBe(ALICE.address);
    // The old key no longer signs for the account.
    expect(await world.ledger.submit(signed({ from: ALICE, sequence: 1n }))).toMatchObject({
      kind: "rejected",
      failure: { status: "INVALID_AUTH_KEY" },
    });
  });

  test.each([
    ["signed by another key than the new one", other, from],
    ["made for another account", to, other],
  ])("is not rotated by a proof %s", async (_, signer, proofOf) => {
    expect(await rotate(0n, signer, proofOf)).toMatch(/EINVALID_PROOF_OF_KNOWLEDGE\(0x10008\)/);
    const { authentication_key } = (await read(`/v1/accounts/${ALICE.address}`)) as { authentication_key: string };
    expect(authentication_key).toBe(AccountAddress.from(ALICE.address).toStringLong());
  });
});

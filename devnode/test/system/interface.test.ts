import { afterAll, beforeAll, expect, test } from "vitest";
import document from "../../../openapi/node.json" with { type: "json" };
import { type RunningNode, startNode } from "../../../test/support/devnode.ts";
import { expectDocumented } from "../../../test/support/openapi.ts";
import { signedTransactionJson } from "../../codec/transaction-json.ts";
import { signedTransactionFromJson } from "../../codec/transaction-request.ts";
import { ALICE, BOB, CAROL } from "../../development-keys.ts";
import { interfaces } from "../../framework/abi.ts";
import {
  type CommittedRecord,
  commit,
  NATIVE,
  read,
  send,
  sequenceNumber,
  signed,
  transfer,
  unsignedFor,
} from "../support/node-sender.ts";

let node: RunningNode;
let sent: CommittedRecord;
let height: string;

beforeAll(async () => {
  node = await startNode();
  sent = await commit(node, ALICE, transfer(ALICE, await sequenceNumber(node, ALICE.address), BOB.address, "1000"));
  const block = await read(node, `/v1/blocks/by_version/${sent.version}`);
  height = (block as { block_height: string }).block_height; // the block's documented field
});

afterAll(() => node.close());

const COIN_STORE = "0x1::coin::CoinStore%3C0x1::aptos_coin::AptosCoin%3E";

/** Every read endpoint with a valid path. */
const READS: readonly (readonly [template: string, path: () => string])[] = [
  ["/v1", () => "/v1"],
  ["/v1", () => "/v1/"],
  ["/v1/-/healthy", () => "/v1/-/healthy"],
  ["/v1/-/healthy", () => "/v1/-/healthy?duration_secs=3600"],
  ["/v1/spec.json", () => "/v1/spec.json"],
  ["/v1/estimate_gas_price", () => "/v1/estimate_gas_price"],
  ["/v1/accounts/{address}", () => `/v1/accounts/${ALICE.address}`],
  ["/v1/accounts/{address}", () => `/v1/accounts/${ALICE.address.slice(2).toUpperCase()}?ledger_version=0`],
  ["/v1/accounts/{address}/resources", () => `/v1/accounts/${ALICE.address}/resources`],
  ["/v1/accounts/{address}/resources", () => "/v1/accounts/0x1/resources?limit=1"],
  ["/v1/accounts/{address}/resource/{resource_type}", () => `/v1/accounts/${ALICE.address}/resource/${COIN_STORE}`],
  ["/v1/accounts/{address}/modules", () => "/v1/accounts/0x1/modules"],
  ["/v1/accounts/{address}/modules", () => "/v1/accounts/1/modules?limit=2"],
  ["/v1/accounts/{address}/module/{module_name}", () => "/v1/accounts/0x1/module/coin"],
  ["/v1/accounts/{address}/balance/{asset_type}", () => `/v1/accounts/${ALICE.address}/balance/${NATIVE}`],
  ["/v1/accounts/{address}/transactions", () => `/v1/accounts/${ALICE.address}/transactions`],
  ["/v1/accounts/{address}/transactions", () => `/v1/accounts/${ALICE.address}/transactions?start=0&limit=1`],
  ["/v1/accounts/{address}/events/{creation_number}", () => "/v1/accounts/0x1/events/3?limit=2"],
  [
    "/v1/accounts/{address}/events/{event_handle}/{field_name}",
    () => "/v1/accounts/0x1/events/0x1::block::BlockResource/new_block_events?start=0&limit=3",
  ],
  ["/v1/blocks/by_height/{block_height}", () => `/v1/blocks/by_height/${height}`],
  ["/v1/blocks/by_height/{block_height}", () => "/v1/blocks/by_height/0?with_transactions=true"],
  ["/v1/blocks/by_version/{version}", () => `/v1/blocks/by_version/${sent.version}?with_transactions=true`],
  ["/v1/transactions", () => "/v1/transactions"],
  ["/v1/transactions", () => "/v1/transactions?start=0&limit=100"],
  ["/v1/transactions/by_hash/{txn_hash}", () => `/v1/transactions/by_hash/${sent.hash}`],
  ["/v1/transactions/by_hash/{txn_hash}", () => `/v1/transactions/by_hash/${sent.hash.slice(2).toUpperCase()}`],
  ["/v1/transactions/wait_by_hash/{txn_hash}", () => `/v1/transactions/wait_by_hash/${sent.hash}`],
  ["/v1/transactions/by_version/{txn_version}", () => `/v1/transactions/by_version/${sent.version}`],
  ["/v1/transactions/by_version/{txn_version}", () => "/v1/transactions/by_version/0"],
  ["/v1/transactions/by_version/{txn_version}", () => "/v1/transactions/by_version/1"],
];

test.each(READS)("GET %s answers as documented", async (template, path) => {
  const response = await send(node, "GET", path());
  expect(response.status).toBe(200);
  const text = await expectDocumented(document, "GET", template, response.clone());
  expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(JSON.parse(text)).not.toBeNull();
});

test.each(READS)("HEAD of %s is GET without its body", async (_template, path) => {
  const response = await send(node, "HEAD", path());
  expect([response.status, await response.text()]).toEqual([200, ""]);
  expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
});

test("a block has the member transactions only when they are requested", async () => {
  const path = `/v1/blocks/by_height/${height}`;
  expect(await read(node, path)).not.toHaveProperty("transactions");
  expect(await read(node, `${path}?with_transactions=true`)).toHaveProperty("transactions");
});

test("the rates feed has samples alone, each marked as one", async () => {
  const { count, data } = (await read(node, "/rates")) as { count: number; data: { source: string }[] }; // as documented
  expect([count, data.map(({ source }) => source)]).toEqual([3, ["sample", "sample", "sample"]]);
});

test("ledger headers are on every response and describe the tip, for any version read", async () => {
  const old = await send(node, "GET", "/v1/accounts/0x1?ledger_version=0");
  const info = await read(node, "/v1");
  expect(old.headers.get("X-NODE-CHAIN-ID")).toBe("4");
  expect(Number(old.headers.get("X-NODE-LEDGER-VERSION"))).toBeGreaterThanOrEqual(Number(sent.version));
  expect(info).toMatchObject({ chain_id: 4, oldest_ledger_version: "0" });
});

test("a list of resources or modules has a cursor until it is complete", async () => {
  const path = "/v1/accounts/0x1/modules";
  const whole = await send(node, "GET", path);
  expect(whole.headers.get("X-NODE-CURSOR")).toBeNull();
  const all = (await whole.json()) as unknown[]; // a list, as documented
  const paged: unknown[] = [];
  for (let start = ""; ; ) {
    const page = await send(node, "GET", `${path}?limit=5${start === "" ? "" : `&start=${start}`}`);
    paged.push(...((await page.json()) as unknown[])); // likewise
    const next = page.headers.get("X-NODE-CURSOR");
    if (next === null) break;
    start = next;
  }
  expect(paged).toEqual(all);
  expect(all.length).toBeGreaterThan(10);
});

test("a page size is silently clamped to the maximum", async () => {
  const all = (await read(node, "/v1/transactions?start=0&limit=65535")) as unknown[]; // a list, as documented
  expect(all.length).toBeLessThanOrEqual(100);
});

test("submit, batch, simulate and encode respond as documented", async () => {
  const next = await sequenceNumber(node, ALICE.address);
  const unsigned = transfer(ALICE, next, BOB.address, "1");
  const encode = await send(node, "POST", "/v1/transactions/encode_submission", { body: unsigned });
  await expectDocumented(document, "POST", "/v1/transactions/encode_submission", encode);
  const simulate = await send(node, "POST", "/v1/transactions/simulate", { body: unsignedFor(ALICE, unsigned) });
  expect(Number(simulate.headers.get("X-NODE-GAS-USED"))).toBeGreaterThan(0);
  await expectDocumented(document, "POST", "/v1/transactions/simulate", simulate);
  const submit = await send(node, "POST", "/v1/transactions", { body: await signed(node, ALICE, unsigned) });
  expect(submit.status).toBe(202);
  const pending = JSON.parse(await expectDocumented(document, "POST", "/v1/transactions", submit));
  expect(pending).toMatchObject({ type: "pending_transaction", sender: ALICE.address });
  await send(node, "GET", `/v1/transactions/wait_by_hash/${pending.hash}`);
  const batch = [1n, 2n].map((ahead) => transfer(ALICE, next + ahead, BOB.address, "1"));
  const all = await send(node, "POST", "/v1/transactions/batch", {
    body: await Promise.all(batch.map((each) => signed(node, ALICE, each))),
  });
  expect(all.status).toBe(202);
  expect(JSON.parse(await expectDocumented(document, "POST", "/v1/transactions/batch", all))).toEqual({
    transaction_failures: [],
  });
});

test("a simulation uses the requested estimates and reports them in its record", async () => {
  const next = await sequenceNumber(node, CAROL.address);
  const body = unsignedFor(
    CAROL,
    transfer(CAROL, next, BOB.address, "1", { gas_unit_price: "777", max_gas_amount: "5000" }),
  );
  const simulated = async (query: string): Promise<Record<string, unknown>> => {
    const response = await send(node, "POST", `/v1/transactions/simulate${query}`, { body });
    const [record] = JSON.parse(await expectDocumented(document, "POST", "/v1/transactions/simulate", response));
    expect(record).toMatchObject({
      success: true,
      state_change_hash: `0x${"0".repeat(64)}`,
      state_checkpoint_hash: null,
    });
    return record;
  };
  expect(await simulated("")).toMatchObject({ gas_unit_price: "777", max_gas_amount: "5000" });
  expect(await simulated("?estimate_gas_unit_price=true")).toMatchObject({ gas_unit_price: "100" });
  const both = "?estimate_gas_unit_price=true&estimate_prioritized_gas_unit_price=true";
  expect(await simulated(both)).toMatchObject({ gas_unit_price: "150" });
  expect(await simulated("?estimate_max_gas_amount=true")).toMatchObject({ max_gas_amount: "2000000" });
});

test("a transaction after a gap stays pending during the wait, and the response is 200", async () => {
  const parked = (await sequenceNumber(node, CAROL.address)) + 3n;
  const body = await signed(node, CAROL, transfer(CAROL, parked, BOB.address, "1"));
  const { hash } = (await (await send(node, "POST", "/v1/transactions", { body })).json()) as { hash: string }; // as documented
  const since = performance.now();
  const response = await send(node, "GET", `/v1/transactions/wait_by_hash/${hash}`);
  expect(performance.now() - since).toBeGreaterThan(900);
  const pending = JSON.parse(
    await expectDocumented(document, "GET", "/v1/transactions/wait_by_hash/{txn_hash}", response),
  );
  expect([response.status, pending.type, pending.hash]).toEqual([200, "pending_transaction", hash]);
  const bcs = await send(node, "GET", `/v1/transactions/by_hash/${hash}`, { headers: { Accept: "application/x-bcs" } });
  const [variant, ...bytes] = new Uint8Array(await bcs.arrayBuffer());
  expect([variant, signedTransactionJson(new Uint8Array(bytes), interfaces)]).toEqual([
    1,
    expect.objectContaining({ sender: CAROL.address }),
  ]);
});

test("a BCS submit with a BCS response is accepted with an empty body", async () => {
  const { body: bytes } = await bcsTransfer();
  const response = await send(node, "POST", "/v1/transactions", {
    body: bytes,
    headers: { Accept: "application/x-bcs", "Content-Type": "application/x.node.signed_transaction+bcs" },
  });
  expect([response.status, await response.text()]).toEqual([202, ""]);
  expect(response.headers.get("X-NODE-CHAIN-ID")).toBe("4");
});

async function bcsTransfer(): Promise<{ body: Uint8Array }> {
  const next = await sequenceNumber(node, CAROL.address);
  const encoded = signedTransactionFromJson(
    await signed(node, CAROL, transfer(CAROL, next, BOB.address, "1")),
    4,
    interfaces,
  );
  if (encoded.kind !== "read") throw new Error(encoded.message);
  return { body: encoded.value };
}

test("a batch with one invalid transaction is 206 with its index", async () => {
  const next = await sequenceNumber(node, BOB.address);
  const good = await signed(node, BOB, transfer(BOB, next, ALICE.address, "1"));
  const bad = { ...(await signed(node, BOB, transfer(BOB, next + 1n, ALICE.address, "1"))), sequence_number: "99" };
  const response = await send(node, "POST", "/v1/transactions/batch", { body: [good, bad] });
  expect(response.status).toBe(206);
  expect(JSON.parse(await expectDocumented(document, "POST", "/v1/transactions/batch", response))).toEqual({
    transaction_failures: [
      {
        error: {
          message: expect.stringMatching(/^Invalid transaction: Type: Validation Code: INVALID_SIGNATURE/),
          error_code: "vm_error",
          vm_error_code: 1,
        },
        transaction_index: 1,
      },
    ],
  });
});

test("views return a list", async () => {
  const body = { function: "0x1::coin::balance", type_arguments: [NATIVE], arguments: [BOB.address] };
  const at = `?ledger_version=${sent.version}`;
  const response = await send(node, "POST", `/v1/view${at}`, { body });
  const [balance] = JSON.parse(await expectDocumented(document, "POST", "/v1/view", response));
  expect(balance).toBe(String(await read(node, `/v1/accounts/${BOB.address}/balance/${NATIVE}${at}`)));
});

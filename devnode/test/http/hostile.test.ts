import { expect, test } from "vitest";
import { answer } from "../../http/handle-request.ts";
import { openWorld } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

const { ledger } = openWorld(sqliteStorage());
const settings = { headerPrefix: "X-NODE-", statelessAccounts: false, revision: "test" };
const errors: unknown[] = [];

async function post(path: string, body: string): Promise<{ status: number; code: unknown }> {
  const headers = { "Content-Type": "application/json", "Content-Length": String(body.length) };
  const request = new Request(`http://node${path}`, { method: "POST", headers, body });
  const response = await answer(request, { ledger, settings, nowMs: 0 }, (cause) => errors.push(cause));
  const { error_code } = (await response.json()) as { error_code?: unknown }; // an error, or an answer without one
  return { status: response.status, code: error_code };
}

/** Values that break code which converts untrusted input to text without checks. */
const UNTEXTUAL = ['{"toString":1,"valueOf":1}', "[".repeat(120) + "]".repeat(120)];

/** Bodies with one placeholder, and their paths. */
const HOLES: readonly (readonly [path: string, body: string])[] = [
  ["/v1/view", '{"function":"0x1::coin::supply","type_arguments":[@],"arguments":[]}'],
  ["/v1/view", '{"function":"0x1::coin::supply","type_arguments":["u8"],"arguments":[@]}'],
  ["/v1/view", '{"function":@,"type_arguments":[],"arguments":[]}'],
  ["/v1/tables/0x1/item", '{"key_type":"u64","value_type":"u64","key":@}'],
  ["/v1/tables/0x1/item", '{"key_type":@,"value_type":"u64","key":"1"}'],
  ["/v1/tables/0x1/raw_item", '{"key":@}'],
  ["/v1/transactions", '{"sender":@}'],
  ["/v1/transactions/batch", "[@]"],
  ["/v1/transactions/simulate", "@"],
  ["/v1/transactions/encode_submission", '{"sender":@}'],
  ["/fund", '{"address":"0x1","amount":@}'],
  ["/fund", '{"address":@,"amount":1}'],
];

test.each(HOLES)("POST %s with %s is refused for any generated value", async (path, body) => {
  for (const value of UNTEXTUAL) expect((await post(path, body.replace("@", value))).status).toBe(400);
  expect(errors).toEqual([]);
});

const OVERSIZED = {
  sender: "0x1",
  sequence_number: "0",
  max_gas_amount: "2000",
  gas_unit_price: "100",
  expiration_timestamp_secs: "1900000000",
  payload: {
    type: "entry_function_payload",
    function: "0x1::multisig_account::create_transaction",
    type_arguments: [],
    arguments: ["0x1", `0x${"00".repeat(66_000)}`],
  },
  signature: { type: "ed25519_signature", public_key: `0x${"11".repeat(32)}`, signature: `0x${"22".repeat(64)}` },
};

test.each([
  ["/v1/transactions", "vm_error"],
  ["/v1/transactions/simulate", "invalid_input"],
  ["/v1/transactions/encode_submission", "invalid_input"],
])("POST %s refuses a transaction over 64 KiB by its size", async (path, code) => {
  expect(await post(path, JSON.stringify(OVERSIZED))).toEqual({ status: 400, code });
});

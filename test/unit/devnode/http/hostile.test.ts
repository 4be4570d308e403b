import { expect, test } from "vitest";
import { answer } from "../../../../devnode/http/handle-request.ts";
import { openWorld } from "../../../support/ledger-world.ts";
import { sqliteStorage } from "../../../support/sqlite.ts";

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
const UNTEXTUAL = ['{"toString":1,"valueOf":1}', "[".repeat(100_000) + "]".repeat(100_000)];

/** A body with one placeholder, and its path. */
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

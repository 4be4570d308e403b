import { describe, expect, test } from "vitest";
import { isStorable } from "../../../../src/gateway/cache/freshness.ts";
import { responseOf } from "../../../../src/gateway/cache/policy.ts";
import { classify } from "../../../../src/gateway/upstream/classify.ts";
import { canonicalOf, requestFor } from "../requests.ts";

const RESOURCE = "/v1/accounts/0x1/resource";

describe("a type whose form is not known here", () => {
  test.each([
    [`${RESOURCE}/0x1::m::S<i64>`, "/accounts/0x1/resource/0x1::m::S<i64>"],
    [
      `${RESOURCE}/0x1::m::S%3Cu256,i128%3E`,
      "/accounts/0x1/resource/0x1::m::S%3Cu256,i128%3E".replace("u256,", "u256,"),
    ],
    [
      `${RESOURCE}/0X1::m::S<|u64|u64>?ledger_version=007`,
      "/accounts/0x1/resource/0X1::m::S<|u64|u64>?ledger_version=7",
    ],
    ["/v1/accounts/0x1/balance/0x1::m::C<i8>", "/accounts/0x1/balance/0x1::m::C<i8>"],
    ["/v1/accounts/0x1/events/0x1::m::S<i64>/field", "/accounts/0x1/events/0x1::m::S<i64>/field?limit=25"],
  ])("%s is passed on byte for byte, without a key", async (path, sent) => {
    const request = await requestFor("GET", path);
    expect([request.path, request.mode]).toEqual([sent, "compute"]);
  });

  test("its answer is not stored, and not compared with a name that cannot be read", async () => {
    const request = await requestFor("GET", `${RESOURCE}/0x1::m::S<i64>?ledger_version=5`);
    const ledger = { chainId: 2, version: 9n, oldestVersion: 0n, blockHeight: 4n, timestampMicros: 1n, epoch: 1n };
    const body = new TextEncoder().encode('{"type":"0x1::m::S<i64>","data":{}}');
    const response = { status: 200, contentType: "application/json", body, ledger, extras: {} };
    const classification = classify(request, response as never);
    if (typeof classification === "string") throw new Error(classification);
    expect(isStorable(await responseOf(request, { response: response as never, classification }, 0, 0))).toBe(false);
  });

  test.each([
    `${RESOURCE}/0x1::GUID_Generator`,
    `${RESOURCE}/u8`,
    `${RESOURCE}/0x1::m::S<i64>%2F..%2F..%2Fadmin`,
    `${RESOURCE}/0x1::m::S%5C..`,
    `${RESOURCE}/0x1::m::S%3Fa=1`,
    `${RESOURCE}/0x1::m::S%23a`,
    `${RESOURCE}/0x1::m::S%250a`,
    `${RESOURCE}/0x1::m::S%0d%0aX: 1`,
    "/v1/accounts/0x1::m::S<i64>",
  ])("%s is none, and is refused here", async (path) => {
    expect(await canonicalOf("GET", path)).toMatchObject({ kind: "node", status: 400 });
  });
});

test("what can be read has one key, in every form", async () => {
  const forms = [
    "0x1::m::S<u64,0x2::a::B>",
    "0x01::m::S<%20u64%20,%200x0002::a::B%20>",
    "0x1::m::S%3Cu64%2C0x2::a::B%3E",
  ];
  const keys = await Promise.all(forms.map(async (form) => (await requestFor("GET", `${RESOURCE}/${form}`)).key));
  expect(new Set(keys).size).toBe(1);
});

describe("routes of today's nodes", () => {
  test.each([
    ["/v1/info", "/info", "compute"],
    ["/v1/transactions/auxiliary_info?start=01&limit=1&x=2", "/transactions/auxiliary_info?start=1&limit=1", "read"],
    [
      "/v1/accounts/0x01/transaction_summaries?start_version=1&end_version=9",
      "/accounts/0x1/transaction_summaries?start_version=1&end_version=9",
      "read",
    ],
  ])("%s is passed on as %s", async (path, sent, mode) => {
    const request = await requestFor("GET", path);
    expect([request.path, request.mode]).toEqual([sent, mode]);
  });

  test("summaries of another account are not the requested ones; a list is true at the tip", async () => {
    const request = await requestFor("GET", "/v1/accounts/0x1/transaction_summaries");
    const ledger = { chainId: 2, version: 9n, oldestVersion: 0n, blockHeight: 4n, timestampMicros: 1n, epoch: 1n };
    const of = (sender: string) => {
      const body = new TextEncoder().encode(JSON.stringify([{ sender, version: "7", transaction_hash: "0x00" }]));
      return classify(request, { status: 200, contentType: "application/json", body, ledger, extras: {} } as never);
    };
    expect(of("0x1")).toEqual({ kind: "current", revealsVersion: 9n });
    expect(of("0x2")).toBe("not the requested account_transaction_summaries");
  });

  test("a node's own information names no ledger, and is never stored", async () => {
    const request = await requestFor("GET", "/v1/info");
    const body = new TextEncoder().encode('{"bootstrapped":"true"}');
    const response = { status: 200, contentType: "application/json", body, ledger: null, extras: {} };
    const classification = classify(request, response as never);
    if (typeof classification === "string") throw new Error(classification);
    const { retention, timeless } = await responseOf(request, { response: response as never, classification }, 0, 0);
    expect([retention, timeless]).toEqual(["no-store", true]);
  });
});

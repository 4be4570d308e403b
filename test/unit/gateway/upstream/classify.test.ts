import { describe, expect, test } from "vitest";
import type { Ledger } from "../../../../src/gateway/model/ledger.ts";
import type { NodeResponse } from "../../../../src/gateway/model/node-types.ts";
import { classify } from "../../../../src/gateway/upstream/classify.ts";
import { requestFor } from "../requests.ts";
import { ledgerAt, responseOf } from "./nodes.ts";

const TIP = ledgerAt(1_000n, { blockHeight: 500n });
const HASH = `0x${"ab".repeat(32)}`;
const OTHER_HASH = `0x${"cd".repeat(32)}`;
const transaction = (version: number, more: object = {}) => ({
  type: "user_transaction",
  version: String(version),
  hash: HASH,
  success: true,
  vm_status: "Executed successfully",
  ...more,
});
const PENDING = { type: "pending_transaction", hash: HASH };
const moduleOf = (address: string, name: string) => ({ bytecode: "0x", abi: { address, name } });
const sent = (sender: string, sequence_number: string) => transaction(9, { sender, sequence_number });
const pageOf = (start: number, count: number) =>
  Array.from({ length: count }, (_, index) => transaction(start + index));
const block = (height: number, first: number, last: number) => ({
  block_height: String(height),
  block_hash: HASH,
  first_version: String(first),
  last_version: String(last),
});
const blockOf = (...versions: readonly number[]) => ({
  ...block(5, 9, 12),
  transactions: versions.map((version) => transaction(version)),
});
const event = (sequenceNumber: number) => ({
  version: "7",
  sequence_number: String(sequenceNumber),
  type: "u64",
  guid: { account_address: "0x1", creation_number: "4" },
});
const error = (code: string) => ({ message: "no", error_code: code, vm_error_code: null });

/** The kind of a valid response with the version that it reveals, or why it is invalid. */
async function kindOf(path: string, response: NodeResponse, body?: string, accept?: string): Promise<string> {
  const request = await requestFor(body === undefined ? "GET" : "POST", path, body ?? null, accept);
  const found = classify(request, response);
  return typeof found === "string" ? found : `${found.kind} ${found.revealsVersion}`;
}
const json = (path: string, body: unknown, ledger: Ledger | null = TIP, status = 200): Promise<string> =>
  kindOf(path, responseOf(body, ledger, status));

describe("a body of status 200 is", () => {
  const tag = "0x1::a::B";
  const account = { sequence_number: "7", authentication_key: "0x00" };
  test.each<[string, string, unknown, string]>([
    ["a transaction at its version", "/v1/transactions/by_version/9", transaction(9), "committed 9"],
    ["a transaction at the tip", "/v1/transactions/by_version/1000", transaction(1_000), "committed 1000"],
    ["one above the reported tip", "/v1/transactions/by_version/1001", transaction(1_001), "current 1000"],
    ["a transaction by its hash", `/v1/transactions/by_hash/${HASH}`, transaction(9), "committed 9"],
    ["a pending one", `/v1/transactions/by_hash/${HASH}`, PENDING, "pending 1000"],
    ["a block at its height", "/v1/blocks/by_height/5", block(5, 9, 12), "committed 12"],
    ["a block that ends above the tip", "/v1/blocks/by_height/5", block(5, 999, 1_001), "current 1000"],
    ["the block of its first version", "/v1/blocks/by_version/9", block(5, 9, 12), "committed 12"],
    ["the block of its last version", "/v1/blocks/by_version/12", block(5, 9, 12), "committed 12"],
    ["a block and its transactions", "/v1/blocks/by_height/5", blockOf(9, 12), "committed 12"],
    ["a full page", "/v1/transactions?start=7&limit=2", [transaction(7), transaction(8)], "committed 8"],
    ["more than a page", "/v1/transactions?start=7&limit=1", pageOf(7, 2), "more than the limit of transactions"],
    ["a page beyond the tip", "/v1/transactions?start=1000&limit=2", pageOf(1_000, 2), "current 1000"],
    ["a full page of the default size", "/v1/transactions?start=7", pageOf(7, 25), "committed 31"],
    ["one less than that", "/v1/transactions?start=7", pageOf(7, 24), "current 1000"],
    ["a full page of the largest size", "/v1/transactions?start=7&limit=200", pageOf(7, 100), "committed 106"],
    ["one less than that size", "/v1/transactions?start=7&limit=200", pageOf(7, 99), "current 1000"],
    ["a part of a page", "/v1/transactions?start=7&limit=3", [transaction(7), transaction(8)], "current 1000"],
    ["a page without a start", "/v1/transactions?limit=2", [transaction(7), transaction(8)], "current 1000"],
    ["an empty page", "/v1/transactions?start=7&limit=2", [], "current 1000"],
    ["a full page of an account", "/v1/accounts/0x1/transactions?start=3&limit=1", [sent("0x1", "3")], "committed 9"],
    ["a full page of events", "/v1/accounts/0x1/events/4?start=2&limit=1", [event(2)], "committed 7"],
    ["a page of a handle", `/v1/accounts/0x1/events/${tag}/field?start=2&limit=1`, [event(2)], "current 1000"],
    ["a resource", `/v1/accounts/0x1/resource/${tag}`, { type: tag, data: {} }, "current 1000"],
    ["a resource at one", `/v1/accounts/0x1/resource/${tag}?ledger_version=9`, { type: tag, data: {} }, "committed 9"],
    ["one at a version to come", `/v1/accounts/0x1/resource/${tag}?ledger_version=1001`, { type: tag }, "current 1000"],
    ["a module", "/v1/accounts/0x1/module/a", moduleOf("0x1", "a"), "current 1000"],
    ["a module without an ABI", "/v1/accounts/0x1/module/a", { bytecode: "0x" }, "current 1000"],
    ["an account", "/v1/accounts/0x1", account, "current 1000"],
    ["an account at a version", "/v1/accounts/0x1?ledger_version=9", account, "committed 9"],
    ["ledger information", "/v1", { chain_id: 4, ledger_version: "1000" }, "current 1000"],
    ["a gas estimate", "/v1/estimate_gas_price", { gas_estimate: 100 }, "current null"],
    ["a health report", "/v1/-/healthy", { message: "aptos-node:ok" }, "refused null"],
  ])("%s", async (_what, path, body, expected) => {
    expect(await json(path, body)).toBe(expected);
  });
});

describe("a record without its outcome is not kept:", () => {
  const without = (...names: readonly string[]) => {
    const left = Object.entries(transaction(9, { sender: "0x1", sequence_number: "3" }));
    return Object.fromEntries(left.filter(([name]) => !names.includes(name)));
  };
  test.each<[string, (record: object) => unknown]>([
    ["/v1/transactions/by_version/9", (record) => record],
    [`/v1/transactions/by_hash/${HASH}`, (record) => record],
    [`/v1/transactions/wait_by_hash/${HASH}`, (record) => record],
    ["/v1/transactions?start=8&limit=2", (record) => [transaction(8), record]],
    ["/v1/transactions?limit=2", (record) => [transaction(8), record]],
    ["/v1/accounts/0x1/transactions?start=3&limit=1", (record) => [record]],
    ["/v1/blocks/by_height/5?with_transactions=true", (record) => ({ ...blockOf(10), transactions: [record] })],
  ])("%s", async (path, bodyOf) => {
    for (const names of [["success"], ["vm_status"], ["success", "vm_status"]])
      expect(await json(path, bodyOf(without(...names)))).toBe("pending 1000");
    expect(await json(path, bodyOf({ ...without(), vm_status: null }))).toBe("pending 1000");
    // Control: with it, it is.
    expect(await json(path, bodyOf(without()))).toMatch(path.includes("?limit") ? "current 1000" : /^committed/);
  });
});

describe("a body of status 200 is not what was requested:", () => {
  const tag = "0x1::a::B";
  test.each<[string, string, unknown]>([
    ["another transaction", "/v1/transactions/by_version/9", transaction(8)],
    ["one by another hash", `/v1/transactions/by_hash/${OTHER_HASH}`, transaction(9)],
    ["a pending one of another hash", `/v1/transactions/wait_by_hash/${OTHER_HASH}`, PENDING],
    ["another block", "/v1/blocks/by_height/5", block(6, 9, 12)],
    ["the block before", "/v1/blocks/by_version/13", block(5, 9, 12)],
    ["the block after", "/v1/blocks/by_version/8", block(5, 9, 12)],
    ["a block without its last version", "/v1/blocks/by_height/5", { block_height: "5" }],
    ["a block with another's", "/v1/blocks/by_height/5", blockOf(9, 13)],
    ["another page", "/v1/transactions?start=7&limit=2", [transaction(8), transaction(9)]],
    ["a page with a gap", "/v1/transactions?start=7&limit=2", [transaction(7), transaction(9)]],
    ["a page of another account", "/v1/accounts/0x1/transactions?start=3&limit=1", [sent("0x2", "3")]],
    ["a page of an account from elsewhere", "/v1/accounts/0x1/transactions?start=3&limit=1", [sent("0x1", "4")]],
    ["other events", "/v1/accounts/0x1/events/4?start=2&limit=1", [event(3)]],
    ["another resource", `/v1/accounts/0x1/resource/${tag}`, { type: "0x1::a::C", data: {} }],
    ["another module", "/v1/accounts/0x1/module/a", moduleOf("0x1", "b")],
    ["a module of another account", "/v1/accounts/0x1/module/a", moduleOf("0x2", "a")],
    ["events of another account", "/v1/accounts/0x2/events/4?start=2&limit=1", [event(2)]],
    ["events of another creator", "/v1/accounts/0x1/events/5?start=2&limit=1", [event(2)]],
    ["an error with status 200", "/v1/accounts/0x1", error("internal_error")],
    ["ledger information of another chain", "/v1", { chain_id: 9, ledger_version: "1000" }],
    ["ledger information of another version", "/v1", { chain_id: 4, ledger_version: "1" }],
  ])("%s", async (_what, path, body) => {
    expect(await json(path, body)).toBe(`not the requested ${(await requestFor("GET", path)).endpoint}`);
  });
});

describe("a page of a node that has pruned what was asked for begins later, or is empty:", () => {
  const PRUNED = ledgerAt(1_000n, { oldestVersion: 8n });
  const tag = "0x1::a::B";
  const sentFrom = (start: number, count: number) =>
    Array.from({ length: count }, (_, index) => sent("0x1", String(start + index)));
  test.each<[string, string, unknown, string]>([
    ["an account's", "/v1/accounts/0x1/transactions?start=3&limit=5", sentFrom(6, 2), "late 1000"],
    ["an empty one", "/v1/accounts/0x1/transactions?start=3&limit=5", [], "late 1000"],
    [
      "the newest of an account's, not all of them",
      "/v1/accounts/0x1/transactions?limit=5",
      sentFrom(6, 2),
      "late 1000",
    ],
    ["the newest, an empty one", "/v1/accounts/0x1/transactions?limit=5", [], "late 1000"],
    ["events", "/v1/accounts/0x1/events/4?start=1&limit=5", [event(4), event(5)], "late 1000"],
    ["events of a handle", `/v1/accounts/0x1/events/${tag}/field?start=1&limit=5`, [event(4)], "late 1000"],
    ["the ledger's", "/v1/transactions?start=3&limit=5", pageOf(8, 5), "late 1000"],
  ])("%s", async (_what, path, body, expected) => {
    expect(await json(path, body, PRUNED)).toBe(expected);
  });

  test.each<[string, string, unknown, string]>([
    ["a whole page", "/v1/accounts/0x1/transactions?start=3&limit=2", sentFrom(3, 2), "committed 9"],
    ["a page that begins as asked", "/v1/accounts/0x1/transactions?start=3&limit=5", sentFrom(3, 2), "current 1000"],
    ["the newest, a whole page", "/v1/accounts/0x1/transactions?limit=2", sentFrom(6, 2), "current 1000"],
    ["all of an account's", "/v1/accounts/0x1/transactions?limit=5", sentFrom(0, 2), "current 1000"],
    ["the ledger's newest", "/v1/transactions?limit=5", pageOf(9, 2), "current 1000"],
    ["an empty list of state", "/v1/accounts/0x1/resources", [], "current 1000"],
  ])("control: %s is none", async (_what, path, body, expected) => {
    expect(await json(path, body, PRUNED)).toBe(expected);
  });

  test.each<[string, string, unknown, Ledger]>([
    ["of a node that has everything", "/v1/accounts/0x1/transactions?start=3&limit=5", sentFrom(6, 2), TIP],
    ["with a gap", "/v1/accounts/0x1/transactions?start=3&limit=5", [...sentFrom(6, 1), ...sentFrom(8, 1)], PRUNED],
    ["that begins earlier", "/v1/accounts/0x1/transactions?start=3&limit=5", sentFrom(2, 2), PRUNED],
    ["of another account", "/v1/accounts/0x2/transactions?start=3&limit=5", sentFrom(6, 2), PRUNED],
  ])("control: one %s is not what was requested", async (_what, path, body, ledger) => {
    expect(await json(path, body, ledger)).toBe("not the requested account_transactions");
  });

  test("in BCS too, when it is empty", async () => {
    for (const [ledger, body, expected] of [
      [PRUNED, [0], "late 1000"],
      [PRUNED, [1], "current 1000"],
      [TIP, [0], "current 1000"],
    ] as const) {
      const response = { ...responseOf(null, ledger), contentType: "application/x-bcs", body: Uint8Array.from(body) };
      const path = "/v1/accounts/0x1/transactions?start=3";
      expect(await kindOf(path, response, undefined, "application/x-bcs")).toBe(expected);
    }
  });
});

describe("a body is invalid", () => {
  test.each([
    ["null", "/v1/accounts/0x1", null, "empty, null or not JSON"],
    ["a list for an item", "/v1/transactions/by_version/9", [transaction(9)], "not the form of transaction_by_version"],
    ["an item for a page", "/v1/transactions", transaction(9), "not the form of transactions"],
    ["no item in a page", "/v1/transactions", [null], "not the form of transactions"],
    ["an event for a list", "/v1/accounts/0x1/events/0x1::a::B/c", event(2), "not the form of events_by_handle"],
    ["an item for a list", "/v1/accounts/0x1/resources", { a: 1 }, "not the form of account_resources"],
    ["nothing for an account", "/v1/accounts/0x1?ledger_version=9", [], "not the form of account"],
    ["nothing for the ledger", "/v1", [], "not the form of ledger_info"],
    [
      "two for a resource",
      "/v1/accounts/0x1/resource/0x1::a::B",
      [{ type: "0x1::a::B" }, { type: "0x1::a::B" }],
      "not the form of account_resource",
    ],
    [
      "more events than the limit",
      "/v1/accounts/0x1/events/0x1::a::B/c?limit=1",
      [event(2), event(3)],
      "more than the limit of events_by_handle",
    ],
    ["an item without a version", `/v1/transactions/by_hash/${HASH}`, { hash: HASH }, "no version"],
  ])("when it is %s", async (_what, path, body, expected) => {
    expect(await json(path, body)).toBe(expected);
  });

  test("but one of an unknown form is not: a family of nodes may add members and forms", async () => {
    expect(await json("/v1/accounts/0x1", { sequence: 7 })).toBe("current 1000");
  });
});

describe("an error is", () => {
  const at = "/v1/accounts/0x1?ledger_version=9";
  test.each<[string, number, string, string, Ledger | null, string]>([
    ["/v1/accounts/0x1", 404, "account_not_found", "absent at the tip", TIP, "absent 1000"],
    ["/v1/accounts/0x1", 404, "route_not_found", "of a code that the specification lacks", TIP, "refused 1000"],
    [at, 404, "resource_not_found", "absent at that version", TIP, "absent_at_version 9"],
    ["/v1/accounts/0x1?ledger_version=1000", 404, "module_not_found", "at the tip", TIP, "absent_at_version 1000"],
    ["/v1/accounts/0x1?ledger_version=1001", 404, "account_not_found", "above the tip", TIP, "absent 1000"],
    [at, 404, "account_not_found", "absent where no tip is reported", null, "absent null"],
    [at, 404, "version_not_found", "not there yet", TIP, "not_yet 1000"],
    ["/v1/blocks/by_height/5", 404, "block_not_found", "not there yet", TIP, "not_yet 1000"],
    ["/v1/transactions/by_version/9", 404, "transaction_not_found", "not there yet", TIP, "not_yet 1000"],
    [`/v1/transactions/by_hash/${HASH}`, 404, "transaction_not_found", "unknown", TIP, "unknown_hash 1000"],
    [at, 404, "internal_error", "of an unknown code, is not stored", TIP, "refused 1000"],
    [at, 404, "made_up", "of an unknown code, is not stored", TIP, "refused 1000"],
    [at, 404, "web_framework_error", "a path that the node does not have", TIP, "refused 1000"],
    [at, 410, "version_pruned", "pruned history", TIP, "pruned null"],
    ["/v1/blocks/by_height/5", 410, "block_pruned", "pruned history", TIP, "pruned null"],
    [at, 410, "internal_error", "no history", TIP, "refused 1000"],
    [at, 400, "invalid_input", "the request's own", TIP, "refused 1000"],
    [at, 500, "internal_error", "the node's failure", TIP, "failed 1000"],
    [at, 500, "internal_error", "one without a ledger", null, "failed null"],
  ])("%s %d %s: %s", async (path, status, code, _what, ledger, expected) => {
    expect(await json(path, error(code), ledger, status)).toBe(expected);
  });

  test("of a submit: it reveals nothing", async () => {
    const response = responseOf(error("vm_error"), TIP, 400);
    expect(await kindOf("/v1/transactions", response, "{}")).toBe("refused null");
  });

  test.each([
    ["null", "null"],
    ["half a document", '{"hash":'],
    ["nothing", ""],
  ])("an accepted submit is answered with a document, not with %s", async (_what, text) => {
    const response = { ...responseOf(null, TIP, 202), body: new TextEncoder().encode(text) };
    expect(await kindOf("/v1/transactions", response, "{}")).toBe("empty, null or not JSON");
  });

  test.each([
    ["a page of a proxy", "text/html", "<h1>414</h1>", "an error that is not JSON"],
    ["JSON of another service", "application/json", '{"error":"no"}', "an error without an error code"],
  ])("%s is not the node's error", async (_what, contentType, text, expected) => {
    const response = { ...responseOf(null, null, 414), contentType, body: new TextEncoder().encode(text) };
    expect(await kindOf("/v1/accounts/0x1", response)).toBe(expected);
  });
});

test.each(["", "text/plain", "application/json5"])(
  "JSON that is called %j is no answer of a node",
  async (contentType) => {
    const answer = (body: unknown, status: number) =>
      kindOf("/v1/transactions/by_version/9", { ...responseOf(body, TIP, status), contentType });
    expect(await answer(transaction(9), 200)).toBe("not of the requested media type");
    expect(await answer(error("transaction_not_found"), 404)).toBe("an error that is not JSON");
  },
);

describe("a read with status 200 and no readable ledger headers is refused", () => {
  test("because chain and lag cannot be checked", async () => {
    expect(await json("/v1/accounts/0x1", {}, null)).toBe("no readable ledger headers");
    expect(await json("/v1/-/healthy", { message: "ok" }, null)).toBe("refused null");
  });
});

describe("BCS is", () => {
  const bcs = (path: string, body = new Uint8Array([1]), ledger: Ledger | null = TIP): Promise<string> => {
    const response = { ...responseOf(null, ledger), contentType: "application/x-bcs", body };
    return kindOf(path, response, undefined, "application/x-bcs");
  };
  test.each([
    ["/v1/transactions/by_version/9", "committed 9"],
    ["/v1/transactions/by_version/1001", "current 1000"],
    ["/v1/blocks/by_height/500", "committed 1000"],
    ["/v1/blocks/by_height/501", "current 1000"],
    ["/v1/blocks/by_version/1000", "committed 1000"],
    ["/v1/blocks/by_version/1001", "current 1000"],
    [`/v1/transactions/by_hash/${HASH}`, "pending 1000"],
    ["/v1/accounts/0x1", "current 1000"],
    ["/v1/accounts/0x1?ledger_version=9", "committed 9"],
    ["/v1/transactions?start=1&limit=1", "current 1000"],
    ["/v1/estimate_gas_price", "current null"],
  ])("%s: %s", async (path, expected) => {
    expect(await bcs(path)).toBe(expected);
  });

  test("nothing when it is empty, or JSON was requested", async () => {
    expect(await bcs("/v1/accounts/0x1", new Uint8Array())).toBe("empty");
    const response = { ...responseOf(null, TIP), contentType: "application/x-bcs" };
    expect(await kindOf("/v1/accounts/0x1", response)).toBe("not of the requested media type");
  });
});

describe("a body above 384 KiB is not parsed", () => {
  const large = (text: string): NodeResponse => ({ ...responseOf(null, TIP), body: new TextEncoder().encode(text) });
  const filler = "x".repeat(393_216);
  test.each([
    ["a list of state", "/v1/accounts/0x1/resources", `["${filler}"]`, "current 1000"],
    ["one at a version, never final", "/v1/accounts/0x1/modules?ledger_version=9", `["${filler}"]`, "current 1000"],
    ["what has an identity", "/v1/transactions/by_version/9", `{"a":"${filler}"}`, "unchecked 1000"],
  ])("%s", async (_what, path, text, expected) => {
    expect(await kindOf(path, large(text))).toBe(expected);
  });

  test("control: one byte less is", async () => {
    const cut = (bytes: number) => large(`["${"x".repeat(bytes - 2)}`);
    expect(await kindOf("/v1/accounts/0x1/resources", cut(393_217))).toBe("current 1000");
    expect(await kindOf("/v1/accounts/0x1/resources", cut(393_216))).toBe("empty, null or not JSON");
  });
});

test.each([
  ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ["with a byte order mark", new TextEncoder().encode("\ufeff{}")],
  ["half", new TextEncoder().encode('{"half":')],
  ["null", new TextEncoder().encode("null")],
  ["empty", new Uint8Array()],
])("a body that is %s is invalid", async (_what, body) => {
  const found = await kindOf("/v1/accounts/0x1", { ...responseOf(null, TIP), body });
  expect(found).toBe("empty, null or not JSON");
});

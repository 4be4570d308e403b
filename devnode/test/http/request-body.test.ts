import { expect, test } from "vitest";
import { MAX_BODY_BYTES, SIGNED_TRANSACTION_TYPES } from "../../../src/chain/media-types.ts";
import { lengthRefusal, readBody } from "../../http/request-body.ts";

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Request =>
  new Request("http://node/v1/transactions", { method: "POST", headers, body });

test.each([
  ["application/json", '{"a":1}', { kind: "json", value: { a: 1 } }],
  ["application/json; charset=utf-8", "[]", { kind: "json", value: [] }],
  ["Application/JSON", "7", { kind: "json", value: 7 }],
  ["application/x.node.signed_transaction+bcs", "ab", { kind: "bcs", bytes: new Uint8Array([97, 98]) }],
  ["application/x.aptos.signed_transaction+bcs", "ab", { kind: "bcs", bytes: new Uint8Array([97, 98]) }],
])("a body of type %s is accepted", async (type, text, expected) => {
  expect(await readBody(post(text, { "Content-Type": type }), SIGNED_TRANSACTION_TYPES)).toEqual(expected);
});

test.each([
  ["text/plain", "{}", 415, "the `Content-Type` requested by the client is not supported: text/plain"],
  ["application/json", "", 400, "parse request payload error: EOF while parsing a value at line 1 column 0"],
  ["application/json", "Hello", 400, "parse request payload error: expected value at line 1 column 1"],
  ["application/json", '{"a": x}', 400, "parse request payload error: expected value"],
  [
    "application/json",
    '{"a":1,"b":[{"c":1,"\\u0063":2}]}',
    400,
    "parse request payload error: duplicate field `b[0].c`",
  ],
  ["application/json", '{"a": 1', 400, "parse request payload error: EOF while parsing a value at line 1 column 7"],
])("%s with %o is %i", async (type, text, status, message) => {
  expect(await readBody(post(text, { "Content-Type": type }), [])).toMatchObject({
    status,
    errorCode: "web_framework_error",
    message: expect.stringContaining(message),
  });
});

const nested = (levels: number) => `{"a]":"[[[\\"[","b":${"[".repeat(levels)}${"]".repeat(levels)}}`;

test("JSON nested deeper than 128 levels is refused, and the limit named", async () => {
  const json = { "Content-Type": "application/json" };
  expect(await readBody(post(nested(127), json), [])).toMatchObject({ kind: "json" });
  for (const text of [nested(128), "[".repeat(1_000_000), '{"a":'.repeat(200)])
    expect(await readBody(post(text, json), [])).toMatchObject({
      status: 400,
      message:
        "parse request payload error: recursion limit exceeded: arrays and objects may be nested 128 levels deep",
    });
});

test("bytes that are not UTF-8 are not JSON", async () => {
  expect(
    await readBody(post(new Uint8Array([0x22, 0xff, 0x22]), { "Content-Type": "application/json" }), []),
  ).toMatchObject({
    status: 400,
    message: "parse request payload error: invalid unicode code point at line 1 column 1",
  });
});

test("a body without a media type is 415, and so is BCS where only JSON is accepted", async () => {
  expect(await readBody(post(new Uint8Array([1]), {}), [])).toMatchObject({
    status: 415,
    message: "the client request does not include the `Content-Type` header",
  });
  const [bcsType] = SIGNED_TRANSACTION_TYPES;
  expect(await readBody(post("ab", { "Content-Type": bcsType }), [])).toMatchObject({ status: 415 });
});

test.each([
  [{}, 411],
  [{ "Content-Length": "many" }, 411],
  [{ "Content-Length": String(MAX_BODY_BYTES + 1) }, 413],
  [{ "Content-Length": String(MAX_BODY_BYTES) }, undefined],
  [{ "Content-Length": "0" }, undefined],
])("a POST that declares %o is refused with %o", (fields, status) => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) headers.set(name, value);
  const request = { headers } as Request; // only the header fields are read
  expect(lengthRefusal(request)?.status).toBe(status);
});

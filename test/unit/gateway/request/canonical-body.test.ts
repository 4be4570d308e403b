import { describe, expect, test } from "vitest";
import { canonicalBody } from "../../../../src/gateway/request/canonical-body.ts";
import type { Endpoint } from "../../../../src/gateway/request/endpoints.ts";

const JSON_TYPE = "application/json";
const bodyOf = (kind: Endpoint["body"], contentType: string | null, text: string): string => {
  const found = canonicalBody(kind, contentType, new TextEncoder().encode(text));
  if ("kind" in found) return `${found.status} ${found.errorCode}: ${found.message}`;
  return `${found.contentType} ${found.body === null ? null : new TextDecoder().decode(found.body)}`;
};

describe("the media type", () => {
  test.each<[Endpoint["body"], string | null, string]>([
    ["none", "text/plain", "null null"],
    ["view", null, "415 web_framework_error: the client request does not include the `Content-Type` header"],
    [
      "view",
      "text/plain",
      "415 web_framework_error: the `Content-Type` requested by the client is not supported: text/plain",
    ],
    ["table", "application/x.aptos.view_function+bcs", "415"],
    ["json", "application/x.node.signed_transaction+bcs", "415"],
    ["view", "application/x.aptos.view_function+bcs", "application/x.node.view_function+bcs [1]"],
    ["transaction", "application/x.aptos.signed_transaction+bcs", "application/x.node.signed_transaction+bcs [1]"],
    ["transaction", "Application/JSON; charset=utf-8", "application/json [1]"],
  ])("of a body for %s: %s", (kind, contentType, expected) => {
    expect(bodyOf(kind, contentType, "[1]").startsWith(expected)).toBe(true);
  });
});

describe("a small body", () => {
  const payload = "400 web_framework_error: parse request payload error";
  const table = '{"key_type":"u8","value_type":"u8"';
  test.each<[Endpoint["body"], string, string]>([
    ["view", "{", `${payload}: the body is not valid JSON`],
    ["view", "[".repeat(129) + "]".repeat(129), `${payload}: recursion limit exceeded`],
    ["table", "[]", `${payload}: the body is not an object`],
    ["table", `${table}}`, `${payload}: missing field \`key\``],
    ["table", '{"key":1,"value_type":"u8"}', `${payload}: missing field \`key_type\``],
    ["table", '{"key":1,"key_type":"u8"}', `${payload}: missing field \`value_type\``],
    ["table", '{"key":1,"key_type":"u7","value_type":"u8"}', "400 invalid_input: 'key_type' invalid"],
    ["raw_key", '{"key":"0x0g"}', `${payload}: \`key\` is not hex-encoded bytes`],
    ["raw_key", '{"key":1}', `${payload}: \`key\` is not hex-encoded bytes`],
    ["raw_key", '{ "key": "0AFF", "more": 1 }', 'application/json {"key":"0x0aff"}'],
    ["table", ` ${table},"key":[2, 1]}`, 'application/json {"key":[2,1],"key_type":"u8","value_type":"u8"}'],
    ["view", "[".repeat(128) + "]".repeat(128), `application/json ${"[".repeat(128)}${"]".repeat(128)}`],
    ["transaction", "{", "application/json {"],
    ["json", "{", "application/json {"],
  ])("for %s: %s", (kind, text, expected) => {
    expect(bodyOf(kind, JSON_TYPE, text)).toBe(expected);
  });
});

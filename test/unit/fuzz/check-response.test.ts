import { describe, expect, test } from "vitest";
import { type Bench, check } from "../../fuzz/check-response.ts";
import { requestOf } from "../../fuzz/generate.ts";
import { PLAIN, type RawRequest, wireBytes } from "../../fuzz/raw-request.ts";
import { type Answer, type NoAnswer, parseAnswer } from "../../fuzz/wire.ts";

const BENCH: Bench = { chain: true, secrets: ["10.1.2.3:8080"] };
const EVERYWHERE = {
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Request-Id": "5f0c2a9e-1b2c-1f",
};
const API = {
  ...EVERYWHERE,
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "RateLimit",
  RateLimit: "default;r=59;t=60",
  "RateLimit-Policy": "default;q=60;w=60",
  "X-API-Version": "1",
};
const FIGURE = {
  ...API,
  "Content-Type": "application/json",
  "Cache-Control": "public, max-age=86400",
  ETag: '"a-v1"',
  Vary: "Accept",
};
const ERROR = { ...API, "Content-Type": "application/json", "Cache-Control": "no-store" };
const NODE_ERROR = {
  ...EVERYWHERE,
  RateLimit: "node;r=299;t=60",
  "RateLimit-Policy": "node;q=300;w=60",
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  Vary: "Origin",
};
const MAX: RawRequest = { ...PLAIN, target: "/api/max-supply", expected: [200] };
const NOWHERE: RawRequest = { ...PLAIN, target: "/api/nope" };
const BAD: RawRequest = { ...PLAIN, target: "/v1/accounts/0xzz" };
const LOST = '{"message":"Path not found.","error_code":"not_found"}';
const UNREAD = '{"message":"Invalid account address","error_code":"web_framework_error","vm_error_code":null}';

function answer(status: number, fields: Record<string, string>, body: string): Answer {
  const entries = Object.entries(fields).map(([name, value]): [string, string[]] => [name.toLowerCase(), [value]]);
  return { kind: "answer", status, fields: new Map(entries), body: Buffer.from(body), reusable: true };
}

test.each([
  ["a figure", MAX, answer(200, FIGURE, "1000000000")],
  ["an unknown path", NOWHERE, answer(404, ERROR, LOST)],
  ["a refusal in the node's form", BAD, answer(400, NODE_ERROR, UNREAD)],
])("%s is accepted", (_what, raw, isValid) => {
  expect(check(raw, isValid, BENCH)).toEqual({ by: "product", faults: [] });
});

const without = (fields: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

describe("every injected fault is found", () => {
  test.each<[string, RawRequest, Answer]>([
    ["a crash", MAX, answer(500, {}, "Internal Server Error")],
    ["a figure with an exponent", MAX, answer(200, FIGURE, "1e9")],
    ["a figure of zero", MAX, answer(200, FIGURE, "0")],
    ["a quoted figure", MAX, answer(200, FIGURE, '"1000000000"')],
    ["a figure with a newline", MAX, answer(200, FIGURE, "1000000000\n")],
    ["a wrong figure", MAX, answer(200, FIGURE, "999999999")],
    ["HTML", MAX, answer(200, { ...FIGURE, "Content-Type": "text/html" }, "1000000000")],
    ["no rate limit", MAX, answer(200, without(FIGURE, "RateLimit"), "1000000000")],
    ["no policy", MAX, answer(200, without(FIGURE, "RateLimit-Policy"), "1000000000")],
    ["another surface's quota", MAX, answer(200, { ...FIGURE, RateLimit: "node;r=1;t=1" }, "1000000000")],
    ["more remaining than the quota", MAX, answer(200, { ...FIGURE, RateLimit: "default;r=61;t=60" }, "1000000000")],
    ["no request id", MAX, answer(200, without(FIGURE, "X-Request-Id"), "1000000000")],
    ["no CORS", MAX, answer(200, without(FIGURE, "Access-Control-Allow-Origin"), "1000000000")],
    ["no X-Content-Type-Options", MAX, answer(200, without(FIGURE, "X-Content-Type-Options"), "1000000000")],
    ["no ETag", MAX, answer(200, without(FIGURE, "ETag"), "1000000000")],
    ["a cookie", MAX, answer(200, { ...FIGURE, "Set-Cookie": "a=b" }, "1000000000")],
    ["a 503 without an outage", MAX, answer(503, { ...ERROR, "Retry-After": "5" }, LOST)],
    ["a 200 for an unknown path", NOWHERE, answer(200, FIGURE, "1")],
    ["an error that may be cached", NOWHERE, answer(404, { ...ERROR, "Cache-Control": "max-age=60" }, LOST)],
    ["an error with an unlisted member", NOWHERE, answer(404, ERROR, LOST.replace("}", ',"stack":""}'))],
    ["an error with an unlisted code", NOWHERE, answer(404, ERROR, LOST.replace("not_found", "oops"))],
    ["an error without a message", NOWHERE, answer(404, ERROR, '{"message":"","error_code":"not_found"}')],
    ["an error of the other surface", NOWHERE, answer(404, ERROR, UNREAD)],
    ["an error that is text", NOWHERE, answer(404, ERROR, "Not Found")],
    ["a 429 without Retry-After", MAX, answer(429, ERROR, LOST.replace("not_found", "rate_limited"))],
    ["an exception", NOWHERE, answer(404, ERROR, LOST.replace("Path", "TypeError: x is not a function; path"))],
    ["a stack", NOWHERE, answer(404, ERROR, LOST.replace("found.", "found at route (worker.js:12:7)."))],
    ["an object as text", BAD, answer(400, NODE_ERROR, UNREAD.replace("Invalid", "[object Object]"))],
    ["an upstream", BAD, answer(400, NODE_ERROR, UNREAD.replace("Invalid", "10.1.2.3:8080"))],
    ["no vm_error_code", BAD, answer(400, NODE_ERROR, UNREAD.replace(',"vm_error_code":null', ""))],
    ["an unlisted code of the node", BAD, answer(400, NODE_ERROR, UNREAD.replace("web_framework_error", "oops"))],
    [
      "an origin that is not echoed",
      { ...BAD, fields: [["Origin", "https://a.example"]] },
      answer(400, NODE_ERROR, UNREAD),
    ],
    ["the runtime's 500 to a valid request", BAD, answer(500, {}, "Internal Server Error")],
    ["the runtime's 400 to a valid request", BAD, answer(400, {}, "Bad Request")],
  ])("%s", (_what, raw, injected) => {
    expect(check(raw, injected, BENCH).faults).not.toEqual([]);
  });

  test("no response is a fault", () => {
    expect(check(MAX, { kind: "none", reason: "closed" }, BENCH)).toEqual({
      by: "none",
      faults: ["no answer: closed"],
    });
  });
});

test.each<[string, Partial<RawRequest>, number, string]>([
  ["an unknown method", { method: "BREW" }, 501, "ERROR: Unrecognized request method."],
  ["a NUL in the target", { target: "/api/\x00" }, 400, "ERROR: The headers sent by your client are not valid."],
  ["headers that are too large", { target: `/${"a".repeat(70_000)}` }, 431, "ERROR: header too large."],
  ["an invalid host", { fields: [["Host", "a b"]] }, 500, "Internal Server Error"],
])("the runtime's own response to %s is recognized", (_what, mutated, status, body) => {
  expect(check({ ...PLAIN, ...mutated }, answer(status, {}, body), BENCH)).toEqual({ by: "runtime", faults: [] });
});

test("a seed and an index always generate the same bytes, other indexes others", () => {
  const world = { hashes: ["0x1"], signed: [Uint8Array.of(1, 2, 3)], chain: true };
  const bytes = (seed: number): string[] =>
    Array.from({ length: 300 }, (_, index) => wireBytes(requestOf(seed, index, world), "h").toString("latin1"));
  expect(bytes(7)).toEqual(bytes(7));
  expect(new Set([...bytes(7), ...bytes(8)]).size).toBeGreaterThan(400);
});

test.each<[string, string, Partial<Answer | NoAnswer> | null]>([
  ["a response", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n7", { status: 200, body: Buffer.from("7") }],
  ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n7\r\n0\r\n\r\n", { body: Buffer.from("7") }],
  [
    "an interim response before it",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n",
    { status: 404 },
  ],
  ["an incomplete body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n7", null],
  ["two responses at once", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n77", { kind: "none" }],
  ["a field without a name", "HTTP/1.1 200 OK\r\n: 1\r\n\r\n", { kind: "none" }],
  ["another protocol", "SSH-2.0\r\n\r\n", { kind: "none" }],
])("%s is parsed strictly", (_what, text, read) => {
  const found = parseAnswer(Buffer.from(text, "latin1"), PLAIN, false);
  if (read === null) expect(found).toBeNull();
  else expect(found).toMatchObject(read);
});

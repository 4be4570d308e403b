import { expect, test } from "vitest";
import { applyConditional } from "../../../src/http/conditional.ts";
import type { Reply } from "../../../src/http/reply.ts";

const REPLY: Reply = {
  kind: "reply",
  status: 200,
  headers: {
    "Content-Type": "application/json",
    ETag: '"a1"',
    "Last-Modified": "Sun, 01 Nov 2026 00:00:00 GMT",
    "Cache-Control": "public, max-age=300",
  },
  body: "1000",
};

const call = (headers: Record<string, string>): Request => new Request("https://example.org/", { headers });

test.each<[Record<string, string>, number]>([
  [{}, 200],
  [{ "If-None-Match": '"a1"' }, 304],
  [{ "If-None-Match": 'W/"a1"' }, 304],
  [{ "If-None-Match": '"zz", "a1"' }, 304],
  [{ "If-None-Match": "*" }, 304],
  [{ "If-None-Match": '"a2"' }, 200],
  [{ "If-None-Match": "a1" }, 200],
  [{ "If-Modified-Since": "Sun, 01 Nov 2026 00:00:00 GMT" }, 304],
  [{ "If-Modified-Since": "Sat, 31 Oct 2026 23:59:59 GMT" }, 200],
  // Not a date of ours: as `curl -z` and `wget -N` send the time of their last request.
  [{ "If-Modified-Since": "Sun, 22 Nov 2026 00:00:00 GMT" }, 200],
  [{ "If-Modified-Since": "Sunday, 01-Nov-26 00:00:00 GMT" }, 200],
  [{ "If-Modified-Since": "2026-11-22" }, 200],
  [{ "If-None-Match": '"a2"', "If-Modified-Since": "Sun, 01 Nov 2026 00:00:00 GMT" }, 200],
])("%j is answered %i", (headers, status) => {
  expect(applyConditional(REPLY, call(headers)).status).toBe(status);
});

test("a 304 differs from its 200 in status and body alone", () => {
  expect(applyConditional(REPLY, call({ "If-None-Match": '"a1"' }))).toEqual({
    kind: "reply",
    status: 304,
    headers: REPLY.headers,
    body: null,
  });
});

test("a reading, which has an age, is revalidated by its tag alone: parts of it may be newer than its date", () => {
  const reading: Reply = { ...REPLY, headers: { ...REPLY.headers, Age: "7" } };
  expect(applyConditional(reading, call({ "If-Modified-Since": "Sun, 01 Nov 2026 00:00:00 GMT" })).status).toBe(200);
  expect(applyConditional(reading, call({ "If-None-Match": '"a1"' })).status).toBe(304);
});

test("only a 200 can become a 304", () => {
  const created: Reply = { ...REPLY, status: 202 };
  expect(applyConditional(created, call({ "If-None-Match": "*" }))).toBe(created);
});

test("a reply without a tag is never current for a tag", () => {
  const untagged: Reply = { ...REPLY, headers: { "Content-Type": "application/json" } };
  for (const tag of ['"a1"', "*"]) expect(applyConditional(untagged, call({ "If-None-Match": tag }))).toBe(untagged);
});

test("a POST is answered in full, with any validators", () => {
  const post = new Request("https://example.org/", { method: "POST", headers: { "If-None-Match": "*" } });
  expect(applyConditional(REPLY, post)).toBe(REPLY);
});

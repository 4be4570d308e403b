import { describe, expect, test } from "vitest";
import type { Reply } from "../../../src/http/handler.ts";
import { respond } from "../../../src/http/respond.ts";

const REPLY: Reply = {
  kind: "reply",
  status: 200,
  headers: { "Content-Type": "application/json", ETag: '"a"' },
  body: "7",
};

describe("one answer to GET and HEAD", () => {
  // Asked more often than once: fields that are sent again are built once and kept.
  test.each([1, 2, 3])("HEAD has every field and no body (answer %i)", (time) => {
    const [get, head] = ["GET", "HEAD"].map((method) => respond(REPLY, "api", method, [], { RateLimit: `r=${time}` }));
    expect(head?.body).toBeNull();
    expect([...(head?.headers ?? [])]).toEqual([...(get?.headers ?? [])]);
    expect(head?.headers.get("RateLimit")).toBe(`r=${time}`);
  });

  test("what one caller gets of its own is not in the next one's answer", () => {
    respond(REPLY, "api", "GET", [], { RateLimit: "r=1", "X-Request-Id": "a" });
    expect(respond(REPLY, "api", "GET", [], {}).headers.get("X-Request-Id")).toBeNull();
  });

  test("no browser guesses another type, or keeps the answer from a page elsewhere", () => {
    const { headers } = respond(REPLY, "api", "GET", [], {});
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  });

  test("Vary and Link are joined, not replaced", () => {
    const varied = { ...REPLY, headers: { Vary: "Accept", Link: "<a>" } };
    const { headers } = respond(varied, "node", "GET", [{ Vary: "Origin" }, { Link: "<b>" }], {});
    expect([headers.get("Vary"), headers.get("Link")]).toEqual(["Accept, Origin", "<a>, <b>"]);
  });
});

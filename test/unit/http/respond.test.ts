import { describe, expect, test } from "vitest";
import type { Reply } from "../../../src/http/reply.ts";
import { respond } from "../../../src/http/respond.ts";

const REPLY: Reply = {
  kind: "reply",
  status: 200,
  headers: { "Content-Type": "application/json", ETag: '"a"' },
  body: "7",
};

describe("one reply", () => {
  // Repeated, because the headers of a reply are built once and reused.
  test.each([1, 2, 3])("HEAD has every header and no body (time %i)", (time) => {
    const [get, head] = ["GET", "HEAD"].map((method) => respond(REPLY, "api", method, [], { RateLimit: `r=${time}` }));
    expect(head?.body).toBeNull();
    expect([...(head?.headers ?? [])]).toEqual([...(get?.headers ?? [])]);
    expect(head?.headers.get("RateLimit")).toBe(`r=${time}`);
  });

  test("one caller's headers are not in the next caller's response", () => {
    respond(REPLY, "api", "GET", [], { RateLimit: "r=1", "X-Request-Id": "a" });
    expect(respond(REPLY, "api", "GET", [], {}).headers.get("X-Request-Id")).toBeNull();
  });

  test("browsers must not sniff the type, and pages of other origins may read the body", () => {
    const { headers } = respond(REPLY, "api", "GET", [], {});
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  });

  test("the same reply sent with other shared headers carries those", () => {
    const sent = [{ A: "1" }, { A: "2" }, { A: "2" }, { A: "1" }].map((shared) =>
      respond(REPLY, "api", "GET", [shared, {}].slice(0, Number(shared.A)), {}),
    );
    expect(sent.map(({ headers }) => headers.get("A"))).toEqual(["1", "2", "2", "1"]);
  });

  test("a reply that was sent without a shared header is sent with it too", () => {
    const reply = { ...REPLY, headers: { "Content-Type": "text/plain" } };
    const [vary, link] = [{ Vary: "Origin" }, { Link: "<a>" }];
    const sent = [[vary], [vary], [vary, link], [vary, link], [vary], [link]].map((shared) =>
      respond(reply, "api", "GET", shared, {}),
    );
    expect(sent.map(({ headers }) => headers.get("Link"))).toEqual([null, null, "<a>", "<a>", null, "<a>"]);
  });

  test.each([204, 304])("%i never carries a body, which Response would refuse", (status) => {
    expect(respond({ ...REPLY, status }, "api", "GET", [], {}).body).toBeNull();
  });

  test("Vary and Link are joined, not replaced", () => {
    const varied = { ...REPLY, headers: { Vary: "Accept", Link: "<a>" } };
    const { headers } = respond(varied, "node", "GET", [{ Vary: "Origin" }, { Link: "<b>" }], {});
    expect([headers.get("Vary"), headers.get("Link")]).toEqual(["Accept, Origin", "<a>, <b>"]);
  });
});

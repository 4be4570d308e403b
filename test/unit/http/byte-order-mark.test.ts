import { describe, expect, test } from "vitest";
import { withByteOrderMark } from "../../../src/http/byte-order-mark.ts";
import type { GetRoute, RequestContext } from "../../../src/http/handler.ts";
import { ok } from "../../../src/http/reply.ts";

const route = (path: string, body: string): GetRoute => ({ path, handler: () => ok(body, { ETag: '"a1"' }) });
// The handler reads only the query of its context.
const asked = (given: GetRoute, query: string) => withByteOrderMark(given).handler({ query } as RequestContext);

describe("a CSV", () => {
  test.each(["bom=1", "bom=true", "unit=tokens&bom=1"])(
    "asked for with ?%s begins with the mark, and has a tag of its own",
    async (query) => {
      expect(await asked(route("/api/a.csv", "é,1\n"), query)).toMatchObject({
        body: "\ufeffé,1\n",
        headers: { ETag: '"a1-bom"' },
      });
    },
  );

  test.each(["", "bom=0", "bom=", "BOM=1"])("asked for with ?%s is as it is", async (query) => {
    expect(await asked(route("/api/a.csv", "é,1\n"), query)).toEqual(ok("é,1\n", { ETag: '"a1"' }));
  });
});

test("JSON never begins with the mark, which its readers refuse", async () => {
  expect(await asked(route("/api/a", "1"), "bom=1")).toEqual(ok("1", { ETag: '"a1"' }));
});

test("a failure stays what it is", async () => {
  const failing: GetRoute = { path: "/api/a.csv", handler: () => ({ kind: "not_found", message: "no" }) };
  expect(await asked(failing, "bom=1")).toEqual({ kind: "not_found", message: "no" });
});

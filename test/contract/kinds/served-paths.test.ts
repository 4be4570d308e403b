import { describe, expect, test } from "vitest";
import { call, isServed, kindRows } from "../../support/call.ts";

const answered = async (path: string) => {
  const response = await call("GET", path);
  const { status, headers } = response;
  return { status, text: await response.text(), version: headers.get("X-Ledger-Version"), headers };
};

test("the table has a row of each path whose answer depends on the kind", () => {
  expect(kindRows.length).toBeGreaterThan(15);
});

describe.each(kindRows)("$path: $serves", ({ path, serves }) => {
  test("is answered as the table of kinds says", async () => {
    const { status, text, version } = await answered(path);
    switch (serves) {
      case "served":
        return expect([status, text.length > 0], text).toEqual([200, true]);
      case "schedule":
        return expect([status, version], text).toEqual([200, null]);
      case "chain":
        return expect([status, version], text).toEqual([200, expect.stringMatching(/^\d+$/)]);
      case "404":
        expect(JSON.parse(text)).toEqual({
          message: expect.stringMatching(/^(This|There|The schedule|No allocation) .+\.$/),
          error_code: "not_found",
        });
        return expect(status).toBe(404);
      case "400":
        expect(JSON.parse(text)).toEqual({
          message: expect.stringContaining("/api/history"),
          error_code: "invalid_input",
        });
        return expect(status).toBe(400);
      default:
        throw new Error(`${path}: ${serves} is no answer that a test knows`);
    }
  });

  test("is in the served document exactly if it is served", () => {
    const [plain = ""] = path.split("?");
    if (plain.startsWith("/api/badge/") || serves === "400") return;
    expect(isServed(plain)).toBe(serves !== "404");
  });
});

const CHAIN = kindRows.some(({ path, serves }) => path === "/api/circulating-supply" && serves === "chain");

describe.runIf(CHAIN)("what circulates without an unlock schedule", () => {
  test.each(["", "?format=plain", "?format=result", "?decimals=exact"])("%s is the figure on chain", async (query) => {
    // Within a reading's freshness both answers are of one reading; another one may begin between them once.
    for (let attempt = 0; ; attempt += 1) {
      const [one, other] = [
        await answered(`/api/circulating-supply${query}`),
        await answered(`/api/circulating-supply-on-chain${query}`),
      ];
      if (one.version !== other.version && attempt < 2) continue;
      const of = ({ status, text, version, headers }: typeof one) => {
        return [status, text, version, headers.get("ETag"), headers.get("Cache-Control"), headers.get("Content-Type")];
      };
      return expect(of(one)).toEqual(of(other));
    }
  });

  test("the page's document has no member of a schedule, and the breakdown no plan", async () => {
    const page = JSON.parse((await answered("/api/page")).text);
    expect([page.supply, page.unavailable]).toEqual([null, {}]);
    expect(page.supply_breakdown).toMatchObject({ buckets: [], circulating_supply_scheduled: null, complete: true });
  });

  test("the feed has a revision, and no unlock", async () => {
    const { text } = await answered("/feed.atom");
    expect(text).toContain("wallet list, revision");
    expect(text).not.toContain("#unlock/");
  });
});

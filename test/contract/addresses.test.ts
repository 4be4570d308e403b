import { describe, expect, test } from "vitest";
import { call } from "../support/call.ts";
import { undocumentedHeaders } from "../support/documented.ts";
import { expectDocumented } from "../support/openapi.ts";

/** Addresses of test/fixtures/addresses.json, as trackers have them. */
const [SCHEDULED, ON_CHAIN] = ["/supply/circulating", "/api.dws?q=circulating"];
const OWN = "/api/supply";

const textOf = async (path: string, headers: Record<string, string> = {}) =>
  (await call("GET", path, { headers })).text();
const fieldsOf = async (path: string, headers: Record<string, string> = {}) => {
  const response = await call("GET", path, { headers });
  const { status, headers: fields } = response;
  return { status, text: await response.text(), type: fields.get("Content-Type"), vary: fields.get("Vary"), fields };
};

describe("a registered address answers its figure in its form", () => {
  test.each([
    ["/api.dws?q=totalcoins", "/api/total-supply", "application/json"],
    ["/api.dws?q=circulating", "/api/circulating-supply-on-chain", "application/json"],
    ["/api.dws?q=maxcoins", "/api/max-supply", "application/json"],
    ["/api/supply?q=totalSupply", "/api/total-supply", "application/json"],
    ["/api/supply?q=circulatingSupply", "/api/circulating-supply", "application/json"],
    ["/api/supply?q=both+of%20them", "/api/max-supply?format=plain", "text/plain; charset=utf-8"],
    ["/supply/circulating", "/api/circulating-supply?format=plain", "text/plain; charset=utf-8"],
    ["/supply/exact", "/api/circulating-supply?decimals=exact", "application/json"],
    ["/api/v1/token/circulatingSupply", "/api/circulating-supply-on-chain?format=result", "application/json"],
    ["/token?fig%5B%5D=a%20b", "/api/max-supply", "application/json"],
    ["/token", "/api/circulating-supply", "application/json"],
  ])("%s as %s", async (address, figure, type) => {
    const answered = await fieldsOf(address);
    expect(answered).toMatchObject({ status: 200, text: await textOf(figure), type });
    expect(answered.text).toMatch(/[1-9]/);
  });

  test("in base units: digits without a point", async () => {
    const answered = await fieldsOf("/api/totalSupply");
    const exact = await textOf("/api/total-supply?decimals=exact&format=plain");
    const [whole = "", fraction = ""] = exact.split(".");
    expect(answered).toMatchObject({ text: whole + fraction.padEnd(8, "0"), type: "text/plain; charset=utf-8" });
  });

  test("as an object with members of the operator's names, in the file's order", async () => {
    const [body, scheduled, max, onChain, total] = await Promise.all([
      textOf("/api/token"),
      textOf("/api/circulating-supply"),
      textOf("/api/max-supply?decimals=exact"),
      textOf("/api/circulating-supply-on-chain?decimals=exact&format=plain"),
      textOf("/api/total-supply?decimals=exact"),
    ]);
    const units = (exact: string) => {
      const [whole = "", fraction = ""] = exact.split(".");
      return whole + fraction.padEnd(8, "0");
    };
    expect(body).toBe(
      `{"symbol":"APT","circulating_supply":${scheduled},"total_supply":"${max}","maxSupply":"${units(max)}","onChain":"${units(onChain)}","chainTotal":${total}}`,
    );
  });
});

describe("an address has one form", () => {
  test.each(["format=plain", "decimals=exact", "format=wrong", "month=2024-01", "utm_source=a&utm_source=b"])(
    "%s changes nothing",
    async (query) => {
      expect(await fieldsOf(`${ON_CHAIN}&${query}`)).toMatchObject({ status: 200, text: await textOf(ON_CHAIN) });
      expect(await fieldsOf(`/token?${query}`)).toMatchObject({ status: 200, text: await textOf("/token") });
    },
  );

  test("Accept changes nothing, and no cache is told that it does", async () => {
    const [json, text] = [await fieldsOf("/token"), await fieldsOf("/token", { Accept: "text/plain" })];
    expect([text.type, text.text]).toEqual([json.type, json.text]);
    expect(json.vary).toBe("X-API-Version");
  });
});

describe("matching", () => {
  test("a parameter given twice is 400", async () => {
    const { status, text } = await fieldsOf("/api.dws?q=maxcoins&q=maxcoins");
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { message: "Parameter q is given more than once.", error_code: "invalid_input" },
    ]);
  });

  test.each(["/api.dws?q=supply", "/api.dws?q=", "/api.dws", "/api.dws?Q=maxcoins", "/api.dws?q=MAXCOINS"])(
    "%s is 404 with the list of values",
    async (address) => {
      const { status, text } = await fieldsOf(address);
      expect([status, JSON.parse(text)]).toEqual([
        404,
        { message: "Parameter q must be one of: totalcoins, circulating, maxcoins.", error_code: "not_found" },
      ]);
    },
  );

  test("a value that no entry has is 404 on a path of ours too, and without the parameter our answer stays", async () => {
    expect(await fieldsOf(`${OWN}?q=other`)).toMatchObject({ status: 404 });
    const body = JSON.parse(await textOf(OWN));
    expect(body).toMatchObject({ max: { tokens: expect.any(String) }, schedule_revision: 1 });
    expect(await fieldsOf(`${OWN}?month=2024-01`)).toMatchObject({ status: 400 });
  });

  test.each(["/supply/circulating/", "/Supply/circulating", "/supply/%63irculating", "/supply"])(
    "a path is compared as sent: %s is none",
    async (path) => {
      expect(await fieldsOf(path)).toMatchObject({ status: 404 });
    },
  );
});

describe.each([SCHEDULED, ON_CHAIN, "/api/token", `${OWN}?q=totalSupply`])("%s keeps the rules of /api", (address) => {
  test("the limit, the version, CORS and the form of errors", async () => {
    const { fields } = await fieldsOf(address);
    expect(fields.get("RateLimit")).toMatch(/^default;r=\d+;t=\d+$/);
    expect(fields.get("RateLimit-Policy")).toBe("default;q=60;w=60");
    expect(fields.get("X-API-Version")).toBe("1");
    expect(fields.get("Access-Control-Allow-Origin")).toBe("*");
    expect(fields.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    const refused = await fieldsOf(address, { "X-API-Version": "9" });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([400, { error_code: "unsupported_version" }]);
    const posted = await call("POST", address);
    expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const asked = await call("OPTIONS", address, { headers: { Origin: "https://page.example" } });
    expect(asked.status).toBe(204);
  });

  test("HEAD, and conditional requests by the tag of the body", async () => {
    const [get, head] = [await fieldsOf(address), await call("HEAD", address)];
    const tag = get.fields.get("ETag") ?? "";
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", tag]);
    const same = await call("GET", address, { headers: { "If-None-Match": tag } });
    expect([same.status, await same.text()]).toEqual([304, ""]);
    expect(await fieldsOf(address, { "If-None-Match": '"other"' })).toMatchObject({ status: 200 });
  });
});

test("a figure from the chain has its age and its ledger version, one from the schedule neither", async () => {
  for (const address of [ON_CHAIN, "/api/token"]) {
    const { fields } = await fieldsOf(address);
    expect([fields.get("Age"), fields.get("X-Ledger-Version")]).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
    ]);
  }
  const { fields } = await fieldsOf(SCHEDULED);
  expect([fields.get("Age"), fields.get("X-Ledger-Version")]).toEqual([null, null]);
});

describe("the served document describes every answer", () => {
  const documentOf = async () => JSON.parse(await textOf("/api/openapi.json"));

  test.each([
    ["/api.dws", "?q=totalcoins"],
    ["/api.dws", "?q=other"],
    ["/api.dws", "?q=a&q=b"],
    ["/api/supply", "?q=totalSupply"],
    ["/api/supply", "?q=both+of+them"],
    ["/api/supply", ""],
    ["/supply/circulating", ""],
    ["/supply/exact", ""],
    ["/api/v1/token/circulatingSupply", ""],
    ["/api/totalSupply", ""],
    ["/api/token", ""],
    ["/token", "?fig[]=a+b"],
    ["/token", ""],
  ])("of %s%s, with its headers", async (path, query) => {
    const document = await documentOf();
    const response = await call("GET", path + query);
    const { status } = response;
    const names = [...response.headers.keys()];
    await expectDocumented(document, "GET", path, response);
    if (status === 200) expect(undocumentedHeaders(document, path, status, names)).toEqual([]);
  });
});

test("health names the hash of the file", async () => {
  const health = JSON.parse(await textOf("/api/health"));
  expect(health.addresses_sha256).toMatch(/^[0-9a-f]{64}$/);
});

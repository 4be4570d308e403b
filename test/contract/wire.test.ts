import { describe, expect, test } from "vitest";
import nodeDocument from "../../openapi/node.json" with { type: "json" };
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { call, isServed, registeredPaths, served, servesNode } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { exampleOf, expectDocumented } from "../support/openapi.ts";

/** The headers that a page may read. */
const READABLE = [
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-API-Version",
  "Deprecation",
  "Sunset",
  "Link",
  "ETag",
  "Last-Modified",
  "Age",
  "Date",
  "Cache-Status",
  "Allow",
  "Server-Timing",
  "X-Request-Id",
  "X-Ledger-Version",
];
const DOCUMENTED = Object.keys(publicDocument.paths);
const ABSENT = DOCUMENTED.filter((path) => !isServed(path));
interface Document {
  readonly paths: object;
  readonly components: object;
  readonly tags: readonly { readonly name: string }[];
}
const NOWHERE = ["/api", "/api/", "/api/nope", "/api/max-supply/", "/api//max-supply", "/api/max-supply%00"];

describe("documented paths", () => {
  test.each(served)("%s exists, and answers only as documented", async (path) => {
    const response = await call("GET", exampleOf(publicDocument, path));
    await expectDocumented(publicDocument, "GET", path, response);
    expect(response.status).not.toBe(404);
  });

  test.skipIf(ABSENT.length === 0).each(ABSENT)(
    "%s, which this deployment lacks: 404 with the reason",
    async (path) => {
      const response = await call("GET", exampleOf(publicDocument, path));
      const text = await expectDocumented(publicDocument, "GET", path, response);
      expect([response.status, JSON.parse(text).message]).toEqual([
        404,
        expect.stringMatching(/^(This deployment|The schedule) ((reads|has|lists) no|does not read) /),
      ]);
    },
  );

  test.each(DOCUMENTED)("%s answers HEAD with the status and fields of GET and no body", async (path) => {
    const [get, head] = [
      await call("GET", exampleOf(publicDocument, path)),
      await call("HEAD", exampleOf(publicDocument, path)),
    ];
    const fields = (response: Response) => [response.status, response.headers.get("Content-Type")];
    expect(fields(head)).toEqual(fields(get));
    expect(await head.text()).toBe("");
    await get.body?.cancel();
  });

  test.each([
    ["supply and yield", publicDocument],
    ["chain node", nodeDocument],
  ])("the document of %s states that HEAD is answered", (_name, { info }) => {
    expect(info.description).toContain("`HEAD` is answered wherever `GET` is");
  });

  test.each(DOCUMENTED)("%s refuses undocumented POST, PUT and DELETE", async (path) => {
    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await call(method, exampleOf(publicDocument, path));
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      await expectDocumented(publicDocument, "GET", path, response);
    }
  });
});

/** Outside the API a path is a file or the page's 404; inside workerd there are no assets. */
const OUTSIDE = ["/nope", "/API/max-supply", "/wp-login.php"];

describe("unknown paths", () => {
  test.each(OUTSIDE)("%s, outside the API: 404 for every client", async (path) => {
    const response = await call("GET", path);
    expect(response.status).toBe(404);
    await response.body?.cancel();
  });

  test.each(NOWHERE)("%s: 404 with the Error object, for every method", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const response = await call(method, path);
      expect(response.status).toBe(404);
      expect(response.headers.get("Content-Type")).toBe("application/json");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get("RateLimit")).toMatch(/^default;r=\d+;t=\d+$/);
      expect(await response.json()).toEqual({ message: expect.any(String), error_code: "not_found" });
    }
  });
});

describe("versions", () => {
  test.each([undefined, "1"])("X-API-Version %j is version 1", async (version) => {
    const response = await call(
      "GET",
      "/api/max-supply",
      version === undefined ? {} : { headers: { "X-API-Version": version } },
    );
    expect([response.status, response.headers.get("X-API-Version")]).toEqual([200, "1"]);
    expect(response.headers.get("Vary"), "shared caches must store versions separately").toContain("X-API-Version");
    expect([response.headers.get("Deprecation"), response.headers.get("Sunset")]).toEqual([null, null]);
  });

  test.each(["2", "0", "v1", "1.0", "latest"])(
    "X-API-Version %j is refused, naming the allowed values",
    async (version) => {
      const response = await call("GET", "/api/max-supply", { headers: { "X-API-Version": version } });
      const body = JSON.parse(await expectDocumented(publicDocument, "GET", "/api/max-supply", response));
      expect(response.status).toBe(400);
      expect(body).toEqual({ message: expect.stringContaining("allowed: 1"), error_code: "unsupported_version" });
    },
  );

  test("an unknown version spends quota like any other request", async () => {
    const remaining = (response: Response): number =>
      Number(/;r=(\d+)/.exec(response.headers.get("RateLimit") ?? "")?.[1]);
    // On a busy machine the isolate may count one of the two by itself.
    await eventually(async () => {
      const before = remaining(await call("GET", "/api/max-supply"));
      const refused = remaining(await call("GET", "/api/max-supply", { headers: { "X-API-Version": "9" } }));
      expect(refused).toBeLessThan(before);
    });
  });
});

describe("pages of other origins", () => {
  const headers = { Origin: "https://page.example" };

  test.each([
    ["GET", "/api/max-supply", 200],
    ["GET", "/api/nope", 404],
    ["POST", "/api/max-supply", 405],
    ["GET", "/api/circulating-supply?month=never", 400],
  ])("%s %s may be read, with status %i", async (method, path, status) => {
    const response = await call(method, path, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Access-Control-Expose-Headers")?.split(", ")).toEqual(READABLE);
  });

  test("a preflight is cacheable, allows the version field and costs no quota", async () => {
    const preflight = () =>
      call("OPTIONS", "/api/rates", {
        headers: {
          ...headers,
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "x-api-version,traceparent",
        },
      });
    const [first, second] = [await preflight(), await preflight()];
    expect([first.status, await first.text()]).toEqual([204, ""]);
    expect(first.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    expect(first.headers.get("Access-Control-Allow-Headers")).toBe("x-api-version,traceparent");
    expect(first.headers.get("Vary")).toContain("Access-Control-Request-Headers");
    expect(Number(first.headers.get("Access-Control-Max-Age"))).toBeGreaterThan(0);
    expect(first.headers.get("RateLimit")?.split(";")[1]).toBe(second.headers.get("RateLimit")?.split(";")[1]);
  });

  test("a preflight of an unknown path is 404, readable from any origin", async () => {
    const response = await call("OPTIONS", "/api/nope", { headers });
    expect([response.status, response.headers.get("Access-Control-Allow-Origin")]).toEqual([404, "*"]);
  });
});

/** Generators of clients take no relative address. */
const ON_THIS_HOST = [{ url: "https://edge.test", description: "This host" }];

describe("discovery", () => {
  test("/.well-known/api-catalog links the document of each served surface (RFC 9727)", async () => {
    const response = await call("GET", "/.well-known/api-catalog");
    expect(response.headers.get("Content-Type")).toMatch(/^application\/linkset\+json/);
    expect(response.headers.get("Link")).toMatch(/rel="api-catalog"/);
    const { linkset } = (await response.json()) as {
      linkset: { anchor: string; "service-desc": { href: string }[] }[];
    };
    expect(linkset.map((each) => new URL(each["service-desc"][0]?.href ?? "").pathname)).toEqual([
      "/api/openapi.json",
      ...(servesNode ? ["/v1/spec.json"] : []),
    ]);
  });

  test("HEAD of the catalog has the fields of GET", async () => {
    const response = await call("HEAD", "/.well-known/api-catalog");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("Link")).toMatch(/rel="api-catalog"/);
  });

  test("/api/openapi.json is the document itself, without the paths that are absent", async () => {
    const { paths, components, tags, ...document } = (await (
      await call("GET", "/api/openapi.json")
    ).json()) as Document;
    const { paths: all, components: _all, tags: allTags, ...whole } = publicDocument;
    expect(document).toEqual({ ...whole, servers: ON_THIS_HOST });
    const withoutRegistered = (of: object) =>
      Object.fromEntries(Object.entries(of).filter(([path]) => !registeredPaths.includes(path)));
    const own = Object.fromEntries(Object.entries(all).filter(([path]) => isServed(path)));
    expect(withoutRegistered(paths)).toEqual(withoutRegistered(own));
    expect(tags.map(({ name }) => name)).toEqual(isServed("/api/rates") ? ["Supply", "Yield"] : ["Supply"]);
    if (ABSENT.length === 0) expect([components, tags]).toEqual([publicDocument.components, allTags]);
  });

  test.skipIf(servesNode)("no path of the node interface exists", async () => {
    for (const path of ["/v1", "/v1/spec.json", "/v1/accounts/0x1"]) {
      const response = await call("GET", path);
      expect([response.status, await response.json()]).toMatchObject([404, { error_code: "web_framework_error" }]);
    }
  });

  test.skipIf(!servesNode)("/v1/spec.json is the node interface's document, under the node's policy", async () => {
    const response = await call("GET", "/v1/spec.json");
    expect([response.status, response.headers.get("RateLimit-Policy")?.split(";")[0]]).toEqual([200, "node"]);
    expect(await response.json()).toEqual({ ...nodeDocument, servers: ON_THIS_HOST });
  });
});

test("only a request with X-Server-Timing gets the limiter mode and duration", async () => {
  const plain = await call("GET", "/api/max-supply");
  const timed = await call("GET", "/api/max-supply", { headers: { "X-Server-Timing": "1" } });
  expect(plain.headers.get("Server-Timing")).toBeNull();
  expect(timed.headers.get("Server-Timing")).toMatch(/^limiter;dur=\d+;desc="(exact|local) [a-z-]+", total;dur=\d+$/);
});

test("no response sets a cookie, and each has its own id", async () => {
  const responses = [
    await call("GET", "/api/max-supply"),
    await call("GET", "/api/nope"),
    await call("OPTIONS", "/api/rates"),
  ];
  expect(responses.map((response) => response.headers.get("Set-Cookie"))).toEqual([null, null, null]);
  expect(new Set(responses.map((response) => response.headers.get("X-Request-Id"))).size).toBe(3);
});

import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";

test("a setting of spaces only has its default", () => {
  const result = parseConfig({ CHAIN_ID: " ", RATE_LIMIT_NODE: "  " });
  expect(result.kind === "config" && result.config).toMatchObject({
    chains: [{ chain: { chainId: null } }],
    policies: { node: { quota: 300, windowSeconds: 60 } },
  });
});

test("an empty environment is a valid local one", () => {
  expect(parseConfig({})).toMatchObject({
    kind: "config",
    config: {
      environment: "local",
      chains: [{ nodeUrls: [], chain: { chainId: null } }],
      ratesUrl: null,
      policies: {
        default: { name: "default", quota: 60, windowSeconds: 60 },
        node: { name: "node", quota: 300, windowSeconds: 60 },
      },
    },
  });
});

test.each([
  ["CHAIN_ID", "0"],
  ["CHAIN_ID", "256"],
  ["CHAIN_ID", "1.5"],
  ["RATE_LIMIT_DEFAULT", "60"],
  ["RATE_LIMIT_DEFAULT", "0/60"],
  ["RATE_LIMIT_DEFAULT", "10001/60"],
  ["RATE_LIMIT_NODE", "300/0"],
  ["RATE_LIMIT_NODE", "300/3601"],
  ["RATE_LIMIT_NODE", "-1/60"],
  ["LIMITER_SHARDS", "0"],
  ["LIMITER_SHARDS", "65"],
  ["STALE_IF_ERROR_SECONDS", "3601"],
  ["LIMITER_SHARDS", "many"],
  ["LIMITER_SHARDS", "1e3"],
  ["NODE_URLS", ","],
  ["NODE_URLS", "https://node.example"],
  ["NODE_URLS", "https://node.example/v1/"],
  ["NODE_URLS", "https://node.example/v1?key=1"],
  ["NODE_URLS", "https://user:secret@node.example/v1"],
  ["NODE_URLS", "ftp://node.example/v1"],
  ["NODE_URLS", "https://node.example/v1,https://NODE.example:443/v1"],
  ["NODE_URLS", "node.example/v1"],
  ["RATES_URL", "not a url"],
  ["NODE_HEADER_PREFIX", "X NODE"],
  ["CLIENT_IP_HEADER", "CF Connecting"],
  ["ENVIRONMENT", "prod"],
  ["STALE_IF_ERROR_SECONDS", "-1"],
  ["BUILD_REVISION", 7],
  ["METRICS_SAMPLE_RATE", "2"],
  ["METRICS_SAMPLE_RATE", "-0.1"],
  ["METRICS_SAMPLE_RATE", "1e-3"],
  ["METRICS_SAMPLE_RATE", "all"],
  ["NODE_GATEWAY", "yes"],
  ["CONTACT_URL", "ops@example.org"],
  ["NATIVE_ASSET", 5],
  ["NATIVE_ASSET", "0x1::a::B<<>"],
  ["STABLE_ASSET", 5],
  ["STABLE_ASSET", "0x1::a::B<0x1::c::D"],
])("%s = %j is refused by name", (name, value) => {
  const result = parseConfig({ [name]: value });
  expect(result.kind).toBe("problems");
  expect(result.kind === "problems" && result.problems).toEqual([expect.stringMatching(`^${name} `)]);
});

test.each([
  ["LIMITER_SHARDS", "64"],
  ["CHAIN_ID", "1"],
  ["CHAIN_ID", "255"],
  ["STALE_IF_ERROR_SECONDS", "0"],
  ["STALE_IF_ERROR_SECONDS", "3600"],
])("%s = %j, at the bound, is accepted", (name, value) => {
  expect(parseConfig({ [name]: value }).kind).toBe("config");
});

test("every problem is reported at once", () => {
  const result = parseConfig({
    ENVIRONMENT: "production",
    LIMITER_SHARDS: "0",
    RATE_LIMIT_DEFAULT: "x",
    CHAIN_ID: "no",
  });
  expect(result.kind === "problems" && result.problems.map((problem) => problem.split(" ")[0])).toEqual([
    "RATE_LIMIT_DEFAULT",
    "CHAIN_ID",
    "LIMITER_SHARDS",
    "NODE_URLS",
    "RATES_URL",
  ]);
});

test("no problem repeats a URL, which may contain a secret; a node's key has a setting of its own", () => {
  const problemOf = (name: string) => JSON.stringify(parseConfig({ [name]: "https://user:s3cret@one.example/v1" }));
  for (const name of ["NODE_URLS", "ALERT_WEBHOOK"]) expect(problemOf(name)).not.toContain("s3cret");
  expect(problemOf("NODE_URLS")).toContain("put it into NODE_API_KEY");
  expect(problemOf("ALERT_WEBHOOK")).toMatch(/ALERT_WEBHOOK contains a URL with credentials"/);
});

describe("a node's key", () => {
  const problemsOf = (NODE_URLS: string, NODE_API_KEY = ""): readonly string[] => {
    const result = parseConfig({ NODE_URLS, NODE_API_KEY });
    return result.kind === "problems" ? result.problems : [];
  };
  const ADVICE =
    "a key is a secret: put it into NODE_API_KEY, as KEY or as Header: KEY, or write {key} where it stands in the path";

  test.each([
    "https://a.example/v1?apikey=s3cret",
    "https://a.example/9f86d081884c7d659a2f/v1",
    "https://a.example/v1/QmFzZTY0S2V5T2YyMDI2/v1",
    "https://a.example/123e4567-e89b-12d3-a456-426614174000/v1",
  ])("is refused in an address, with what to do instead: %s", (url) => {
    expect(problemsOf(url)).toEqual([`NODE_URLS contains a URL with a key or a query; ${ADVICE}`]);
  });

  test.each([
    ["https://a.example/v1", "key-of-a"],
    ["https://a.example/v1", "id:secret=="],
    ["https://a.example/v1", "X-Api-Key: k-123456"],
    ["https://a.example/v1", "Authorization: Basic azpwYXNzd29yZA=="],
    ["https://a.example/aptos-mainnet-fullnode-2/v1", ""],
    ["https://a.example/{key}/v1", "9f86d081884c7d659a2f"],
    ["https://a.example/v1,https://b.example/{key}/v1", ",key-of-b"],
  ])("for %s is taken as %s", (url, key) => {
    expect(problemsOf(url, key)).toEqual([]);
  });

  test.each([
    ["https://a.example/{key}/v1", "", "NODE_URLS contains {key} without an entry at its place in NODE_API_KEY"],
    [
      "https://a.example/{key}/v1,https://b.example/v1",
      ",key-of-b",
      "NODE_URLS contains {key} without an entry at its place",
    ],
    ["https://a.example/v1", "my s3cret key", "NODE_API_KEY has an entry that is neither a key without spaces nor"],
    ["https://a.example/v1", "X-Api-Key:  ", "NODE_API_KEY has an entry that is neither a key"],
    ["https://a.example/v1", "s3cret", "NODE_API_KEY has a key of fewer than 8 characters"],
    ["https://a.example/v1", "X-Api-Key: s3cret", "NODE_API_KEY has a key of fewer than 8 characters"],
    ["https://a.example/v1", "X Api: s3cret", "NODE_API_KEY has an entry that is neither a key"],
    ["https://a.example/v1", "s3cret\u00fc", "NODE_API_KEY has an entry that is neither a key"],
  ])("for %s as %s is a problem that does not repeat it", (url, key, problem) => {
    expect(problemsOf(url, key)).toEqual([expect.stringContaining(problem)]);
    expect(problemsOf(url, key).join()).not.toContain("s3cret");
  });
});

test.each(["staging", "production"])("%s does not fall back to the embedded node", (ENVIRONMENT) => {
  const result = parseConfig({ ENVIRONMENT });
  expect(result.kind === "problems" && result.problems.map((problem) => problem.split(" ")[0])).toEqual([
    "NODE_URLS",
    "CHAIN_ID",
    "RATES_URL",
  ]);
});

test("production requires its upstreams and the id of their chain", () => {
  const settled = {
    ENVIRONMENT: "production",
    CHAIN_ID: "4",
    NODE_URLS: "https://a.example/v1, https://b.example/v1",
    RATES_URL: "https://yields.example/pools",
  };
  expect(parseConfig(settled)).toMatchObject({
    kind: "config",
    config: { chains: [{ nodeUrls: ["https://a.example/v1", "https://b.example/v1"] }] },
  });
});

test.each([
  [{ BUILD_REVISION: "abc", VERSION_METADATA: { id: "v-1" } }, "abc", "v-1"],
  [{ VERSION_METADATA: { id: "v-1", tag: "" } }, "v-1", "v-1"],
  [{ VERSION_METADATA: { id: "" } }, "local", null],
  [{ VERSION_METADATA: "v-1" }, "local", null],
  [{}, "local", null],
])("%j has the build revision %s and the version %j", (env, revision, version) => {
  expect(parseConfig(env)).toMatchObject({ config: { buildRevision: revision, versionId: version } });
});

test.each([
  [{}, 1],
  [{ METRICS_SAMPLE_RATE: "0.01" }, 0.01],
  [{ METRICS_SAMPLE_RATE: "0" }, 0],
  [{ METRICS_SAMPLE_RATE: "1.0" }, 1],
])("%j has the sample rate %d", (env, metricsSampleRate) => {
  expect(parseConfig(env)).toMatchObject({ config: { metricsSampleRate } });
});

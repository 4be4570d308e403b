import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { planDeployment } from "../../tools/deploy/plan.ts";
import { bucket, file, valid } from "./supply/schedules.ts";

const TOKEN = `0x${"c0".repeat(20)}`;
const escrow = { chain: "native", address: "0xe5c" };
const { chains = [] } = valid(
  file({
    buckets: [bucket()],
    chains: [
      { id: "base-main", family: "evm", chain_id: 8453, asset: TOKEN, supply: "issued" },
      { id: "side", family: "move", chain_id: 7, asset: "0xab", supply: "bridged", escrow },
    ],
  }),
);
const FIRST = { NODE_URLS: "https://node.example/v1", CHAIN_ID: "4", RATES_URL: "none" };
const GOOD = {
  ...FIRST,
  NODE_URLS_BASE_MAIN: "https://a.example/{key},https://b.example/rpc",
  NODE_API_KEY_BASE_MAIN: "secret-key",
  NODE_URLS_SIDE: "https://side.example/v1",
};

const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  const parsed = parseConfig(env, chains);
  return parsed.kind === "problems" ? parsed.problems : [];
};

test("each further chain has nodes and keys of its own, by its id in capitals", () => {
  const parsed = parseConfig(GOOD, chains);
  if (parsed.kind === "problems") throw new Error(parsed.problems.join());
  expect(parsed.config.chains.slice(1).map(({ chain, nodeUrls, nodeKeys }) => [chain.id, nodeUrls, nodeKeys])).toEqual([
    ["base-main", ["https://a.example/{key}", "https://b.example/rpc"], ["secret-key"]],
    ["side", ["https://side.example/v1"], [""]],
  ]);
});

test("none is a chain that is not read, and locally none is needed", () => {
  for (const env of [{ ...FIRST, NODE_URLS_BASE_MAIN: "none", NODE_URLS_SIDE: "none" }, FIRST]) {
    const parsed = parseConfig(env, chains);
    if (parsed.kind === "problems") throw new Error(parsed.problems.join());
    expect(parsed.config.chains.slice(1).map(({ nodeUrls }) => nodeUrls)).toEqual([[], []]);
  }
});

test.each<readonly [string, Readonly<Record<string, string>>, RegExp]>([
  [
    "deployed without nodes",
    { ENVIRONMENT: "staging", NODE_URLS_SIDE: "" },
    /^NODE_URLS_SIDE is empty; name the nodes of side, or none for a deployment that does not read it$/,
  ],
  ["a Move node without /v1", { NODE_URLS_SIDE: "https://side.example" }, /^NODE_URLS_SIDE .* does not end in \/v1$/],
  [
    "a key in an address",
    { NODE_URLS_BASE_MAIN: "https://a.example/v3/0123456789abcdef0123456789" },
    /^NODE_URLS_BASE_MAIN contains a URL with a key .*NODE_API_KEY_BASE_MAIN/,
  ],
  [
    "one host twice",
    { NODE_URLS_BASE_MAIN: "https://b.example/1,https://b.example/2" },
    /^NODE_URLS_BASE_MAIN names one host twice/,
  ],
  ["{key} without a key", { NODE_API_KEY_BASE_MAIN: "" }, /^NODE_URLS_BASE_MAIN contains {key} without an entry/],
  [
    "more keys than nodes",
    { NODE_API_KEY_SIDE: "key-of-a,key-of-b" },
    /^NODE_API_KEY_SIDE has more keys than NODE_URLS_SIDE/,
  ],
  [
    "the first chain again",
    { CHAIN_ID: "7", NATIVE_ASSET: "0xab" },
    /^NODE_URLS_SIDE is for the chain and asset that CHAIN_ID and NATIVE_ASSET name/,
  ],
])("refused: %s", (_what, changes, problem) => {
  expect(problemsOf({ ...GOOD, ...changes })).toEqual([expect.stringMatching(problem)]);
});

describe("a deployment", () => {
  const FILE = {
    name: "edge",
    main: "src/worker.ts",
    env: {
      staging: {
        name: "edge-staging",
        secrets: { required: ["NODE_URLS"] },
        vars: { ENVIRONMENT: "staging", RATES_URL: "none", CHAIN_ID: "4" },
      },
    },
  };
  const plan = (given: Readonly<Record<string, string>>, isDeployed = false) =>
    planDeployment(FILE, "staging", given, { revision: "abc", isDeployed, chains });
  const { CHAIN_ID: _id, RATES_URL: _rates, ...secrets } = GOOD;

  test("keeps the nodes of each chain as secrets that the platform requires", () => {
    const planned = plan(secrets);
    if (planned.kind !== "plan") throw new Error(planned.problems.join());
    expect(planned.plan.secrets).toEqual(secrets);
    expect(JSON.stringify(planned.plan.config)).not.toContain("a.example");
    expect(planned.plan.config["secrets"]).toEqual({
      required: ["NODE_URLS", "NODE_URLS_BASE_MAIN", "NODE_URLS_SIDE"],
    });
    expect(planned.notes).toContainEqual(expect.stringMatching(/^NODE_URLS_SIDE names one node/));
  });

  test("is refused without them, unless they are stored", () => {
    const first = { NODE_URLS: GOOD.NODE_URLS };
    expect(plan(first)).toMatchObject({
      kind: "problems",
      problems: [
        expect.stringMatching(/^NODE_URLS_BASE_MAIN is empty; .* it is stored as a secret$/),
        expect.stringMatching(/^NODE_URLS_SIDE is empty/),
      ],
    });
    expect(plan(first, true).kind).toBe("plan");
    expect(plan({ ...secrets, NODE_URLS_OTHER: "https://c.example" })).toMatchObject({
      kind: "problems",
      problems: [expect.stringMatching(/^NODE_URLS_OTHER is not a setting; the settings are .*NODE_URLS_BASE_MAIN/)],
    });
  });
});

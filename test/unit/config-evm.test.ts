import { describe, expect, test } from "vitest";
import { nodeAccess } from "../../src/chain/node-key.ts";
import { parseConfig } from "../../src/config.ts";

const TOKEN = "0x0000c0FFee254729296a45a3885639AC7E10F9d5";
const EVM = {
  CHAIN_FAMILY: "evm",
  CHAIN_ID: "1",
  NODE_URLS: "https://a.example,https://b.example/rpc/eth",
  NATIVE_ASSET: TOKEN,
};

function problemsOf(changes: Readonly<Record<string, string>>): readonly string[] {
  const result = parseConfig({ ...EVM, ...changes });
  return result.kind === "problems" ? result.problems : [];
}

test("a token on an EVM chain: its contract in lower case with all digits, no /v1 and no native staking", () => {
  expect(parseConfig(EVM)).toMatchObject({
    kind: "config",
    config: {
      chainSource: "configured",
      chains: [{ chain: { family: "evm", chainId: 1 }, nodeUrls: ["https://a.example", "https://b.example/rpc/eth"] }],
      assets: { native: { kind: "contract", text: TOKEN.toLowerCase() }, stable: null },
      servesNode: false,
      staking: false,
    },
  });
});

test("the family must be stated: without it the same address is one of a Move asset", () => {
  const result = parseConfig({ NATIVE_ASSET: TOKEN });
  expect(result).toMatchObject({
    config: { chains: [{ chain: { family: "move" } }], assets: { native: { kind: "fungible_asset" } } },
  });
});

test.each([
  ["CHAIN_ID", "0"],
  ["CHAIN_ID", "9007199254740992"],
  ["CHAIN_ID", "9007199254740993"],
  ["NATIVE_ASSET", ""],
  ["NATIVE_ASSET", "0x1::aptos_coin::AptosCoin"],
  ["NATIVE_ASSET", "0xdead"],
  ["NATIVE_ASSET", TOKEN.slice(2)],
  ["STABLE_ASSET", `${TOKEN}0`],
  ["NODE_GATEWAY", "on"],
  ["STAKING", "on"],
  ["NODE_URLS", ""],
  ["NODE_URLS", "https://mainnet.example/v3/{key}"],
  ["NODE_URLS", "https://mainnet.example/v3/0123456789abcdef0123456789abcdef"],
  ["NODE_URLS", "https://mainnet.example/?apikey=1"],
  ["NODE_URLS", "https://user:secret@a.example/"],
  ["NODE_URLS", "wss://a.example/"],
  ["NODE_URLS", "https://a.example/one,https://A.example:443/two"],
])("%s = %j is refused by name, once", (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} `)]);
});

test.each([
  [{ CHAIN_ID: "9007199254740991" }],
  [{ CHAIN_ID: "" }],
  [{ NODE_GATEWAY: "off", STAKING: "off" }],
  [{ STABLE_ASSET: TOKEN }],
  [{ NODE_URLS: "http://127.0.0.1:8545,http://127.0.0.1:8546" }],
  [{ NODE_URLS: "https://a.example/ext/bc/C/rpc" }],
  [{ NODE_URLS: "https://mainnet.example/v3/{key},https://b.example", NODE_API_KEY: "k3y-k3y-k3y" }],
  [{ NODE_URLS: "none", NATIVE_ASSET: "", CHAIN_ID: "" }],
])("accepted: %j", (changes) => {
  expect(problemsOf(changes)).toEqual([]);
});

test("any other family is refused by name", () => {
  const result = parseConfig({ CHAIN_FAMILY: "solana" });
  expect(result).toMatchObject({ problems: ['CHAIN_FAMILY must be one of move, evm, not "solana"'] });
});

test("a deployed one needs its chain id", () => {
  const problems = problemsOf({ ENVIRONMENT: "production", CHAIN_ID: "", RATES_URL: "none" });
  expect(problems).toEqual([expect.stringMatching("^CHAIN_ID is empty")]);
});

describe("a key in the path", () => {
  test("is set by its node's entry, and sent nowhere else", () => {
    const url = "https://mainnet.example/v3/{key}";
    expect(nodeAccess(url, "s3 cret")).toEqual({ url: "https://mainnet.example/v3/s3%20cret", headers: {} });
  });
});

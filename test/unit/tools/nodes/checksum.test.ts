import { expect, test } from "vitest";
import { planDeployment } from "../../../../tools/deploy/plan.ts";
import { withChecksum } from "../../../../tools/lib/eip55.ts";
import { addressProblems } from "../../../../tools/nodes/written-addresses.ts";
import { workerConfigs } from "../../../../tools/start/worker-configs.ts";

/** From EIP-55. */
const VECTORS = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

test.each(VECTORS)("the checksum of %s", (address) => {
  expect(withChecksum(address.toLowerCase())).toBe(address);
});

const [GOOD = "", MISTYPED] = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee",
];

test.each([
  [GOOD, true],
  [GOOD.toLowerCase(), true],
  [`0x${GOOD.slice(2).toUpperCase()}`, true],
  ["0x000000000000000000000000000000000000dEaD", true],
  ["0x000000000000000000000000000000000000DeAd", false],
  [MISTYPED, false],
  [GOOD.replace("BeAed", "BeAeD"), false],
])("an address as a person writes it: %s, accepted: %s", (NATIVE_ASSET, isAccepted) => {
  expect(addressProblems({ NATIVE_ASSET }, "evm").length).toBe(isAccepted ? 0 : 1);
  expect(addressProblems({ NATIVE_ASSET }, "move"), "of a Move chain there is none").toEqual([]);
});

test("a start takes the id of any EVM chain, which is none of the embedded node's", () => {
  const settings = { CHAIN_FAMILY: "evm", RATES_URL: "none", NATIVE_ASSET: GOOD, NODE_URLS: "https://a.example" };
  expect(workerConfigs({ ...settings, CHAIN_ID: "42161" })).toMatchObject({ kind: "configs" });
  expect(workerConfigs({ CHAIN_ID: "42161" })).toMatchObject({ kind: "problems" });
  expect(workerConfigs({ CHAIN_ID: "7" })).toMatchObject({
    edge: { vars: { CHAIN_ID: "7" } },
    node: { vars: { CHAIN_ID: "7" } },
  });
});

test("a start and a deployment refuse a mistyped one, and take the right one", () => {
  const settings = (NATIVE_ASSET: string) => ({
    CHAIN_FAMILY: "evm",
    CHAIN_ID: "1",
    RATES_URL: "none",
    NATIVE_ASSET,
    NODE_URLS: "https://a.example,https://b.example",
  });
  const file = { env: { staging: { vars: { ENVIRONMENT: "staging" } } } };
  const planned = (address: string) =>
    planDeployment(file, "staging", settings(address), { revision: "1", isDeployed: false });
  const problems = [expect.stringContaining("NATIVE_ASSET fails its checksum (EIP-55)")];
  expect(planned(MISTYPED ?? "")).toMatchObject({ kind: "problems", problems });
  expect(planned(GOOD)).toMatchObject({ kind: "plan" });
  expect(workerConfigs(settings(MISTYPED ?? ""))).toMatchObject({ kind: "problems", problems });
  expect(workerConfigs(settings(GOOD))).toMatchObject({ kind: "configs", parts: { chains: [{ family: "evm" }] } });
});

import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { chainsOf } from "../../src/families/token-chain.ts";
import { planDeployment } from "../../tools/deploy/plan.ts";
import { networkNotes } from "../../tools/nodes/network-notes.ts";
import { file, valid } from "./supply/schedules.ts";

const TOKEN = `0x${"c0".repeat(20)}`;
const OTHER = `0x${"d1".repeat(20)}`;
const { chains: STATED = [] } = valid(
  file({ chains: [{ id: "native", family: "evm", chain_id: 8453, asset: TOKEN }] }),
);
const NODES = { NODE_URLS: "https://a.example,https://b.example", RATES_URL: "none" };

function read(settings: Readonly<Record<string, string>>, stated = STATED) {
  const parsed = parseConfig({ ...NODES, ...settings }, stated);
  if (parsed.kind === "problems") return parsed.problems;
  const [{ chain }, ...further] = parsed.config.chains;
  expect(further).toEqual([]);
  return [chain.family, chain.chainId, chain.asset.text];
}

describe("the first chain of a token", () => {
  test("is what the schedule states, without a setting", () => {
    expect(read({})).toEqual(["evm", 8453, TOKEN]);
    expect(read({ ENVIRONMENT: "production" })).toEqual(["evm", 8453, TOKEN]);
    // Control: a schedule that states nothing leaves it to the settings.
    expect(read({ ENVIRONMENT: "production" }, [])).toEqual([
      expect.stringContaining("NODE_URLS contains a URL that does not end in /v1"),
      expect.stringContaining("NODE_URLS contains"),
      expect.stringContaining("CHAIN_ID is empty"),
    ]);
  });

  test("settings that say the same change nothing", () => {
    expect(
      read({ CHAIN_FAMILY: "evm", CHAIN_ID: "8453", NATIVE_ASSET: TOKEN.toUpperCase().replace("X", "x") }),
    ).toEqual(["evm", 8453, TOKEN]);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ["another asset", { NATIVE_ASSET: OTHER }, /^NATIVE_ASSET is 0xd1d1.*, and the schedule states 0xc0c0/],
    [
      "another asset on the same chain",
      { CHAIN_ID: "8453", NATIVE_ASSET: OTHER },
      /^NATIVE_ASSET is .* or name another network with CHAIN_ID too$/,
    ],
    [
      "another family",
      { CHAIN_FAMILY: "move" },
      /^CHAIN_FAMILY is move, and the schedule states evm for its first chain: /,
    ],
  ])("%s than the schedule's is refused", (_what, settings, problem) => {
    expect(read({ ...settings, NODE_URLS: "https://a.example/v1" })).toContainEqual(expect.stringMatching(problem));
  });

  test("another network counts alone, when all three settings name it", () => {
    const other = { CHAIN_ID: "84532", CHAIN_FAMILY: "evm", NATIVE_ASSET: OTHER };
    expect(read(other)).toEqual(["evm", 84_532, OTHER]);
    expect(
      read({
        ...other,
        CHAIN_FAMILY: "move",
        CHAIN_ID: "7",
        NATIVE_ASSET: "0x5::a::A",
        NODE_URLS: "https://a.example/v1",
      }),
    ).toEqual(["move", 7, "0x5::a::A"]);
    for (const name of ["CHAIN_FAMILY", "NATIVE_ASSET"] as const)
      expect(read({ ...other, [name]: "" })).toEqual([
        `${name} is empty; CHAIN_ID names another network than the schedule, whose first chain is 8453: set CHAIN_FAMILY and NATIVE_ASSET of that network too`,
      ]);
  });

  test("a command says which network is read instead", () => {
    const settings = { ...NODES, ENVIRONMENT: "staging", CHAIN_ID: "84532", CHAIN_FAMILY: "evm", NATIVE_ASSET: OTHER };
    const file = { env: { staging: { vars: { ENVIRONMENT: "staging" } } } };
    const planned = (given: Readonly<Record<string, string>>) =>
      planDeployment(file, "staging", given, { revision: "1", isDeployed: false, chains: STATED });
    expect(planned(settings)).toMatchObject({
      kind: "plan",
      notes: [
        `CHAIN_ID is 84532, but the schedule's first chain is 8453: the other network is read, as CHAIN_FAMILY (evm), CHAIN_ID and NATIVE_ASSET (${OTHER}) say`,
      ],
    });
    expect(planned({ ...NODES, ENVIRONMENT: "staging" }), "control").toMatchObject({ kind: "plan", notes: [] });
    const { NATIVE_ASSET: _asset, ...without } = settings;
    expect(planned(without)).toMatchObject({ kind: "problems" });
  });

  test("the embedded node starts for a schedule of another family, if the settings name its family", () => {
    const embedded = parseConfig({ CHAIN_FAMILY: "move" }, STATED);
    expect(embedded).toMatchObject({ config: { chains: [{ chain: { family: "move", chainId: null } }] } });
  });

  test("the embedded node is a network of its own, of its family alone", () => {
    const move = valid(file({ chains: [{ id: "native", family: "move", chain_id: 1, asset: "0x5::a::A" }] })).chains;
    const embedded = parseConfig({}, move);
    expect(embedded).toMatchObject({ config: { chains: [{ chain: { family: "move", chainId: null } }] } });
    if (embedded.kind === "config") expect(networkNotes(embedded.config, move ?? [])).toEqual([]);
    expect(parseConfig({}, STATED)).toMatchObject({
      problems: [expect.stringContaining("NODE_URLS is empty; the embedded node is a Move node")],
    });
  });

  test("every chain has the same form, the first one first", () => {
    const base = { id: "base", family: "evm", chain_id: 8453, asset: TOKEN, supply: "issued" };
    const native = { id: "native", family: "move", chain_id: 4, asset: "0x1::aptos_coin::AptosCoin" };
    const all = chainsOf(valid(file({ chains: [native, base] })), {});
    // A file without its first chain, and settings that say the same.
    expect(chainsOf(valid(file({ chains: [base] })), { family: "move", chainId: 4 })).toEqual(all);
    expect(all.map((chain) => Object.keys(chain).sort().join())).toEqual(
      all.map(() => "asset,chainId,escrow,family,id,supply"),
    );
  });
});

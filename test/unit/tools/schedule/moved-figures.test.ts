import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { changes } from "../../../../tools/schedule/diff.ts";
import { movedFigures } from "../../../../tools/schedule/moved-figures.ts";
import { onChainComparisonLines } from "../../../../tools/schedule/moved-values.ts";
import { schedule as run } from "../../../../tools/schedule.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";
import { EvmTestNode } from "../../../support/evm/node.ts";
import { bucket, file, valid, validFile, wallet, walletFile } from "../../supply/schedules.ts";

const ETHER = 10n ** 18n;
const [TEAM, TREASURY, EMPTY, DEAD] = ["a1", "b2", "c3", "de"].map((end) => `0x${end.padStart(40, "0")}`);
const NOW = Date.parse("2026-06-01T00:00:00Z");

/** A billion in thousands: 100 locked in the team's wallet, and what the treasury holds. */
const scheduleWith = (wallets: readonly object[], addresses: readonly object[] = [wallet(String(TEAM))]) =>
  valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 18 },
      buckets: [{ ...bucket({ genesis: "900", phases: [{ kind: "never", amount: "100" }] }), addresses }],
      wallets,
    }),
    "evm",
  );
const treasuryAt = (address: string | undefined) => scheduleWith([wallet(String(address), { category: "treasury" })]);
/** The same billion: 100 locked in no wallet, and an allocation that lists one. */
const withLocks = (address: string | undefined) =>
  valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 18 },
      buckets: [
        bucket({ allocation: "900", genesis: "900", addresses: [wallet(String(address))] }),
        bucket({ id: "investors", allocation: "100", genesis: "0", phases: [{ kind: "never", amount: "100" }] }),
      ],
    }),
    "evm",
  );
const WITH_LOCKS = withLocks(TREASURY);
const before = treasuryAt(TREASURY);
/** Same schedule with further members of its file. */
const stating = (members: object) =>
  validFile(walletFile({ wallets: [wallet(String(TEAM), { category: "team" })], ...members }), "evm");
const constant = (category: string, amount = "2", date = "2026-01-10") => ({
  constants: [{ label: "Stuck", category, amount, source: "https://example.org/lost", date }],
});

describe("a change names the figures on chain that it can move", () => {
  const WALLETS = ["circulating-supply-on-chain", "circulating-supply-above-plan", "non-circulating-supply"];
  test.each([
    ["a moved wallet", before, treasuryAt(EMPTY), false, WALLETS],
    ["a retired wallet", before, scheduleWith([]), false, WALLETS],
    ["the last wallet", treasuryAt(TREASURY), scheduleWith([], []), false, WALLETS],
    [
      "a burn wallet",
      before,
      scheduleWith([wallet(String(TREASURY), { category: "treasury" }), wallet(String(DEAD), { category: "burn" })]),
      false,
      [...WALLETS.slice(0, 2), "burned-supply", "total-supply", ...WALLETS.slice(2)],
    ],
    ["another plan", before, before, true, ["circulating-supply-above-plan"]],
    ["another plan that nobody watches", scheduleWith([], []), scheduleWith([], []), true, []],
    ["another plan of locks without a wallet", WITH_LOCKS, WITH_LOCKS, true, ["circulating-supply-hybrid"]],
    [
      "a moved wallet beside locks without one",
      WITH_LOCKS,
      withLocks(EMPTY),
      false,
      [WALLETS[0], "circulating-supply-hybrid", WALLETS[2]],
    ],
    ["nothing", before, before, false, []],
    [
      "a burned constant",
      stating({}),
      stating(constant("burn")),
      false,
      ["circulating-supply-on-chain", "burned-supply", "total-supply", "non-circulating-supply"],
    ],
    [
      "a stated constant of another amount",
      stating(constant("other")),
      stating(constant("other", "3")),
      false,
      ["circulating-supply-on-chain", "non-circulating-supply"],
    ],
    [
      "a stated constant of another day",
      stating(constant("other")),
      stating(constant("other", "2", "2026-01-11")),
      false,
      ["circulating-supply-on-chain", "non-circulating-supply"],
    ],
    ["a maximum that was minted once", stating({}), stating({ minted_once: true }), false, ["burned-by-contract"]],
    [
      "another maximum that was minted once",
      stating({ minted_once: true }),
      stating({ minted_once: true, max_supply: "1001" }),
      false,
      ["burned-by-contract"],
    ],
    ["another maximum", stating({}), stating({ max_supply: "1001" }), false, []],
  ])("%s", (_what, from, to, movesPlan, names) => {
    expect(movedFigures(from, to, movesPlan)).toEqual(names);
  });
});

test("the comparison names constants and the statement on the maximum", () => {
  expect(changes(stating({}), stating({ ...constant("burn"), minted_once: true })).split("\n")).toEqual([
    "minted_once: false -> true",
    'constants: - -> burn 2 "Stuck" from 2026-01-10 <https://example.org/lost>',
    "No figure of the plan changes.",
    expect.stringContaining("burned-supply, burned-by-contract, total-supply"),
  ]);
});

describe("their values now and afterwards", () => {
  const NAMES = ["circulating-supply-on-chain", "non-circulating-supply"];
  const SETTINGS = {
    ENVIRONMENT: "production",
    CHAIN_FAMILY: "evm",
    CHAIN_ID: "1",
    NATIVE_ASSET: TOKEN,
    RATES_URL: "",
    NODE_URLS: "https://a.example/KEY,https://b.example",
  };
  let node: EvmTestNode;

  beforeEach(async () => {
    const holders = new Map([
      [String(TEAM), 100n * ETHER],
      [String(TREASURY), 110n * ETHER],
    ]);
    node = new EvmTestNode(await EvmChain.begin({ supply: 1_000n * ETHER, holders }));
    vi.stubGlobal("fetch", async (_url: string, init: { readonly body: string }) => {
      const { status = 200, body } = await node.reply(init.body);
      return Response.json(body, { status });
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  test("are read at one block from a configured node", async () => {
    const lines = await onChainComparisonLines([before, treasuryAt(EMPTY)], NAMES, SETTINGS, NOW);
    expect(lines[0]).toMatch(/^At block \d+, by one node:$/);
    expect(lines[1]?.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["figure", "now", "afterwards", "change"],
      ["circulating-supply-on-chain", "790", "900", "+13.9 %"],
      ["non-circulating-supply", "210", "100", "-52.4 %"],
    ]);
  });

  test.each([
    ["no nodes", { ...SETTINGS, NODE_URLS: "" }, "NODE_URLS is not given here"],
    ["a node of another chain", { ...SETTINGS, CHAIN_ID: "10" }, "is of chain 1"],
    ["another contract", { ...SETTINGS, NATIVE_ASSET: TOKEN.replace("c0ffee", "c0ffef") }, "there is no contract at"],
  ])("%s: the command is named that says it, and no key", async (_what, settings, why) => {
    const text = (await onChainComparisonLines([before, treasuryAt(EMPTY)], NAMES, settings, NOW)).join("\n");
    expect(text).toContain(why);
    expect(text).toContain("npm run schedule -- verify --node URL");
    expect(text).not.toContain("KEY");
  });

  test("a node that does not answer is no failure of the revision", async () => {
    node.instead = () => ({ status: 502, body: {} });
    expect((await onChainComparisonLines([before, treasuryAt(EMPTY)], NAMES, SETTINGS, NOW)).join()).toContain(
      "were not read",
    );
  });
});

test("without nodes a moved wallet no longer says that no figure changes", () => {
  const folder = mkdtempSync(join(tmpdir(), "moved-"));
  const vault = `0x${"a1".repeat(32)}`;
  const json = file({
    buckets: [
      { ...bucket({ genesis: "900", phases: [{ kind: "never", amount: "100" }] }), addresses: [wallet(vault)] },
    ],
  });
  writeFileSync(join(folder, "native.json"), JSON.stringify(json));
  const said = run(["revise", "wallet", "move", vault, "--to", `0x${"b2".repeat(32)}`], { folder, nowMs: NOW });
  expect(said).not.toContain("No figure changes.");
  expect(said).toContain(
    "No figure of the plan changes.\nFigures on chain that may change: circulating-supply-on-chain, circulating-supply-above-plan, non-circulating-supply.\nThese figures were not read: NODE_URLS is not given here. With NODE_URLS set as for a deployment, this command shows",
  );
});

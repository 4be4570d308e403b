import { describe, expect, test } from "vitest";
import { type NodeReport, tally } from "../../../src/onchain/agreement.ts";
import { holdingKey } from "../../../src/supply/wallets.ts";
import { deploymentWorld, type ScriptedChain } from "../../support/deployment-world.ts";
import { file, valid } from "../supply/schedules.ts";
import {
  BALANCES,
  BURN,
  figuresAfter,
  HONEST,
  keyOf,
  lie,
  MAX,
  MINTED,
  type Node,
  problemsOf,
  SCHEDULE,
  SMALL,
  TOKEN,
  TREASURY,
  worldOf,
} from "./token-world.ts";

describe("two nodes, of which the preferred one lies", () => {
  test.each<[string, (liar: Node, reading: number) => void]>([
    ["by one base unit", (liar) => lie(liar, "minted", (truth) => truth - 1n)],
    ["by a percent more each time", (liar, n) => lie(liar, "minted", (t) => t - BigInt(n) * (MAX / 101n))],
    ["about one small wallet", (liar) => lie(liar, keyOf(SMALL), () => 12_000_000n * TOKEN)],
    ["about the stable token ever more", (liar, n) => lie(liar, "stable", (t) => t * 4n ** BigInt(n))],
    [
      "and claims to be far ahead",
      (liar) => {
        liar.offset = 20_000n;
        lie(liar, "minted", () => 500_000_000n * TOKEN);
      },
    ],
  ])("%s: no figure ever moves, none is recorded otherwise, and health names both nodes", async (_how, fault) => {
    const world = worldOf(2);
    expect(await figuresAfter(world)).toEqual(HONEST);
    for (let reading = 1; reading <= 20; reading += 1) {
      fault(world.node(0), reading);
      expect(await figuresAfter(world)).toEqual(HONEST);
    }
    const [problem] = (await problemsOf(world)).filter(({ code }: { code: string }) => code === "nodes_disagree");
    expect(problem.message).toMatch(/upstream-1 and upstream-2/);
    // Control: the liar was asked.
    expect(world.node(0).calls.length).toBeGreaterThan(20);
    await world.check();
    const recorded = Object.fromEntries(world.recorded.figures.map(({ figure, baseUnits }) => [figure, baseUnits]));
    expect(recorded).toMatchObject({ total_supply: String(MINTED), burned_supply: "0", stable_supply: "5000000" });
  });

  test("in decimals after a reading: they are not asked for again, nothing moves and nobody disagrees", async () => {
    const world = worldOf(2);
    await figuresAfter(world);
    lie(world.node(0), "decimals", () => 6n);
    const before = world.node(0).calls.length;
    expect(await figuresAfter(world)).toEqual(HONEST);
    expect(await world.codes()).not.toContain("nodes_disagree");
    // Control: it was asked for the rest.
    expect(world.node(0).calls.length).toBeGreaterThan(before);
    expect(
      world
        .node(0)
        .calls.slice(before)
        .map((call) => call.function),
    ).not.toContain("0x1::coin::decimals");
  });

  test("at the first reading ever: nothing counts, nothing is recorded", async () => {
    const world = worldOf(2);
    world.node(0).lie = (name, truth) =>
      name === "stable" ? truth * 777_000n : name === "minted" ? truth - TOKEN : undefined;
    await world.check();
    expect(await figuresAfter(world)).toMatchObject({ total: "unavailable", stable: "unavailable" });
    expect(world.recorded.figures).toEqual([]);
    const [problem] = (await problemsOf(world)).filter(({ code }: { code: string }) => code === "nodes_disagree");
    expect(problem.message).toMatch(
      /upstream-1 and upstream-2 .+ minted at ledger version \d+: \d+ .+ and 95000000000000000 \(8 decimals\)/,
    );
  });

  test("behind the last reading: it is waited for ten seconds, then absent, and the other one's amounts stay", async () => {
    const world = worldOf(2);
    await figuresAfter(world);
    world.node(0).offset = -900n;
    lie(world.node(0), "minted", () => 700_000_000n * TOKEN);
    const before = world.world.nowMs;
    expect(await world.readNow()).toMatchObject({
      kind: "observed",
      value: { minted: MINTED, confirmedBy: ["upstream-2"] },
    });
    expect(world.world.nowMs - before - 600_000).toBeGreaterThanOrEqual(10_000);
    expect(await figuresAfter(world)).toEqual(HONEST);
    expect(await world.codes()).toEqual(["one_word"]);
  });

  test("behind, with the time of now: the other one contradicts its time, and the last good value stands", async () => {
    const world = worldOf(2, { minted: (version) => (version < 900n ? 700_000_000n * TOKEN : MINTED) });
    await figuresAfter(world);
    Object.assign(world.node(0), { offset: -900n, claimsNow: true });
    expect(await world.readNow()).toMatchObject({
      kind: "failure",
      reason: expect.stringContaining(
        "upstream-1 and upstream-2 about time; add another node, or take the wrong one out",
      ),
    });
    expect(await figuresAfter(world)).toEqual(HONEST);
    expect(await world.codes()).toContain("nodes_disagree");
    // Control: some seconds behind, it is read at.
    world.node(0).offset = -50n;
    expect(await world.readNow()).toMatchObject({ value: { confirmedBy: ["upstream-1", "upstream-2"] } });
  });

  test("a node that answers the newest version and refuses the reading has no equal", async () => {
    const world = worldOf(2);
    await figuresAfter(world);
    lie(world.node(0), "minted", () => 700_000_000n * TOKEN);
    world.node(1).refuses = 410;
    expect(await figuresAfter(world)).toEqual(HONEST);
    expect(await world.codes()).toContain("nodes_disagree");
  });
});

test("two nodes that refuse alike do not disagree: the reason is theirs", async () => {
  const world = worldOf(2);
  for (const node of world.nodes) node.refuses = 400;
  const reason = "the chain node answers 400 to 0x1::coin::supply";
  expect(await world.readNow()).toMatchObject({ kind: "failure", reason });
  expect(await world.codes()).not.toContain("nodes_disagree");
});

describe("two nodes that stay apart in their newest versions: nobody knows which is right, so nothing is accepted", () => {
  const OLD = MINTED;
  const NOW = 930_000_000n * TOKEN;

  test("one that was alone and ran ahead: the other one's report counts when it returns", async () => {
    const world = worldOf(2);
    const [liar, honest] = [world.node(0), world.node(1)];
    await figuresAfter(world);
    [honest.up, liar.offset] = [false, 1_000_000n];
    await figuresAfter(world);
    // Control: alone, it counts at its own version.
    expect(world.node(0).calls.at(-1)?.ledgerVersion).toBeGreaterThan(1_000_000n);
    honest.up = true;
    lie(liar, "minted", () => 500_000_000n * TOKEN);
    for (let reading = 0; reading < 10; reading += 1) expect(await figuresAfter(world)).toEqual(HONEST);
    expect(await problemsOf(world)).toContainEqual({
      code: "nodes_disagree",
      remedy: expect.any(String),
      subject: "upstream-1 upstream-2",
      message: expect.stringMatching(/upstream-1 and upstream-2 .+ minted at ledger version \d{4}: \d+ .+ and \d+/),
    });
    liar.offset = 0n;
    lie(liar, "minted", () => undefined);
    await figuresAfter(world);
    const { confirmed_by } = await world.json("/api/supply-breakdown");
    expect(confirmed_by.nodes).toEqual(["upstream-1", "upstream-2"]);
  });

  test("one that has stopped does not keep an old figure young: its age is true, and ends with the hour", async () => {
    const world = worldOf(2, { minted: (version) => (version > 1_100n ? NOW : OLD) });
    await figuresAfter(world);
    const stopped = world.node(1);
    const stoppedAt = world.world.version;
    const stop = { get: () => stoppedAt - world.world.version, configurable: true };
    Object.defineProperty(stopped, "offset", stop);
    const ages: number[] = [];
    for (let reading = 0; reading < 8; reading += 1) {
      world.world.version += 500n;
      await figuresAfter(world, 600);
      const answer = await world.get("/api/total-supply");
      if (answer.status === 200) ages.push(Number(answer.headers["Age"]));
      else expect(reading).toBeGreaterThan(4);
    }
    expect(ages.at(-1)).toBeGreaterThan(2_400);
    expect(ages.length).toBeLessThan(8);
    Object.defineProperty(stopped, "offset", { value: 0n });
    expect(await figuresAfter(world)).toMatchObject({ total: "930000000" });
  });

  test.each([2, 3])("one of %i that names an old version at the first reading", async (count) => {
    const world = worldOf(count, { minted: (version) => (version > 500n ? NOW : OLD) });
    Object.assign(world.node(0), { offset: -998n, claimsNow: true });
    expect((await figuresAfter(world)).total).toBe(count === 2 ? "unavailable" : "930000000");
    if (count === 2) expect(await world.codes()).toContain("nodes_disagree");
  });

  test("a second or two apart: both are read at the older one, and nobody waits", async () => {
    const world = worldOf(2);
    world.node(1).offset = -5n;
    const sleptIn = async () => {
      const before = world.world.nowMs;
      expect(await world.readNow()).toMatchObject({ value: { confirmedBy: ["upstream-1", "upstream-2"] } });
      return world.world.nowMs - before - 600_000;
    };
    expect(await sleptIn()).toBe(0);
    world.world.version += 100n;
    expect(await sleptIn()).toBe(0);
  });
});

describe("two nodes that say the same: it counts at once, whatever it says", () => {
  const change = { minted: MINTED, treasury: BALANCES[keyOf(TREASURY)] ?? 0n, burned: 0n };
  test.each<[string, Partial<typeof change>, Partial<typeof HONEST>]>([
    ["a burn of two percent", { minted: 930_000_000n * TOKEN }, { total: "930000000", circulating: "527000000" }],
    ["a mint of four percent", { minted: 990_000_000n * TOKEN }, { total: "990000000", circulating: "587000000" }],
    ["a treasury emptied for good reason", { treasury: 0n }, { circulating: "947000000" }],
    [
      "tokens moved to the burn wallet",
      { burned: 5_000_000n * TOKEN },
      { total: "945000000", burned: "5000000", circulating: "542000000" },
    ],
  ])("%s", async (_what, changed, expected) => {
    const now = { ...change };
    const world = worldOf(2, {
      minted: () => now.minted,
      balance: (holding) =>
        holding === keyOf(TREASURY) ? now.treasury : holding === keyOf(BURN) ? now.burned : (BALANCES[holding] ?? 0n),
    });
    expect(await figuresAfter(world)).toEqual(HONEST);
    Object.assign(now, changed);
    expect(await figuresAfter(world)).toEqual({ ...HONEST, ...expected });
    expect(await world.codes()).not.toContain("nodes_disagree");
  });

  test("both restart at an earlier version: their reports are accepted there", async () => {
    const world = worldOf(2);
    await figuresAfter(world);
    world.world.version = 500n;
    const confirmedBy = ["upstream-1", "upstream-2"];
    const ledgerVersion = expect.toSatisfy((version: bigint) => version < 1_000n);
    expect(await world.readNow()).toMatchObject({ kind: "observed", value: { ledgerVersion, confirmedBy } });
  });
});

describe("three nodes", () => {
  test("two that agree win over the one that differs, which is named and asked last for ten minutes", async () => {
    const world = worldOf(3);
    lie(world.node(0), "minted", (truth) => truth - 1n);
    expect(await figuresAfter(world)).toEqual(HONEST);
    const [problem] = await problemsOf(world);
    expect(problem).toMatchObject({
      code: "nodes_disagree",
      remedy: expect.any(String),
      message: expect.stringContaining("contradicts upstream-1"),
    });
    const { calls } = world.node(0);
    const asked = calls.length;
    await figuresAfter(world, 300);
    expect(calls).toHaveLength(asked);
    await figuresAfter(world, 400);
    expect(calls.length).toBeGreaterThan(asked);
  });

  test("two that agree on a lie win over an honest one, as the documents say", async () => {
    const world = worldOf(3);
    for (const liar of [world.node(0), world.node(2)]) lie(liar, "minted", (truth) => truth - TOKEN);
    expect(await figuresAfter(world)).toMatchObject({ total: "949999999" });
  });

  test.each([20_000n, -900n])(
    "one that is %i versions apart moves nothing, and nobody waits for it",
    async (offset) => {
      const world = worldOf(3, { minted: (version) => (version < 1_000n || version > 9_000n ? 1n : MINTED) });
      world.node(0).offset = offset;
      const before = world.world.nowMs;
      expect(await figuresAfter(world)).toEqual(HONEST);
      expect(world.world.nowMs - before).toBe(60_000);
    },
  );

  test("two that refuse alike outvote nobody: who is contradicted is named, and nobody is asked last", async () => {
    const world = worldOf(3);
    await figuresAfter(world);
    for (const node of [world.node(1), world.node(2)]) node.refuses = 400;
    expect(await world.readNow()).toMatchObject({
      reason: expect.stringMatching(/disagree: upstream-\d and upstream-\d about/),
    });
    const [problem] = (await problemsOf(world)).filter(({ code }: { code: string }) => code === "nodes_disagree");
    expect(problem.subject.split(" ")).toContain("upstream-1");
    expect(problem.subject.split(" ")).toHaveLength(2);
    expect(problem.message).toContain("keep their last good values");
  });

  test("three words, none equal: nothing counts", async () => {
    const world = worldOf(3);
    lie(world.node(0), "minted", (truth) => truth - 1n);
    lie(world.node(2), "minted", (truth) => truth - 2n);
    expect(await figuresAfter(world)).toMatchObject({ total: "unavailable" });
  });

  test.each([
    [3, ["upstream-1", "upstream-3"]],
    [2, ["upstream-1"]],
  ])("while the second of %i does not answer, it has no say: %j confirm", async (count, expected) => {
    const world = worldOf(count);
    await figuresAfter(world);
    world.node(1).hangs = true;
    expect(await figuresAfter(world)).toEqual(HONEST);
    const { confirmed_by } = await world.json("/api/supply-breakdown");
    expect(confirmed_by.nodes).toEqual(expected);
    expect(await world.codes()).toEqual(count === 2 ? ["one_word"] : []);
  });
});

describe("one node that answers", () => {
  test("within a step of the last confirmed reading counts, and small steps do not add up", async () => {
    const world = worldOf(1);
    await figuresAfter(world);
    const node = world.node(0);
    lie(node, "minted", (truth) => truth - MAX / 100n);
    expect(await figuresAfter(world)).toMatchObject({ total: "940000000" });
    lie(node, "minted", (truth) => truth - (2n * MAX) / 100n);
    expect(await figuresAfter(world, 31)).toMatchObject({ total: "940000000" });
    expect(await figuresAfter(world, 31)).toMatchObject({ total: "940000000" });
  });

  test("beyond the step is accepted when it is repeated a minute later, at a later version", async () => {
    const world = worldOf(1);
    await figuresAfter(world);
    lie(world.node(0), "minted", () => 900_000_000n * TOKEN);
    expect(await world.readNow()).toMatchObject({
      kind: "failure",
      reason: expect.stringContaining("awaits a second"),
    });
    world.world.step = 0n;
    expect(await world.readNow()).toMatchObject({ kind: "failure" });
    world.world.step = 1n;
    expect(await world.readNow()).toMatchObject({ kind: "observed", value: { minted: 900_000_000n * TOKEN } });
  });

  test("below the version of the last reading has nothing new to say", async () => {
    const world = worldOf(1);
    await figuresAfter(world);
    world.node(0).offset = -900n;
    expect(await world.readNow()).toMatchObject({
      kind: "failure",
      reason: "no chain node answers at a new ledger version: upstream-1 is behind the last reading",
    });
  });

  test("a slip that is not repeated is never served", async () => {
    const world = worldOf(1);
    await figuresAfter(world);
    for (const percent of [50n, 20n, 90n]) {
      lie(world.node(0), "minted", (truth) => (truth * percent) / 100n);
      expect(await figuresAfter(world, 31)).toEqual(HONEST);
      lie(world.node(0), "minted", () => undefined);
      expect(await figuresAfter(world, 31)).toEqual(HONEST);
    }
  });

  test("beside an absent one never counts beyond the step, however often it is repeated", async () => {
    const world = worldOf(2);
    const [liar, honest] = [world.node(0), world.node(1)];
    await figuresAfter(world);
    lie(liar, "minted", () => 500_000_000n * TOKEN);
    for (const up of [false, true, false, true, false]) {
      honest.up = up;
      expect(await world.readNow()).toMatchObject({ kind: "failure" });
    }
    expect(await world.readNow()).toMatchObject({
      kind: "failure",
      reason:
        "only upstream-1 reports the supply, more than a step from what was confirmed; bring upstream-2 back, or take it out of NODE_URLS",
    });
    // Control: a step is not beyond it.
    lie(liar, "minted", () => MINTED - MAX / 100n);
    expect(await world.readNow()).toMatchObject({ kind: "observed", value: { confirmedBy: ["upstream-1"] } });
  });

  test("what it could not read when it was believed keeps its confirmed amount", async () => {
    const world = worldOf(1);
    await figuresAfter(world);
    const node = world.node(0);
    node.lie = (name) => (name === keyOf(SMALL) ? -1n : name === "minted" ? 900_000_000n * TOKEN : undefined);
    await world.readNow();
    expect(await world.readNow()).toMatchObject({ kind: "observed" });
    node.lie = (name) =>
      name === keyOf(SMALL) ? 300_000_000n * TOKEN : name === "minted" ? 900_000_000n * TOKEN : undefined;
    expect(await world.readNow()).toMatchObject({ kind: "failure" });
  });

  test("the embedded node is the chain: whatever it says counts at once", async () => {
    const world = deploymentWorld({
      schedule: SCHEDULE,
      nodes: ["embedded"],
      chain: { minted: () => MINTED, balance: (holding) => BALANCES[holding] ?? 0n },
    });
    await world.readNow();
    lie(world.node(0), "minted", () => 500_000_000n * TOKEN);
    expect(await world.readNow()).toMatchObject({ kind: "observed", value: { minted: 500_000_000n * TOKEN } });
  });

  test("a doubt outlives the object that had it", async () => {
    const world = worldOf(1);
    await figuresAfter(world);
    lie(world.node(0), "minted", () => 900_000_000n * TOKEN);
    await world.readNow();
    world.restartHome();
    expect(await world.readNow()).toMatchObject({ kind: "observed" });
  });

  test("a witness that was down for an hour and returns confirms the reading again", async () => {
    const world = worldOf(2);
    const witness = world.node(1);
    await figuresAfter(world);
    witness.up = false;
    for (let minute = 0; minute < 60; minute += 10) expect(await figuresAfter(world, 600)).toEqual(HONEST);
    witness.up = true;
    await figuresAfter(world);
    const { confirmed_by } = await world.json("/api/supply-breakdown");
    expect(confirmed_by.nodes).toEqual(["upstream-1", "upstream-2"]);
  });

  test("a wallet that only one of two can read follows the same rule; one that none can keeps its balance", async () => {
    const world = worldOf(2);
    await figuresAfter(world);
    const [first, second] = [world.node(0), world.node(1)];
    const unreadable = (key: string) => (name: string) => (name === key ? -1n : undefined);
    first.lie = unreadable(keyOf(SMALL));
    second.lie = (name) => (name === keyOf(SMALL) ? 300_000_000n * TOKEN : undefined);
    expect(await figuresAfter(world, 31)).toEqual(HONEST);
    second.lie = (name) => (name === keyOf(SMALL) ? 4_000_000n * TOKEN : undefined);
    expect(await figuresAfter(world)).toMatchObject({ circulating: "546000000" });
    second.lie = unreadable(keyOf(SMALL));
    expect(await figuresAfter(world)).toMatchObject({ circulating: "546000000" });
    expect(await world.codes()).toEqual(["wallet_unreadable"]);
  });
});

describe("no reading counts that breaks a law, whoever says so", () => {
  test.each<[string, Partial<ScriptedChain>]>([
    ["a supply of zero", { minted: () => 0n }],
    ["a supply above the maximum by more than its tolerance", { minted: () => MAX + MAX / 50n }],
    ["other decimals than the schedule's", { decimals: 6 }],
    ["wallets that hold more than exists", { balance: () => MINTED / 2n }],
    ["everything burned", { balance: (key) => (key === keyOf(BURN) ? MINTED : 0n) }],
    ["a stable supply that is the largest number", { stable: () => 2n ** 128n - 1n }],
  ])("%s", async (_what, chain) => {
    const figures = await figuresAfter(worldOf(2, chain));
    expect([figures.total, figures.stable]).toContain("unavailable");
  });
});

test("a fresh reading is not read again; calls at the same time share one", async () => {
  const world = worldOf(2);
  await figuresAfter(world);
  const calls = () => world.nodes.map((node) => node.calls.length);
  const before = calls();
  await Promise.all(Array.from({ length: 50 }, () => world.get("/api/total-supply")));
  expect(calls()).toEqual(before);
  world.pass(31);
  await Promise.all(Array.from({ length: 50 }, () => world.get("/api/total-supply")));
  // The supply and three balances, of either node.
  expect(calls()).toEqual(before.map((count) => count + 4));
});

describe("reports about one stake pool", () => {
  const [pool] = valid(file({ wallets: [{ ...TREASURY, holds: "stake_pool" }] })).wallets.map((each) => {
    return { ...each, bucket: null };
  });
  if (pool === undefined) throw new Error("there is one");
  let count = 0;
  const reportOf = (active: bigint, named: string | null = null, minted = MINTED): NodeReport => {
    const stake = { active, inactive: 10n - active, pendingActive: 0n, pendingInactive: 0n };
    const balances = new Map([[holdingKey(pool), { baseUnits: 10n, stake, pool: named }]]);
    count += 1;
    return { node: `node-${count}`, supply: { decimals: 8, minted }, balances, staking: null };
  };
  const counted = (...reports: readonly NodeReport[]) =>
    tally(reports, { wallets: [pool], staking: false, circulatingView: null });

  test.each([
    ["of other parts", reportOf(8n), ["10 (7, 3, 0, 0)", "10 (8, 2, 0, 0)"]],
    ["in another pool", reportOf(7n, "0xb2"), ["10 (7, 3, 0, 0)", "10 (7, 3, 0, 0) in 0xb2"]],
  ])("that say the same sum %s differ", (_how, other, values) => {
    expect(counted(reportOf(7n), reportOf(7n)).difference).toBeNull();
    const difference = { member: "native 0xa1 stake_pool", values };
    expect(counted(reportOf(7n), other).difference).toMatchObject(difference);
  });

  test.each([
    ["two against one", [MINTED, MINTED, 1n], false],
    ["two against two", [MINTED, MINTED, 1n, 1n], true],
    ["three against two", [1n, 1n, MINTED, MINTED, MINTED], false],
  ])("%s about the supply", (_how, minted, isOpen) => {
    const { agreement, difference } = counted(...minted.map((amount) => reportOf(7n, null, amount)));
    expect([difference?.isDecided, "why" in agreement]).toEqual([!isOpen, isOpen]);
    if (!("why" in agreement)) expect(agreement.supply.value.minted).toBe(MINTED);
  });
});

test("the text of an exception is in the log, and in no answer", async () => {
  const world = worldOf(1, {
    minted: () => {
      throw new Error("https://secret.example");
    },
  });
  const { status, text } = await world.get("/api/total-supply");
  expect([status, text]).toEqual([
    "unavailable",
    "The total supply is not available: the upstream's answer could not be read.",
  ]);
  expect(world.logged).toContainEqual({
    event: "unexpected",
    detail: { figure: "native_reading", cause: expect.stringContaining("https://secret.example") },
  });
});

test("a reading that fails is not repeated by every call: once in five seconds", async () => {
  const world = worldOf(1);
  world.node(0).refuses = 400;
  const calls = async (seconds: number) => {
    world.pass(seconds);
    const before = world.node(0).calls.length;
    await world.get("/api/total-supply");
    world.evict();
    await world.get("/api/total-supply");
    return world.node(0).calls.length - before;
  };
  const once = await calls(0);
  expect(once).toBeGreaterThan(0);
  expect(await calls(4)).toBe(0);
  expect(await calls(2)).toBe(once);
});

test("a token whose whole maximum is minted has a total, also without a tolerance", async () => {
  const exact = { settings: { RATES_URL: "none", TOTAL_ABOVE_MAX_PERCENT: "0" } };
  expect((await figuresAfter(worldOf(2, { minted: () => MAX }, exact))).total).toBe("1000000000");
  expect((await figuresAfter(worldOf(2, { minted: () => MAX + 1n }, exact))).total).toBe("unavailable");
});

test.each([
  ["all that exists", MINTED, "950000000"],
  ["more than exists", MINTED + 1n, "unavailable"],
])("staking of %s", async (_what, staked, expected) => {
  const staking = () => ({ numerator: 1n, denominator: 1_000n, epochSeconds: 7_200n, staked });
  const { status, text } = await worldOf(2, { staking }).get("/api/staked-supply");
  expect(status === 200 ? text : status).toBe(expected);
});

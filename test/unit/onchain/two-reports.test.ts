import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AnsweringNode, HoldingBalance, NodeError } from "../../../src/families/chain-node.ts";
import { askNodes } from "../../../src/onchain/ask.ts";
import type { DeploymentWorld } from "../../support/deployment-world.ts";
import { tokenChain } from "../../support/token-chain.ts";
import { SimulatedTime } from "../gateway/simulated-time.ts";
import { wallet } from "../supply/schedules.ts";
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
  SMALL,
  scheduleWith,
  TOKEN,
  TREASURY,
  worldOf,
} from "./token-world.ts";

const WALLETS = [TREASURY, SMALL, BURN].map(keyOf);

/** Answers the supply, and nothing about a wallet: a limit of requests, or a plan with few of them. */
const saysNoWallet: Node["lie"] = (name) => (WALLETS.includes(name) ? "silent" : undefined);

/** The recorded figures of the next day, and how many nodes reported each. */
async function rowsOfNextDay(world: ReturnType<typeof worldOf>) {
  world.recorded.figures.length = world.recorded.rates.length = 0;
  world.pass(86_400);
  await world.check();
  return Object.fromEntries(world.recorded.figures.map((row) => [row.figure, row.witnesses]));
}

/** Yields that have a row of that day. */
const yields = (world: ReturnType<typeof worldOf>) => world.recorded.rates.map(({ product }) => product);

describe("silence is not agreement: a node that says nothing of a wallet decides nothing about it", () => {
  test.each([
    ["the honest node second", { liar: 0, honest: 1, blind: 2 }],
    ["the honest node last", { liar: 0, honest: 2, blind: 1 }],
    ["the liar last", { liar: 2, honest: 0, blind: 1 }],
  ])("a liar about one wallet, an honest node and a blind one, %s", async (_order, { liar, honest, blind }) => {
    const world = worldOf(3);
    expect(await figuresAfter(world)).toEqual(HONEST);
    lie(world.node(liar), keyOf(TREASURY), () => TOKEN);
    world.node(blind).lie = saysNoWallet;
    const asked = world.node(honest).calls.length;
    for (let reading = 0; reading < 10; reading += 1) expect(await figuresAfter(world)).toEqual(HONEST);
    const named = (await problemsOf(world)).filter(({ code }: { code: string }) => code === "nodes_disagree");
    const both = [liar, honest].map((index) => `upstream-${index + 1}`).sort();
    expect(named.map(({ subject }: { subject: string }) => subject.split(" ").sort())).toEqual([both]);
    // The honest node keeps its say, and the fault was injected.
    expect(world.node(honest).calls.length).toBeGreaterThan(asked + 20);
    world.node(blind).lie = () => undefined;
    expect(await figuresAfter(world)).toEqual(HONEST);
    // Of three nodes that report, two are asked first: the liar is named if it is among them.
    const outvoted = { code: "nodes_disagree", subject: `upstream-${liar + 1}` };
    expect(await problemsOf(world)).toMatchObject(liar === 2 ? [] : [outvoted]);
  });

  test("what only one of two could read is reported as unconfirmed", async () => {
    const world = worldOf(2, {
      staking: () => ({ numerator: 1n, denominator: 1_000n, epochSeconds: 7_200n, staked: TOKEN }),
    });
    const witnesses = () => rowsOfNextDay(world);
    // Control: both read everything.
    expect(await witnesses()).toMatchObject({ total_supply: 2, circulating_supply_on_chain: 2, staked_supply: 2 });
    expect(yields(world)).toEqual(["native-staking"]);
    expect((await world.json("/api/supply-breakdown")).confirmed_by.nodes).toEqual(["upstream-1", "upstream-2"]);
    world.node(1).lie = (name) => ([keyOf(TREASURY), "staked"].includes(name) ? "silent" : undefined);
    // No row is written, and the morning's rows stay the only ones.
    expect(await witnesses()).toEqual({ stable_supply: 2 });
    expect(yields(world)).toEqual([]);
    world.world.nowMs += 17 * 3_600_000;
    const evening = await witnesses();
    expect(evening).toMatchObject({ burned_supply: 2, total_supply: 2, stable_supply: 2 });
    for (const figure of ["circulating_supply_on_chain", "non_circulating_supply", "staked_supply", "yearly_emission"])
      expect(evening).not.toHaveProperty(figure);
    expect((await world.json("/api/supply-breakdown")).confirmed_by.nodes).toEqual(["upstream-1"]);
    expect(await problemsOf(world)).toEqual([
      {
        code: "one_word",
        remedy: expect.any(String),
        subject: "upstream-1",
        message: "Only upstream-1 could read wallet 0xa1, native staking: no other node confirms it.",
      },
    ]);
  });
});

test("a supply that one of two nodes reports alone is no row, in the evening neither", async () => {
  // The total follows from the supply alone.
  const world = worldOf(2, {}, { schedule: scheduleWith([TREASURY]) });
  expect(await rowsOfNextDay(world), "control").toMatchObject({ total_supply: 2, stable_supply: 2 });
  world.node(1).lie = (name) => (name === "minted" ? "silent" : undefined);
  world.world.nowMs += 17 * 3_600_000;
  expect(await rowsOfNextDay(world)).toEqual({ stable_supply: 2 });
  expect(await problemsOf(world)).toMatchObject([{ code: "one_word", subject: "upstream-1" }]);
});

test("a node that is silent about native staking alone does not confirm the reading", async () => {
  const world = worldOf(2, {
    staking: () => ({ numerator: 1n, denominator: 1_000n, epochSeconds: 7_200n, staked: TOKEN }),
  });
  const nodes = async () => {
    await figuresAfter(world);
    return (await world.json("/api/supply-breakdown")).confirmed_by.nodes;
  };
  expect(await nodes()).toEqual(["upstream-1", "upstream-2"]);
  world.node(1).lie = (name) => (name === "staked" ? "silent" : undefined);
  expect(await nodes()).toEqual(["upstream-1"]);
});

describe("two reports are binding, one report is limited", () => {
  test("a first wrong report of the stable token's decimals does not bind two honest ones", async () => {
    const world = worldOf(2);
    const [away, wrong] = [world.node(0), world.node(1)];
    away.up = false;
    lie(wrong, "stable decimals", () => 18n);
    // Alone at the first reading, it waits for a second one.
    expect((await figuresAfter(world)).stable).toBe("unavailable");
    [away.up, wrong.lie] = [true, () => undefined];
    expect((await figuresAfter(world)).stable).toBe("5");
    // A confirmed value limits a report of one node alone.
    wrong.up = false;
    lie(away, "stable decimals", () => 18n);
    for (let reading = 0; reading < 5; reading += 1) expect((await figuresAfter(world)).stable).toBe("5");
  });

  test("a doubt of a time to come is none: a burn counts a minute after the clock is right again", async () => {
    const burnt = async (isClockWrong: boolean) => {
      const world = worldOf(1);
      await figuresAfter(world);
      if (isClockWrong) world.pass(86_400);
      lie(world.node(0), "minted", () => MINTED - MAX / 20n);
      await figuresAfter(world);
      if (isClockWrong) world.pass(-86_400);
      world.restartHome();
      await figuresAfter(world);
      return (await figuresAfter(world)).total;
    };
    expect(await burnt(false)).toBe("900000000");
    expect(await burnt(true)).toBe("900000000");
  });
});

test("a repetition is of a report with no other between, not even an impossible one", async () => {
  const world = worldOf(1);
  const [node] = [world.node(0)];
  await figuresAfter(world);
  const wallet = () => lie(node, keyOf(TREASURY), () => TOKEN);
  wallet();
  await figuresAfter(world, 31);
  lie(node, "minted", () => 2n * MAX);
  await figuresAfter(world, 31);
  wallet();
  expect((await figuresAfter(world, 31)).circulating).toBe(HONEST.circulating);
  // Control: repeated alone, it counts.
  await figuresAfter(world, 31);
  expect((await figuresAfter(world, 31)).circulating).toBe("946999999");
});

test("a version that only a refused reading was of is none to wait for", async () => {
  const newVersionAfter = async (minted: bigint) => {
    const world = worldOf(2);
    await figuresAfter(world);
    const [ahead, behind] = [world.node(0), world.node(1)];
    [behind.up, ahead.offset] = [false, 30_000n];
    lie(ahead, "minted", () => minted);
    await figuresAfter(world);
    [behind.up, ahead.lie] = [true, () => undefined];
    const since = world.world.version;
    await figuresAfter(world);
    return BigInt((await world.json("/api/supply-breakdown")).ledger_version) > since;
  };
  expect(await newVersionAfter(2n * MAX)).toBe(true);
});

test("a reading with every wallet, made while the clock was ahead, is served for its hour alone", async () => {
  const lastsMinutes = async (aheadSeconds: number) => {
    let isGone = false;
    const world = worldOf(2, {
      balance: (key) => (isGone && key === keyOf(TREASURY) ? undefined : (BALANCES[key] ?? 0n)),
    });
    world.pass(aheadSeconds);
    await figuresAfter(world);
    world.pass(-aheadSeconds);
    isGone = true;
    world.restartHome();
    world.evict();
    for (let minutes = 0; minutes < 200; minutes += 10)
      if ((await figuresAfter(world, 600)).circulating === "unavailable") return minutes;
    return null;
  };
  expect(await lastsMinutes(0)).toBe(60);
  expect(await lastsMinutes(86_400)).toBeLessThanOrEqual(70);
});

test("figures fall back to no reading that lacks one of them too", async () => {
  const added = wallet("0xa9", { category: "team" });
  const store = new Map();
  const before = worldOf(2, {}, { store });
  await figuresAfter(before);
  const burnt = MINTED - 50_000_000n * TOKEN;
  const balance = (key: string) => (key === keyOf(added) ? undefined : (BALANCES[key] ?? 0n));
  const schedule = scheduleWith([TREASURY, SMALL, BURN, added]);
  const world = worldOf(2, { minted: () => burnt, balance }, { store, schedule });
  Object.assign(world.world, { nowMs: before.world.nowMs, version: before.world.version });
  expect(await figuresAfter(world, 600)).toMatchObject({ total: "900000000", circulating: "unavailable" });
  expect((await world.json("/api/supply")).total.tokens).toBe("900000000");
});

/** Nodes with 60 wallets of 5 units each, in simulated time: how long each takes for a call, and what else it says. */
async function askedOf(
  nodes: readonly { readonly callMs: number; readonly says?: (wallet: number) => bigint | "silent" }[],
) {
  const time = new SimulatedTime();
  const wallets = Array.from({ length: 60 }, (_, index) => wallet(`0xc${index}`, { category: "team" }));
  const listed = scheduleWith(wallets).wallets.map((each) => ({ ...each, bucket: null }));
  const rules = { chain: tokenChain(), wallets: listed, staking: false, circulatingView: null };
  const holdings = nodes.map((): string[] => []);
  const answering = (isOver: () => boolean) =>
    nodes.map(
      ({ callMs, says = () => 5n }, at): AnsweringNode => ({
        label: `node-${at + 1}`,
        newestVersion: 7n,
        newestAtMs: time.nowMs,
        timeOf: async () => null,
        supply: async () => {
          await time.sleep(callMs);
          return isOver() ? { why: "silent", reason: "late" } : { minted: MINTED, decimals: 8 };
        },
        balances: async (_asset, asked) => {
          const read: (HoldingBalance | NodeError)[] = [];
          for (const { address } of asked) {
            if (!isOver()) {
              holdings[at]?.push(address);
              await time.sleep(callMs);
            }
            const said = isOver() ? "silent" : says(listed.findIndex((each) => each.address === address));
            read.push(said === "silent" ? { why: said, reason: "late" } : { baseUnits: said, stake: null, pool: null });
          }
          return read;
        },
        staking: async () => ({ why: "silent", reason: "not asked" }),
      }),
    );
  const ports = {
    nodes: async (isOver: () => boolean) => ({ configured, answering: answering(isOver) }),
    now: time.now,
    sleep: time.sleep,
  };
  const configured = nodes.map((_node, at) => `node-${at + 1}`);
  const question = { rules, knownDecimals: 8, floor: 0n, outvoted: null };
  const startedAtMs = time.nowMs;
  const asked = await time.run(askNodes(ports, question));
  return { asked, seconds: (time.nowMs - startedAtMs) / 1_000, holdings };
}

/** Number of nodes that reported each wallet's balance; a text: the reason why nothing is accepted. */
const witnessesIn = ({ asked }: Awaited<ReturnType<typeof askedOf>>) =>
  "reason" in asked
    ? asked.reason
    : asked.agreement.balances.map((each) => ("confirmedBy" in each ? each.confirmedBy.length : 0));

test.each([
  ["move", "no chain node answers at a new ledger version: "],
  ["evm", "no chain node answers at a new block: "],
] as const)("without a node the reason is in the words of the chain's family: %s", async (family, reason) => {
  const { now, sleep } = new SimulatedTime();
  const question = {
    rules: { chain: tokenChain({ family }), wallets: [], staking: false, circulatingView: null },
    knownDecimals: 8,
    floor: 0n,
    outvoted: null,
  };
  const nodes = async () => ({ configured: ["base-1", "base-2"], answering: [] });
  const remedy = "bring base-1 and base-2 back, or name another node in NODE_URLS_BASE";
  const expected = { reason: `${reason}${remedy}`, disagreement: null };
  expect(await askNodes({ nodes, now, sleep }, question)).toEqual(expected);
});

describe("one deadline for a node's whole report", () => {
  test.each([
    ["as fast", 100, 2],
    ["slow", 2_800, 1],
  ])("a second node that is %s delays a reading by 15 seconds at most", async (_how, callMs, witnesses) => {
    const found = await askedOf([{ callMs: 100 }, { callMs }]);
    expect(found.seconds).toBeLessThanOrEqual(6.1 + 15 + 2.8);
    expect(witnessesIn(found).at(-1)).toBe(witnesses);
  });

  test("two that are alike slow have the time that they take: no wallet stays unread", async () => {
    const found = await askedOf([{ callMs: 1_000 }, { callMs: 1_000 }]);
    expect(witnessesIn(found)).toEqual(Array.from({ length: 60 }, () => 2));
  });
});

describe("a further node is asked for what two have not reported alike, and nothing else", () => {
  const liesAbout = (lied: number) => (index: number) => (index === lied ? 6n : 5n);

  test("of 60 wallets the one in dispute, in a time of its own: it is decided", async () => {
    // The second takes all of its 15 seconds; the third's begin after them.
    const saidTo = (index: number) => (index < 4 ? liesAbout(3)(index) : "silent");
    const found = await askedOf([{ callMs: 100 }, { callMs: 2_800, says: saidTo }, { callMs: 200 }]);
    expect(witnessesIn(found).slice(0, 6)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(found.holdings[2]).toHaveLength(57);
    expect(found.holdings[2]?.[0]).toBe("0xc3");
    expect("agreement" in found.asked && found.asked.disagreement).toMatchObject({ outvoted: "node-2" });
  });

  test("nothing, when two have reported everything alike", async () => {
    const found = await askedOf([{ callMs: 100 }, { callMs: 100 }, { callMs: 100 }]);
    expect(found.holdings.map(({ length }) => length)).toEqual([60, 60, 0]);
  });

  test("a slow third one too: what it has not reported in 15 seconds does not keep the rest from being accepted", async () => {
    const blind = (index: number) => (index < 30 ? 5n : "silent");
    const found = await askedOf([{ callMs: 100 }, { callMs: 100, says: blind }, { callMs: 2_800 }]);
    expect(found.seconds).toBeLessThanOrEqual(6.2 + 15 + 2.8);
    const third = found.holdings[2]?.length ?? 0;
    expect(third).toBeGreaterThan(3);
    expect(witnessesIn(found)).toEqual(Array.from({ length: 60 }, (_, index) => (index < 30 + third - 1 ? 2 : 1)));
  });
});

test("a terminated vesting contract is counted once: sums are of the last reading with every wallet, for its hour", async () => {
  const VESTING = wallet("0xb1", { category: "team", holds: "vesting" });
  let isTerminated = false;
  const chain = {
    minted: () => 1_000_000_000n * TOKEN,
    balance: (key: string) => {
      if (key.endsWith("vesting")) return isTerminated ? undefined : 300_000_000n * TOKEN;
      return isTerminated ? 400_000_000n * TOKEN : 100_000_000n * TOKEN;
    },
  };
  const world = worldOf(2, chain, {
    schedule: scheduleWith([TREASURY, VESTING]),
  });
  expect((await figuresAfter(world)).circulating).toBe("600000000");
  isTerminated = true;
  for (let minute = 0; minute < 50; minute += 10)
    expect((await figuresAfter(world, 600)).circulating).toBe("600000000");
  expect(await world.codes()).toContain("wallet_unreadable");
  await figuresAfter(world, 700);
  expect(await figuresAfter(world)).toMatchObject({ circulating: "unavailable", total: "1000000000" });
});

test.each([
  ["a contract and its pool", wallet("0xb1", { holds: "stake_pool" }), true],
  ["a contract and another pool", wallet("0xb2", { holds: "stake_pool" }), false],
  ["a contract and a delegation to its pool", wallet("0xc1", { holds: "delegation", pool: "0xb1" }), true],
])("a stake pool counts once: %s", async (_what, other, isRefused) => {
  const CONTRACT = wallet("0xa9", { category: "team", holds: "vesting" });
  const wallets = [CONTRACT, { ...other, category: "foundation" }];
  const world = worldOf(
    2,
    { balance: () => 300_000_000n * TOKEN, pools: { "native 0xa9 vesting": "0xb1" } },
    { schedule: scheduleWith(wallets) },
  );
  const figures = await figuresAfter(world);
  expect(figures).toMatchObject({ total: "950000000", circulating: isRefused ? "unavailable" : "350000000" });
  const named = (await problemsOf(world)).filter(({ code }: { code: string }) => code === "wallet_unreadable");
  expect(named).toHaveLength(isRefused ? 2 : 0);
  if (isRefused) expect(named[0].message).toMatch(/stake pool 0xb1 is in the listed wallet 0x(b|c)1 too/);
});

/** A contract, whose balance is what the stake pool that it names holds. */
const VESTING = wallet("0xa4", { category: "team", holds: "vesting" });
const LISTED = [TREASURY, SMALL, BURN, VESTING];
const holdingOf = ({ address, holds = "account" }: { readonly address: string; readonly holds?: unknown }) =>
  `native ${address} ${holds}`;
const FIGURES = ["minted", ...LISTED.map(holdingOf), "staked", "stable"];
const MEMBERS = [...FIGURES, "stable decimals"];

/** Report of a node about a member, with its version and time. */
interface Spoken {
  readonly node: number;
  readonly member: string;
  readonly version: bigint;
  readonly value: bigint;
  readonly atMs: number;
}

const FAULT = fc.record({
  node: fc.nat({ max: 2 }),
  up: fc.boolean(),
  hangs: fc.boolean(),
  slow: fc.boolean(),
  /** Every view: by a proxy's rule, as a node of another kind, or as one that has not got so far. */
  refuses: fc.option(fc.constantFrom(400, 403, 404), { nil: null, freq: 4 }),
  silent: fc.subarray(MEMBERS),
  offset: fc.oneof(fc.constant(0n), fc.bigInt({ min: -50n, max: 30_000n })),
});
const STEP = fc.record({
  faults: fc.array(FAULT, { maxLength: 3 }),
  /** Members about which the liar reports otherwise, by more than the step. */
  lies: fc.subarray(MEMBERS),
  by: fc.constantFrom(3n, 9n, 20n, 90n),
  seconds: fc.integer({ min: 1, max: 400 }),
  restarts: fc.boolean(),
});

const STABLE = 5_000_000n;
const STABLE_DECIMALS = 6n;

/** A chain on which everything moves with each version, by less than a step. */
function truthOf(member: string, version: bigint): bigint {
  if (member === "minted") return MINTED - version * 1_000n;
  if (member === "stable") return STABLE + version / 1_000n;
  if (member === "stable decimals") return STABLE_DECIMALS;
  return (BALANCES[member] ?? 20_000_000n * TOKEN) + version * 7n;
}

function lieOf(member: string, truth: bigint, by: bigint): bigint {
  if (member === "stable decimals") return truth + 2n;
  return truth + (by * (member === "stable" ? STABLE : MAX)) / 100n;
}

const movingWorld = (count: number) =>
  worldOf(
    count,
    {
      minted: (version) => truthOf("minted", version),
      balance: (key, version) => truthOf(key, version),
      stable: (version) => truthOf("stable", version),
      staking: (version) => ({
        numerator: 1n,
        denominator: 1_000_000n,
        epochSeconds: 7_200n,
        staked: truthOf("staked", version),
      }),
    },
    { schedule: scheduleWith(LISTED) },
  );

/** The node answers so, and what it answers is written down. */
function answers(world: DeploymentWorld, said: Spoken[], node: number, otherwise: Node["lie"]): void {
  world.node(node).lie = (member, truth, version) => {
    const value = otherwise(member, truth, version) ?? truth;
    if (value !== "silent") said.push({ node, member, version, value, atMs: world.world.nowMs });
    return value;
  };
}

const SCALE = 24n;
const scaled = (value: bigint, decimals: bigint): bigint => value * 10n ** (SCALE - decimals);

/** Reports about a figure; for the stable token's, reports of both its members. */
function saidOf(said: readonly Spoken[], figure: string): Spoken[] {
  const of = (member: string) => said.filter((each) => each.member === member);
  if (figure !== "stable") return of(figure);
  return of("stable").flatMap((each) =>
    of("stable decimals")
      .filter(({ node, version }) => node === each.node && version === each.version)
      .map(({ value: decimals }) => ({ ...each, value: scaled(each.value, decimals) })),
  );
}

const trueFigure = (figure: string, version: bigint): bigint =>
  figure === "stable" ? scaled(truthOf("stable", version), STABLE_DECIMALS) : truthOf(figure, version);

interface Served {
  readonly figure: string;
  readonly amount: bigint;
  readonly version: bigint;
  readonly readAtMs: number;
}

/** Why a served figure must not count, by what was said in its reading, until the next one; null: it may. */
function whyNot(said: readonly Spoken[], { figure, amount, version, readAtMs }: Served, nextMs: number): string | null {
  const isOfReading = ({ atMs }: Spoken) => atMs >= readAtMs && atMs < nextMs;
  const spoken = saidOf(said.filter(isOfReading), figure).filter((each) => each.version === version);
  const nodesOf = (of: readonly Spoken[]) => new Set(of.map(({ node }) => node));
  const same = nodesOf(spoken.filter(({ value }) => value === amount));
  const [one] = same;
  const others = nodesOf(spoken).size - same.size;
  if (one === undefined) return "no node said it at that version";
  if (same.size > 1) return others >= same.size ? "as many said otherwise" : null;
  if (others > 0) return "one node said it and another one contradicts";
  return amount === trueFigure(figure, version) ? null : "a single report beyond the step";
}

/** A bare figure, in units of {@link SCALE} or the token's decimals. */
async function bareFigure(world: DeploymentWorld, figure: string, decimals: bigint): Promise<Served[]> {
  const { nowMs } = world.world;
  const { status, text, headers } = await world.get(`/api/${figure}-supply?decimals=exact`);
  if (status !== 200) return [];
  const [whole = "", fraction = ""] = text.split(".");
  const amount = BigInt(whole + fraction.padEnd(Number(decimals), "0"));
  const readAtMs = nowMs - Number(headers["Age"]) * 1_000;
  return [{ figure, amount, version: BigInt(headers["X-Ledger-Version"] ?? ""), readAtMs }];
}

async function servedBy(world: DeploymentWorld): Promise<Served[]> {
  const bare = [...(await bareFigure(world, "stable", SCALE)), ...(await bareFigure(world, "staked", 8n))];
  const { status, text } = await world.get("/api/supply-breakdown");
  if (status !== 200) return bare;
  const body = JSON.parse(text);
  const of = { version: BigInt(body.ledger_version), readAtMs: Date.parse(body.as_of) };
  const wallets = body.non_circulating_wallets.map(
    (each: { address: string; holds: string; balance: { base_units: string } }): Served => {
      return { ...of, figure: holdingOf(each), amount: BigInt(each.balance.base_units) };
    },
  );
  return [...bare, { ...of, figure: "minted", amount: BigInt(body.minted_supply.base_units) }, ...wallets];
}

describe("nodes that are honest, lying, silent, slow, behind, ahead, away, refusing or hanging, and changing", () => {
  test.each([2, 3])(
    "of %i, one a liar: nothing is served but what two reported, or one within a step",
    async (count) => {
      const seen = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(STEP, { minLength: 5, maxLength: 25 }),
          fc.nat({ max: count - 1 }),
          async (steps, liar) => {
            const world = movingWorld(count);
            const said: Spoken[] = [];
            const startsMs: number[] = [];
            const judged = async () => {
              startsMs.push(world.world.nowMs + 1);
              const served = await servedBy(world);
              for (const each of served) {
                seen.set(each.figure, (seen.get(each.figure) ?? 0) + 1);
                const nextMs = startsMs.find((atMs) => atMs > each.readAtMs + 1) ?? Number.POSITIVE_INFINITY;
                expect([each.figure, whyNot(said, each, nextMs)]).toEqual([each.figure, null]);
              }
              return served;
            };
            const readAfter = async (seconds: number) => {
              world.pass(seconds);
              startsMs.push(world.world.nowMs + 1);
              for (const path of ["total", "stable"]) await world.get(`/api/${path}-supply`);
            };
            for (let index = 0; index < count; index += 1) answers(world, said, index, () => undefined);
            await readAfter(60);
            await judged();
            for (const { faults, lies, by, seconds, restarts } of steps) {
              const silent = new Map<number, readonly string[]>();
              for (const { node, silent: about, ...fault } of faults) {
                Object.assign(world.node(node % count), fault);
                silent.set(node % count, about);
              }
              for (let index = 0; index < count; index += 1)
                answers(world, said, index, (name, truth) => {
                  if (silent.get(index)?.includes(name)) return "silent";
                  return index === liar && lies.includes(name) ? lieOf(name, truth, by) : undefined;
                });
              if (restarts) world.restartHome();
              await readAfter(seconds);
              await judged();
            }
            // An honest majority is served within a reading: of three the liar goes on, of two it is honest now.
            for (let index = 0; index < count; index += 1) {
              if (index === liar && count > 2) continue;
              const healthy = { up: true, hangs: false, slow: false, refuses: null, offset: 0n };
              Object.assign(world.node(index), healthy);
              answers(world, said, index, () => undefined);
            }
            const since = world.world.version;
            await readAfter(120);
            await readAfter(120);
            const served = await judged();
            expect(served.map(({ figure }) => figure)).toEqual(expect.arrayContaining(FIGURES));
            for (const { figure, amount, version } of served) {
              expect(version).toBeGreaterThan(since);
              expect([figure, amount]).toEqual([figure, trueFigure(figure, version)]);
            }
          },
        ),
        { numRuns: 100 },
      );
      // Control: there was something to judge.
      for (const figure of FIGURES) expect([figure, (seen.get(figure) ?? 0) > 300]).toEqual([figure, true]);
    },
  );
});

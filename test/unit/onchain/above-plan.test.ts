import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deploymentWorld, WORLD_START_MS } from "../../support/deployment-world.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const NODES = ["upstream-1", "upstream-2"];
const TOKEN = 10n ** 8n;
const units = (tokens: string | number | bigint) => BigInt(tokens) * TOKEN;

/** The plan of a token of which `planned` tokens circulate and the rest is locked in two wallets until 2030. */
const planOf = (planned: bigint, maximum: bigint, changes: object = {}) =>
  valid(
    file({
      max_supply: String(maximum),
      start: "2022-10-01",
      buckets: [
        bucket({ id: "public", allocation: String(planned), genesis: String(planned) }),
        bucket({
          id: "ecosystem",
          genesis: "0",
          allocation: String(maximum - planned),
          phases: [{ kind: "cliff", amount: String(maximum - planned), month: 90 }],
          addresses: [wallet("0xa"), wallet("0xb")],
        }),
      ],
      ...changes,
    }),
  );

interface Facts {
  readonly at?: string;
  readonly minted: bigint;
  /** In base units, by address. */
  readonly held: Readonly<Record<string, bigint>>;
  readonly settings?: Readonly<Record<string, string>>;
}

function worldOf(schedule: ReturnType<typeof planOf>, facts: Facts) {
  const chain = {
    minted: () => facts.minted,
    balance: (holding: string) => facts.held[holding.split(" ")[1] ?? ""] ?? 0n,
  };
  const settings = { RATES_URL: "none", PLAN_TOLERANCE_PERCENT: "", ...facts.settings };
  const world = deploymentWorld({ schedule, chain, nodes: NODES, settings });
  if (facts.at !== undefined) world.pass((Date.parse(facts.at) - WORLD_START_MS) / 1_000);
  return world;
}

const problemsOf = async (world: ReturnType<typeof worldOf>) =>
  (await world.json("/api/health")).problems.filter(({ code }: { code: string }) => /plan|locked/.test(code));
const exact = async (world: ReturnType<typeof worldOf>) =>
  (await world.get("/api/circulating-supply-above-plan?decimals=exact")).text;

// Filed with an exchange: 245,966,797 on 2022-10-31. In circulation on 2022-10-25: 318,421,502.
describe("a token of which 29 % more circulates than its issuer has filed with exchanges", () => {
  const schedule = planOf(245_966_797n, 1_000_000_000n);
  const held = { "0xa": units(500_000_000), "0xb": units(1_000_000_000 - 318_421_502 - 500_000_000) };
  const world = worldOf(schedule, { at: "2022-10-25T12:00:00Z", minted: units(1_000_000_000), held });

  test("is served as such: number, object, badge, row of the day and feed", async () => {
    expect(await exact(world)).toBe("72454705");
    expect((await world.get("/api/circulating-supply")).text).toBe("245966797");
    expect((await world.get("/api/circulating-supply-on-chain")).text).toBe("318421502");
    expect(await world.json("/api/supply")).toMatchObject({
      circulating_above_plan: { tokens: "72454705", base_units: "7245470500000000" },
    });
    expect(await world.json("/api/badge/circulating-supply-above-plan.json")).toMatchObject({ message: "72.45M XYZ" });
    await world.check();
    expect(world.recorded.figures.find(({ figure }) => figure === "circulating_supply_above_plan")).toMatchObject({
      day: "2022-10-25",
      baseUnits: "7245470500000000",
      witnesses: 2,
    });
    expect((await world.get("/feed.atom")).text).toContain("circulate on chain; the schedule allows 245966797.");
  });

  test("is one alarm, which names first the wallets that hold less than must be locked", async () => {
    expect(await problemsOf(world)).toEqual([
      {
        code: "circulating_above_plan",
        remedy: expect.any(String),
        subject: "circulating_supply_above_plan",
        message:
          "The wallets of ecosystem (0xa, 0xb) hold 681578498 XYZ; 754033203 must be locked. " +
          "318421502 XYZ circulate on chain; the schedule allows 245966797.",
      },
    ]);
  });
});

describe("beyond a tolerance, which is a part of the plan, it is an alarm", () => {
  const [PLAN, MAX] = [600_000n, 1_000_000n];
  test.each([
    // Plan 600,000: 0.5 % is 3,000.
    ["the plan", {}, units(3_000), []],
    ["a base unit more", {}, units(3_000) + 1n, ["circulating_above_plan"]],
    ["with 0, a base unit", { PLAN_TOLERANCE_PERCENT: "0" }, 1n, ["circulating_above_plan"]],
    ["with 0, nothing", { PLAN_TOLERANCE_PERCENT: "0" }, 0n, []],
    ["with two decimals", { PLAN_TOLERANCE_PERCENT: "12.34" }, units(74_040), []],
    ["beyond two decimals", { PLAN_TOLERANCE_PERCENT: "12.34" }, units(74_040) + 1n, ["circulating_above_plan"]],
  ])("%s", async (_what, settings, above, codes) => {
    // The locked tokens are all there, so that nothing else is wrong: more exists than was planned.
    const minted = units(MAX) + above;
    const held = { "0xa": units(MAX - PLAN) };
    const world = worldOf(planOf(PLAN, MAX), {
      minted,
      held,
      settings: { TOTAL_ABOVE_MAX_PERCENT: "10", ...settings },
    });
    expect(await exact(world)).toBe(`${above / TOKEN}.${String(above % TOKEN).padStart(8, "0")}`.replace(/\.?0+$/, ""));
    expect((await problemsOf(world)).map(({ code }: { code: string }) => code)).toEqual(codes);
  });

  test("within it, wallets that hold too little are named on their own", async () => {
    const held = { "0xa": units(MAX - PLAN) - 1n };
    const world = worldOf(planOf(PLAN, MAX), { minted: units(MAX), held });
    expect(await problemsOf(world)).toMatchObject([{ code: "locked_below_schedule", subject: "ecosystem" }]);
  });

  test("and on their own where their tokens went to another listed wallet", async () => {
    const schedule = planOf(PLAN, MAX, { wallets: [wallet("0xc", { category: "treasury" })] });
    const held = { "0xa": units(100_000), "0xc": units(300_000) };
    const world = worldOf(schedule, { minted: units(MAX), held });
    expect(await exact(world)).toBe("0");
    expect(await problemsOf(world)).toMatchObject([{ code: "locked_below_schedule", subject: "ecosystem" }]);
  });
});

test("before its start a schedule allows what allocations without a wallet hold: a figure, and no alarm", async () => {
  const facts = { at: "2022-09-30T23:00:00Z", minted: units(1_100), held: { "0xa": units(400) } };
  const world = worldOf(planOf(600n, 1_000n), { ...facts, settings: { TOTAL_ABOVE_MAX_PERCENT: "10" } });
  expect(await exact(world)).toBe("100");
  expect(await problemsOf(world)).toEqual([]);
  world.pass(7_200);
  expect(await exact(world)).toBe("100");
  expect(await problemsOf(world)).toHaveLength(1);
});

/** A token of 1,000 of which 530 circulate; the team's 300 and the treasury's 170 are locked until 2030. */
const teamAndTreasury = (lists: { readonly team?: boolean; readonly treasury?: boolean }, changes: object = {}) => {
  const locked = (id: string, amount: string, address: string, isListed = false) =>
    bucket({
      id,
      genesis: "0",
      allocation: amount,
      phases: [{ kind: "cliff", amount, month: 90 }],
      addresses: isListed ? [wallet(address)] : [],
    });
  const buckets = [
    bucket({ id: "public", allocation: "530", genesis: "530" }),
    locked("team", "300", "0xa", lists.team),
    locked("treasury", "170", "0xb", lists.treasury),
  ];
  return valid(file({ start: "2022-10-01", buckets, ...changes }));
};

describe("what an allocation without a wallet must keep locked", () => {
  const AT = "2022-10-25T12:00:00Z";
  const OTHERS = { wallets: [wallet("0xc", { category: "treasury" })] };

  test.each<[what: string, team: number, above: string, codes: readonly string[]]>([
    ["is not above plan", 300, "0", []],
    ["hides nothing that has left a watched allocation", 250, "50", ["circulating_above_plan"]],
    ["is not made up for by more than is locked", 320, "0", []],
  ])("%s", async (_what, team, above, codes) => {
    const schedule = teamAndTreasury({ team: true });
    const world = worldOf(schedule, { at: AT, minted: units(1_000), held: { "0xa": units(team) } });
    expect((await world.get("/api/circulating-supply-on-chain")).text).toBe(String(1_000 - team));
    expect(await exact(world)).toBe(above);
    expect(await world.json("/api/supply")).toMatchObject({ circulating_above_plan: { tokens: above } });
    const problems = await problemsOf(world);
    expect(problems.map(({ code }: { code: string }) => code)).toEqual(codes);
    if (codes.length > 0)
      expect(problems[0].message).toContain(
        "750 XYZ circulate on chain; the schedule allows 530, and 170 are locked in allocations that list no wallet.",
      );
  });

  test("a wallet that is no allocation's makes no difference known", async () => {
    const world = worldOf(teamAndTreasury({}, OTHERS), { at: AT, minted: units(1_000), held: { "0xc": units(100) } });
    expect((await world.get("/api/circulating-supply-on-chain")).text).toBe("900");
    const absent = { status: "not_found", text: expect.stringMatching(/^No allocation with locked tokens lists/) };
    expect(await world.get("/api/circulating-supply-above-plan")).toMatchObject(absent);
    expect(await world.get("/api/badge/circulating-supply-above-plan.json")).toMatchObject({ status: "not_found" });
    expect(await world.json("/api/supply")).toMatchObject({
      circulating_on_chain: { tokens: "900" },
      circulating_above_plan: null,
      unavailable: { circulating_above_plan: absent.text },
    });
    await world.check();
    expect(world.recorded.figures.map(({ figure }) => figure)).not.toContain("circulating_supply_above_plan");
    expect((await world.json("/api/history")).absent).toMatchObject({ circulating_supply_above_plan: absent.text });
    expect(await problemsOf(world)).toEqual([]);
  });

  test("property: it is never alarmed; with every allocation's wallets listed, all that leaves them is above plan", async () => {
    const amount = fc.integer({ min: 0, max: 300 });
    await fc.assert(
      fc.asyncProperty(fc.boolean(), amount, async (treasury, held) => {
        const schedule = teamAndTreasury({ team: true, treasury });
        const balances = { "0xa": units(held), "0xb": units(170) };
        const world = worldOf(schedule, { at: AT, minted: units(1_000), held: balances });
        expect(await exact(world)).toBe(String(300 - held));
        expect(await problemsOf(world)).toHaveLength(held < 300 ? 1 : 0);
      }),
      { numRuns: 30 },
    );
  });
});

test("without a listed wallet there is neither a figure nor an alarm", async () => {
  const schedule = planOf(600n, 1_000n, {
    buckets: [
      bucket({ id: "public", allocation: "600", genesis: "600" }),
      bucket({ id: "team", genesis: "0", allocation: "400", phases: [{ kind: "cliff", amount: "400", month: 90 }] }),
    ],
  });
  const world = worldOf(schedule, { at: "2022-10-25T12:00:00Z", minted: units(1_000), held: {} });
  expect(await world.get("/api/circulating-supply-above-plan")).toMatchObject({ status: "not_found" });
  expect(await problemsOf(world)).toEqual([]);
});

test("a reading is compared with the plan of now, in every body and in the alarm", async () => {
  const phases = [{ kind: "cliff", amount: "400", month: 1 }];
  const schedule = planOf(600n, 1_000n, {
    buckets: [
      bucket({ id: "public", allocation: "600", genesis: "600" }),
      bucket({ id: "team", genesis: "0", allocation: "400", phases, addresses: [wallet("0xa")] }),
    ],
  });
  const world = worldOf(schedule, { at: "2022-10-31T23:59:50Z", minted: units(1_000), held: { "0xa": units(350) } });
  expect(await exact(world)).toBe("50");
  expect(await problemsOf(world)).toHaveLength(1);
  const before = await world.get("/api/circulating-supply-above-plan");
  expect(before.headers["Cache-Control"]).toBe("public, max-age=10");
  for (const node of world.nodes) node.lie = () => "silent";
  // Ten seconds on, 400 more are unlocked; the reading is the same one.
  world.pass(20);
  const { circulating, circulating_on_chain, circulating_above_plan } = await world.json("/api/supply");
  expect([circulating, circulating_on_chain, circulating_above_plan].map(({ tokens }) => tokens)).toEqual([
    "1000",
    "650",
    "0",
  ]);
  expect(await exact(world)).toBe("0");
  expect(await problemsOf(world)).toEqual([]);
});

test("a wallet that cannot be read leaves no figure", async () => {
  const world = worldOf(planOf(600n, 1_000n), { minted: units(1_000), held: {} });
  for (const node of world.nodes) node.lie = (name) => (name.includes("0xa") ? "silent" : undefined);
  expect(await world.get("/api/circulating-supply-above-plan")).toMatchObject({ status: "unavailable" });
  expect(await problemsOf(world)).toEqual([]);
});

test("property: circulating on chain is never above the plan and what is above it, and is that where anything is", async () => {
  const amount = fc.bigInt({ min: 0n, max: 1_000n * TOKEN });
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 1n, max: 999n }), amount, amount, async (planned, one, other) => {
      const held = { "0xa": one, "0xb": other };
      fc.pre(one + other <= 999n * TOKEN);
      const world = worldOf(planOf(planned, 1_000n), { minted: units(1_000n), held });
      const supply = await world.json("/api/supply");
      const unitsOf = (name: string) => BigInt(supply[name].base_units);
      const [onChain, plan] = [unitsOf("circulating_on_chain"), unitsOf("circulating")];
      expect(unitsOf("circulating_above_plan")).toBe(onChain > plan ? onChain - plan : 0n);
    }),
    { numRuns: 60 },
  );
});

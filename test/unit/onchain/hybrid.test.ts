import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayText } from "../../../src/base/utc.ts";
import { bridgedSchedule, bridgedWorld, EVM_FACTOR, START, TEAM, UNIT } from "../../support/bridged-world.ts";
import { deploymentWorld, type ScriptedChain, WORLD_START_MS } from "../../support/deployment-world.ts";
import { addressFile } from "../addresses/entries.ts";
import { fileOf, type SketchedFile, sketch } from "../supply/generated-schedules.ts";
import { naiveCirculating, naiveSteps } from "../supply/naive.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const PATH = "/api/circulating-supply-hybrid";
const ONE = 10n ** 8n;
const units = (tokens: number): bigint => BigInt(tokens) * ONE;

interface Facts {
  /** Instant; absent: the start of the world, 2026-11-21T02:00:00Z. */
  readonly at?: string;
  readonly minted?: bigint;
  /** In base units, by address. */
  readonly held?: Readonly<Record<string, bigint>>;
  readonly chain?: Partial<ScriptedChain>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly addresses?: readonly object[];
}

function worldOf(schedule: ReturnType<typeof valid>, facts: Facts = {}) {
  const { minted = units(1_000), held = { "0xa": units(300) } } = facts;
  const world = deploymentWorld({
    schedule,
    nodes: ["upstream-1", "upstream-2"],
    chain: { minted: () => minted, balance: (holding) => held[holding.split(" ")[1] ?? ""] ?? 0n, ...facts.chain },
    settings: { RATES_URL: "none", ...facts.settings },
    ...(facts.addresses === undefined ? {} : { addresses: addressFile(facts.addresses) }),
  });
  if (facts.at !== undefined) world.pass((Date.parse(facts.at) - WORLD_START_MS) / 1_000);
  return world;
}

const exact = async (world: ReturnType<typeof worldOf>, path = PATH) =>
  (await world.get(`${path}?decimals=exact`)).text;
const refused = (reason: string) => ({
  status: "unavailable",
  text: expect.stringContaining(`The circulating supply by chain and schedule is not available: ${reason}`),
});

/** Investors' tokens that unlock in 100 days from 2026-11-01 on, in no wallet that could be listed. */
const INVESTORS = bucket({
  id: "investors",
  allocation: "200",
  genesis: "0",
  phases: [{ kind: "linear", amount: "200", from: "2026-11-01", to: "2027-02-09" }],
});
const TEAMS = bucket({
  id: "team",
  allocation: "300",
  genesis: "0",
  phases: [{ kind: "cliff", amount: "300", month: 90 }],
  addresses: [wallet("0xa")],
});
const PUBLIC = bucket({ id: "public", allocation: "500", genesis: "500" });
/** 1,000 tokens: the public's, the team's in a listed wallet, and the investors'. */
const planWith = (changes: object = {}) => valid(file({ buckets: [PUBLIC, TEAMS, INVESTORS], ...changes }));

describe("the circulating supply by chain and schedule", () => {
  test("is what circulates on chain less what allocations without a wallet keep locked on that day", async () => {
    const world = worldOf(planWith());
    expect(await exact(world, "/api/circulating-supply-on-chain")).toBe("700");
    // 20 of 100 days have passed.
    expect(await exact(world)).toBe("540");
    const { headers, text } = await world.get(`${PATH}?format=result`);
    expect([JSON.parse(text), headers["X-Ledger-Version"]]).toEqual([
      { result: "540" },
      expect.stringMatching(/^\d+$/),
    ]);
    // More than must be locked in the team's wallet does not circulate either, and less does.
    for (const [held, circulating] of [
      [350, "490"],
      [250, "590"],
    ] as const)
      expect(await exact(worldOf(planWith(), { held: { "0xa": units(held) } }))).toBe(circulating);
  });

  test("counts burn wallets, further wallets and constants as the figure on chain does", async () => {
    const stated = { label: "Stuck", source: "https://example.org/lost", date: "2026-01-10" };
    const schedule = planWith({
      wallets: [wallet("0xb", { category: "burn" }), wallet("0xc", { category: "treasury" })],
      constants: [
        { ...stated, category: "other", amount: "0.00000001" },
        { ...stated, label: "Lost", category: "burn", amount: "3" },
      ],
    });
    const world = worldOf(schedule, { held: { "0xa": units(300), "0xb": units(20), "0xc": 7n } });
    expect(await exact(world, "/api/circulating-supply-on-chain")).toBe("676.99999992");
    expect(await exact(world)).toBe("516.99999992");
  });

  test.each([
    ["until the first day of the phase", "2026-10-31T12:00:00Z", "500"],
    ["to the end of a day", "2026-11-21T23:59:59Z", "540"],
    ["from midnight on", "2026-11-22T00:00:00Z", "542"],
    ["on the last day before the end", "2027-02-08T00:00:00Z", "698"],
    ["at the end nothing is", "2027-02-09T00:00:00Z", "700"],
    ["and long after it", "2040-01-01T00:00:00Z", "700"],
  ])("%s: %s", async (_what, at, circulating) => {
    expect(await exact(worldOf(planWith(), { at }))).toBe(circulating);
  });

  test("no copy outlives the day, and a reading is counted with the day of the request", async () => {
    const world = worldOf(planWith(), { at: "2026-11-21T23:59:50Z" });
    expect(await world.get(PATH)).toMatchObject({ text: "540", headers: { "Cache-Control": "public, max-age=10" } });
    for (const node of world.nodes) node.lie = () => "silent";
    world.pass(10);
    const { text, headers } = await world.get(PATH);
    expect([text, Number(headers["Age"])]).toEqual(["542", 10]);
  });

  test("is registered, recorded with the day of its reading, and a badge", async () => {
    const world = worldOf(planWith(), {
      addresses: [{ path: "/supply/circulating", figure: "circulating_supply_hybrid", form: "base_units" }],
    });
    expect((await world.get("/supply/circulating")).text).toBe(String(units(540)));
    expect(await world.json("/api/badge/circulating-supply-hybrid.json")).toMatchObject({ message: "540 XYZ" });
    await world.check();
    expect(world.recorded.figures.find(({ figure }) => figure === "circulating_supply_hybrid")).toMatchObject({
      day: "2026-11-21",
      baseUnits: String(units(540)),
      witnesses: 2,
    });
  });

  test("with the wallets of several chains is rounded once, after the sum", async () => {
    const held = bridgedSchedule().wallets.filter(({ address }) => address !== TEAM);
    const rest = bucket({ allocation: "900000000", genesis: "900000000", addresses: [wallet(TEAM)] });
    const phases = [{ kind: "linear", amount: "100000000", from: "2026-11-20", to: "2026-11-27" }];
    const locked = bucket({ id: "investors", allocation: "100000000", genesis: "0", phases });
    const schedule = bridgedSchedule({
      buckets: [rest, locked],
      wallets: held.map(({ chain, address, category }) => wallet(address, { chain, category })),
    });
    const { exact: figure } = await bridgedWorld({ schedule });
    const { native, eth, base } = START();
    const finest =
      (native.minted - native.burned - native.team) * EVM_FACTOR +
      (base.minted - base.dead - base.holder) -
      (eth.holder + eth.dead);
    // One of seven days has passed; what has unlocked is rounded down.
    const lockedUnits = 100_000_000n * UNIT - (100_000_000n * UNIT) / 7n;
    const expected = finest / EVM_FACTOR - lockedUnits;
    expect(await figure("circulating-supply-hybrid")).toBe(
      `${expected / UNIT}.${String(expected % UNIT).padStart(8, "0")}`.replace(/\.?0+$/, ""),
    );
  });
});

describe("it is no number", () => {
  test.each<[what: string, facts: Facts, reason: string]>([
    [
      "before the start, when all allocations are locked",
      { at: "2025-02-12T23:59:59Z" },
      "the listed wallets and the allocations without a wallet hold all that exists",
    ],
    [
      "where wallets and locks leave less than a token",
      { held: { "0xa": units(840) + 1n } },
      "the listed wallets and the allocations without a wallet hold all that exists",
    ],
    ["where they are more than all", { held: { "0xa": units(999) } }, "the listed wallets and the allocations"],
    [
      "where it would be above the maximum",
      { minted: units(1_161), held: {}, settings: { TOTAL_ABOVE_MAX_PERCENT: "20" } },
      "more circulates than the maximum supply",
    ],
    ["where no wallet was ever read", { chain: { balance: () => undefined } }, "wallet 0xa (Vault) was never read"],
  ])("%s", async (_what, facts, reason) => {
    expect(await worldOf(planWith(), facts).get(PATH)).toMatchObject(refused(reason));
  });

  test("control: one base unit less in the wallet is a token, and the maximum itself is served", async () => {
    expect(await exact(worldOf(planWith(), { held: { "0xa": units(839) } }))).toBe("1");
    const settings = { TOTAL_ABOVE_MAX_PERCENT: "20" };
    expect(await exact(worldOf(planWith(), { minted: units(1_160), held: {}, settings }))).toBe("1000");
  });

  test("once a wallet cannot be read for an hour; until then the last complete reading is served with its age", async () => {
    const world = worldOf(planWith());
    expect(await exact(world)).toBe("540");
    for (const node of world.nodes) node.lie = (name) => (name.includes("0xa") ? "silent" : undefined);
    world.pass(3_000);
    await world.get(PATH);
    const { text, headers } = await world.get(PATH);
    expect([text, Number(headers["Age"])]).toEqual(["540", expect.toSatisfy((age: number) => age >= 3_000)]);
    world.pass(3_000);
    await world.get(PATH);
    expect(await world.get(PATH)).toMatchObject(refused("wallet 0xa (Vault) was last read at 2026-11-21T02:00:0"));
  });
});

describe("it is not offered, and the history does not mention it,", () => {
  const listed = (each: Record<string, unknown>, address: string) => ({ ...each, addresses: [wallet(address)] });
  test.each([
    ["where every allocation with locked tokens lists a wallet", [PUBLIC, TEAMS, listed(INVESTORS, "0xb")], []],
    [
      "where none lists one: the locked tokens may be in the other wallets",
      [PUBLIC, { ...TEAMS, addresses: [] }, INVESTORS],
      [wallet("0xc", { category: "treasury" })],
    ],
  ])("%s", async (_what, buckets, wallets) => {
    const world = worldOf(planWith({ buckets, wallets }));
    expect(await world.get(PATH)).toMatchObject({
      status: "not_found",
      text: "The schedule has no allocation with locked tokens and without a wallet, beside one that lists a wallet.",
    });
    await world.check();
    expect(world.recorded.figures.map(({ figure }) => figure)).toContain("circulating_supply_on_chain");
    expect(JSON.stringify([world.recorded.figures, await world.json("/api/history")])).not.toContain("hybrid");
  });
});

/** Amount that allocations without a wallet keep locked on a day, from the file by the naive implementation. */
function naiveLocked(json: SketchedFile, allocations: readonly bigint[], isListed: readonly boolean[], today: string) {
  const all = allocations.reduce((sum, amount, index) => (isListed[index] === true ? sum : sum + amount), 0n);
  if (today < json.start) return all;
  const steps = naiveSteps(json.start, json.step_day, today);
  const buckets = json.buckets.filter((_, index) => isListed[index] !== true);
  return all - naiveCirculating({ ...json, buckets, adjustments: [] }, steps, steps.length - 1, today);
}

test("property: a second, naive implementation agrees to the base unit, and refuses the same", async () => {
  let servedWithLocks = 0;
  // Seven parts are less than everything.
  const share = fc.integer({ min: 0, max: 130 });
  const sketched = fc.tuple(sketch, fc.constantFrom(0, 1, 8)).map(([each, decimals]) => ({ ...each, decimals }));
  const lists = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
  const instant = fc.integer({ min: Date.parse("2018-12-01"), max: Date.parse("2026-01-01") });
  const shares = fc.array(share, { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(sketched, lists, shares, instant, async (each, flags, parts, atMs) => {
      const json = fileOf(each);
      const isListed = each.buckets.map((_, index) => flags[index] === true);
      const allocations = each.buckets.map(({ genesis, phases }) =>
        phases.reduce((sum, [, part]) => sum + part, genesis),
      );
      // The deployment has the figure where something is locked at the start.
      fc.pre(isListed.includes(true) && naiveLocked(json, allocations, isListed, json.start) > 0n);
      const [missing = 0, burn = 0, treasury = 0, ...others] = parts;
      const maximum = allocations.reduce((sum, amount) => sum + amount, 0n);
      const of = (thousandths: number): bigint => (maximum * BigInt(thousandths)) / 1_000n;
      const minted = maximum - of(missing);
      const held: Record<string, bigint> = { "0xb0": of(burn), "0xc0": of(treasury) };
      const buckets = json.buckets.map((written, index) => {
        if (isListed[index] !== true) return written;
        held[`0xa${index}`] = of(others[index] ?? 0);
        return { ...written, addresses: [wallet(`0xa${index}`)] };
      });
      const wallets = [wallet("0xb0", { category: "burn" }), wallet("0xc0", { category: "treasury" })];
      const schedule = valid({ ...json, buckets, wallets });
      const world = worldOf(schedule, {
        at: new Date(atMs).toISOString(),
        minted,
        held,
        chain: { decimals: each.decimals },
      });
      const locked = naiveLocked(json, allocations, isListed, dayText(atMs));
      const expected = Object.values(held).reduce((left, balance) => left - balance, minted - locked);
      const { status, text } = await world.get(`${PATH}?decimals=exact&format=result`);
      if (expected < 10n ** BigInt(each.decimals)) {
        expect([status, text]).toEqual(["unavailable", expect.stringContaining("hold all that exists")]);
        return;
      }
      servedWithLocks += locked > 0n ? 1 : 0;
      const [whole = "", fraction = ""] = JSON.parse(text).result.split(".");
      expect(BigInt(whole + fraction.padEnd(each.decimals, "0"))).toBe(expected);
    }),
    { numRuns: 150 },
  );
  expect(servedWithLocks).toBeGreaterThan(10);
});

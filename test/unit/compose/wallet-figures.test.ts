import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StakingTerms } from "../../../src/chain/staking.ts";
import { FIGURES, RECORDED_FIGURES } from "../../../src/figures.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { holdingKey, walletsOf } from "../../../src/supply/wallets.ts";
import { type DeploymentWorld, deploymentWorld, type ScriptedChain } from "../../support/deployment-world.ts";
import { bucket, file, valid } from "../supply/schedules.ts";

type Listed = Readonly<Record<string, string>>;
type Script = Pick<ScriptedChain, "minted" | "balance">;

/** Key of a listed wallet in the script. */
function keyOf(wallet: Listed): string {
  const [only] = walletsOf(valid(file({ wallets: [wallet] })));
  if (only === undefined) throw new Error("it is listed");
  return holdingKey(only);
}

/** A deployment before two nodes of that chain, which lists no yield products. */
function deployment(schedule: Schedule, chain: Partial<ScriptedChain>) {
  return deploymentWorld({ schedule, chain, nodes: ["upstream-1", "upstream-2"], settings: { RATES_URL: "none" } });
}

const CATEGORIES = ["team", "foundation", "treasury", "burn"];
const kinds: readonly Listed[] = [
  { holds: "account" },
  { holds: "stake_pool" },
  { holds: "vesting" },
  { holds: "delegation", pool: "0xdd" },
  { holds: "staking_contract", operator: "0xee" },
];
const wallet = (index: number, category: string, kind: Listed): Listed => ({
  chain: "native",
  address: `0x${(index + 0xa00).toString(16)}`,
  label: `Wallet ${index}`,
  category,
  ...kind,
});
const TOKEN = 10n ** 8n;
const MAX = 10n ** 9n * TOKEN;
/** The first wallet is the allocation's, unless tokens are burned there. */
const scheduleOf = (all: readonly Listed[]) => {
  const [first, ...others] = all.map(({ category, ...holding }) => ({ category, holding }));
  const addresses = first === undefined || first.category === "burn" ? [] : [first.holding];
  const wallets = (addresses.length === 0 && first !== undefined ? [first, ...others] : others).map(
    ({ category, holding }) => ({ ...holding, category }),
  );
  const phases = [{ kind: "never", amount: "1000000" }];
  const buckets = [bucket({ allocation: "1000000000", genesis: "999000000", phases, addresses })];
  return valid(file({ max_supply: "1000000000", buckets, wallets }));
};
/** Eight decimals, printed independently of the product. */
const decimal = (units: bigint) =>
  `${units / 10n ** 8n}.${String(units % 10n ** 8n).padStart(8, "0")}`.replace(/\.?0+$/, "");

/** All kinds, one burned, on a chain on which everything moves between any two versions. */
const ALL = kinds.map((kind, index) => wallet(index, CATEGORIES[index % 3] ?? "", kind));
const BURNED = wallet(9, "burn", { holds: "account" });
const MOVING = (): Script => ({
  minted: (version) => MAX - version * 11n,
  balance: (key, version) => 10n ** 13n + BigInt(key.length) * 10n ** 9n + version * 5n,
});
/** Less than circulates at any version. */
const PLANNED = 999_000_000n * 10n ** 8n;
const sumAt = (script: Script, version: bigint, of: readonly Listed[]) =>
  of.reduce((sum, each) => sum + (script.balance(keyOf(each), version) ?? 0n), 0n);

/** Figures of a chain with staking and a stable token at a version, by their names, exact as printed. */
function saidAt(version: bigint) {
  const { minted, staking, stable } = EVERYTHING;
  const [held, burned] = [sumAt(EVERYTHING, version, ALL), sumAt(EVERYTHING, version, [BURNED])];
  const total = minted(version) - burned;
  const { staked, numerator, denominator, epochSeconds } = staking(version);
  return {
    minted_supply: decimal(minted(version)),
    circulating_supply_on_chain: decimal(total - held),
    circulating_supply_above_plan: decimal(total - held - PLANNED),
    non_circulating_supply: decimal(held),
    burned_supply: decimal(burned),
    total_supply: decimal(total),
    staked_supply: decimal(staked),
    staked_percent: decimal(((staked * 10n ** 7n) / total) * 10n ** 3n),
    yearly_emission: decimal((staked * numerator * 31_536_000n) / (denominator * epochSeconds)),
    stable_supply: decimal(stable(version) * 100n),
  };
}

const EVERYTHING = {
  ...MOVING(),
  staking: (version: bigint): StakingTerms => {
    return { numerator: 26n, denominator: 4_380_000n, epochSeconds: 7_200n, staked: 10n ** 16n + version * 7n };
  },
  stable: (version: bigint) => 5_000_000n + version * 13n,
};

const OF_OTHER_TOKENS = ["escrow_shortfall", "burned_by_contract", "circulating_supply_hybrid"] as const;

/** Whether only other tokens have a figure: with an escrow, minted once, or with locks that are in no wallet. */
function isOfOtherTokens(name: string): name is (typeof OF_OTHER_TOKENS)[number] {
  return OF_OTHER_TOKENS.some((each) => each === name);
}

/** Every path that shows figures of the chain, and what it has to say at the version that it names. */
const SHOWN: readonly (readonly [target: string, expected: (said: ReturnType<typeof saidAt>) => object])[] = [
  ...FIGURES.flatMap(({ name, path, source }) => {
    if (source === "schedule" || path === null || isOfOtherTokens(name)) return [];
    /** A badge shows the first digits. */
    const begins = (exact: string) => (message: string) =>
      exact.replace(".", "").startsWith(message.replace(/\D/g, ""));
    return [
      [`${path}?decimals=exact&format=result`, (said) => ({ result: said[name] })],
      [`/api/badge/${path.slice(5)}.json`, (said) => ({ message: expect.toSatisfy(begins(said[name])) })],
    ] satisfies typeof SHOWN;
  }),
  [
    "/api/supply",
    (said) => ({
      total: { tokens: said.total_supply },
      circulating_on_chain: { tokens: said.circulating_supply_on_chain },
      burned: { tokens: said.burned_supply },
      unavailable: {},
    }),
  ],
  [
    "/api/supply-breakdown",
    ({ minted_supply, burned_supply, total_supply, non_circulating_supply, circulating_supply_on_chain }) => ({
      minted_supply: { tokens: minted_supply },
      burned_supply: { tokens: burned_supply },
      total_supply: { tokens: total_supply },
      non_circulating_supply: { tokens: non_circulating_supply },
      circulating_supply_on_chain: { tokens: circulating_supply_on_chain },
    }),
  ],
  ["/api/rates", ({ staked_supply }) => ({ data: [{ id: "native-staking", staked: staked_supply }] })],
  ["/api/rates/native-staking", ({ yearly_emission }) => ({ yearly_emission })],
  ["/api/rates/native-staking?value=staked_percent&format=result", (said) => ({ result: said.staked_percent })],
  ["/api/badge/apy:native-staking.json", () => ({ message: "2.63%" })],
  ["/api/badge/apy.json", () => ({ message: "2.63%" })],
];

describe("two isolates of a deployment on whose chain everything moves", () => {
  /** A caller who is answered by either of two isolates. */
  function caller() {
    const world = deployment(scheduleOf([...ALL, BURNED]), EVERYTHING);
    const isolates = [world.newIsolate(), world.newIsolate()] as const;
    const seen = { native: 0n, stable: 0n };
    const texts = new Map<string, string>();
    const read = async (isolate: 0 | 1, [target, expected]: (typeof SHOWN)[number]) => {
      const { status, text, headers } = await isolates[isolate].get(target);
      const version = BigInt(headers["X-Ledger-Version"] ?? -1);
      expect([status, JSON.parse(text)]).toMatchObject([200, expected(saidAt(version))]);
      const same = `${target} at ${version}`;
      expect(text).toBe(texts.get(same) ?? text);
      texts.set(same, text);
      const token = target.includes("stable") ? "stable" : "native";
      expect(version).toBeGreaterThanOrEqual(seen[token]);
      seen[token] = version;
    };
    return { ...world, read, seen };
  }

  // 30 s: fresh; 40 s: hardly older; then a reading that nobody has renewed for long.
  test.each([1, 31, 40, 61, 3_000])(
    "every %i s: each path tells what the chain says at one version",
    async (seconds) => {
      const { read, pass, seen } = caller();
      for (let round = 0; round < 4; round += 1) {
        for (const shown of SHOWN) {
          await read(round % 2 === 0 ? 0 : 1, shown);
          if (round > 1) await read(round % 2 === 0 ? 1 : 0, shown);
        }
        pass(seconds);
      }
      // Control: it has moved.
      if (seconds > 30) expect(seen.native).toBeGreaterThan(1_006n);
    },
  );

  test("a day has a row of each recorded figure, of one reading, with the number of nodes that confirmed it", async () => {
    const { check, recorded } = caller();
    await check();
    const native = recorded.figures.find(({ figure }) => figure === "total_supply")?.ledgerVersion;
    for (const { figure, baseUnits, decimals, ledgerVersion, witnesses } of recorded.figures) {
      if (isOfOtherTokens(figure)) expect.fail("a token on one chain that staking mints has no such figure");
      const exact = decimal(BigInt(baseUnits) * 10n ** BigInt(8 - decimals));
      expect([figure, exact, witnesses]).toEqual([figure, saidAt(BigInt(ledgerVersion ?? -1))[figure], 2]);
      if (figure !== "stable_supply") expect(ledgerVersion).toBe(native);
    }
    expect(recorded.figures.map(({ figure }) => figure).sort()).toEqual(
      RECORDED_FIGURES.filter((name) => !isOfOtherTokens(name)).sort(),
    );
  });

  test("whoever answers, and whenever: nobody sees an older reading after a newer one", async () => {
    const step = fc.record({
      isolate: fc.constantFrom(0 as const, 1 as const),
      shown: fc.constantFrom(...SHOWN),
      seconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 4_000 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { read, pass } = caller();
        for (const { isolate, shown, seconds } of steps) {
          pass(seconds);
          await read(isolate, shown);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("an isolate that has a reading which is not fresh", () => {
  const PATH = "/api/total-supply";
  const world = () => deployment(scheduleOf([...ALL, BURNED]), MOVING());

  test("drops it with the chain that it was read from, though the new one cannot be read", async () => {
    const { get, nodes, pass, replaceChain } = world();
    await get(PATH);
    for (const node of nodes) node.up = false;
    pass(31);
    // Control: of the same chain the last good one is served.
    expect(await get(PATH)).toMatchObject({ status: 200, headers: { Age: "31" } });
    replaceChain();
    pass(5);
    expect(await get(PATH)).toMatchObject({ status: "unavailable" });
  });
});

describe("while nothing can be read, figures are the last good ones for an hour, with their age, then 503", () => {
  type Act = (place: DeploymentWorld) => void;
  const setUp = (place: DeploymentWorld, up: boolean) => {
    for (const node of place.nodes) node.up = up;
  };
  /** Outages: their begin, their end, and the reason that callers are told. */
  const OUTAGES: readonly (readonly [string, Act, Act, RegExp])[] = [
    ["no node answers", (place) => setUp(place, false), (place) => setUp(place, true), /no chain node answers/],
    [
      "no node answers, and isolate and object have lost their memory",
      (place) => {
        setUp(place, false);
        place.evict();
        place.restartHome();
      },
      (place) => setUp(place, true),
      /no chain node answers/,
    ],
    [
      "two nodes disagree",
      ({ node }) =>
        Object.assign(node(0), { lie: (name: string, truth: bigint) => (name === "minted" ? truth - 1n : undefined) }),
      ({ node }) => Object.assign(node(0), { lie: () => undefined }),
      /the chain nodes disagree/,
    ],
    [
      "the object that reads does not answer",
      ({ world }) => Object.assign(world, { homeSilent: true }),
      ({ world }) => Object.assign(world, { homeSilent: false }),
      /the object that reads it does not answer/,
    ],
  ];
  const PATHS = ["/api/circulating-supply-on-chain", "/api/burned-supply", "/api/total-supply"];

  test.each(OUTAGES)("%s", async (_what, begin, end, reason) => {
    const place = deployment(scheduleOf([...ALL, BURNED]), MOVING());
    const served = () => Promise.all(PATHS.map((path) => place.get(path)));
    const first = await served();
    begin(place);
    place.pass(3_600);
    await served();
    const old = await served();
    expect(old.map(({ status, text, headers }) => [status, text, headers["Age"]])).toEqual(
      first.map(({ text }) => [200, text, "3600"]),
    );
    const state = "edge; hit; ttl=-3570; detail=upstream-failed";
    expect(old.map(({ headers }) => headers["Cache-Status"])).toEqual(PATHS.map(() => state));
    place.pass(10);
    const expired = await served();
    expect(expired.map(({ status }) => status)).toEqual(PATHS.map(() => "unavailable"));
    for (const { text } of expired) expect(text).toMatch(reason);
    expect(JSON.stringify(expired)).not.toMatch(/example|https?:/);
    end(place);
    place.pass(60);
    await served();
    expect((await served()).map(({ status, headers }) => [status, headers["Age"]])).toEqual(
      PATHS.map(() => [200, "0"]),
    );
  });
});

/** The ages of the figures on chain. */
async function healthOf({ json }: DeploymentWorld) {
  const { figures } = await json("/api/health");
  const rows = figures.map(({ name, age_seconds }: Record<string, unknown>) => [name, age_seconds]);
  const { total_supply, supply_breakdown } = Object.fromEntries(rows);
  return { total_supply, supply_breakdown };
}

describe("the figures that trackers define", () => {
  test("add up to what was minted, whatever is listed and whatever it holds", async () => {
    const listed = fc.array(
      fc.tuple(fc.constantFrom(...CATEGORIES), fc.constantFrom(...kinds), fc.bigInt({ min: 0n, max: MAX / 40n })),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(listed, fc.bigInt({ min: MAX / 2n, max: MAX }), async (rows, minted) => {
        const wallets = rows.map(([category, kind], index) => wallet(index, category, kind));
        const balances = new Map(wallets.map((each, index) => [keyOf(each), rows[index]?.[2] ?? 0n]));
        const { get, json } = deployment(scheduleOf(wallets), {
          minted: () => minted,
          balance: (key) => balances.get(key) ?? 0n,
        });
        const body = await json("/api/supply-breakdown");
        const units = (name: string) => BigInt(body[name].base_units);
        const own = (isBurned: boolean) =>
          wallets.reduce(
            (sum, each) => ((each["category"] === "burn") === isBurned ? sum + (balances.get(keyOf(each)) ?? 0n) : sum),
            0n,
          );
        expect([units("minted_supply"), units("non_circulating_supply"), units("burned_supply")]).toEqual([
          minted,
          own(false),
          own(true),
        ]);
        expect(units("circulating_supply_on_chain") + own(false) + own(true)).toBe(minted);
        const hasBurned = wallets.some(({ category }) => category === "burn");
        expect(await get("/api/burned-supply?decimals=exact")).toMatchObject(
          hasBurned ? { status: 200, text: decimal(own(true)) } : { status: "not_found" },
        );
        expect((await get("/api/total-supply?decimals=exact")).text).toBe(decimal(minted - own(true)));
        const others = wallets.some(({ category }) => category !== "burn");
        expect(await get("/api/circulating-supply-on-chain?decimals=exact")).toMatchObject(
          others ? { status: 200, text: decimal(minted - own(false) - own(true)) } : { status: "not_found" },
        );
      }),
      { numRuns: 60 },
    );
  });

  test("are of the last reading with every wallet while one cannot be read: never a sum of two versions", async () => {
    const script = MOVING();
    let broken = "";
    const { get, json, pass } = deployment(scheduleOf(ALL), {
      ...script,
      balance: (key, version) => (key === broken ? undefined : script.balance(key, version)),
    });
    for (const wallet of ALL) {
      broken = "";
      pass(700);
      await get("/api/supply-breakdown");
      const before = await json("/api/supply-breakdown");
      broken = keyOf(wallet);
      pass(700);
      await get("/api/supply-breakdown");
      const figure = await get("/api/circulating-supply-on-chain?decimals=exact");
      expect(figure).toMatchObject({ status: 200, headers: { Age: "700", "X-Ledger-Version": before.ledger_version } });
      // Figures that do not include the wallet are not affected.
      expect(await get("/api/total-supply")).toMatchObject({ status: 200, headers: { Age: "0" } });
      const body = await json("/api/supply-breakdown");
      const marked = body.non_circulating_wallets.filter(({ anomaly }: { anomaly: boolean }) => anomaly);
      expect(marked.map(({ address }: Listed) => address)).toEqual([wallet["address"]]);
      const version = BigInt(body.ledger_version);
      expect([body.ledger_version, marked[0].ledger_version]).toEqual([before.ledger_version, before.ledger_version]);
      expect(figure.text).toBe(decimal(script.minted(version) - sumAt(script, version, ALL)));
    }
  });

  test("have a balance that cannot be read any more for its hour, then are 503 with the reason", async () => {
    const script = { ...EVERYTHING, burned: 0n, isReadable: true };
    const [treasury] = ALL;
    const world = deployment(scheduleOf([treasury ?? {}, BURNED]), {
      minted: () => 950_000_000n * TOKEN,
      balance: (key) => (key !== keyOf(BURNED) ? MAX / 4n : script.isReadable ? script.burned : undefined),
      staking: () => script.staking(0n),
    });
    const { get, json, pass } = world;
    const AFFECTED = ["total-supply", "burned-supply", "circulating-supply-on-chain", "staked-percent"];
    const total = async () => {
      await get("/api/total-supply");
      return get("/api/total-supply");
    };
    expect(await total()).toMatchObject({ text: "950000000", headers: { Age: "0" } });
    Object.assign(script, { burned: 5_000_000n * TOKEN, isReadable: false });
    pass(3_500);
    expect(await total()).toMatchObject({ text: "950000000", headers: { Age: "3500" } });
    for (const path of ["supply", "supply-breakdown", "badge/total-supply.json", ...AFFECTED])
      expect(await get(`/api/${path}`)).toMatchObject({ status: 200, headers: { Age: "3500" } });
    expect(await get("/api/staked-supply")).toMatchObject({ status: 200, headers: { Age: "0" } });
    expect(await healthOf(world)).toEqual({ total_supply: 3_500, supply_breakdown: 3_500 });

    pass(101);
    await total();
    const reason = `wallet ${BURNED["address"]} (Wallet 9) was last read at 2026-11-21T02:00:00Z: the chain node`;
    for (const path of [...AFFECTED, "badge/total-supply.json"])
      expect(await get(`/api/${path}`)).toMatchObject({ status: "unavailable", text: expect.stringContaining(reason) });
    expect(await json("/api/supply")).toMatchObject({
      total: null,
      circulating_on_chain: null,
      burned: null,
      unavailable: { total: expect.stringContaining(reason), burned: expect.stringContaining(reason) },
    });
    const breakdown = await get("/api/supply-breakdown");
    expect([breakdown.status, JSON.parse(breakdown.text)]).toMatchObject([
      503,
      {
        message: expect.stringContaining(reason),
        burned_supply: null,
        total_supply: null,
        circulating_supply_on_chain: null,
        complete: false,
        non_circulating_supply: { tokens: "250000000" },
        non_circulating_wallets: [
          { balance: { tokens: "250000000" }, anomaly: false, percentage_of_total_supply: null },
          { balance: { tokens: "0" }, anomaly: true, last_updated: "2026-11-21T02:00:00Z" },
        ],
      },
    ]);
    expect(await get("/api/staked-supply")).toMatchObject({ status: 200, headers: { Age: "0" } });
    expect(await healthOf(world)).toEqual({ total_supply: null, supply_breakdown: null });

    script.isReadable = true;
    pass(60);
    await total();
    expect(await total()).toMatchObject({ text: "945000000", headers: { Age: "0" } });
  });

  test("of a day are all of one reading: of the first one that has every balance, in the evening of any", async () => {
    const script = { isReadable: false };
    const world = deploymentWorld({
      schedule: scheduleOf([...ALL, BURNED]),
      chain: {
        ...EVERYTHING,
        balance: (key, version) =>
          key === keyOf(BURNED) && !script.isReadable ? undefined : EVERYTHING.balance(key, version),
      },
      settings: { RATES_URL: "none" },
    });
    const { check, pass, recorded } = world;
    const ofOneChain = FIGURES.filter(({ name, source }) => source === "native" && !isOfOtherTokens(name));
    const rows = () => recorded.figures.filter(({ figure }) => figure !== "stable_supply");
    const versions = () => new Set(rows().map(({ day, ledgerVersion }) => `${day} ${ledgerVersion}`));
    // At 02:00 the burn wallet was never read, at 03:00 it is, and then not any more.
    await check();
    expect(rows()).toEqual([]);
    script.isReadable = true;
    pass(3_600);
    await check();
    expect([rows().length, versions().size]).toEqual([ofOneChain.length, 1]);
    script.isReadable = false;
    for (let hour = 0; hour < 24; hour += 1) {
      pass(3_600);
      await check();
    }
    expect(versions().size).toBe(1);
    for (let hour = 0; hour < 15; hour += 1) {
      pass(3_600);
      await check();
    }
    expect(versions().size).toBe(2);
    const figures = rows().flatMap(({ day, figure }) => (day === "2026-11-22" ? [figure] : []));
    expect(figures.sort()).toEqual(["non_circulating_supply", "staked_supply", "yearly_emission"]);
  });

  test("agree after all tokens of a burn wallet were destroyed", async () => {
    const amounts = { minted: MAX, burned: MAX / 50n };
    const [treasury] = ALL;
    const wallets = [treasury ?? {}, BURNED];
    const { get, pass } = deployment(scheduleOf(wallets), {
      minted: () => amounts.minted,
      balance: (key) => (key === keyOf(BURNED) ? amounts.burned : MAX / 4n),
    });
    const read = async () => {
      const paths = ["total-supply", "burned-supply", "circulating-supply-on-chain"];
      return Promise.all(paths.map(async (path) => (await get(`/api/${path}`)).text));
    };
    expect(await read()).toEqual(["980000000", "20000000", "730000000"]);
    amounts.minted -= amounts.burned;
    amounts.burned = 0n;
    pass(700);
    await read();
    expect(await read()).toEqual(["980000000", "0", "730000000"]);
  });

  test("are never served without a wallet: 503 names one that was never read, until it is read", async () => {
    const script = MOVING();
    const [, , , delegation] = ALL;
    let broken = keyOf(delegation ?? {});
    const { get, pass, readOnChain } = deployment(scheduleOf([...ALL, BURNED]), {
      ...script,
      balance: (key, version) => (key === broken ? undefined : script.balance(key, version)),
    });
    const refused = await get("/api/circulating-supply-on-chain");
    expect(refused.status).toBe("unavailable");
    expect(refused.text).toContain(`wallet ${delegation?.["address"]} (Wallet 3) was never read`);
    expect((await readOnChain()).figures).toMatchObject({
      circulating_on_chain: { reason: expect.stringContaining("Wallet 3") },
      burned: { value: expect.any(BigInt) },
    });
    // The wallet holds no burned tokens.
    expect((await get("/api/burned-supply")).status).toBe(200);
    expect((await get("/api/total-supply")).status).toBe(200);
    broken = "";
    pass(400);
    await get("/api/circulating-supply-on-chain");
    expect((await get("/api/circulating-supply-on-chain")).status).toBe(200);
  });

  test("are missing where a wallet is on another chain: a message, and days are complete without them", async () => {
    const foreign: Listed = { ...wallet(7, "treasury", { holds: "account" }), chain: "ethereum", address: "0xE7" };
    const { get, json, recorded } = deployment(scheduleOf([...ALL, BURNED, foreign]), MOVING());
    const text = expect.stringContaining("lists a wallet on another chain");
    expect(await get("/api/circulating-supply-on-chain")).toMatchObject({ status: "not_found", text });
    expect((await json("/api/supply")).unavailable).toEqual({
      circulating_on_chain: text,
      circulating_above_plan: text,
    });
    expect((await get("/api/total-supply")).status).toBe(200);
    const breakdown = await get("/api/supply-breakdown");
    expect([breakdown.status, JSON.parse(breakdown.text).message]).toEqual([
      503,
      expect.stringMatching(/wallet 0xE7 \(Wallet 7\) is on ethereum, .+ the operator can take it out of the schedule/),
    ]);
    const history = await get("/api/history");
    const names = recorded.figures.map(({ figure }) => figure);
    expect(names.sort()).toEqual(["burned_supply", "stable_supply", "total_supply"]);
    expect(JSON.parse(history.text).absent).toMatchObject({ non_circulating_supply: text });
    // Until midnight.
    expect(history.headers["Cache-Control"]).toBe(`public, max-age=${22 * 3_600}`);
  });

  test("are never a zero: a wallet that holds all becomes a burn wallet after it was read", async () => {
    const store = new Map();
    const chain = { minted: () => MAX, balance: () => MAX, staking: EVERYTHING.staking };
    const listing = (category: string) =>
      deploymentWorld({ schedule: scheduleOf([wallet(0, category, { holds: "account" })]), chain, store });
    expect(await listing("treasury").get("/api/total-supply")).toMatchObject({ status: 200, text: "1000000000" });
    const { get } = listing("burn");
    const text = expect.stringContaining("the listed burn wallets hold all that exists");
    for (const path of ["/api/total-supply", "/api/staked-percent"])
      expect(await get(path)).toMatchObject({ status: "unavailable", text });
    expect(await get("/api/burned-supply")).toMatchObject({ status: 200, text: "1000000000" });
    const breakdown = await get("/api/supply-breakdown");
    expect([breakdown.status, JSON.parse(breakdown.text)]).toMatchObject([
      503,
      { total_supply: null, unavailable: { total_supply: text } },
    ]);
  });

  test("are missing where no wallet is listed: a message, never the total in their place", async () => {
    const { get } = deployment(scheduleOf([]), MOVING());
    expect(await get("/api/circulating-supply-on-chain")).toMatchObject({
      status: "not_found",
      text: expect.stringContaining("lists no wallet of the project"),
    });
    expect(await get("/api/burned-supply")).toMatchObject({
      status: "not_found",
      text: expect.stringContaining("category burn"),
    });
  });

  test("are 503 and never 0 when the wallets hold everything", async () => {
    const script: Script = { minted: () => MAX, balance: () => MAX };
    const only = [wallet(0, "treasury", { holds: "account" })];
    expect((await deployment(scheduleOf(only), script).get("/api/circulating-supply-on-chain")).status).toBe(
      "unavailable",
    );
  });

  test.each([
    ["one base unit", 1n, "unavailable", expect.stringContaining("the listed wallets hold all that exists")],
    ["one base unit less than a token", TOKEN - 1n, "unavailable", expect.stringContaining("hold all that exists")],
    ["one token", TOKEN, 200, "1"],
  ])("are 503 and never 0 when the wallets leave %s", async (_what, left, status, text) => {
    const script: Script = { minted: () => MAX, balance: () => MAX - left };
    const only = [wallet(0, "treasury", { holds: "account" })];
    const { get } = deployment(scheduleOf(only), script);
    expect(await get("/api/circulating-supply-on-chain")).toMatchObject({ status, text });
  });

  test("cost two calls and one for each account, at either of two nodes; 256 wallets are read less often", async () => {
    for (const [count, seconds] of [
      [0, 30],
      [10, 30],
      [256, 210],
    ] as const) {
      const many = Array.from({ length: count }, (_, index) => wallet(index, "team", { holds: "account" }));
      const { get, nodes, pass, world } = deployment(scheduleOf(many), { minted: () => MAX, balance: () => TOKEN });
      await get("/api/total-supply");
      // The decimals are read once.
      expect(nodes.map(({ calls }) => calls.length)).toEqual([2 + count, 2 + count]);
      pass(seconds - 1);
      await get("/api/total-supply");
      expect(nodes.map(({ calls }) => calls.length)).toEqual([2 + count, 2 + count]);
      pass(2);
      await get("/api/total-supply");
      expect(nodes.map(({ calls }) => calls.length)).toEqual([3 + 2 * count, 3 + 2 * count]);
      expect(world.mostUnderWay).toBeLessThanOrEqual(8);
    }
  });
});

/** The four figures of Osmosis by their definitions: restricted addresses count with what they have staked. */
test("Osmosis: minted, burned, restricted (liquid and staked) and circulating", async () => {
  const [minted, burned, restricted] = [1_000_000_000n, 12_500_000n, [100_000_000n, 7_000_000n, 30_000_000n]] as const;
  const liquid = wallet(0, "foundation", { holds: "account" });
  const staked = wallet(0, "foundation", { holds: "delegation", pool: "0xdd" });
  const community = wallet(1, "community", { holds: "account" });
  const amounts = new Map([
    [keyOf(BURNED), burned],
    [keyOf(liquid), restricted[0]],
    [keyOf(staked), restricted[1]],
    [keyOf(community), restricted[2]],
  ]);
  const wallets = [liquid, staked, community, BURNED];
  const { get, json } = deployment(scheduleOf(wallets), {
    minted: () => minted * 10n ** 8n,
    balance: (key) => (amounts.get(key) ?? 0n) * 10n ** 8n,
  });
  const body = await json("/api/supply-breakdown");
  expect({
    burned_supply: (await get("/api/burned-supply")).text,
    total_supply: (await get("/api/total-supply")).text,
    restricted_supply: body.non_circulating_supply.tokens,
    circulating_supply: (await get("/api/circulating-supply-on-chain")).text,
  }).toEqual({
    burned_supply: "12500000",
    total_supply: "987500000",
    restricted_supply: "137000000",
    circulating_supply: "850500000",
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ViewCall } from "../../../src/chain/view.ts";
import { figures } from "../../../src/compose/figures.ts";
import { parseConfig } from "../../../src/config.ts";
import { assetsOf } from "../../../src/supply/asset.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { NO_CALLER } from "../../support/no-caller.ts";
import { memoryHistory, type Recorded } from "../history/memory-history.ts";
import { bucket, file, valid } from "../supply/schedules.ts";

/** A chain as a script: every number is a function of the ledger version, and the newest version moves on with each look. */
interface Script {
  /** Base units that exist. */
  minted: (version: bigint) => bigint;
  /** What a holding is worth, by its key in {@link keyOf}. */
  balance: (key: string, version: bigint) => bigint;
  /** Keys of holdings that the node refuses to read. */
  readonly broken: Set<string>;
}

type Listed = Readonly<Record<string, string>>;
const keyOf = ({ holds, address, pool, operator }: Listed) => [holds, address, pool ?? operator].join(" ");
/** The pool behind a contract is named by the chain alone. */
const poolBehind = (kind: string, address: string, operator = "") =>
  `0x${[...`${kind}${address}${operator}`]
    .map((c) => c.charCodeAt(0).toString(16))
    .join("")
    .slice(-40)}`;

/** The answers of a node to the views of wallets; each kind splits its amount differently. */
function answer(
  call: ViewCall,
  version: bigint,
  wallets: readonly Listed[],
  script: Script,
): readonly unknown[] | undefined {
  const [first = "", second = ""] = call.arguments.map(String);
  const worth = (of: Listed | undefined) =>
    of === undefined || script.broken.has(keyOf(of)) ? undefined : script.balance(keyOf(of), version);
  const find = (holds: string, of: (wallet: Listed) => boolean) =>
    wallets.find((wallet) => wallet["holds"] === holds && wallet["chain"] === "native" && of(wallet));
  const parts = (amount: bigint | undefined, count: bigint) =>
    amount === undefined
      ? undefined
      : [
          String(amount - (amount / 7n) * (count - 1n)),
          ...Array.from({ length: Number(count) - 1 }, () => String(amount / 7n)),
        ];
  const COMMISSION = 1_234n;
  switch (call.function) {
    case "0x1::coin::supply":
      return [{ vec: [String(script.minted(version))] }];
    case "0x1::coin::decimals":
      return [8];
    case "0x1::coin::balance": {
      const amount = worth(find("account", ({ address }) => address === first));
      return amount === undefined ? undefined : [String(amount)];
    }
    case "0x1::stake::get_stake": {
      const own = find("stake_pool", ({ address }) => address === first);
      const vesting = find("vesting", ({ address = "" }) => poolBehind("v", address) === first);
      const contract = find(
        "staking_contract",
        ({ address = "", operator }) => poolBehind("s", address, operator) === first,
      );
      const held = worth(contract);
      return parts(held === undefined ? worth(own ?? vesting) : held + COMMISSION, 4n);
    }
    case "0x1::vesting::stake_pool_address":
      return [poolBehind("v", first)];
    case "0x1::staking_contract::stake_pool_address":
      return [poolBehind("s", first, second)];
    case "0x1::staking_contract::staking_contract_amounts":
      return ["77", "55", String(COMMISSION)];
    case "0x1::delegation_pool::get_stake":
      return parts(worth(find("delegation", ({ address, pool }) => address === second && pool === first)), 3n);
    default:
      return undefined;
  }
}

const START = Date.parse("2026-11-21T02:00:00Z");

/** One isolate of a deployment over the script. */
function deployment(schedule: Schedule, wallets: readonly Listed[], script: Script) {
  const parsed = parseConfig({});
  const config = parsed.kind === "config" ? parsed.config : undefined;
  const assets = config && assetsOf(config);
  if (config === undefined || assets === undefined || "problems" in assets) throw new Error("the defaults are valid");
  const world = { version: 1_000n, nodeUp: true, nowMs: START, underWay: 0, mostUnderWay: 0 };
  const views: ViewCall[] = [];
  const recorded: Recorded = { figures: [], rates: [], changes: [] };
  const store = new Map<string, { value: string; storedAtMs: number }>();
  const put = async (name: string, value: string, storedAtMs: number) => void store.set(name, { value, storedAtMs });
  const isolate = figures({
    config,
    assets,
    schedule,
    readView: async (call) => {
      views.push(call);
      if (!world.nodeUp) return { kind: "unavailable" };
      // Between any two reads the chain moves on.
      world.version += 3n;
      const version = call.ledgerVersion ?? world.version;
      world.underWay += 1;
      world.mostUnderWay = Math.max(world.mostUnderWay, world.underWay);
      await new Promise((resolve) => setImmediate(resolve));
      world.underWay -= 1;
      const values = answer(call, version, wallets, script);
      return values === undefined
        ? { kind: "refused", status: 400 }
        : { kind: "returned", values, ledgerVersion: version, ageSeconds: 0 };
    },
    confirmView: async () => [],
    fetchListing: () => async () => ({ kind: "unavailable", message: "", retryAfterSeconds: 1 }),
    lastGood: { get: async (name) => store.get(name) ?? null, put, putSometimes: put },
    upstreamHealth: async () => ({ chainReplaced: null, upstreams: [] }),
    readTip: async () => "current",
    limiterState: async () => ({ limiterObjects: [], fullShards: [] }),
    postNotice: null,
    postHeartbeat: null,
    historyStore: memoryHistory(recorded),
    readAsset: async () => undefined,
    pause: () => new Promise(() => undefined),
    log: () => undefined,
  });
  const get = async (target: string) => {
    const [path = "", query = ""] = target.split("?");
    const route = isolate.routes.find((each) => each.path === path);
    if (route === undefined) throw new Error(`nothing at ${path}`);
    const behind: Promise<unknown>[] = [];
    const request = new Request(`https://edge.test${target}`);
    const when = { nowMs: world.nowMs, waitUntil: (work: Promise<unknown>) => void behind.push(work) };
    const outcome = await route.handler({
      ...when,
      ...{ request, method: "GET", path, query, params: {}, requestId: "1", admission: NO_CALLER },
    });
    await Promise.all(behind);
    return outcome.kind === "reply"
      ? { status: outcome.status, text: String(outcome.body), age: outcome.headers["Age"] }
      : { status: outcome.kind, text: "message" in outcome ? outcome.message : "", age: undefined };
  };
  const onChain = () => isolate.onChain({ nowMs: world.nowMs, waitUntil: () => undefined });
  return { world, views, get, onChain };
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
  ...{ chain: "native", address: `0x${(index + 0xa00).toString(16)}`, label: `Wallet ${index}`, category },
  ...kind,
});
const MAX = 10n ** 9n * 10n ** 8n;
const scheduleOf = (wallets: readonly Listed[]) =>
  valid(
    file({ max_supply: "1000000000", buckets: [bucket({ allocation: "1000000000", genesis: "1000000000" })], wallets }),
  );
/** Eight decimals, printed independently of the product. */
const decimal = (units: bigint) =>
  `${units / 10n ** 8n}.${String(units % 10n ** 8n).padStart(8, "0")}`.replace(/\.?0+$/, "");

/** All kinds, one burned, on a chain on which everything moves between any two versions. */
const ALL = kinds.map((kind, index) => wallet(index, CATEGORIES[index % 3] ?? "", kind));
const BURNED = wallet(9, "burn", { holds: "account" });
const MOVING = (): Script => ({
  minted: (version) => MAX - version * 11n,
  balance: (key, version) => 10n ** 13n + BigInt(key.length) * 10n ** 9n + version * 5n,
  broken: new Set(),
});
const sumAt = (script: Script, version: bigint, of: readonly Listed[]) =>
  of.reduce((sum, each) => sum + script.balance(keyOf(each), version), 0n);

describe("the figures that trackers define", () => {
  test("are those of one ledger version, although total and balances move between reads", async () => {
    const script = MOVING();
    const { get } = deployment(scheduleOf([...ALL, BURNED]), [...ALL, BURNED], script);
    const breakdown = JSON.parse((await get("/api/supply-breakdown")).text);
    const version = BigInt(breakdown.ledger_version);
    const [held, burned, minted] = [
      sumAt(script, version, ALL),
      sumAt(script, version, [BURNED]),
      script.minted(version),
    ];
    expect(breakdown).toMatchObject({
      minted_supply: { base_units: String(minted) },
      burned_supply: { base_units: String(burned) },
      total_supply: { base_units: String(minted - burned) },
      non_circulating_supply: { base_units: String(held) },
      circulating_supply_on_chain: { base_units: String(minted - burned - held) },
    });
    expect(breakdown.non_circulating_wallets.map(({ ledger_version }: Listed) => ledger_version)).toEqual(
      Array(6).fill(String(version)),
    );
    const exact = decimal(minted - burned - held);
    expect(await get("/api/circulating-supply-on-chain?decimals=exact")).toMatchObject({ status: 200, text: exact });
    expect(await get("/api/circulating-supply-on-chain?decimals=exact&format=result")).toMatchObject({
      text: `{"result":"${exact}"}`,
    });
    expect((await get("/api/circulating-supply-on-chain")).text).toBe(String((minted - burned - held) / 10n ** 8n));
    expect((await get("/api/burned-supply?decimals=exact")).text).toBe(decimal(burned));
    // The total is its own, newer reading: less what was burned at that version.
    const total = (await get("/api/total-supply?decimals=exact")).text;
    const versions = Array.from({ length: 200 }, (_, index) => version + BigInt(index));
    expect(versions.map((at) => decimal(script.minted(at) - sumAt(script, at, [BURNED])))).toContain(total);
  });

  test("add up to what was minted, whatever is listed and whatever it holds", async () => {
    const listed = fc.array(
      fc.tuple(fc.constantFrom(...CATEGORIES), fc.constantFrom(...kinds), fc.bigInt({ min: 0n, max: MAX / 40n })),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(listed, fc.bigInt({ min: MAX / 2n, max: MAX }), async (rows, minted) => {
        const wallets = rows.map(([category, kind], index) => wallet(index, category, kind));
        const balances = new Map(wallets.map((each, index) => [keyOf(each), rows[index]?.[2] ?? 0n]));
        const { get } = deployment(scheduleOf(wallets), wallets, {
          minted: () => minted,
          balance: (key) => balances.get(key) ?? 0n,
          broken: new Set(),
        });
        const body = JSON.parse((await get("/api/supply-breakdown")).text);
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

  test("keep a wallet's last good balance while it cannot be read", async () => {
    const script = MOVING();
    const { get, world } = deployment(scheduleOf(ALL), ALL, script);
    const before = JSON.parse((await get("/api/supply-breakdown")).text);
    for (const broken of ALL) {
      script.broken.clear();
      script.broken.add(keyOf(broken));
      world.nowMs += 700_000;
      const figure = await get("/api/circulating-supply-on-chain?decimals=exact");
      expect(figure).toMatchObject({ status: 200, age: "0" });
      const body = JSON.parse((await get("/api/supply-breakdown")).text);
      const marked = body.non_circulating_wallets.filter(({ anomaly }: { anomaly: boolean }) => anomaly);
      expect(marked.map(({ address }: Listed) => address)).toEqual([broken["address"]]);
      expect(BigInt(marked[0].ledger_version)).toBeGreaterThanOrEqual(BigInt(before.ledger_version));
      expect(BigInt(marked[0].ledger_version)).toBeLessThan(BigInt(body.ledger_version));
      const held = body.non_circulating_wallets.reduce(
        (sum: bigint, each: { balance: { base_units: string } }) => sum + BigInt(each.balance.base_units),
        0n,
      );
      expect(figure.text).toBe(decimal(BigInt(body.minted_supply.base_units) - held));
    }
  });

  test("agree after all tokens of a burn wallet were destroyed", async () => {
    const amounts = { minted: MAX, burned: MAX / 50n };
    const [treasury] = ALL;
    const wallets = [treasury ?? {}, BURNED];
    const { get, world } = deployment(scheduleOf(wallets), wallets, {
      minted: () => amounts.minted,
      balance: (key) => (key === keyOf(BURNED) ? amounts.burned : MAX / 4n),
      broken: new Set(),
    });
    const read = async () => {
      const paths = ["total-supply", "burned-supply", "circulating-supply-on-chain"];
      return Promise.all(paths.map(async (path) => (await get(`/api/${path}`)).text));
    };
    expect(await read()).toEqual(["980000000", "20000000", "730000000"]);
    amounts.minted -= amounts.burned;
    amounts.burned = 0n;
    world.nowMs += 700_000;
    expect(await read()).toEqual(["980000000", "0", "730000000"]);
  });

  test("are never served without a wallet: 503 names one that was never read, until it is read", async () => {
    const script = MOVING();
    const [, , , delegation] = ALL;
    script.broken.add(keyOf(delegation ?? {}));
    const { get, world, onChain } = deployment(scheduleOf([...ALL, BURNED]), [...ALL, BURNED], script);
    const refused = await get("/api/circulating-supply-on-chain");
    expect(refused.status).toBe("unavailable");
    expect(refused.text).toContain(`wallet ${delegation?.["address"]} (Wallet 3) was never read`);
    expect(await onChain()).toMatchObject({
      circulating: { kind: "unavailable", reason: expect.stringContaining("Wallet 3") },
      burned: { kind: "cached" },
    });
    // It holds nothing that is burned.
    expect((await get("/api/burned-supply")).status).toBe(200);
    expect((await get("/api/total-supply")).status).toBe(200);
    script.broken.clear();
    world.nowMs += 400_000;
    expect((await get("/api/circulating-supply-on-chain")).status).toBe(200);
  });

  test("are never served without a wallet: 503 names one on another chain, and says what to do", async () => {
    const foreign: Listed = { ...wallet(7, "treasury", { holds: "account" }), chain: "ethereum", address: "0xE7" };
    const { get } = deployment(scheduleOf([...ALL, foreign]), [...ALL, foreign], MOVING());
    const refused = await get("/api/circulating-supply-on-chain");
    expect(refused.status).toBe("unavailable");
    expect(refused.text).toMatch(
      /wallet 0xE7 \(Wallet 7\) is on ethereum, .+ the operator can take it out of the schedule/,
    );
    expect((await get("/api/total-supply")).status).toBe(200);
  });

  test("are the last good ones for an hour while no node answers, with their true age, then none", async () => {
    const { get, world } = deployment(scheduleOf([...ALL, BURNED]), [...ALL, BURNED], MOVING());
    const paths = ["/api/circulating-supply-on-chain", "/api/burned-supply", "/api/total-supply"];
    const first = await Promise.all(paths.map(get));
    world.nodeUp = false;
    world.nowMs += 3_600_000;
    const old = await Promise.all(paths.map(get));
    world.nowMs += 10_000;
    const expired = await Promise.all(paths.map(get));
    expect(old).toEqual(first.map(({ text }) => ({ status: 200, text, age: "3600" })));
    expect(expired.map(({ status }) => status)).toEqual(paths.map(() => "unavailable"));
  });

  test("are missing where no wallet is listed: a message, never the total in their place", async () => {
    const { get } = deployment(scheduleOf([]), [], MOVING());
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
    const script: Script = { minted: () => MAX, balance: () => MAX, broken: new Set() };
    const only = [wallet(0, "treasury", { holds: "account" })];
    expect((await deployment(scheduleOf(only), only, script).get("/api/circulating-supply-on-chain")).status).toBe(
      "unavailable",
    );
  });

  test("read 256 wallets of the costliest kind, 32 at once, with three views each", async () => {
    const many = Array.from({ length: 256 }, (_, index) =>
      wallet(index, "team", { holds: "staking_contract", operator: "0xee" }),
    );
    const { get, views, world } = deployment(scheduleOf(many), many, {
      minted: () => MAX,
      balance: () => 10n ** 9n,
      broken: new Set(),
    });
    expect((await get("/api/circulating-supply-on-chain")).text).toBe(String(10n ** 9n - 256n * 10n));
    // Supply and decimals at the tip, the supply at the version.
    expect(views).toHaveLength(3 + 3 * 256);
    // The first two views of a contract are independent of one another; the supply is read beside them.
    expect(world.mostUnderWay).toBeGreaterThan(32);
    expect(world.mostUnderWay).toBeLessThanOrEqual(2 * 32 + 1);
  });
});

describe("published examples", () => {
  const accounts = (...amounts: readonly (readonly [string, bigint])[]) =>
    amounts.map(([category], index) => wallet(index, category, { holds: "account" }));

  test("CoinGecko: of 1,000,000 tokens wallets hold 200,000, 100,000 and 100,000: 600,000 circulate", async () => {
    const rows = [
      ["team", 200_000n],
      ["treasury", 100_000n],
      ["foundation", 100_000n],
    ] as const;
    const wallets = accounts(...rows);
    const { get } = deployment(
      valid(file({ max_supply: "1000000", buckets: [bucket({ allocation: "1000000", genesis: "1000000" })], wallets })),
      wallets,
      {
        minted: () => 1_000_000n * 10n ** 8n,
        balance: (key) => (rows[wallets.findIndex((each) => keyOf(each) === key)]?.[1] ?? 0n) * 10n ** 8n,
        broken: new Set(),
      },
    );
    expect((await get("/api/circulating-supply-on-chain")).text).toBe("600000");
  });

  /** The four figures of Osmosis by their definitions: restricted addresses count with what they have staked. */
  test("Osmosis: minted, burned, restricted (liquid and staked) and circulating", async () => {
    const [minted, burned, restricted] = [
      1_000_000_000n,
      12_500_000n,
      [100_000_000n, 7_000_000n, 30_000_000n],
    ] as const;
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
    const { get } = deployment(scheduleOf(wallets), wallets, {
      minted: () => minted * 10n ** 8n,
      balance: (key) => (amounts.get(key) ?? 0n) * 10n ** 8n,
      broken: new Set(),
    });
    const body = JSON.parse((await get("/api/supply-breakdown")).text);
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
});

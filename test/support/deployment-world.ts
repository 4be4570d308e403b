import { withAddresses } from "../../src/addresses/address-routes.ts";
import type { AddressFile } from "../../src/addresses/registered-address.ts";
import { type AdmittedRoute, NO_CALLER } from "../../src/admission.ts";
import { parseStored, storedText } from "../../src/base/json.ts";
import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import type { StakingTerms } from "../../src/chain/staking.ts";
import type { UpstreamReport } from "../../src/chain/upstream-report.ts";
import type { ResourceCall, ViewCall } from "../../src/chain/view.ts";
import { badgeFigures, productBadge } from "../../src/compose/badge-figures.ts";
import type { FigurePorts } from "../../src/compose/copies.ts";
import { figureRoutes } from "../../src/compose/figure-routes.ts";
import type { AnsweringNode, ChainNodes, FindNodes } from "../../src/families/chain-node.ts";
import { moveNode } from "../../src/families/move/move-node.ts";
import { nodeSettings } from "../../src/families/token-chain.ts";
import type { Notice } from "../../src/health/alert.ts";
import type { Correction } from "../../src/home/history/corrections.ts";
import { SharedReadings } from "../../src/home/readings.ts";
import { applyConditional } from "../../src/http/conditional.ts";
import { failureReply } from "../../src/http/failure.ts";
import type { Outcome } from "../../src/http/handler.ts";
import { compilePath } from "../../src/http/path-pattern.ts";
import {
  ChainReader,
  type CountedToken,
  FRESH_SECONDS,
  freshSecondsOf,
  type ReaderState,
  type TokenReader,
} from "../../src/onchain/reader.ts";
import type { Reading } from "../../src/onchain/reading.ts";
import { RoundReader } from "../../src/onchain/round-reader.ts";
import { chainRules, onlyChainRules, type ReadingRules, stableRules } from "../../src/onchain/rules.ts";
import { badgeRoutes } from "../../src/publish/badges/badge-handlers.ts";
import type { RecordedPrice } from "../../src/rates/price-growth.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { supplyRoutes } from "../../src/supply/supply-handlers.ts";
import { holdingKey, holdingsOn } from "../../src/supply/wallets.ts";
import type { Sample } from "../../src/swr/loader.ts";
import { memoryHistory, type Recorded } from "../unit/home/history/memory-history.ts";
import { configOf } from "./app.ts";
import { getContext } from "./get-context.ts";
import { readingOf } from "./reading-of.ts";

/** Scripted chain: every number is a function of the ledger version. */
export interface ScriptedChain {
  minted: (version: bigint) => bigint;
  /** Balance of a holding, by {@link holdingKey}; undefined: its view fails. */
  balance: (holding: string, version: bigint) => bigint | undefined;
  stable: (version: bigint) => bigint;
  decimals: number;
  stableDecimals: number;
  /** Stake pools of contracts, by {@link holdingKey}; other contracts have one each. */
  pools?: Readonly<Record<string, string>>;
  /** Terms of staking; undefined: the chain has none. Without this member the deployment does not read it. */
  staking?: (version: bigint) => StakingTerms | undefined;
}

/** Node of the chain. Tests set its faults while it runs. */
export interface ScriptedNode {
  readonly label: string;
  up: boolean;
  /** Whether it answers probes but no view. */
  hangs: boolean;
  /** Whether each view takes three seconds. */
  slow: boolean;
  /** Distance of its newest version from the chain's. */
  offset: bigint;
  /** Whether it reports its newest version with the present time, whatever its time on the chain. */
  claimsNow: boolean;
  /** Status with which it refuses every view; null: none. */
  refuses: number | null;
  /** Value that it reports for an amount named `minted`, `stable` or by its holding; `silent`: no answer. */
  lie: (name: string, truth: bigint, version: bigint) => bigint | "silent" | undefined;
  /** Views that were requested. */
  readonly calls: ViewCall[];
}

export interface Stored {
  readonly value: string;
  readonly storedAtMs: number;
}

interface WorldOptions {
  readonly schedule: Schedule;
  readonly chain?: Partial<ScriptedChain>;
  /** Labels of the nodes; a single label `embedded` means the embedded node. */
  readonly nodes?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  /** Registered addresses of the deployment. */
  readonly addresses?: AddressFile | null;
  /** Rows of the yield listing. */
  readonly rows?: readonly unknown[];
  readonly store?: Map<string, Stored>;
  /** Nodes that replace the scripted ones, at the chain's version. */
  readonly chainNodes?: ((version: bigint) => readonly AnsweringNode[]) | undefined;
  /** Nodes of each further chain of the schedule, by its id; a chain without settings is not read. */
  readonly furtherNodes?: Readonly<Record<string, ScriptedNodes>>;
  /** Prices of shares that were read from an archive node. */
  readonly pricesBackfill?: readonly RecordedPrice[];
  /** Published corrections of the history. */
  readonly corrections?: readonly Correction[];
}

/** Finds the answering nodes of one chain; `now` is the world's clock. */
export type ScriptedNodes = (isOver: () => boolean, now: () => number) => Promise<ChainNodes>;

export const WORLD_START_MS = Date.parse("2026-11-21T02:00:00Z");
const HALF_SECOND_MS = 500;
/** Time between two versions of the chain. */
const VERSION_MS = 100;
const SLOW_MS = 3_000;
const TOKEN = 100_000_000n;
const ONE_BILLION = 1_000_000_000n * TOKEN;
/** Pool behind each contract. A contract names the same pool in every script. */
const POOL_OF = new Map<string, string>();

/** Runs a deployment's figures over scripted nodes, a listing, a store, a home object, and isolates. */
export function deploymentWorld({
  schedule,
  chain: script = {},
  nodes: labels = ["upstream-1"],
  settings = {},
  addresses = null,
  rows = [],
  store = new Map(),
  chainNodes,
  furtherNodes = {},
  pricesBackfill = [],
  corrections = [],
}: WorldOptions) {
  const isEmbedded = labels[0] === "embedded";
  const urls = labels.map((label) => `https://${label}.example/v1`).join();
  const config = configOf(
    {
      STABLE_ASSET: "0xabc",
      // Most scripts do not follow a schedule, so the plan is not checked.
      PLAN_TOLERANCE_PERCENT: "100",
      STAKING: script.staking === undefined ? "off" : "on",
      ...(isEmbedded ? {} : { NODE_URLS: urls }),
      ...Object.fromEntries(Object.keys(furtherNodes).map((id) => [nodeSettings(id)[0], `https://${id}.example/v1`])),
      ...settings,
    },
    schedule.chains,
  );
  const chain: ScriptedChain = {
    minted: () => ONE_BILLION,
    balance: () => 0n,
    stable: () => 5_000_000n,
    decimals: 8,
    stableDecimals: 6,
    ...script,
  };
  const nodes = labels.map((label): ScriptedNode => {
    const healthy = { up: true, hangs: false, slow: false, offset: 0n, claimsNow: false, refuses: null };
    return { label, ...healthy, lie: () => undefined, calls: [] };
  });
  const world = {
    version: 1_000n,
    /** Versions that the chain gains with each probe, and during each sleep. */
    step: 3n,
    nowMs: WORLD_START_MS,
    rows,
    listingUp: true,
    pricesBackfillUp: true,
    correctionsUp: true,
    listingHangs: false,
    /** While set, no node answers a view. */
    nodesHang: false,
    limiterUp: true,
    /** The home object runs another version. */
    nodesUnreported: false,
    /** The home object does not answer. */
    homeSilent: false,
    /** The history accepts no row. */
    storeRefuses: false,
    underWay: 0,
    mostUnderWay: 0,
  };
  const saidBy = async (
    node: ScriptedNode,
    call: Pick<ViewCall, "ledgerVersion">,
    isOver: () => boolean,
    valuesIn: () => readonly unknown[] | "silent" | undefined,
  ) => {
    if (isOver()) return { kind: "unavailable" as const };
    world.underWay += 1;
    world.mostUnderWay = Math.max(world.mostUnderWay, world.underWay);
    do await turn();
    while (world.nodesHang);
    world.underWay -= 1;
    if (node.slow) world.nowMs += SLOW_MS;
    if (node.hangs || !node.up) return { kind: "unavailable" as const };
    if (node.refuses !== null) return { kind: "refused" as const, status: node.refuses };
    if (call.ledgerVersion > world.version + node.offset) return { kind: "refused" as const, status: 404 };
    const values = valuesIn();
    if (values === "silent") return { kind: "unavailable" as const };
    return values === undefined
      ? { kind: "refused" as const, status: 400 }
      : { kind: "returned" as const, values, ledgerVersion: call.ledgerVersion };
  };
  const readsOf = (node: ScriptedNode, isOver: () => boolean) => ({
    readView: (call: ViewCall) => {
      node.calls.push(call);
      return saidBy(node, call, isOver, () => answerOf(call, node, chain, schedule));
    },
    readResource: ({ ledgerVersion }: ResourceCall) =>
      saidBy(node, { ledgerVersion }, isOver, () => {
        const staked = chain.staking?.(ledgerVersion)?.staked;
        if (staked === undefined) return undefined;
        const said = node.lie("staked", staked, ledgerVersion) ?? staked;
        return said === "silent" ? said : [{ total_voting_power: String(said) }];
      }),
  });
  /** Sleeping moves the world's clock. */
  const sleep = async (milliseconds: number) => {
    await turn();
    world.nowMs += milliseconds;
    world.version += world.step;
  };
  const chainReaders: ChainReader[] = [];
  const readerOf = (token: CountedToken): TokenReader | null => {
    const asset = config.assets[token];
    if (asset === null) return null;
    const [{ chain: first }, ...furtherChains] = config.chains;
    const isOnSeveral = furtherChains.length > 0;
    const rules =
      token === "native"
        ? (isOnSeveral ? chainRules : onlyChainRules)(schedule, first, config)
        : stableRules({ ...first, asset }, config);
    const nodesOf: FindNodes = async (isOver) => {
      world.version += world.step;
      if (chainNodes !== undefined) return { configured: labels, answering: chainNodes(world.version) };
      const timeOf = (version: bigint) => world.nowMs - Number(world.version - version) * VERSION_MS;
      const answering = nodes
        .filter(({ up }) => up)
        .map((node) => ({
          ...moveNode(node.label, world.version + node.offset, readsOf(node, isOver)),
          newestAtMs: node.claimsNow ? world.nowMs : timeOf(world.version + node.offset),
          timeOf: async (version: bigint) => timeOf(version),
        }));
      return { configured: labels, answering };
    };
    const reader = chainReader(token, rules, nodesOf);
    if (token === "stable" || !isOnSeveral) return reader;
    const further = furtherChains.map(({ chain: each, nodeUrls }) => {
      const { id } = each;
      const answering = furtherNodes[id];
      if (answering === undefined || nodeUrls.length === 0) return { id, reader: null };
      const nodesOfChain: FindNodes = (isOver) => answering(isOver, () => world.nowMs);
      return { id, reader: chainReader(id, chainRules(schedule, each, config), nodesOfChain) };
    });
    const stored = store.get("reading/rounds")?.value;
    return new RoundReader({
      schedule,
      freshSeconds: freshSecondsOf(schedule, config),
      settings: config,
      log: (event, detail) => logged.push({ event, detail }),
      chains: [{ id: NATIVE_CHAIN, reader }, ...further],
      now: () => world.nowMs,
      stored: parseStored<Sample<Reading>>(stored ?? "null") ?? null,
      save: (good) => void store.set("reading/rounds", { value: storedText(good), storedAtMs: world.nowMs }),
    });
  };
  const chainReader = (token: string, rules: ReadingRules, answering: FindNodes): ChainReader => {
    const key = `reading/${token}`;
    const reader = new ChainReader({
      name: `${token}_reading`,
      rules,
      freshSeconds: token === "stable" ? FRESH_SECONDS : freshSecondsOf(schedule, config),
      outvoted: () => disagreements().find(({ outvoted }) => outvoted !== null)?.outvoted ?? null,
      now: () => world.nowMs,
      sleep,
      log: (event, detail) => logged.push({ event, detail }),
      nodes: answering,
      stored: parseStored<ReaderState>(store.get(key)?.value ?? "null") ?? null,
      save: (state) => void store.set(key, { value: storedText(state), storedAtMs: world.nowMs }),
    });
    chainReaders.push(reader);
    return reader;
  };
  const logged: { event: string; detail: Readonly<Record<string, unknown>> }[] = [];
  const behind: Promise<unknown>[] = [];
  const calls = { listings: 0, heartbeats: 0, home: 0 };
  const notices: Notice[] = [];
  const recorded = { figures: [], rates: [], prices: [], changes: [] } satisfies Recorded as Required<Recorded>;
  const history = memoryHistory(recorded);
  const save = (name: string, value: string, storedAtMs: number) => void store.set(name, { value, storedAtMs });
  const log: FigurePorts["log"] = (event, detail) => logged.push({ event, detail });
  const newHome = () => {
    chainReaders.splice(0);
    const readers = { native: readerOf("native"), stable: readerOf("stable") };
    const readings = new SharedReadings({
      config,
      schedule,
      save,
      log,
      history: { ...history, record: (...rows) => !world.storeRefuses && history.record(...rows) },
      readers: () => readers,
      fetchListing: async (take) => {
        calls.listings += 1;
        while (world.listingHangs) await turn();
        if (!world.listingUp) return undefined;
        take(new TextEncoder().encode(JSON.stringify({ data: world.rows })));
        return 200;
      },
      ratesMapping: null,
      corrections: async () => (world.correctionsUp ? corrections : null),
      pricesBackfill: async () => (world.pricesBackfillUp ? pricesBackfill : null),
      load: (name) => store.get(name) ?? null,
      now: () => world.nowMs,
      background: (work) => void behind.push(work),
      afterReplies: (work) => void behind.push(turn().then(work)),
    });
    return { ...readers, readings };
  };
  let home = newHome();
  const disagreements = () => chainReaders.flatMap((reader) => reader.disagreement ?? []);
  /** Calls the home object; null while it does not answer. */
  const called = <T>(call: () => T): T | null => {
    calls.home += 1;
    return world.homeSilent ? null : call();
  };
  const ports: FigurePorts = {
    config,
    schedule,
    addressesSha256: addresses?.sha256 ?? null,
    ratesMappingSha256: null,
    getShared: async (...question) => called(() => home.readings.get(...question)),
    history: {
      ...history,
      recordToday: async () => called(() => home.readings.recordToday()),
      figures: async (days) => called(() => home.readings.recordToday() && history.figures(days)) || null,
      rates: async (...of) =>
        (await called(async () => (home.readings.recordToday() ? home.readings.ratesOf(...of) : null)))?.slice() ??
        null,
    },
    lastGood: {
      get: async (name) => (world.homeSilent ? undefined : called(() => store.get(name) ?? null)),
      put: async (...value) => void called(() => save(...value)),
    },
    upstreamHealth: async () => {
      if (world.homeSilent) return null;
      if (world.nodesUnreported) return { chainReplaced: null };
      const upstreams = nodes.map(({ label, up }): UpstreamReport => {
        const seen = up ? { ledgerVersion: String(world.version), lag: "0" } : { ledgerVersion: null, lag: null };
        return { label, reachable: up, breaker: up ? "closed" : "open", exclusion: null, isOutdated: false, ...seen };
      });
      return { chainReplaced: null, disagreements: disagreements(), upstreams };
    },
    readTip: async () => (nodes.some(({ up }) => up) ? "current" : "unavailable"),
    limiterState: async () => ({
      limiterObjects: [{ region: "world", responds: world.limiterUp, revision: null }],
      fullLimiters: [],
    }),
    postNotice: async (notice) => {
      notices.push(notice);
      return true;
    },
    postHeartbeat: async () => {
      calls.heartbeats += 1;
      return true;
    },
    backfill: async () => [],
    corrections: async () => (world.correctionsUp ? corrections : null),
    // One turn of the event loop per half second, so that deadlines keep their order.
    pause: async (milliseconds) => {
      for (let passed = 0; passed <= milliseconds; passed += HALF_SECOND_MS) await turn();
    },
    now: () => world.nowMs,
    log,
  };
  const newIsolate = () => {
    const fed = figureRoutes(ports);
    const routes = [...supplyRoutes(schedule, fed.readOnChain, async () => undefined), ...fed.routes];
    const badges = badgeRoutes(badgeFigures(routes, schedule), productBadge(routes));
    const own = [...routes, ...badges].map((route) => ({ ...route, method: "GET" as const }));
    return { ...fed, routes: withAddresses(own, addresses, fed.figuresAt) };
  };
  let isolate = newIsolate();
  const when = () => ({ nowMs: world.nowMs, waitUntil: (work: Promise<unknown>) => void behind.push(work) });
  const settle = async () => {
    while (behind.length > 0) await Promise.all(behind.splice(0));
  };
  /** Returns the response, then completes the work that continues after it. */
  const getFrom = async (routes: readonly AdmittedRoute[], target: string, headers = {}): Promise<Answer> => {
    const found = await answerFrom(routes, target, headers);
    await settle();
    return found;
  };
  const answerFrom = async (routes: readonly AdmittedRoute[], target: string, headers = {}): Promise<Answer> => {
    const [path = ""] = target.split("?");
    const route = routes.find((each) => each.path === path) ?? routes.find((each) => compilePath(each.path).test(path));
    if (route === undefined) throw new Error(`nothing at ${path}`);
    const params = compilePath(route.path).exec(path)?.groups ?? {};
    const context = { ...getContext(target, { headers, params }), ...when(), admission: NO_CALLER };
    const outcome = await route.handler(context);
    return answer(outcome.kind === "reply" ? applyConditional(outcome, context.request) : outcome);
  };
  const json = async (target: string) => JSON.parse((await getFrom(isolate.routes, target)).text);
  return {
    world,
    chain,
    nodes,
    /** Returns a node by its index, from 0 on. */
    node: (index: number) => {
      const node = nodes[index];
      if (node === undefined) throw new RangeError(`no node ${index}`);
      return node;
    },
    calls,
    logged,
    notices,
    recorded,
    store,
    settle,
    pass: (seconds: number) => {
      world.nowMs += seconds * 1_000;
    },
    /** Replaces the isolate, whose memory is lost. */
    evict: () => {
      isolate = newIsolate();
    },
    /** Restarts the home object: its memory is lost, its storage stays. */
    restartHome: () => {
      home = newHome();
    },
    /** Puts another chain behind the nodes, so that stored readings are void. */
    replaceChain: () => {
      for (const token of ["native", "stable"]) store.delete(`reading/${token}`);
      home = newHome();
    },
    /** Forces a reading now, however fresh the last one is. */
    readNow: async (token: CountedToken = "native") => {
      world.nowMs += 600_000;
      const reader = home[token];
      return reader && readingOf(reader);
    },
    /** Readings of the home object. */
    readings: () => home.readings,
    readOnChain: () => isolate.readOnChain(when()),
    check: async () => {
      await isolate.check(when());
      await settle();
    },
    get: (target: string, headers?: Record<string, string>) => getFrom(isolate.routes, target, headers),
    json,
    /** Routes of the isolate. */
    routes: () => isolate.routes,
    /** Codes of the problems in health. */
    codes: async (): Promise<string[]> =>
      (await json("/api/health")).problems.map(({ code }: { code: string }) => code),
    /** Returns the response without waiting for the work that continues after it. */
    answer: (target: string) => answerFrom(isolate.routes, target),
    /** Starts another isolate with its own memory. */
    newIsolate: () => {
      const { routes } = newIsolate();
      return { get: (target: string) => getFrom(routes, target) };
    },
  };
}

export type DeploymentWorld = ReturnType<typeof deploymentWorld>;

interface Answer {
  readonly status: number | string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

function answer(outcome: Outcome): Answer {
  // A failure with details beyond its message is read as its caller reads it.
  const reply = "knownMembers" in outcome ? failureReply(outcome, "api") : outcome;
  if (reply.kind === "reply") return { status: reply.status, headers: reply.headers, text: String(reply.body) };
  return { status: outcome.kind, headers: {}, text: "message" in outcome ? outcome.message : "" };
}

function turn(): Promise<void> {
  return new Promise((next) => setImmediate(next));
}

/** Awaits work, and counts the seconds that it takes in the world's pauses. */
export async function timed<T>(work: Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns += 1) await turn();
  return { result: await ended, seconds: (turns * HALF_SECOND_MS) / 1_000 };
}

const COMMISSION = 1_234n;

/** Answers the views of supply and wallets as a node; each kind of holding splits its amount differently. */
export function answerOf(
  call: Omit<ViewCall, "typeArguments">,
  { lie }: Pick<ScriptedNode, "lie">,
  chain: ScriptedChain,
  schedule: Schedule,
): readonly unknown[] | "silent" | undefined {
  let isSilent = false;
  const said = (name: string, truth: bigint): bigint => {
    const found = lie(name, truth, call.ledgerVersion) ?? truth;
    isSilent ||= found === "silent";
    return found === "silent" ? truth : found;
  };
  const values = valuesOf(call, said, chain, schedule);
  return isSilent ? "silent" : values;
}

function valuesOf(
  { function: view, arguments: values, ledgerVersion }: Omit<ViewCall, "typeArguments">,
  said: (name: string, truth: bigint) => bigint,
  chain: ScriptedChain,
  schedule: Schedule,
): readonly unknown[] | undefined {
  const [first = "", second = ""] = values.map(String);
  const listed = holdingsOn(schedule, "native");
  const worth = (index: number): bigint | undefined => {
    const wallet = listed[index];
    if (wallet === undefined) return undefined;
    const truth = chain.balance(holdingKey(wallet), ledgerVersion);
    return truth === undefined ? undefined : said(holdingKey(wallet), truth);
  };
  const indexOf = (holds: string, matches: (wallet: (typeof listed)[number]) => boolean) =>
    listed.findIndex((wallet) => wallet.holds === holds && matches(wallet));
  const parts = (amount: bigint | undefined, count: bigint) => {
    if (amount === undefined) return undefined;
    const others = Array.from({ length: Number(count) - 1 }, () => String(amount / 7n));
    return [String(amount - (amount / 7n) * (count - 1n)), ...others];
  };
  const staking = chain.staking?.(ledgerVersion);
  switch (view) {
    case "0x1::staking_config::reward_rate":
      return staking && [String(said("numerator", staking.numerator)), String(staking.denominator)];
    case "0x1::block::get_epoch_interval_secs":
      return staking && [String(said("epochSeconds", staking.epochSeconds))];
    case "0x1::coin::supply":
      return [{ vec: [String(said("minted", chain.minted(ledgerVersion)))] }];
    case "0x1::fungible_asset::supply":
      return [{ vec: [String(said("stable", chain.stable(ledgerVersion)))] }];
    case "0x1::coin::decimals":
      return [Number(said("decimals", BigInt(chain.decimals)))];
    case "0x1::fungible_asset::decimals":
      return [Number(said("stable decimals", BigInt(chain.stableDecimals)))];
    case "0x1::coin::balance": {
      const amount = worth(indexOf("account", ({ address }) => address === first));
      return amount === undefined ? undefined : [String(amount)];
    }
    case "0x1::stake::get_stake": {
      const own = indexOf("stake_pool", ({ address }) => address === first);
      if (own !== -1) return parts(worth(own), 4n);
      const contract = listed.findIndex((wallet) => {
        const key = holdingKey(wallet);
        return (chain.pools?.[key] ?? POOL_OF.get(key)) === first;
      });
      const amount = worth(contract);
      const isShared = listed[contract]?.holds === "staking_contract";
      return parts(amount === undefined ? undefined : amount + (isShared ? COMMISSION : 0n), 4n);
    }
    case "0x1::vesting::stake_pool_address":
      return poolBehind(listed[indexOf("vesting", ({ address }) => address === first)], chain);
    case "0x1::staking_contract::stake_pool_address":
      return poolBehind(
        listed.find((each) => each.holds === "staking_contract" && each.address === first && each.operator === second),
        chain,
      );
    case "0x1::staking_contract::staking_contract_amounts":
      return ["77", "55", String(COMMISSION)];
    case "0x1::delegation_pool::get_stake": {
      const isIt = (each: (typeof listed)[number]) =>
        each.holds === "delegation" && each.address === second && each.pool === first;
      return parts(worth(listed.findIndex(isIt)), 3n);
    }
    default:
      return undefined;
  }
}

function poolBehind(
  wallet: Parameters<typeof holdingKey>[0] | undefined,
  { pools = {} }: ScriptedChain,
): readonly string[] | undefined {
  if (wallet === undefined) return undefined;
  const key = holdingKey(wallet);
  const named = pools[key];
  if (named !== undefined) return [named];
  const address = POOL_OF.get(key) ?? `0xb${(POOL_OF.size + 1).toString(16).padStart(4, "0")}`;
  POOL_OF.set(key, address);
  return [address];
}

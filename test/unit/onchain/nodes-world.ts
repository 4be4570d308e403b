import { familyOf } from "../../../src/families/family.ts";
import type { Exchange, UpstreamResult } from "../../../src/gateway/upstream/client.ts";
import { evaluateHealth } from "../../../src/health/report.ts";
import { moveNodes } from "../../../src/home/move-nodes.ts";
import { polledNodes } from "../../../src/home/polled-nodes.ts";
import type { WatchedNodes } from "../../../src/home/watched-nodes.ts";
import { figureProblems } from "../../../src/onchain/cross-check.ts";
import { ChainReader, FRESH_SECONDS, type ReaderState } from "../../../src/onchain/reader.ts";
import { onlyChainRules } from "../../../src/onchain/rules.ts";
import { holdingKey, holdingsOn } from "../../../src/supply/wallets.ts";
import { readingOf } from "../../support/reading-of.ts";
import { tokenChain } from "../../support/token-chain.ts";
import { SimulatedTime } from "../gateway/simulated-time.ts";
import { errorOf, ledgerAt, responseOf } from "../gateway/upstream/nodes.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

export type Family = "move" | "evm";

/** Behaviour of a node, which tests change while it runs. */
export interface NodeState {
  /** Cannot be connected. */
  isDown: boolean;
  /** Limits our requests. */
  isThrottled: boolean;
  /** Follows another chain. */
  isElsewhere: boolean;
  /** Its newest version stays what it was then; null: it follows the chain. */
  stoppedAtMs: number | null;
  /** Time by which its newest version is behind the chain's. */
  behindMs: number;
  /** Reports a newest version so far ahead of the chain's, with the time of now. */
  ahead: bigint;
  /** Reports its newest version with the time of now. */
  claimsNow: boolean;
  /** Value that it reports instead of the truth; undefined: the truth; `silent`: nothing. */
  says: (member: string, truth: bigint) => bigint | "silent" | undefined;
}

const HONEST: Readonly<NodeState> = {
  isDown: false,
  isThrottled: false,
  isElsewhere: false,
  stoppedAtMs: null,
  behindMs: 0,
  ahead: 0n,
  claimsNow: false,
  says: () => undefined,
};

/** Report of a node about a member. */
export interface Reported {
  readonly node: string;
  readonly member: string;
  readonly version: bigint;
  readonly value: bigint;
  readonly atMs: number;
}

const DECIMALS = 8;
export const UNIT = 10n ** BigInt(DECIMALS);
export const MAXIMUM = 1_000_000_000n * UNIT;
/** SUPPLY_STEP_PERCENT of the maximum. */
export const STEP = MAXIMUM / 100n;
const CHAIN_ID = 4;
const TOKEN = `0x${"c0".repeat(20)}`;
const FIRST_VERSION = 1_000n;
export const versionMs: Readonly<Record<Family, number>> = { move: 250, evm: 2_000 };
const ONES = 2n ** 256n - 1n;
export const MEMBERS = ["minted", "treasury", "team"] as const;
const HOLDERS: Readonly<Record<string, string>> = { treasury: `0x${"a1".repeat(20)}`, team: `0x${"b2".repeat(20)}` };
const START: Readonly<Record<string, bigint>> = {
  minted: 950_000_000n * UNIT,
  treasury: 500_000_001n * UNIT,
  team: 50_000_000n * UNIT,
};

/** The treasury's tokens unlock by 100,000,000 a month, all on the first day of the month. */
function scheduleOf(family: Family, members: readonly string[]) {
  const address = (member: string) => ({
    chain: "native",
    address: HOLDERS[member] ?? "",
    label: member,
    holds: "account",
  });
  return valid(
    file({
      max_supply: "1000000000",
      token: { symbol: "XYZ", name: "Example", decimals: DECIMALS },
      start: "2023-11-01",
      step_day: 1,
      buckets: [
        bucket({ id: "public", allocation: "500000000", genesis: "500000000", phases: [] }),
        bucket({
          id: "treasury",
          allocation: "500000000",
          genesis: "0",
          addresses: [address("treasury")],
          phases: [{ kind: "installments", amount: "500000000", first_month: 1, count: 5, every_months: 1 }],
        }),
      ],
      wallets: members.includes("team") ? [wallet(HOLDERS["team"] ?? "", { category: "team" })] : [],
    }),
    family,
  );
}

/** The readings of a token before nodes of one chain, in simulated time, as the home object makes them. */
export function nodesWorld(
  family: Family,
  count: number,
  {
    time = new SimulatedTime(Date.parse("2023-11-14T22:13:20Z")),
    stored = null,
    members = MEMBERS,
  }: {
    time?: SimulatedTime;
    stored?: ReaderState | null;
    members?: readonly string[];
  } = {},
) {
  const startMs = time.nowMs - 1_000_000;
  const labels = Array.from({ length: count }, (_, index) => `upstream-${index + 1}`);
  const nodes = labels.map((): NodeState => ({ ...HONEST }));
  const reported: Reported[] = [];
  let pausedAtMs: number | null = null;
  const truth: Record<string, bigint> = { ...START };
  /** The chain's clock stands while it pauses. */
  const chainMs = (atMs: number) => Math.min(atMs, pausedAtMs ?? atMs) - startMs;
  const versionAt = (atMs: number) => FIRST_VERSION + BigInt(Math.floor(chainMs(atMs) / versionMs[family]));
  const timeOf = (version: bigint) => startMs + Number(version - FIRST_VERSION) * versionMs[family];
  const truthOf = (member: string, version: bigint): bigint => (truth[member] ?? 0n) - (version - FIRST_VERSION);
  const headOf = (node: NodeState) => {
    const followed = versionAt(Math.min(time.nowMs, node.stoppedAtMs ?? time.nowMs) - node.behindMs);
    const version = followed + node.ahead;
    return { version, atMs: node.ahead > 0n || node.claimsNow ? time.nowMs : timeOf(version) };
  };
  const report = (index: number, member: string, version: bigint): bigint | "silent" => {
    const is = truthOf(member, version);
    const value = nodes[index]?.says(member, is) ?? is;
    if (value !== "silent") reported.push({ node: labels[index] ?? "", member, version, value, atMs: time.nowMs });
    return value;
  };
  const memberOf = (address: unknown) => Object.keys(HOLDERS).find((name) => HOLDERS[name] === address) ?? "";
  const hashOf = (version: bigint) => `0x${version.toString(16).padStart(64, "0")}`;
  const now = time.now;

  const jsonRpc = (index: number, node: NodeState, method: string, params: readonly unknown[]): unknown => {
    const head = headOf(node);
    const blockOf = (version: bigint, atMs = timeOf(version)) => ({
      number: `0x${version.toString(16)}`,
      hash: hashOf(version),
      timestamp: `0x${Math.floor(atMs / 1_000).toString(16)}`,
    });
    if (method === "eth_chainId") return `0x${(node.isElsewhere ? 5 : CHAIN_ID).toString(16)}`;
    if (method === "eth_getBlockByNumber") {
      if (params[0] === "latest") return blockOf(head.version, head.atMs);
      return BigInt(String(params[0])) > head.version ? null : blockOf(BigInt(String(params[0])));
    }
    const [{ data }, { blockHash }] = params as [{ data: string }, { blockHash: string }];
    const version = BigInt(blockHash);
    const owners = (data.slice(2 + 2 * 177 + 40).match(/.{40}/g) ?? []).map((owner) => memberOf(`0x${owner}`));
    const said = ["minted", ...owners].map((member) => report(index, member, version));
    // A machine that does not report a wallet at all is one that has no word at the block.
    if (said[0] === "silent") return undefined;
    const words = [BigInt(CHAIN_ID), 1n, BigInt(DECIMALS), ...said.map((value) => (value === "silent" ? ONES : value))];
    return `0x${words.map((word) => word.toString(16).padStart(64, "0")).join("")}`;
  };
  const transport =
    (index: number) =>
    async (_path: string, { body }: RequestInit) => {
      const node = nodes[index] ?? HONEST;
      await time.sleep(20);
      if (node.isDown) throw new Error("cannot be connected");
      if (node.isThrottled) return new Response("", { status: 429, headers: { "Retry-After": "20" } });
      const { method, params } = JSON.parse(String(body));
      const result = jsonRpc(index, node, method, params);
      const answer = result === undefined ? { error: { code: -32_000, message: "" } } : { result };
      return Response.json({ jsonrpc: "2.0", id: 1, ...answer });
    };

  const send: Exchange = async (index, { endpoint, path, body }): Promise<UpstreamResult> => {
    const node = nodes[index] ?? HONEST;
    await time.sleep(20);
    if (node.isDown) return errorOf("connect");
    if (node.isThrottled) return errorOf("throttled", 429, 20_000);
    const head = headOf(node);
    const ledger = ledgerAt(head.version, {
      chainId: node.isElsewhere ? 5 : CHAIN_ID,
      timestampMicros: BigInt(head.atMs) * 1_000n,
    });
    const answer = (content: unknown, status = 200): UpstreamResult => ({
      kind: "response",
      response: responseOf(content, ledger, status),
      classification: { kind: "committed", revealsVersion: null },
      dialect: "node",
    });
    if (endpoint === "ledger_info") return answer({});
    const [pathname = "", query = ""] = path.split("?");
    if (endpoint === "block_by_version") {
      const version = BigInt(pathname.split("/").at(-1) ?? "0");
      return version > head.version ? answer({}, 404) : answer({ block_timestamp: String(timeOf(version) * 1_000) });
    }
    const version = BigInt(new URLSearchParams(query).get("ledger_version") ?? "0");
    if (version > head.version) return answer({}, 404);
    const call = JSON.parse(new TextDecoder().decode(body instanceof Uint8Array ? body : undefined));
    if (call.function.endsWith("::decimals")) return answer([DECIMALS]);
    const isSupply = call.function.endsWith("::supply");
    const value = report(index, isSupply ? "minted" : memberOf(call.arguments[0]), version);
    if (value === "silent") return errorOf("timeout");
    return answer(isSupply ? [{ vec: [String(value)] }] : [String(value)]);
  };

  const schedule = scheduleOf(family, members);
  const after = (milliseconds: number, then: () => void) => {
    let isCancelled = false;
    void time.sleep(milliseconds).then(() => isCancelled || then());
    return () => {
      isCancelled = true;
    };
  };
  const ports = {
    now,
    sleep: time.sleep,
    after,
    background: () => undefined,
    send,
    log: () => undefined,
    senders: labels.map((label, index) => ({
      label,
      origin: label,
      transport: transport(index),
      clean: (text: string) => text,
    })),
    report: () => ({ era: 0, chainId: CHAIN_ID, servedBy: [], replaced: null }),
    config: { chainId: CHAIN_ID, buildRevision: "test", contactUrl: null },
  };
  const definition = familyOf(family);
  const { protocol } = definition;
  const watched: WatchedNodes =
    protocol === null ? moveNodes(0, CHAIN_ID, ports as never) : polledNodes(protocol, definition, ports as never);
  const asset = definition.asset.parse(family === "evm" ? TOKEN : "0x1::a::A");
  if (asset === undefined) throw new Error("the token has no asset");
  const rules = onlyChainRules(schedule, tokenChain({ family, asset }), {
    chainSource: "configured",
    supplyStepPercent: 1,
    aboveMaxPercent: 1,
    confirmSeconds: 60,
    staking: false,
  });
  let state = stored;
  const reader: ChainReader = new ChainReader({
    name: "native_reading",
    rules,
    freshSeconds: FRESH_SECONDS,
    now,
    sleep: time.sleep,
    stored,
    nodes: (isOver) => watched.nodesForReading(isOver, { wallets: rules.wallets, floor: reader.floor }),
    outvoted: () => reader.disagreement?.outvoted ?? null,
    save: (saved) => {
      state = saved;
    },
    log: () => undefined,
  });
  const keys = new Map(
    holdingsOn(schedule, "native").map((each) => [holdingKey(each), memberOf(each.address)] as const),
  );
  return {
    time,
    reported,
    truth,
    truthOf,
    timeOf,
    rules,
    reader,
    get state() {
      return state;
    },
    node: (index: number): NodeState => nodes[index] ?? { ...HONEST },
    heal: (index: number) => Object.assign(nodes[index] ?? {}, HONEST),
    /** Time of the chain's newest version. */
    newestMs: () => timeOf(versionAt(time.nowMs)),
    /** The chain makes no version from now on, until it resumes where it is then. */
    pause: () => {
      pausedAtMs ??= time.nowMs;
    },
    resume: () => {
      pausedAtMs = null;
    },
    /** The next reading, so many seconds later: the amounts by member, or the reason of a 503. */
    read: async (seconds = 60) => {
      await time.pass(seconds * 1_000);
      const found = await time.run(readingOf(reader));
      if (found.kind === "failure") return found.reason;
      const { minted, wallets, confirmedBy, ledgerVersion } = found.value;
      const amounts = new Map<string, bigint>([["minted", minted]]);
      for (const { holding, balance, anomaly } of wallets)
        if (balance !== null && anomaly?.kind !== "unreadable") amounts.set(keys.get(holding) ?? "", balance.baseUnits);
      return { amounts, confirmedBy, version: ledgerVersion, readAtMs: found.observedAtMs, value: found.value };
    },
    reports: () => time.run(watched.reports()),
    /** Problems of nodes and of what they report, as health has them. */
    health: async () => {
      const upstreams = await time.run(watched.reports());
      const good = reader.good?.value;
      const health = evaluateHealth({
        nowMs: time.nowMs,
        versionWord: "version",
        figures: [],
        tipRead: "current",
        limiterObjects: [],
        fullLimiters: [],
        nativeStaking: { source: null, reason: null },
        chainReplaced: null,
        storeRefusedAtMs: null,
        damagedTables: [],
        upstreams,
        disagreements: reader.disagreement === null ? [] : [reader.disagreement],
        figureProblems: good === undefined ? [] : figureProblems(schedule, time.nowMs, good, 1_000_000n),
      });
      return health.problems.filter(({ code }) => /^(upstream|nodes|chain|one)_/.test(code));
    },
  };
}

export type NodesWorld = ReturnType<typeof nodesWorld>;

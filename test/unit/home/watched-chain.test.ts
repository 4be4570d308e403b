import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chainAfterReport, chainForSettings } from "../../../src/chain/chain-record.ts";
import type { Exchange } from "../../../src/gateway/upstream/client.ts";
import { LEDGER_INFO } from "../../../src/gateway/upstream/upstreams.ts";
import { withConnectionLimit } from "../../../src/home/connections.ts";
import { WatchedChain } from "../../../src/home/watched-chain.ts";
import { FREE_PLAN } from "../../../tools/free-plan.ts";
import { configOf } from "../../support/app.ts";
import { readingOf } from "../../support/reading-of.ts";
import { SimulatedTime } from "../gateway/simulated-time.ts";
import { errorOf, ledgerAt, NodeWorld, responseOf, type SimulatedNode } from "../gateway/upstream/nodes.ts";
import { file, valid, wallet } from "../supply/schedules.ts";

const CONNECTIONS = 6;

function nativeReading({ readers: { native } }: WatchedChain) {
  if (native === null) throw new Error("the native token is read");
  return readingOf(native);
}

/** Sends over the connections of one object: a further request waits, and its deadline has begun. */
function platformOf(time: SimulatedTime, latencyMs: number) {
  const waiting: (() => void)[] = [];
  const seen = { sent: 0, busy: 0, late: 0 };
  const send: Exchange = async (_index, { endpoint, body }, _dialect, deadlineMs) => {
    const untilMs = time.nowMs + deadlineMs;
    seen.sent += 1;
    if (seen.busy === CONNECTIONS) await new Promise<void>((go) => waiting.push(go));
    else seen.busy += 1;
    const isLate = time.nowMs + latencyMs > untilMs;
    await time.sleep(Math.max(0, Math.min(latencyMs, untilMs - time.nowMs)));
    const next = waiting.shift();
    if (next === undefined) seen.busy -= 1;
    else next();
    if (isLate) seen.late += 1;
    if (isLate) return errorOf("timeout");
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
    const values = text.includes("decimals") ? [8] : text.includes("supply") ? [{ vec: ["90000000000"] }] : ["5"];
    const response = responseOf(endpoint === "ledger_info" ? {} : values, ledgerAt(100n));
    return { kind: "response", response, classification: { kind: "committed", revealsVersion: 100n }, dialect: "node" };
  };
  return { send, seen };
}

/** Makes an object's view of a chain with so many wallets, whose nodes are 900 ms away. */
function watchedChain(wallets: number, settings: Readonly<Record<string, string>>, origins = ["a", "b"]) {
  const time = new SimulatedTime();
  const { send, seen } = platformOf(time, 900);
  const urls = origins.map((origin) => `https://${origin}.example/v1`).join();
  const listed = Array.from({ length: wallets }, (_, index) => wallet(`0xa${index}`, { category: "team" }));
  const watched = new WatchedChain(0, {
    config: configOf({ NODE_URLS: urls, STABLE_ASSET: "", ...settings }),
    schedule: valid(file({ wallets: listed })),
    senders: origins.map((origin) => ({
      label: `node-${origin}`,
      origin,
      transport: () => Promise.reject(),
      clean: (text: string) => text,
    })),
    send,
    now: time.now,
    sleep: time.sleep,
    after: () => () => undefined,
    background: () => undefined,
    report: () => chainForSettings(null, { chainId: null, origins }, time.nowMs),
    load: () => null,
    save: () => undefined,
    log: () => undefined,
  });
  return { time, seen, watched };
}

const READ = { kind: "observed", value: { confirmedBy: ["node-a", "node-b"] } };

test.each([
  ["two nodes", ["a", "b"]],
  ["three nodes", ["a", "b", "c"]],
])(
  "a reading of 40 wallets, %s 900 ms away: each call has a connection, and so has each probe",
  async (_how, origins) => {
    const { time, seen, watched } = watchedChain(40, { STAKING: "off" }, origins);
    const reading = nativeReading(watched);
    // In the middle of the reading; hashing a request takes a real moment.
    while (seen.sent < 30) await time.pass(100);
    const reports = await time.run(watched.reports());
    expect(reports.map(({ label, reachable }) => [label, reachable])).toEqual(
      origins.map((origin) => [`node-${origin}`, true]),
    );
    expect(await time.run(reading)).toMatchObject(READ);
    expect(seen.late).toBe(0);
  },
);

test("the first reading of as many wallets as the free plan accepts sends no more than its 50 requests", async () => {
  const { time, seen, watched } = watchedChain(FREE_PLAN.calls - 6, { STAKING: "on" });
  expect(await time.run(nativeReading(watched))).toMatchObject(READ);
  expect(seen.sent).toBeGreaterThan(2 * (FREE_PLAN.calls - 6));
  expect(seen.sent).toBeLessThanOrEqual(50);
});

const TOKEN = 100_000_000n;
const listed = (count: number) =>
  Array.from({ length: count }, (_, index) => wallet(`0xa${index}`, { category: "team" }));

/** Two nodes of one chain, and the object that reads it for all regions, over one store. */
class Watching extends NodeWorld {
  /** Whole tokens that each node says exist. */
  readonly says = new Map<SimulatedNode, bigint>();
  readonly #store = new Map<string, { readonly value: string; readonly storedAtMs: number }>();
  #chain = chainForSettings(null, { chainId: null, origins: [] }, 0);
  #watched: WatchedChain;

  readonly #settings: Readonly<Record<string, string>>;

  constructor(settings: Readonly<Record<string, string>> = {}) {
    super(2);
    this.#settings = settings;
    for (const node of this.nodes)
      node.views = (call) => {
        const values = {
          supply: { vec: [String((this.says.get(node) ?? 1_000n) * TOKEN)] },
          decimals: 8,
          balance: "5",
        };
        return [values[call.function.split("::").at(-1) as keyof typeof values]];
      };
    this.#watched = this.#wake(1);
  }

  get reports() {
    return this.time.run(this.#watched.reports());
  }

  get isReplaced(): boolean {
    return this.#chain.replaced !== null;
  }

  /** The object loses its memory: a restart, or a deployment that lists other wallets. */
  wakes(wallets = 1): void {
    this.#watched = this.#wake(wallets);
  }

  #wake(wallets: number): WatchedChain {
    const { time, ports } = this;
    return new WatchedChain(this.#chain.era, {
      config: configOf({
        NODE_URLS: "https://a.example/v1,https://b.example/v1",
        STABLE_ASSET: "",
        STAKING: "off",
        ...this.#settings,
      }),
      schedule: valid(file({ wallets: listed(wallets) })),
      senders: this.pool.upstreams.map(({ label, origin }) => ({
        label,
        origin,
        transport: () => Promise.reject(),
        clean: (text: string) => text,
      })),
      send: ports.send,
      now: time.now,
      sleep: time.sleep,
      after: () => () => undefined,
      background: ports.background,
      report: (report) => {
        if (report !== null) this.#chain = chainAfterReport(this.#chain, report, time.nowMs);
        return this.#chain;
      },
      load: (name) => this.#store.get(name) ?? null,
      save: (name, value, storedAtMs) => void this.#store.set(name, { value, storedAtMs }),
      log: () => undefined,
    });
  }

  /** Reads after so many seconds, in whole tokens; null: not accepted. */
  async minted(seconds = 60): Promise<bigint | null> {
    await this.time.pass(seconds * 1_000);
    // The object of an era that has ended is another one.
    if (this.#watched.era !== this.#chain.era) this.wakes();
    const found = await this.time.run(nativeReading(this.#watched));
    await this.settle();
    return found.kind === "observed" ? found.value.minted / TOKEN : null;
  }
}

test("what two nodes confirmed stays known when a wallet is added: one report far from it is not served", async () => {
  const served = async (wallets: number) => {
    const world = new Watching();
    expect(await world.minted()).toBe(1_000n);
    world.node(0).fault = () => errorOf("connect");
    world.says.set(world.node(1), 700n);
    world.wakes(wallets);
    const word = await world.minted();
    world.node(0).fault = () => null;
    world.says.clear();
    return [word, await world.minted()];
  };
  expect(await served(2)).toEqual([null, 1_000n]);
  // Control: with the same wallets.
  expect(await served(1)).toEqual([null, 1_000n]);
});

test("a slow node holds no connection that another one could use", async () => {
  const time = new SimulatedTime();
  const delays = [10, 2_800];
  const doneAtMs = [0, 0];
  const send = withConnectionLimit(async (index) => {
    await time.sleep(delays[index] ?? 0);
    doneAtMs[index] = time.nowMs;
    return errorOf("connect");
  }, 2);
  const startedAtMs = time.nowMs;
  const callsOf = (index: number) => Array.from({ length: 100 }, () => send(index, LEDGER_INFO, "node", 3_000));
  // The slow node's come first.
  await time.run(Promise.all([...callsOf(1), ...callsOf(0)]));
  const [fast = 0, slow = 0] = doneAtMs.map((atMs) => atMs - startedAtMs);
  expect(fast).toBeLessThan(2 * 2_800);
  // Control: alone it has all four.
  expect(slow).toBeLessThan((100 / 4) * 2_800 * 1.1);
});

describe("a node that is low and says that its ledger is of this second, beside an honest one, when the object wakes", () => {
  test.each([
    ["far below the last reading", (last: bigint) => last / 1_000n],
    ["just above the last reading", (last: bigint) => last + 1n],
  ])("%s: its figures never count, and the chain is not replaced", async (_where, versionAfter) => {
    for (const liar of [0, 1]) {
      const world = new Watching();
      const [honest, low] = [world.node(1 - liar), world.node(liar)];
      for (const node of world.nodes) node.version = 50_000_000n;
      expect(await world.minted()).toBe(1_000n);
      low.version = versionAfter(honest.version);
      honest.version += 60_000_000n;
      world.says.set(low, 700n);
      world.wakes();
      const seen: (bigint | null)[] = [];
      for (let reading = 0; reading < 20; reading += 1) {
        low.ledger = honest.ledger = { timestampMicros: BigInt(world.time.nowMs) * 1_000n };
        seen.push(await world.minted(15));
      }
      expect(seen.slice(2)).toEqual(seen.slice(2).map(() => null));
      expect(world.isReplaced).toBe(false);
      // Control: the low one is asked, and an honest one counts at once.
      low.version = honest.version;
      world.says.clear();
      await world.minted();
      expect(await world.minted()).toBe(1_000n);
    }
  });
});

describe("the only node that answers, below what was read", () => {
  test("for 45 seconds: the chain is replaced, and what was read is of another one", async () => {
    const world = new Watching();
    for (const node of world.nodes) node.version = 5_000n;
    expect(await world.minted()).toBe(1_000n);
    world.node(1).fault = () => errorOf("connect");
    world.node(0).version = 100n;
    world.says.set(world.node(0), 300n);
    for (let reading = 0; reading < 4; reading += 1) await world.minted(10);
    expect(world.isReplaced).toBe(false);
    for (let reading = 0; reading < 5; reading += 1) await world.minted(10);
    expect(world.isReplaced).toBe(true);
    // A first reading waits for two.
    expect(await world.minted()).toBeNull();
    world.says.set(world.node(1), 300n);
    Object.assign(world.node(1), { version: 100n, fault: () => null });
    expect(await world.minted()).toBe(300n);
  });

  test("not by one version: a chain that makes no block for minutes is the same", async () => {
    const world = new Watching();
    for (let reading = 0; reading < 10; reading += 1) expect(await world.minted(31)).toBe(1_000n);
    expect(world.isReplaced).toBe(false);
  });
});

test.each([
  ["learned", "", true],
  ["set", "4", false],
])("all nodes report another chain id, and the id is %s", async (_how, CHAIN_ID, isReplaced) => {
  const world = new Watching({ CHAIN_ID });
  expect(await world.minted()).toBe(1_000n);
  for (const node of world.nodes) node.chainId = 5;
  for (let reading = 0; reading < 8; reading += 1) await world.minted();
  expect(world.isReplaced).toBe(isReplaced);
});

test("a node whose clock is an hour ahead makes no other one outdated", async () => {
  const world = new Watching();
  const secondsAway = (seconds: number) => ({ timestampMicros: BigInt(world.time.nowMs + seconds * 1_000) * 1_000n });
  const [ahead, honest] = [world.node(0), world.node(1)];
  ahead.version = 1_010n;
  [ahead.ledger, honest.ledger] = [secondsAway(3_600), secondsAway(-1)];
  expect((await world.reports).map(({ isOutdated }) => isOutdated)).toEqual([false, false]);
  // Control: one that has stopped is.
  await world.time.pass(2_000);
  [ahead.ledger, honest.ledger] = [secondsAway(-1), secondsAway(-60)];
  ahead.version = 1_020n;
  expect((await world.reports).map(({ isOutdated }) => isOutdated)).toEqual([false, true]);
});

test("a node of another chain is never asked for figures, also when its exclusion ends between two checks", async () => {
  const world = new Watching({ CHAIN_ID: "4" });
  const [away, other] = [world.node(0), world.node(1)];
  expect(await world.minted()).toBe(1_000n);
  away.fault = () => errorOf("connect");
  other.chainId = 5;
  world.says.set(other, 1_001n);
  await world.time.pass(2_000);
  await world.reports;
  await world.time.pass(29_900);
  await world.reports;
  expect(await world.minted(0.5)).toBeNull();
  // Control: of this chain it is.
  other.chainId = 4;
  expect(await world.minted(40)).toBe(1_001n);
});

test("addresses behind which some machines are of another chain: only what this chain says counts", async () => {
  const PATTERN = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
  const seen = { this: 0, none: 0, foreignAnswers: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(PATTERN, PATTERN), { maxLength: 6 }), async (patterns) => {
      const world = new Watching({ CHAIN_ID: "4" });
      await world.minted();
      const behind = (index: number, isForeign: () => boolean) => {
        const node = world.node(index);
        // Which machine answers is decided with each request.
        node.fault = () => {
          node.chainId = isForeign() ? 5 : 4;
          if (node.chainId === 5) seen.foreignAnswers += 1;
          world.says.set(node, node.chainId === 5 ? 777n : 1_000n);
          return null;
        };
      };
      for (const both of patterns) {
        for (const [index, pattern] of both.entries()) {
          let calls = 0;
          behind(index, () => pattern[calls++ % pattern.length] ?? false);
        }
        const minted = await world.minted(31);
        expect([null, 1_000n]).toContain(minted);
        seen[minted === null ? "none" : "this"] += 1;
      }
      for (const index of [0, 1]) behind(index, () => false);
      await world.minted(31);
      expect(await world.minted(31)).toBe(1_000n);
    }),
    { numRuns: 60 },
  );
  expect(Math.min(seen.this, seen.none, seen.foreignAnswers)).toBeGreaterThan(20);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BridgedWorld,
  bridgedSchedule,
  bridgedWorld,
  EVM_FACTOR,
  type Ledger,
  UNIT,
} from "../../support/bridged-world.ts";

type Name = keyof Ledger;

/** The token on its first chain and on these. */
function scheduleOn(further: readonly Exclude<Name, "native">[]) {
  const { chains = [], wallets } = bridgedSchedule();
  if (further.length === chains.length) return bridgedSchedule();
  const listed = wallets.filter(({ chain }) => chain === "native" || further.includes(chain as "eth" | "base"));
  const files = chains.flatMap(({ id, family, chainId, asset, supply, escrow }) => {
    if (!further.includes(id as "eth" | "base")) return [];
    const common = { id, family, chain_id: chainId, asset: asset.text, supply };
    return [escrow === null ? common : { ...common, escrow }];
  });
  return bridgedSchedule({ wallets: listed, ...(files.length === 0 ? { chains: undefined } : { chains: files }) });
}

/** Figures of the token's chains by the trackers' rules, in the finest units. */
function figuresOf({ native, eth, base }: Ledger, on: readonly Name[]) {
  const issued = on.includes("base") ? base : { minted: 0n, holder: 0n, dead: 0n };
  const bridged = on.includes("eth") ? eth : { minted: 0n, holder: 0n, dead: 0n };
  const burned = native.burned * EVM_FACTOR + issued.dead;
  const total = native.minted * EVM_FACTOR + issued.minted - burned;
  const held = native.team * EVM_FACTOR + bridged.holder + bridged.dead + issued.holder;
  return { total: text(total), circulating: text(total - held), burned: text(burned) };
}

function text(finest: bigint): string {
  const units = finest / EVM_FACTOR;
  return `${units / UNIT}.${String(units % UNIT).padStart(8, "0")}`.replace(/\.?0+$/, "");
}

/** Transfers between chains leave the sum as it is; a payment of the project changes what circulates. */
const EVENTS: Readonly<Record<string, { readonly on: Name; readonly does: (ledger: Ledger, amount: bigint) => void }>> =
  {
    lock: {
      on: "eth",
      does: ({ native, eth }, amount) => {
        native.escrow += amount;
        eth.minted += amount * EVM_FACTOR;
      },
    },
    redeem: {
      on: "eth",
      does: ({ native, eth }, amount) => {
        native.escrow -= amount;
        eth.minted -= amount * EVM_FACTOR;
      },
    },
    "burn here, mint there": {
      on: "base",
      does: ({ native, base }, amount) => {
        native.minted -= amount;
        base.minted += amount * EVM_FACTOR;
      },
    },
    "burn there, mint here": {
      on: "base",
      does: ({ native, base }, amount) => {
        native.minted += amount;
        base.minted -= amount * EVM_FACTOR;
      },
    },
    pay: {
      on: "native",
      does: ({ native }, amount) => {
        native.team -= amount / 100n;
      },
    },
  };

function setDown(world: BridgedWorld, down: readonly Name[]): void {
  for (const node of world.nodes) node.up = !down.includes("native");
  for (const name of ["eth", "base"] as const)
    for (const node of world.chains[name].nodes)
      node.instead = () => (down.includes(name) ? { status: 500, body: {} } : undefined);
}

const PATHS = { total: "total-supply", circulating: "circulating-supply-on-chain", burned: "burned-supply" } as const;

/** Returns the served figure; undefined: none. */
async function served({ get }: BridgedWorld, figure: string): Promise<string | undefined> {
  const { status, text: digits } = await get(`/api/${figure}?decimals=exact`);
  return status === 200 ? digits : undefined;
}

const STEP = fc.record({
  event: fc.constantFrom(...Object.keys(EVENTS)),
  amount: fc.bigInt(UNIT, 10_000_000n * UNIT),
  down: fc.subarray<Name>(["native", "eth", "base"]),
  seconds: fc.constantFrom(1, 6, 15, 22, 31, 70, 700),
});

describe.each([
  ["one chain", []],
  ["a chain and one that is issued", ["base"]],
  ["a chain and one that is bridged", ["eth"]],
  ["three chains", ["eth", "base"]],
] as const)("a token on %s", (_what, further) => {
  test("property: whatever is transferred in outages, every sum that is served is of one round", async () => {
    const on: readonly Name[] = ["native", ...further];
    const seen = { outages: 0, served: 0, moved: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 2, maxLength: 8 }), async (steps) => {
        const world = await bridgedWorld({ schedule: scheduleOn(further) });
        const rounds = [figuresOf(world.ledger, on)];
        const expectOneRound = async () => {
          const names = Object.keys(PATHS) as (keyof typeof PATHS)[];
          const figures = await Promise.all(
            names.map(async (name) => [name, await served(world, PATHS[name])] as const),
          );
          const given = Object.fromEntries(figures.filter(([, digits]) => digits !== undefined));
          expect(rounds).toContainEqual(expect.objectContaining(given));
          if (given["total"] !== undefined) seen.served += 1;
          // Every token that is bridged is backed, at every instant.
          if (on.includes("eth")) expect([undefined, "0"]).toContain(await served(world, "escrow-shortfall"));
          const codes = await world.codes();
          for (const code of ["escrow_short", "supply_fell"]) expect(codes).not.toContain(code);
        };
        await world.check();
        await expectOneRound();
        for (const { event, amount, down, seconds } of steps) {
          setDown(world, down);
          if (on.some((name) => down.includes(name))) seen.outages += 1;
          const { on: where, does } = EVENTS[event] ?? expect.fail();
          if (on.includes(where)) {
            does(world.ledger, amount);
            seen.moved += 1;
            rounds.push(figuresOf(world.ledger, on));
          }
          await world.settle();
          world.pass(seconds);
          await world.get("/api/total-supply");
          await expectOneRound();
        }
        setDown(world, []);
        world.pass(31);
        await world.check();
        // Control: after the outage the newest state is served.
        expect(await served(world, PATHS.circulating)).toBe(rounds.at(-1)?.circulating);
      }),
      { numRuns: 40 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  }, 120_000);
});

describe("a round", () => {
  const callsOf = ({ chains }: BridgedWorld) => ({
    eth: chains.eth.nodes.map((node) => node.called("eth_call")),
    base: chains.base.nodes.map((node) => node.called("eth_call")),
  });

  test.each([
    ["no chain is away", []],
    ["a further chain is away", ["base"]],
    ["the first chain is away", ["native"]],
    ["the first chain was never read", ["never"]],
  ] as const)("begins at most once in 30 seconds and asks every chain anew, while %s", async (_what, down) => {
    const world = await bridgedWorld();
    if (!down.some((name) => name === "never")) await world.check();
    setDown(world, down.some((name) => name === "never") ? ["native"] : (down as readonly Name[]));
    const began = callsOf(world);
    for (let seconds = 0; seconds < 300; seconds += 5) {
      world.pass(5);
      await world.get("/api/total-supply");
      await world.json("/api/health");
    }
    const rounds = callsOf(world).eth.map((calls, at) => calls - (began.eth[at] ?? 0));
    for (const count of rounds) expect(count).toBeLessThanOrEqual(10);
    // Control: rounds go on meanwhile.
    for (const count of rounds) expect(count).toBeGreaterThanOrEqual(8);
    if (down.length === 0) expect(callsOf(world).base).toEqual(callsOf(world).eth);
  });

  test("has the rows of the chains that answer, and the sums of the last complete one, for an hour", async () => {
    const world = await bridgedWorld();
    await world.check();
    const before = await world.json("/api/supply-breakdown");
    setDown(world, ["base"]);
    world.ledger.eth.minted += 5n * UNIT * EVM_FACTOR;
    world.ledger.native.escrow += 5n * UNIT;
    world.ledger.eth.holder += 2n * UNIT * EVM_FACTOR;
    await world.settle();
    world.pass(1_800);
    await world.check();
    const { headers } = await world.get("/api/supply-breakdown");
    expect(headers["Age"]).toBe("1800");
    const after = await world.json("/api/supply-breakdown");
    const SUMS = ["minted_supply", "total_supply", "non_circulating_supply", "circulating_supply_on_chain"];
    for (const name of [...SUMS, "as_of", "ledger_version", "confirmed_by"]) expect(after[name]).toEqual(before[name]);
    const [native, eth, base] = after.chains;
    expect(native).toMatchObject({ as_of: "2026-11-21T02:30:00Z", unavailable: null });
    expect(eth).toMatchObject({
      as_of: "2026-11-21T02:30:00Z",
      minted_supply: { tokens: "50000005" },
      escrow: { balance: { tokens: "50000005" }, difference: { base_units: "0" } },
    });
    expect(base).toMatchObject({ minted_supply: null, unavailable: expect.stringContaining("base is not read") });
    // Each wallet is at the version of its chain's row, as whoever verifies them reads them.
    const { balance } = after.non_circulating_wallets.find((each: { readonly chain: string }) => each.chain === "eth");
    expect(balance.tokens).toBe("2000002");
    for (const { chain, ledger_version, anomaly } of after.non_circulating_wallets) {
      const row = after.chains.find((each: { readonly chain: string }) => each.chain === chain);
      expect([ledger_version, anomaly]).toEqual([row.ledger_version, chain === "base"]);
    }
    expect((await world.json("/api/health")).problems[0]).toMatchObject({
      code: "figure_stale",
      message: expect.stringMatching(/^total_supply cannot be renewed \(base is not read: .*1800 seconds old/),
    });
    // The same holds later in this round's freshness time.
    world.pass(20);
    expect((await world.json("/api/health")).problems[0]?.code).toBe("figure_stale");
  });

  test("that is refused as a whole is not repeated before its time", async () => {
    const world = await bridgedWorld();
    await world.check();
    world.ledger.base.minted *= 10n;
    await world.settle();
    world.pass(31);
    await world.check();
    const [before] = callsOf(world).eth;
    expect((await world.json("/api/health")).problems[0]?.message).toContain("above the maximum supply");
    for (let seconds = 0; seconds < 25; seconds += 5) {
      world.pass(5);
      await world.check();
    }
    expect(callsOf(world).eth[0]).toBe(before);
    expect(await served(world, "total-supply")).toBe("900000000.00000002");
  });

  test("of another time than now is replaced by the next one: the clock was set back", async () => {
    const world = await bridgedWorld();
    world.pass(3_600);
    await world.check();
    world.ledger.native.team -= UNIT;
    await world.settle();
    world.pass(-3_600);
    world.restartHome();
    world.evict();
    await world.check();
    expect(await served(world, PATHS.circulating)).toBe(figuresOf(world.ledger, ["native", "eth", "base"]).circulating);
    expect((await world.get("/api/total-supply")).headers["Age"]).toBe("0");
  });
});

describe("invariants of a token on several chains are asked of its sum", () => {
  test("less than one token on the first chain, with the rest on another one", async () => {
    const world = await bridgedWorld({ schedule: scheduleOn(["base"]) });
    const { native, base } = world.ledger;
    const all = native.minted * EVM_FACTOR + base.minted;
    Object.assign(native, { minted: UNIT / 2n, team: 0n, burned: 0n });
    base.minted = all - native.minted * EVM_FACTOR;
    await world.settle();
    await world.check();
    expect(await served(world, "total-supply")).toBe(figuresOf(world.ledger, ["native", "base"]).total);
    expect((await world.json("/api/health")).status).toBe("ok");
  });

  test.each([
    ["less than one token on all of them", 1n, "the supply of this asset on all chains is zero"],
    [
      "more than the maximum on all of them",
      800_000_000n * UNIT * EVM_FACTOR,
      "the total on all chains is above the maximum",
    ],
  ])("%s: no figure, and the reason", async (_what, there, reason) => {
    const world = await bridgedWorld({ schedule: scheduleOn(["base"]) });
    const isZero = there === 1n;
    Object.assign(world.ledger.native, { team: 0n, burned: 0n, ...(isZero ? { minted: UNIT - 1n } : {}) });
    Object.assign(world.ledger.base, { minted: there, holder: 0n, dead: 0n });
    await world.settle();
    await world.check();
    const { status, text: message } = await world.get("/api/total-supply");
    expect([status, message]).toEqual(["unavailable", expect.stringContaining(reason)]);
  });

  test("wallets that hold more than exists on their chain: the chain is not read, and the others' rows are current", async () => {
    const world = await bridgedWorld();
    const before = figuresOf(world.ledger, ["native", "eth", "base"]);
    await world.check();
    world.ledger.base.holder = world.ledger.base.minted + 1n;
    world.ledger.native.team -= UNIT;
    await world.settle();
    world.pass(31);
    await world.check();
    expect(await served(world, PATHS.circulating)).toBe(before.circulating);
    const { chains } = await world.json("/api/supply-breakdown");
    expect(chains).toMatchObject([
      { unavailable: null },
      { unavailable: null },
      { chain: "base", unavailable: "base is not read: the wallets hold more than exists on chain" },
    ]);
  });
});

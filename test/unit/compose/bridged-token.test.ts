import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BridgedWorld,
  bridgedSchedule,
  bridgedWorld,
  ESCROW,
  EVM_FACTOR,
  type EvmChainName,
  HOLDER,
  type Ledger,
  START,
  UNIT,
} from "../../support/bridged-world.ts";
import { WORD } from "../../support/evm/node.ts";

/** Amounts in the finest units. */
interface Sums {
  readonly minted: bigint;
  readonly burned: bigint;
  readonly held: bigint;
}

/** Figures of the three chains by the trackers' rules, computed independently of the product. */
function sumsOf({ native, eth, base }: Ledger): Sums {
  return {
    minted: native.minted * EVM_FACTOR + base.minted,
    burned: native.burned * EVM_FACTOR + base.dead,
    // Tokens burned on the bridged chain are still in the escrow: they exist, and do not circulate.
    held: native.team * EVM_FACTOR + eth.holder + eth.dead + base.holder,
  };
}

/** Eight decimals, rounded down once. */
function text(finest: bigint): string {
  const units = finest / EVM_FACTOR;
  return `${units / UNIT}.${String(units % UNIT).padStart(8, "0")}`.replace(/\.?0+$/, "");
}

function figuresOf(ledger: Ledger): Record<string, string> {
  const { minted, burned, held } = sumsOf(ledger);
  const short = ledger.eth.minted - ledger.native.escrow * EVM_FACTOR;
  return {
    "total-supply": text(minted - burned),
    "circulating-supply-on-chain": text(minted - burned - held),
    "burned-supply": text(burned),
    "escrow-shortfall": text(short > 0n ? short : 0n),
  };
}

async function served({ exact }: BridgedWorld): Promise<Record<string, string>> {
  const names = Object.keys(figuresOf(START()));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await exact(name)])));
}

async function expectExact(world: BridgedWorld): Promise<void> {
  await world.read();
  expect(await served(world)).toEqual(figuresOf(world.ledger));
}

describe("a token on a Move chain, bridged to one EVM chain and issued on another", () => {
  test("has figures that are right to the base unit", async () => {
    const world = await bridgedWorld();
    await expectExact(world);
    expect(await world.codes()).toEqual([]);
    expect(await world.exact("total-supply")).toBe("900000000.00000002");
  });

  test("every body names the version of each chain", async () => {
    const world = await bridgedWorld();
    await world.check();
    const { chains, ledger_version, confirmed_by, minted_supply, complete } = await world.json("/api/supply-breakdown");
    const versions = { native: ledger_version, eth: "2", base: "8454" };
    expect(chains.map(({ chain, ledger_version: at }: Row) => [chain, at])).toEqual(Object.entries(versions));
    expect(confirmed_by.chains).toMatchObject([
      { chain: "native", nodes: ["upstream-1", "upstream-2"], ledger_version },
      { chain: "eth", nodes: ["eth-1", "eth-2"], ledger_version: "2" },
      { chain: "base", nodes: ["base-1", "base-2"], ledger_version: "8454" },
    ]);
    expect(confirmed_by.nodes).toEqual(["upstream-1", "upstream-2", "eth-1", "eth-2", "base-1", "base-2"]);
    expect([minted_supply.tokens, complete]).toEqual([text(sumsOf(world.ledger).minted), true]);
    expect((await world.json("/api/supply")).ledger_versions).toEqual(versions);
    const { data } = await world.json("/api/history");
    const names = data.map(({ figure }: { readonly figure: string }) => figure);
    expect(names.sort()).toEqual([
      "burned_supply",
      "circulating_supply_on_chain",
      "escrow_shortfall",
      "non_circulating_supply",
      "total_supply",
    ]);
    for (const row of data) expect(row).toMatchObject({ ledger_version, ledger_versions: versions, witnesses: 2 });
    const [header, row] = (await world.get("/api/history.csv")).text.split("\n");
    expect(header?.endsWith(",ledger_versions")).toBe(true);
    expect(row?.endsWith(`,native=${ledger_version} eth=2 base=8454`)).toBe(true);
    const { figures } = await world.json("/api/health");
    expect(figures.find(({ name }: { name: string }) => name === "total_supply").confirmed_by).toEqual(confirmed_by);
  });

  test("a row of the breakdown says what exists on a chain, and what backs it", async () => {
    const world = await bridgedWorld();
    world.ledger.native.escrow += 2n;
    await world.read();
    const { chains, non_circulating_wallets: wallets } = await world.json("/api/supply-breakdown");
    expect(chains).toMatchObject([
      { chain: "native", family: "move", chain_id: 4, supply: "issued", escrow: null, unavailable: null },
      {
        chain: "eth",
        family: "evm",
        chain_id: 1,
        supply: "bridged",
        minted_supply: { tokens: "50000000" },
        escrow: { chain: "native", address: ESCROW, backs: ["eth"], difference: { base_units: "2" } },
      },
      { chain: "base", family: "evm", chain_id: 8453, supply: "issued", minted_supply: { tokens: "300000000" } },
    ]);
    const balances = wallets.map(({ chain, address, balance }: Row) => [chain, address, balance?.tokens]);
    expect(balances.slice(0, 3)).toEqual([
      ["native", "0xa1", "100000000.00000003"],
      ["native", "0xb0", "0.00000005"],
      ["eth", HOLDER, "2000000"],
    ]);
    expect(balances.flat()).not.toContain(ESCROW);
  });
});

interface Row {
  readonly chain: string;
  readonly address: string;
  readonly ledger_version: string;
  readonly balance: { readonly tokens: string } | null;
}

/** Transfers by their kind, in the source's base units (some in the finer ones of an EVM chain). */
const TRANSFERS: Readonly<Record<string, (ledger: Ledger, amount: bigint) => void>> = {
  "lock and mint": ({ native, eth }, amount) => {
    native.escrow += amount;
    eth.minted += amount * EVM_FACTOR;
  },
  "burn and unlock": ({ native, eth }, amount) => {
    native.escrow -= amount;
    eth.minted -= amount * EVM_FACTOR;
  },
  "burn on the source and mint": ({ native, base }, amount) => {
    native.minted -= amount;
    base.minted += amount * EVM_FACTOR;
  },
  "mint on the source after a burn": ({ native, base }, amount) => {
    native.minted += amount;
    base.minted -= amount * EVM_FACTOR;
  },
  "a project's wallet pays": ({ base }, amount) => {
    base.holder -= amount;
  },
  "a project's wallet on the bridged chain is paid": ({ eth }, amount) => {
    eth.holder += amount;
  },
  "tokens are burned for good": ({ base }, amount) => {
    base.dead += amount;
  },
};

test("property: whatever is transferred, every figure is right, and the sums add up", async () => {
  const transfer = fc.record({ kind: fc.constantFrom(...Object.keys(TRANSFERS)), amount: fc.bigInt(1n, 10n ** 14n) });
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { minLength: 1, maxLength: 4 }), async (transfers) => {
      const world = await bridgedWorld();
      for (const { kind, amount } of transfers) {
        TRANSFERS[kind]?.(world.ledger, amount);
        await expectExact(world);
        const sums = await world.json("/api/supply-breakdown");
        const [minted = 0n, ...parts] = [
          "minted_supply",
          "burned_supply",
          "non_circulating_supply",
          "circulating_supply_on_chain",
        ].map((name) => BigInt(sums[name].base_units));
        // Each figure is rounded down once.
        const lost = minted - parts.reduce((sum, part) => sum + part);
        expect(lost >= 0n && lost <= 2n).toBe(true);
        expect((await world.codes()).filter((code) => code !== "supply_fell")).toEqual([]);
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);

describe("trackers' three rules", () => {
  const only = (chains: readonly object[], wallets: readonly object[]) => bridgedSchedule({ chains, wallets });
  const of = (chain: string, address: string, category: string) => ({
    chain,
    address,
    label: category,
    category,
    holds: "account",
  });
  const [eth, base] = bridgedSchedule().chains ?? [];
  const file = (chain: typeof eth, changes: object) => ({
    id: chain?.id,
    family: "evm",
    chain_id: chain?.chainId,
    asset: chain?.asset.text,
    ...changes,
  });
  const locked = { chain: "native", address: ESCROW };
  const RULES = {
    "issued natively on several chains": {
      schedule: only(
        [file(eth, { supply: "issued" }), file(base, { supply: "issued" })],
        [
          of("native", "0xa1", "team"),
          of("native", "0xb0", "burn"),
          of("eth", HOLDER, "treasury"),
          of("eth", `0x${"dead".padStart(40, "0")}`, "burn"),
        ],
      ),
      total: ({ native, eth, base }: Ledger) =>
        (native.minted - native.burned) * EVM_FACTOR + eth.minted - eth.dead + base.minted,
      held: ({ native, eth }: Ledger) => native.team * EVM_FACTOR + eth.holder,
    },
    "lock and mint": {
      schedule: only(
        [
          file(eth, { supply: "bridged", escrow: locked }),
          file(base, { supply: "bridged", escrow: { ...locked, address: "0xe5d" } }),
        ],
        [
          of("native", "0xa1", "team"),
          of("native", "0xb0", "burn"),
          of("eth", HOLDER, "treasury"),
          of("base", HOLDER, "treasury"),
        ],
      ),
      total: ({ native }: Ledger) => (native.minted - native.burned) * EVM_FACTOR,
      held: ({ native, eth, base }: Ledger) => native.team * EVM_FACTOR + eth.holder + base.holder,
    },
    "burn and mint": {
      schedule: only(
        [file(eth, { supply: "issued" }), file(base, { supply: "issued" })],
        [of("native", "0xb0", "burn"), of("base", HOLDER, "foundation")],
      ),
      total: ({ native, eth, base }: Ledger) => (native.minted - native.burned) * EVM_FACTOR + eth.minted + base.minted,
      held: ({ base }: Ledger) => base.holder,
    },
  } as const;
  const CASES: readonly (readonly [string, (ledger: Ledger) => void])[] = [
    ["as it is", () => undefined],
    [
      "after a burn on the source",
      ({ native }) => {
        native.burned += 17n * UNIT;
      },
    ],
    [
      "after a burn on the first further chain",
      ({ eth }) => {
        eth.dead += 19n * UNIT * EVM_FACTOR + 1n;
      },
    ],
    [
      "after a payment of the project on each chain",
      ({ native, eth, base }) => {
        native.team -= 3n;
        eth.holder -= 5n;
        base.holder -= 7n;
      },
    ],
    [
      "after a transfer from the source to a further chain",
      ({ native, base }) => {
        native.minted -= 23n;
        base.minted += 23n * EVM_FACTOR;
      },
    ],
    [
      "with nothing on a further chain",
      ({ base }) => {
        base.minted = 0n;
        base.holder = 0n;
        base.dead = 0n;
      },
    ],
  ];
  describe.each(Object.entries(RULES))("%s", (_rule, { schedule, total, held }) => {
    test.each(CASES)("%s", async (_case, change) => {
      const world = await bridgedWorld({ schedule });
      world.ledger.eth.minted = 40_000_000n * UNIT * EVM_FACTOR;
      change(world.ledger);
      await world.read();
      expect({
        total: await world.exact("total-supply"),
        circulating: await world.exact("circulating-supply-on-chain"),
      }).toEqual({
        total: text(total(world.ledger)),
        circulating: text(total(world.ledger) - held(world.ledger)),
      });
    });
  });
});

describe("when a bridge is broken into", () => {
  test("what is minted above the escrow is a figure and an alarm; the total stays the source's", async () => {
    const world = await bridgedWorld();
    await world.read();
    const before = await served(world);
    world.ledger.eth.minted += 1_234_567n * UNIT * EVM_FACTOR;
    await expectExact(world);
    expect(await served(world)).toEqual({ ...before, "escrow-shortfall": "1234567" });
    await world.read();
    const { problems, status } = await world.json("/api/health");
    expect(status).toBe("degraded");
    expect(problems).toEqual([
      {
        code: "escrow_short",
        remedy: expect.any(String),
        subject: "eth",
        message: `51234567 XYZ exist on eth, and their escrow ${ESCROW} on native holds 50000000 XYZ: 1234567 XYZ are backed by nothing.`,
      },
    ]);
    expect((await world.json("/api/supply-breakdown")).chains[1].escrow.difference.tokens).toBe("-1234567");
    await world.check();
    expect(world.recorded.figures.find(({ figure }) => figure === "escrow_shortfall")?.baseUnits).toBe(
      String(1_234_567n * UNIT),
    );
  });

  test("one base unit of an EVM chain is enough for the alarm", async () => {
    const world = await bridgedWorld();
    world.ledger.eth.minted += 1n;
    await world.read();
    await world.read();
    expect([await world.codes(), await world.exact("escrow-shortfall")]).toEqual([["escrow_short"], "0"]);
  });

  test("what is taken out of the escrow is the same", async () => {
    const world = await bridgedWorld();
    await world.read();
    world.ledger.native.escrow = 0n;
    await expectExact(world);
    await world.read();
    expect(await world.codes()).toEqual(expect.arrayContaining(["escrow_short", "wallet_balance_fell"]));
  });

  test("the alarm needs two rounds in a row, and goes with the first that shows none", async () => {
    const world = await bridgedWorld();
    await world.read();
    const minted = world.ledger.eth.minted;
    const codesWith = async (units: bigint) => {
      world.ledger.eth.minted = minted + units * EVM_FACTOR;
      await world.read();
      return world.codes();
    };
    expect(await codesWith(UNIT)).toEqual([]);
    expect(await codesWith(0n)).toEqual([]);
    expect(await codesWith(UNIT)).toEqual([]);
    expect(await codesWith(2n * UNIT)).toEqual(["escrow_short"]);
    expect(await codesWith(0n)).toEqual([]);
  });

  test("a round in between that cannot compare them begins the count anew", async () => {
    const world = await bridgedWorld();
    await world.read();
    world.ledger.eth.minted += UNIT * EVM_FACTOR;
    await world.read();
    fail(world, "eth");
    await world.read();
    heal(world, "eth");
    await world.read();
    expect(await world.codes()).not.toContain("escrow_short");
    await world.read();
    expect(await world.codes()).toContain("escrow_short");
  });

  test("figure and alarm stand for an hour while a chain of them is away, and are of the same round", async () => {
    const world = await bridgedWorld();
    world.ledger.eth.minted += 3n * UNIT * EVM_FACTOR;
    await world.read();
    await world.read();
    for (const node of world.nodes) node.up = false;
    // Changes on one chain between its reading and another chain's must not be compared.
    world.ledger.eth.minted += 5n * UNIT * EVM_FACTOR;
    await world.settle();
    const state = async () => {
      await world.check();
      const { status, text: shortfall } = await world.get("/api/escrow-shortfall");
      return [status === 200 ? shortfall : status, (await world.codes()).includes("escrow_short")];
    };
    world.pass(600);
    expect(await state()).toEqual(["3", true]);
    expect((await world.json("/api/health")).problems.map(({ message }: Problem) => message).join()).toContain(
      ": 3 XYZ are backed by nothing",
    );
    world.pass(3_100);
    expect(await state()).toEqual(["unavailable", false]);
  });

  test("a chain that is no part of it hides no shortfall", async () => {
    const world = await bridgedWorld();
    await world.read();
    fail(world, "base");
    world.ledger.eth.minted += UNIT * EVM_FACTOR;
    await world.read();
    await world.read();
    expect([await world.exact("escrow-shortfall"), await world.codes()]).toEqual([
      "1",
      expect.arrayContaining(["escrow_short"]),
    ]);
  });
});

interface Problem {
  readonly message: string;
}

/** Makes the nodes of a chain answer 500. */
function fail({ chains }: BridgedWorld, name: EvmChainName): void {
  for (const node of chains[name].nodes) node.instead = () => ({ status: 500, body: {} });
}

function heal({ chains }: BridgedWorld, name: EvmChainName): void {
  for (const node of chains[name].nodes) node.instead = () => undefined;
}

describe("a chain that is down", () => {
  test("leaves the last figures for an hour, with their age; then they are 503, and the other chains' rows stand", async () => {
    const world = await bridgedWorld();
    await world.read();
    const before = await served(world);
    fail(world, "base");
    world.ledger.native.team += 5n;
    world.ledger.eth.holder += 10n * EVM_FACTOR;
    await world.settle();
    for (const minutes of [5, 20, 30]) {
      world.pass(minutes * 60);
      await world.check();
      expect(await served(world)).toEqual(before);
      const { problems } = await world.json("/api/health");
      expect(problems.map(({ message }: { message: string }) => message).join()).toContain("base");
    }
    const { text: whole, headers } = await world.get("/api/total-supply");
    expect([whole, Number(headers["Age"]) >= 3_290]).toEqual(["900000000", true]);
    world.pass(600);
    await world.check();
    for (const figure of ["total-supply", "circulating-supply-on-chain", "burned-supply"])
      expect((await world.get(`/api/${figure}`)).status).toBe("unavailable");
    // The shortfall depends on the two other chains only.
    expect((await world.get("/api/escrow-shortfall")).status).toBe(200);
    const body = await world.json("/api/supply-breakdown");
    expect(body).toMatchObject({
      error_code: "service_unavailable",
      total_supply: null,
      circulating_supply_on_chain: null,
      complete: false,
    });
    expect(body).not.toHaveProperty("minted_supply");
    expect(body.chains).toMatchObject([
      { chain: "native", unavailable: null },
      { chain: "eth", unavailable: null, minted_supply: { tokens: "50000000" } },
      {
        chain: "base",
        minted_supply: null,
        unavailable: expect.stringMatching(/^base is not read: no chain node answers/),
      },
    ]);
    const rows: readonly (Row & { readonly anomaly: boolean })[] = body.non_circulating_wallets;
    expect(rows.filter(({ anomaly }) => anomaly).map(({ chain }) => chain)).toEqual(["base", "base"]);
    expect(rows.find(({ address, chain }) => address === HOLDER && chain === "eth")?.balance?.tokens).toBe(
      "2000000.0000001",
    );
    expect(rows[0]?.balance?.tokens).toBe("100000000.00000008");
    expect((await world.codes()).filter((code) => code === "wallet_unreadable")).toEqual([]);
    const supply = await world.json("/api/supply");
    expect(supply).toMatchObject({ total: null, unavailable: { total: expect.stringContaining("base is not read") } });
    heal(world, "base");
    world.pass(31);
    await world.check();
    expect(await served(world)).toEqual(figuresOf(world.ledger));
    expect(await world.codes()).toEqual([]);
  });

  test("the first one is like any other", async () => {
    const world = await bridgedWorld();
    await world.read();
    for (const node of world.nodes) node.up = false;
    world.pass(4_000);
    await world.check();
    const { total_supply, chains } = await world.json("/api/supply-breakdown");
    expect(total_supply).toBe(null);
    expect(chains).toMatchObject([
      { unavailable: expect.stringContaining("native is not read") },
      { unavailable: null },
      { unavailable: null },
    ]);
  });

  test("what was read outlives the object's memory", async () => {
    const world = await bridgedWorld();
    await world.read();
    const before = await served(world);
    fail(world, "base");
    world.restartHome();
    world.evict();
    world.pass(1_800);
    expect(await served(world)).toEqual(before);
  });

  test("whose nodes are none has no figure, and is named", async () => {
    const world = await bridgedWorld({ settings: { NODE_URLS_BASE: "none" } });
    await world.check();
    expect((await world.get("/api/total-supply")).text).toMatch(/does not read every chain of the token/);
    const { chains, unavailable } = await world.json("/api/supply-breakdown");
    expect(chains).toMatchObject([
      { minted_supply: { tokens: "600000000.00000007" } },
      {},
      { chain: "base", minted_supply: null },
    ]);
    expect(unavailable["total_supply"]).toBe("base is not read: this deployment does not read it");
    expect((await world.json("/api/health")).status).toBe("ok");
    expect((await world.json("/api/supply")).unavailable.total).toMatch(/does not read every chain/);
  });
});

describe("a chain whose nodes lie", () => {
  test("keeps the last figures while two disagree; a minute later they count again", async () => {
    const world = await bridgedWorld();
    await world.read();
    const before = await served(world);
    world.chains.base.nodes[1].says({ [WORD.supply]: (truth) => truth + 1n });
    world.pass(60);
    await world.check();
    expect(await served(world)).toEqual(before);
    expect(await world.codes()).toContain("nodes_disagree");
    const told = (await world.json("/api/health")).problems.map(({ message }: { message: string }) => message).join();
    expect(told).toContain("Chain nodes base-1 and base-2 report different values of minted");
    heal(world, "base");
    await expectExact(world);
    expect(await world.codes()).toEqual([]);
  });

  test("two that lie alike about a supply beyond the maximum are not believed", async () => {
    const world = await bridgedWorld();
    await world.read();
    const before = await served(world);
    for (const node of world.chains.base.nodes) node.says({ [WORD.supply]: (truth) => truth * 2n });
    world.pass(60);
    await world.check();
    expect(await served(world)).toEqual(before);
    const { problems } = await world.json("/api/health");
    expect(problems).toMatchObject([
      { code: "figure_stale", message: expect.stringContaining("the total on all chains is above the maximum") },
      {},
    ]);
  });

  test("decimals that two nodes report alike are accepted, whatever was before", async () => {
    const world = await bridgedWorld();
    // Reports of a contract before its initialization.
    const of = (decimals: bigint, supply: bigint) => ({
      [WORD.decimals]: () => decimals,
      [WORD.supply]: () => supply,
      [WORD.balances]: () => 0n,
      [WORD.balances + 1]: () => 0n,
    });
    for (const node of world.chains.base.nodes) node.says(of(0n, 0n));
    await world.read();
    expect(await world.exact("total-supply")).toBe("600000000.00000002");
    heal(world, "base");
    await expectExact(world);
    expect(await world.codes()).toEqual([]);
  });

  test("decimals that one node alone reports are not", async () => {
    const world = await bridgedWorld();
    await world.read();
    const before = await served(world);
    const [one, other] = world.chains.base.nodes;
    one.says({ [WORD.decimals]: () => 6n });
    other.instead = () => ({ status: 500, body: {} });
    await world.read();
    expect(await served(world)).toEqual(before);
    const told = (await world.json("/api/health")).problems.map(({ message }: Problem) => message).join();
    expect(told).toContain(
      "base is not read: the token's decimals changed from 18 to 6, which one node alone reports; a second node confirms it",
    );
  });

  test("what one node alone reports is named, once two have confirmed it, and is no row of history", async () => {
    const world = await bridgedWorld();
    await world.check();
    const rows = (await world.json("/api/history")).data;
    expect(rows[0].witnesses).toBe(2);
    world.pass(86_400);
    world.chains.base.nodes[1].instead = ({ id, method }) =>
      method === "eth_call" ? { body: { jsonrpc: "2.0", id, error: { code: -32_000, message: "pruned" } } } : undefined;
    await world.check();
    await expectExact(world);
    const { problems } = await world.json("/api/health");
    expect(problems).toMatchObject([{ code: "one_word", subject: "base-1" }]);
    expect((await world.json("/api/history")).data).toEqual(rows);
  });
});

describe("chains at different speeds", () => {
  test("a chain whose nodes are a few blocks apart is read at the older one", async () => {
    const world = await bridgedWorld();
    await world.read();
    world.chains.base.nodes[1].behind = 1;
    world.ledger.base.holder += 5n * EVM_FACTOR;
    await world.settle();
    await expectExact(world);
    expect(await world.codes()).toEqual([]);
  });

  test("tokens in flight are a fall of the sum: a notice until they are there, for an hour at most", async () => {
    const world = await bridgedWorld();
    await world.read();
    const amount = 20_000_000n * UNIT;
    world.ledger.native.minted -= amount;
    await expectExact(world);
    expect(await world.json("/api/health")).toMatchObject({
      status: "degraded",
      problems: [
        {
          code: "supply_fell",
          subject: "total_supply",
          message: expect.stringContaining("fell from 900000000.000000070000000013 XYZ to 880000000."),
        },
      ],
    });
    await expectExact(world);
    expect(await world.codes()).toEqual(["supply_fell"]);
    world.ledger.base.minted += amount * EVM_FACTOR;
    await expectExact(world);
    expect(await world.codes()).toEqual([]);
    world.ledger.native.minted -= amount;
    for (let reading = 0; reading < 8; reading += 1) await world.read();
    expect(await world.codes()).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import schema from "../../../schedule/schema.json" with { type: "json" };
import { tokenText } from "../../../src/chain/amount.ts";
import { CIRCULATING_VIEWS } from "../../../src/families/evm/circulating-views.ts";
import type { Rpc } from "../../../src/families/evm/json-rpc.ts";
import { LOCKS_PROGRAM, PROGRAM } from "../../../src/families/evm/program.ts";
import { noAnswer } from "../../../src/families/node-exchange.ts";
import { bridgedSchedule, bridgedWorld, UNIT } from "../../support/bridged-world.ts";
import { EvmChain, TOKEN } from "../../support/evm/chain.ts";
import { callsOf, evmDeployment } from "../../support/evm/deployment.ts";
import { lockCode, selectorOf, viewSlot } from "../../support/evm/lock.ts";
import { WORD } from "../../support/evm/node.ts";
import { REVERTS } from "../../support/evm/token.ts";
import { errorsOf, validFile, wallet, walletFile } from "../supply/schedules.ts";

const ETHER = 10n ** 18n;
const [TEAM, TELLER] = ["a1", "7e11"].map((digits) => `0x${digits.padStart(40, "0")}`) as [string, string];
const [SUPPLY, HELD] = [1_000n * ETHER + 3n, 300n * ETHER + 1n];
const OURS = SUPPLY - HELD;
const VIEWS = Object.keys(CIRCULATING_VIEWS);
const VIEW = "circulating_supply()";
const BURNS_ALL_GAS = Uint8Array.of(0xfe);

const chainRow = (changes: object = {}) => ({ id: "native", family: "evm", chain_id: 1, asset: TOKEN, ...changes });
const statedBy = (view: string, contract = TELLER) => chainRow({ circulating_view: { contract, view } });
const fileWith = (row: object) =>
  walletFile({
    token: { symbol: "XYZ", name: "Example", decimals: 18 },
    max_supply: "2000",
    chains: [row],
    wallets: [wallet(TEAM, { category: "team" })],
  });

interface Fault {
  readonly code?: Uint8Array;
  /** Changes the word that the second node reports for the view. */
  readonly lie?: (word: string) => string;
}

/** A deployment over two nodes of a real EVM, in which a contract states an amount. */
async function deployed(view: string | null, stated: bigint, { code = lockCode(), lie = (word) => word }: Fault = {}) {
  const schedule = validFile(fileWith(view === null ? chainRow() : statedBy(view)), "evm");
  const chain = await EvmChain.begin({ supply: SUPPLY, holders: new Map([[TEAM, HELD]]) });
  const writes = new Map(view === null ? [] : [[viewSlot(view), stated]]);
  await chain.mine(new Map(), null, new Map([[TELLER, { code, writes }]]));
  const calls: string[] = [];
  const second = { isAway: false };
  const callOf = (label: string): Rpc => {
    const call = callsOf(chain);
    return async (method, params) => {
      if (second.isAway && label === "upstream-2") return noAnswer("cannot be connected");
      const answer = await call(method, params);
      if (method !== "eth_call" || answer.kind !== "result") return answer;
      calls.push(Object(params[0]).data);
      const [text, at] = [String(answer.value), 2 + 64 * (WORD.balances + 1)];
      const value =
        label === "upstream-2" ? text.slice(0, at) + lie(text.slice(at, at + 64)) + text.slice(at + 64) : text;
      return { kind: "result", value };
    };
  };
  const world = evmDeployment(chain, {
    schedule,
    settings: { PLAN_TOLERANCE_PERCENT: "1" },
    circulatingView: view === null ? null : { contract: TELLER, view },
    callOf,
  });
  const paths = world.routes().flatMap(({ path }) => (path.includes("{") || path.includes(":") ? [] : [path]));
  const breakdown = await world.json("/api/supply-breakdown");
  const problems: Record<string, string>[] = (await world.json("/api/health")).problems;
  const figure = await world.get("/api/circulating-supply-on-chain?decimals=exact");
  return { row: breakdown.chains[0], breakdown, problems, figure, calls, world, paths, second };
}

/** Takes the comparison out of every answer of a deployment: what is left is what it serves. */
async function servedBy({ world, paths }: Awaited<ReturnType<typeof deployed>>) {
  const answers = await Promise.all(
    [...paths, "/api/circulating-supply?decimals=exact", "/api/badge/circulating-supply-on-chain.json"].map(
      async (path) => {
        const { status, text } = await world.get(path);
        if (path === "/api/health") return [path, JSON.parse(text).figures];
        const isJson = text.startsWith("{");
        return [
          path,
          status,
          isJson ? JSON.parse(text, (key, value) => (LEFT_OUT.has(key) ? undefined : value)) : text,
        ];
      },
    ),
  );
  return answers;
}

/** A block's hash contains what was written in it. */
const LEFT_OUT = new Set(["circulating_view", "block_hash"]);

const amount = (units: bigint) => expect.objectContaining({ base_units: String(units) });
const UNREADABLE = { stated: null, difference: null, circulating_supply_on_chain: amount(OURS) };
const OUR_TEXT = "700.000000000000000002";

describe("what a contract states to circulate", () => {
  test.each(VIEWS)(
    "by %s is compared with our figure of the same reading, and is served as no figure",
    async (view) => {
      const stated = OURS - 5n * ETHER;
      const { row, problems, figure, calls } = await deployed(view, stated);
      expect(row.circulating_view).toEqual({
        contract: TELLER,
        view,
        stated: amount(stated),
        circulating_supply_on_chain: amount(OURS),
        difference: { tokens: "-5", base_units: String(-5n * ETHER) },
        unavailable: null,
      });
      expect(figure.text).toBe(OUR_TEXT);
      // 5 of 700 are within the tolerance of a percent.
      expect(problems).toEqual([]);
      // One call of the second program at each node.
      expect(calls).toHaveLength(2);
      for (const data of calls) expect(data.startsWith(LOCKS_PROGRAM)).toBe(true);
    },
  );

  test("beyond the tolerance is a problem with both amounts and the difference", async () => {
    for (const [stated, side] of [
      [OURS + 8n * ETHER, "more"],
      [OURS - 8n * ETHER, "less"],
    ] as const) {
      const { problems, figure } = await deployed(VIEW, stated);
      const code = "circulating_view_differs";
      expect(problems).toMatchObject([{ code, subject: TELLER }]);
      const text = `${VIEW} of ${TELLER} states ${tokenText(stated, 18)} XYZ; ${OUR_TEXT} XYZ circulate on chain.`;
      expect(problems[0]?.["message"]).toBe(`${text} The contract states 8 XYZ ${side}.`);
      expect(figure.text).toBe(OUR_TEXT);
    }
  });

  test.each<[string, bigint, Fault, string]>([
    ["that reverts", REVERTS, {}, `the contract does not answer ${VIEW}`],
    ["that burns all its gas", 0n, { code: BURNS_ALL_GAS }, `the contract does not answer ${VIEW}`],
    ["of no contract", 0n, { code: new Uint8Array() }, `the contract does not answer ${VIEW}`],
    [
      "about which the nodes differ",
      OURS,
      { lie: () => "1".padStart(64, "0") },
      "the chain nodes disagree: upstream-1 and upstream-2 about circulating; add another node, or take the wrong one out of NODE_URLS",
    ],
    ["that one node alone reports", OURS, { lie: () => "f".repeat(64) }, "only upstream-1 reports it"],
  ])("by a view %s is named, and stops nothing", async (_case, stated, fault, reason) => {
    const { row, breakdown, problems, figure } = await deployed(VIEW, stated, fault);
    expect(row.circulating_view).toEqual({ contract: TELLER, view: VIEW, ...UNREADABLE, unavailable: reason });
    expect(problems).toMatchObject([
      {
        code: "circulating_view_unreadable",
        subject: TELLER,
        message: `${VIEW} of ${TELLER} cannot be read: ${reason}.`,
      },
    ]);
    expect(breakdown).toMatchObject({ complete: true, unavailable: {} });
    expect(breakdown.confirmed_by.nodes).toEqual(["upstream-1", "upstream-2"]);
    expect(figure).toMatchObject({ status: 200, text: OUR_TEXT });
  });

  test("by one node alone is compared while the supply is its report alone: the absence is the only problem", async () => {
    const { world, second } = await deployed(VIEW, OURS - ETHER);
    second.isAway = true;
    await world.readNow();
    const [row] = (await world.json("/api/supply-breakdown")).chains;
    expect(row.circulating_view).toMatchObject({ stated: amount(OURS - ETHER), unavailable: null });
    expect(await world.codes()).toEqual(["one_word"]);
  });

  test("moves no figure, whatever it is", async () => {
    const expected = await servedBy(await deployed(VIEW, OURS));
    expect(expected.length).toBeGreaterThan(10);
    expect(JSON.stringify(expected)).toContain(OUR_TEXT);
    const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const near = fc.bigInt({ min: OURS - ETHER, max: OURS + ETHER });
    const text = fc.constantFrom(0n, 1n, SUPPLY, HELD, REVERTS);
    await fc.assert(
      fc.asyncProperty(fc.oneof(word, near, text), async (stated) => {
        expect(await servedBy(await deployed(VIEW, stated))).toEqual(expected);
      }),
    );
  });

  test("is asked for only where the file lists it: the call is the first program otherwise", async () => {
    const { row, problems, calls } = await deployed(null, 0n);
    expect(row).not.toHaveProperty("circulating_view");
    expect(problems).toEqual([]);
    expect(calls).toHaveLength(2);
    for (const data of calls) expect(data).toBe(`${PROGRAM}${TOKEN.slice(2)}${TEAM.slice(2)}`);
  });
});

describe("on a chain of a token on several chains", () => {
  /** A deployment in which a contract on a bridged chain, with ten decimals more, states an amount. */
  const several = async (statedOf: (ours: bigint) => bigint) => {
    const { chains = [] } = bridgedSchedule();
    const files = chains.map(({ id, family, chainId, asset, supply, escrow }) => ({
      ...{ id, family, chain_id: chainId, asset: asset.text, supply, ...(escrow === null ? {} : { escrow }) },
      ...(id === "eth" ? { circulating_view: { contract: TELLER, view: VIEW } } : {}),
    }));
    const world = await bridgedWorld({
      schedule: bridgedSchedule({ chains: files }),
      settings: { PLAN_TOLERANCE_PERCENT: "0" },
    });
    const ours = BigInt((await world.exact("circulating-supply-on-chain")).replace(".", ""));
    await world.chains.eth.chain.mine(
      new Map(),
      null,
      new Map([[TELLER, { code: lockCode(), writes: new Map([[viewSlot(VIEW), statedOf(ours)]]) }]]),
    );
    await world.readNow();
    const rows = async () => (await world.json("/api/supply-breakdown")).chains;
    const view = async () =>
      (await rows()).find((row: { readonly chain: string }) => row.chain === "eth").circulating_view;
    const problems = async () =>
      (await world.json("/api/health")).problems.filter(({ code }: { code: string }) =>
        code.startsWith("circulating_view"),
      );
    return { world, ours, rows, view, problems };
  };
  const FINER = 10n ** 10n;

  test("the whole figure is compared, in the token's decimals", async () => {
    const { ours, rows, view, problems } = await several((units) => (units + 2n * UNIT) * FINER + 7n);
    expect(await view()).toMatchObject({
      stated: amount(ours + 2n * UNIT),
      circulating_supply_on_chain: amount(ours),
      difference: { tokens: "2", base_units: String(2n * UNIT) },
      unavailable: null,
    });
    for (const row of await rows()) if (row.chain !== "eth") expect(row).not.toHaveProperty("circulating_view");
    expect(await problems()).toMatchObject([{ code: "circulating_view_differs", subject: TELLER }]);
  });

  test("a chain that is away is reported once, and not again for its view", async () => {
    const { world, view, problems } = await several((units) => units * FINER);
    await world.readNow();
    expect(await problems()).toEqual([]);
    for (const node of world.chains.eth.nodes) node.instead = () => ({ status: 500, body: {} });
    await world.readNow();
    expect(await view()).toMatchObject({ stated: null, difference: null, unavailable: expect.any(String) });
    expect(await problems()).toEqual([]);
  });
});

test("the selectors are those of the signatures, and the schema lists the same ones", () => {
  expect(CIRCULATING_VIEWS).toEqual(Object.fromEntries(VIEWS.map((view) => [view, selectorOf(view)])));
  expect(schema.$defs.circulating_view.enum).toEqual(VIEWS);
});

test.each([
  ["an unknown view", statedBy("totalSupply()"), "chains[0].circulating_view.view: must be one of circulatingSupply()"],
  [
    "a short address",
    statedBy(VIEW, "0x7e11"),
    "chains[0].circulating_view.contract: must be an address of exactly 40",
  ],
  [
    "a mistyped address",
    statedBy(VIEW, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee"),
    "chains[0].circulating_view.contract: 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee fails its checksum (EIP-55)",
  ],
  ["no contract", chainRow({ circulating_view: { view: VIEW } }), "chains[0].circulating_view.contract: missing"],
])("a view is refused with %s", (_case, row, error) => {
  expect(errorsOf(fileWith(row), "evm")).toEqual([expect.stringContaining(error)]);
});

test("a view is refused on a chain of a family without contracts that state it", () => {
  const row = { ...statedBy(VIEW, "0x1"), family: "move", asset: "0x1::a::B" };
  expect(errorsOf(walletFile({ chains: [row], wallets: [] }))).toEqual([
    `chains[0].circulating_view: must not be given: a Move chain has no contract with ${VIEW}`,
  ]);
});

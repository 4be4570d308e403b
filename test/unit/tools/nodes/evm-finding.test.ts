import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseContract } from "../../../../src/families/evm/asset.ts";
import { readChains } from "../../../../tools/chain-reading.ts";
import { backfill } from "../../../../tools/history/backfill.ts";
import { backfillText, parseBackfill } from "../../../../tools/history/csv.ts";
import { EXIT } from "../../../../tools/lib/command-line.ts";
import { chainFinding } from "../../../../tools/nodes/chain-finding.ts";
import { toolsOf } from "../../../../tools/nodes/families.ts";
import { verify } from "../../../../tools/schedule/verify.ts";
import { EvmChain, quantity, TOKEN } from "../../../support/evm/chain.ts";
import { lockCode, viewSlot } from "../../../support/evm/lock.ts";
import { EvmTestNode, type RpcRequest } from "../../../support/evm/node.ts";
import { REVERTS } from "../../../support/evm/token.ts";
import { refusalOfPromise } from "../../../support/refusal.ts";
import { tokenChain } from "../../../support/token-chain.ts";
import { bucket, file, valid, wallet } from "../../supply/schedules.ts";

const ETHER = 10n ** 18n;
const SUPPLY = 1_000n * ETHER - 5n;
const TEAM = "0x00000000000000000000000000000000000000a1";
const DEAD = "0x000000000000000000000000000000000000dEaD";
const asset = parseContract(TOKEN) ?? expect.fail();
const CHAIN = tokenChain({ family: "evm", chainId: 1, asset });
const schedule = valid(
  file({
    token: { symbol: "XYZ", name: "Example", decimals: 18 },
    buckets: [bucket({ genesis: "900", phases: [{ kind: "never", amount: "100" }] })],
    wallets: [wallet(TEAM, { category: "team" }), wallet(DEAD, { category: "burn" })],
  }),
  "evm",
);

/** Four blocks a day from 2026-01-01T03:00:00Z on, the first of number 0. */
const DAY = { startSeconds: Date.parse("2026-01-01T03:00:00Z") / 1_000, blockSeconds: 21_600, first: 0n };
const HOLDERS = new Map([
  [TEAM, 400n * ETHER + 1n],
  [DEAD, 2n],
]);

let nodes: ReadonlyMap<string, EvmTestNode> = new Map();
let node: EvmTestNode;

beforeEach(async () => {
  const chain = await EvmChain.begin({ supply: SUPPLY, holders: HOLDERS, ...DAY });
  for (let block = 1; block < 20; block += 1)
    await chain.mine(block === 12 ? new Map([[BigInt(TEAM), 100n * ETHER]]) : undefined);
  node = new EvmTestNode(chain);
  nodes = new Map([
    ["a.example", node],
    ["b.example", new EvmTestNode(chain)],
  ]);
  vi.stubGlobal("fetch", async (url: string, init: { readonly body: string }) => {
    const to = nodes.get(new URL(url).host);
    if (to === undefined) throw new TypeError("fetch failed");
    const { status = 200, body } = await to.reply(init.body);
    return Response.json(body, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

const URL_A = "https://a.example/rpc";

describe("a schedule is compared with a token on an EVM chain", () => {
  test("to the base unit, with all words in one call", async () => {
    const lines = (
      (await verify(schedule, { nodes: [URL_A], asset: TOKEN, first: { family: "evm" } })).text ?? ""
    ).split("\n");
    expect(lines[0]).toBe(
      "block 19: total 999.999999999999999993, burned 0.000000000000000002, wallets 100, circulating on chain 899.999999999999999993",
    );
    expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
    expect(node.called("eth_call")).toBe(1);
  });

  test.each([
    ["no contract there", { asset: `0x${"1".repeat(40)}` }, "there is no contract at"],
    ["no contract's address", { asset: "0x1::a::B" }, "--asset: must be a contract's address"],
    ["pools, of which there are none", { pools: TEAM }, "--pools: an EVM chain has no delegation pools"],
    ["a node that cannot be connected", { nodes: ["https://c.example"] }, "it cannot be connected"],
  ])("%s", async (_case, changes, reason) => {
    const run = () => verify(schedule, { nodes: [URL_A], asset: TOKEN, first: { family: "evm" }, ...changes });
    await expect(run()).rejects.toThrow(reason);
  });
});

test("a point of the past is read at its block, or refused with what to do", async () => {
  const given = toolsOf("evm").nodeAt(URL_A, "");
  const point = await given.pointAt(5n);
  expect(point).toEqual({ chainId: 1, version: 5n, atMs: Date.parse("2026-01-02T09:00:00Z") });
  const at = { chain: CHAIN, point, node: await given.at(5n) };
  const { amounts } = await readChains([at], schedule);
  expect(amounts.held).toBe(400n * ETHER + 1n);
  expect((await given.pointAt(null)).version).toBe(19n);
  expect((await refusalOfPromise(given.pointAt(99n))).join()).toContain("--node: has no block 99; use an archive node");
});

describe("past days of a token on an EVM chain", () => {
  const filled = async () => {
    const given = toolsOf("evm").nodeAt(URL_A, "");
    const blocks = await given.blocks();
    const told: string[] = [];
    const { figures: rows } = await backfill({
      chains: [{ chain: CHAIN, node: given, blocks }],
      schedule,
      stable: null,
      existing: { figures: [], prices: [] },
      days: { from: "2026-01-02", to: "2026-01-05" },
      report: ({ day, message }) => told.push(`${day}: ${message}`),
    });
    const onChain = rows.filter(({ figure }) => figure === "circulating_supply_on_chain");
    expect(
      parseBackfill(backfillText(rows), { ...schedule, nowMs: Date.parse("2026-02-01") }),
      "every row survives its file",
    ).toMatchObject({ kind: "rows", rows });
    return { note: blocks.note, told, onChain: onChain.map(({ day, baseUnits }) => [day, BigInt(baseUnits)]) };
  };
  const before = SUPPLY - 2n - (400n * ETHER + 1n);
  const after = SUPPLY - 2n - 100n * ETHER;

  test("an archive that knows no eth_capabilities is tried day by day", async () => {
    node.kept = 1_000;
    const { note, told, onChain } = await filled();
    expect(note).toContain("does not report its oldest block with state (eth_capabilities), so each day is tried");
    expect(told).toEqual([
      "2026-01-02: block 4",
      "2026-01-03: block 8",
      "2026-01-04: block 12",
      "2026-01-05: block 16",
    ]);
    expect(onChain).toEqual([
      ["2026-01-02", before],
      ["2026-01-03", before],
      ["2026-01-04", after],
      ["2026-01-05", after],
    ]);
  });

  test("a pruned day is reported and omitted, never a zero", async () => {
    node.kept = 10;
    const { told, onChain } = await filled();
    expect(told[0]).toContain(
      "omitted total_supply: the chain node has block 4 and answers a call at it with the JSON-RPC error -32000",
    );
    expect(onChain.map(([day]) => day)).toEqual(["2026-01-04", "2026-01-05"]);
  });

  test("a node that says from where on it has the state is not asked for more", async () => {
    const state = { disabled: false, oldestBlock: quantity(10), deleteStrategy: { type: "window" } };
    node.instead = ({ id, method }) =>
      method === "eth_capabilities" ? { body: { jsonrpc: "2.0", id, result: { state } } } : undefined;
    const { note, told, onChain } = await filled();
    expect(note).toBe("the node reports that it has the state from block 10 on");
    expect(told[0]).toBe("2026-01-02: the node has no block of this day; omitted");
    expect(onChain.map(([day]) => day)).toEqual(["2026-01-04", "2026-01-05"]);
  });
});

describe("whether each node can be read is known before a deployment", () => {
  const nodeUrls = ["https://a.example/v3/{key}", "https://b.example"];
  const find = () => chainFinding({ chain: CHAIN, nodeUrls, nodeKeys: ["KEY"] });
  const error = ({ id }: RpcRequest, code: number) => ({
    body: { jsonrpc: "2.0", id, error: { code, message: "no" } },
  });
  const isProgram = ({ method, params: [call] }: RpcRequest) => method === "eth_call" && Object(call).to === undefined;
  const isAtHash = ({ method, params: [, at] }: RpcRequest) => method === "eth_call" && typeof at === "object";

  test("control: both", async () => {
    expect(await find()).toEqual({
      is: "upstream-1 (a.example), upstream-2 (b.example) executed the call that reads everything at one block",
      problems: [],
      isRefused: false,
    });
  });

  test.each<readonly [string, EvmTestNode["instead"], string]>([
    [
      "no call without `to`",
      (asked) => (isProgram(asked) ? error(asked, -32602) : undefined),
      "does not execute eth_call without `to`",
    ],
    [
      "no block by its hash",
      (asked) =>
        isAtHash(asked)
          ? error(asked, -32602)
          : asked.method === "eth_call"
            ? { body: { jsonrpc: "2.0", id: asked.id, result: `0x${"1".padStart(64, "0")}` } }
            : undefined,
      "does not accept a block hash (EIP-1898)",
    ],
    [
      "no call at all",
      (asked) => (asked.method === "eth_call" ? error(asked, -32601) : undefined),
      "does not answer eth_call at its newest block 19",
    ],
    ["402", () => ({ status: 402, body: {} }), "does not answer: it answers with status 402"],
    [
      "another chain",
      ({ id, method }) => (method === "eth_chainId" ? { body: { jsonrpc: "2.0", id, result: "0xa" } } : undefined),
      "is of chain 10, but CHAIN_ID is 1",
    ],
  ])("%s: the node is named, and what then happens", async (_case, instead, reason) => {
    node.instead = instead;
    const { problems } = await find();
    expect(problems).toEqual([
      expect.stringMatching(
        /^upstream-1 \(a\.example\) .*; then only small changes that upstream-2 \(b\.example\) reports are accepted, and no first reading$/,
      ),
    ]);
    expect(problems[0]).toContain(reason);
    expect(problems[0]).not.toContain("KEY");
    for (const each of nodes.values()) each.instead = instead;
    expect((await find()).problems).toEqual([
      expect.stringMatching(/no figure of the chain can be read$/),
      expect.stringMatching(/^upstream-2 .*no figure of the chain can be read$/),
    ]);
  });
});

describe("a token with a lock", () => {
  const LOCK = "0x00000000000000000000000000000000000010c0";
  const withLock = valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 18 },
      buckets: [bucket({ genesis: "900", phases: [{ kind: "never", amount: "100" }] })],
      wallets: [
        wallet(TEAM, { category: "team" }),
        wallet(LOCK, { category: "staking", holds: "lock", view: "totalLocked()", label: "Escrow" }),
      ],
    }),
    "evm",
  );
  const deploy = (locked: bigint) =>
    node.chain.mine(
      new Map([[BigInt(LOCK), 50n * ETHER]]),
      null,
      new Map([[LOCK, { code: lockCode(), writes: new Map([[viewSlot("totalLocked()"), locked]]) }]]),
    );
  const find = () => chainFinding({ chain: CHAIN, nodeUrls: ["https://a.example"], nodeKeys: [] }, 18, withLock);
  const verified = () => verify(withLock, { nodes: [URL_A], asset: TOKEN, first: { family: "evm" } });

  test("is compared with the schedule by its view, in one call", async () => {
    await deploy(30n * ETHER + 1n);
    const [first] = ((await verified()).text ?? "").split("\n");
    expect(first).toBe(
      "block 20: total 999.999999999999999995, burned 0, wallets 130.000000000000000001, circulating on chain 869.999999999999999994",
    );
    expect(node.called("eth_call")).toBe(1);
    expect(await find()).toMatchObject({ problems: [], isRefused: false });
  });

  test.each([
    [
      "more than the contract holds",
      50n * ETHER + 1n,
      "base units, and the lock holds only 50000000000000000000",
      false,
    ],
    ["a revert", REVERTS, "the contract does not answer totalLocked()", true],
  ])(
    "that reports %s is named before a deployment, and by the comparison with the schedule",
    async (_case, value, reason, isRefusedForGood) => {
      await deploy(value);
      const { is, problems, isRefused } = await find();
      expect(problems).toEqual([expect.stringContaining(`says of the wallet ${LOCK} (Escrow): `)]);
      expect(problems).toEqual([expect.stringContaining(reason)]);
      expect(problems).toEqual([expect.stringMatching(/; figures that count this wallet cannot be read$/)]);
      // The node itself can be read. A balance may rise again, but no block gives a contract another view.
      expect([is, isRefused]).toEqual([expect.stringMatching(/^upstream-1 .* executed/), isRefusedForGood]);
      const { text, exitCode } = await verified();
      expect([text, exitCode]).toEqual([expect.stringContaining(reason), EXIT.failed]);
    },
  );
});

describe("a contract that states what circulates", () => {
  const TELLER = "0x0000000000000000000000000000000000007e11";
  const VIEW = "circulatingSupply()";
  const compared = valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 18 },
      buckets: [bucket({ genesis: "900", phases: [{ kind: "never", amount: "100" }] })],
      wallets: [wallet(TEAM, { category: "team" })],
      chains: [
        { id: "native", family: "evm", chain_id: 1, asset: TOKEN, circulating_view: { contract: TELLER, view: VIEW } },
      ],
    }),
    "evm",
  );
  const deploy = (stated: bigint) =>
    node.chain.mine(
      new Map(),
      null,
      new Map([[TELLER, { code: lockCode(), writes: new Map([[viewSlot(VIEW), stated]]) }]]),
    );
  const [chain = CHAIN] = compared.chains ?? [];
  const find = () => chainFinding({ chain, nodeUrls: ["https://a.example"], nodeKeys: [] }, 18, compared);
  const verified = () => verify(compared, { nodes: [URL_A], first: { family: "evm" } });
  const OURS = SUPPLY - 100n * ETHER;

  test("is asked in the one call of the comparison, and says nothing as long as it agrees", async () => {
    await deploy(OURS);
    expect((await verified()).text).not.toContain("warning");
    expect(node.called("eth_call")).toBe(1);
    expect(await find()).toMatchObject({ problems: [], isRefused: false });
  });

  test.each([
    ["another amount", OURS - 90n * ETHER, "The contract states 90 XYZ less."],
    ["a revert", REVERTS, `the contract does not answer ${VIEW}`],
  ])("warns of %s, and the comparison of the wallets succeeds", async (_case, stated, text) => {
    await deploy(stated);
    const result = await verified();
    expect(result.exitCode).toBeUndefined();
    expect(result.text).toMatch(/\nwarning: circulating_view_/);
    expect(result.text).toContain(text);
    expect(result.members).toMatchObject({ warnings: [expect.stringContaining(text)], contradictions: [] });
  });

  test("that does not answer is named before a deployment, which it does not stop", async () => {
    await deploy(REVERTS);
    const { is, problems, isRefused } = await find();
    expect(problems).toEqual([
      `upstream-1 (a.example) says of ${TELLER}: the contract does not answer ${VIEW}; the circulating figure is then compared with no contract`,
    ]);
    expect([is, isRefused]).toEqual([expect.stringMatching(/^upstream-1 .* executed/), false]);
  });
});

describe("a share price", () => {
  const VAULT = "0x0000000000000000000000000000000000000fee";
  const VIEW = "getRate()";
  const share = (id: string, contract: string) => ({
    ...{ id, name: "Vault", kind: "vault", provider: "Example", asset: { symbol: "XYZ" } },
    ...{ chain: "native", contract, view: VIEW, decimals: 18 },
  });
  const priced = valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 18 },
      buckets: [bucket({ genesis: "900", phases: [{ kind: "never", amount: "100" }] })],
      wallets: [wallet(TEAM, { category: "team" })],
      share_prices: [share("first", VAULT), share("second", VAULT), share("absent", DEAD)],
    }),
    "evm",
  );
  const report = (value: bigint) =>
    node.chain.mine(
      new Map(),
      null,
      new Map(
        [VAULT, DEAD.toLowerCase()].map((address) => [
          address,
          { code: lockCode(), writes: new Map([[viewSlot(VIEW), address === VAULT ? ETHER : value]]) },
        ]),
      ),
    );
  const find = () => chainFinding({ chain: CHAIN, nodeUrls: ["https://a.example"], nodeKeys: [] }, 18, priced);

  test("is asked for and named before a deployment", async () => {
    await report(ETHER);
    const { is, problems } = await find();
    expect(problems).toEqual([]);
    expect(is).toContain("was asked for the share prices first, second, absent");
  });

  test("that cannot be read is named, which stops nothing, neither a deployment nor a comparison of wallets", async () => {
    await report(REVERTS);
    const { is, problems, isRefused } = await find();
    expect(problems).toEqual([
      `upstream-1 (a.example) says of the price absent: the contract does not answer ${VIEW}; these products get no new price, and are stale two days after their last one`,
    ]);
    expect([is, isRefused]).toEqual([expect.stringMatching(/^upstream-1 .* executed/), false]);
    const { exitCode, members } = await verify(priced, { nodes: [URL_A], asset: TOKEN, first: { family: "evm" } });
    expect(exitCode).toBeUndefined();
    expect(members).toMatchObject({
      warnings: [expect.stringMatching(/^share_price_unreadable: The price of absent/)],
    });
  });
});

test("stated constants are named in the comparison, apart from the balances that they are added to", async () => {
  const constants = [
    { label: "Stuck", category: "other", amount: "1.5", source: "https://example.org/lost", date: "2026-01-02" },
  ];
  const stated = valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 18 },
      buckets: [bucket({ genesis: "900", phases: [{ kind: "never", amount: "100" }] })],
      wallets: [wallet(TEAM, { category: "team" })],
      constants,
    }),
    "evm",
  );
  const { text = "" } = await verify(stated, { nodes: [URL_A], asset: TOKEN, first: { family: "evm" } });
  expect(text.split("\n")[0]).toBe(
    "block 19: total 999.999999999999999995, burned 0, wallets 101.5, circulating on chain 898.499999999999999995, stated constants 1.5, which are counted in burned and wallets",
  );
});

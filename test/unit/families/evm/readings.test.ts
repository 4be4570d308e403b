import { describe, expect, test } from "vitest";
import { EvmChain } from "../../../support/evm/chain.ts";
import { type EvmTestNode, type RpcReply, WORD } from "../../../support/evm/node.ts";
import { DECIMALS_SLOT, REVERTS, SUPPLY_SLOT } from "../../../support/evm/token.ts";
import { evmWorld, HOLDERS, SUPPLY } from "./evm-world.ts";

type World = Awaited<ReturnType<typeof evmWorld>>;

const BOTH = ["node-1", "node-2"];
const BALANCES = [...HOLDERS.values()];

/** Summarizes a reading. */
function inShort(found: Awaited<ReturnType<World["read"]>>) {
  if (found.kind === "failure") return found.reason;
  const { minted, decimals, confirmedBy, wallets } = found.value;
  return { minted, decimals, confirmedBy, balances: wallets.map(({ balance }) => balance?.baseUnits ?? null) };
}
const WHOLE = { minted: SUPPLY, decimals: 18, confirmedBy: BOTH, balances: BALANCES };

describe("what two nodes say", () => {
  test("is one reading of one block, to the base unit, by one call of each", async () => {
    const world = await evmWorld();
    const found = await world.read();
    expect(inShort(found)).toEqual(WHOLE);
    expect(found).toMatchObject({ value: { ledgerVersion: world.chain.head.number } });
    for (const node of world.nodes) {
      const methods = node.requests.map(({ method }) => method);
      expect(methods).toEqual(["eth_chainId", "eth_getBlockByNumber", "eth_call"]);
      const [, at] = node.requests.at(-1)?.params ?? [];
      expect(at).toEqual({ blockHash: world.chain.head.hash, requireCanonical: true });
    }
  });

  test("a node a block behind: both are asked at its block, whose hash each says itself", async () => {
    const world = await evmWorld();
    await world.read();
    world.node(1).behind = 1;
    const before = world.nodes.map((node) => node.called("eth_getBlockByNumber"));
    const found = await world.read();
    expect(inShort(found)).toEqual(WHOLE);
    expect(found).toMatchObject({ value: { ledgerVersion: world.chain.head.number - 1n } });
    const asked = world.nodes.map((node, index) => node.called("eth_getBlockByNumber") - (before[index] ?? 0));
    expect(asked).toEqual([2, 1]);
  });
});

test("the report of one node alone is accepted as everywhere: within the step, or when it is repeated", async () => {
  const world = await evmWorld(1);
  expect(inShort(await world.read())).toEqual({ ...WHOLE, confirmedBy: ["node-1"] });
  await world.chain.mine(new Map([[SUPPLY_SLOT, SUPPLY - 100_000_000n * 10n ** 18n]]));
  expect(inShort(await world.read())).toContain("awaits a second reading");
  expect(inShort(await world.read())).toMatchObject({ minted: SUPPLY - 100_000_000n * 10n ** 18n });
});

test("a third node decides between two, and the liar is named", async () => {
  const world = await evmWorld(3);
  await world.read();
  world.node(1).says({ [WORD.balances]: (truth) => truth + 1n });
  expect(inShort(await world.read())).toMatchObject({ balances: BALANCES });
  expect(world.reader.disagreement).toMatchObject({
    outvoted: "node-2",
    ledgerVersion: String(world.chain.head.number),
  });
});

const ONE = { ...WHOLE, confirmedBy: ["node-1"] };
const DISAGREE = expect.stringMatching(/^the chain nodes disagree: node-1 and node-2 about /);
type Spoil = (node: EvmTestNode, world: World) => unknown;

/** The node replies so to these calls, as often as is said. */
function replies(node: EvmTestNode, methods: string, reply: RpcReply, times = Number.POSITIVE_INFINITY): void {
  let left = times;
  node.instead = ({ method, params }) => {
    if (!methods.split(" ").includes(method) && !methods.split(" ").includes(`${method}:${params[0]}`))
      return undefined;
    left -= 1;
    return left < 0 ? undefined : reply;
  };
}
/** The node follows another future of the chain, as long as the one that is read next. */
async function follows(node: EvmTestNode, { chain }: World, writes: ReadonlyMap<bigint, bigint>): Promise<void> {
  const other = chain.forkBefore(chain.head.number, "other");
  await other.mine(writes);
  for (let blocks = 0; blocks < 30; blocks += 1) await other.mine();
  node.chain = other;
}

/** The node's true replies, edited. */
function edits(node: EvmTestNode, edit: (body: string) => string): void {
  node.instead = ({ id }, truth) => ({ body: edit(JSON.stringify({ jsonrpc: "2.0", id, ...truth })) });
}
const rpcError = (code: number, message = "") => ({ body: { jsonrpc: "2.0", id: 1, error: { code, message } } });
const rpcResult = (result: unknown) => ({ body: { jsonrpc: "2.0", id: 1, result } });
const ALL = "eth_chainId eth_getBlockByNumber eth_call";
const HEAD = "eth_getBlockByNumber:latest";

const FAULTS: readonly (readonly [fault: string, spoil: Spoil, expected: unknown])[] = [
  ["control: none", () => undefined, WHOLE],
  // Nodes that report something else.
  ["a supply more by 1 wei", (node) => node.says({ [WORD.supply]: (truth) => truth + 1n }), DISAGREE],
  ["a wallet less by 1 wei", (node) => node.says({ [WORD.balances + 1]: (truth) => truth - 1n }), DISAGREE],
  ["other decimals", (node) => node.says({ [WORD.decimals]: () => 8n }), DISAGREE],
  ["a supply that its token does not say", (node) => node.says({ [WORD.supply]: () => REVERTS }), DISAGREE],
  ["no contract there", (node) => node.says({ [WORD.codeBytes]: () => 0n }), DISAGREE],
  ["a revert of what cannot revert", (node) => replies(node, "eth_call", rpcError(3, "execution reverted")), DISAGREE],
  ["another future of the chain, with the same figures", (node, world) => follows(node, world, new Map()), DISAGREE],
  [
    "another future, with other figures",
    (node, world) => follows(node, world, new Map([[SUPPLY_SLOT, SUPPLY - 1n]])),
    DISAGREE,
  ],
  // Nodes without an acceptable report; the other one reports alone, within the step.
  ["its calls are answered by another chain's machine", (node) => node.says({ [WORD.chainId]: () => 10n }), ONE],
  ["another chain", async (node) => Object.assign(node, { chain: await EvmChain.begin({ chainId: 10 }) }), ONE],
  ["pruned state, as geth says it", (node) => Object.assign(node, { kept: 0 }), ONE],
  ["pruned state, as besu says it", (node) => replies(node, "eth_call", rpcError(-32603, "Internal error")), ONE],
  ["an empty answer of a call", (node) => replies(node, "eth_call", rpcResult("0x")), ONE],
  ["no result for a call, as besu of an unknown block", (node) => replies(node, "eth_call", rpcResult(null)), ONE],
  ["no newest block", (node) => replies(node, HEAD, rpcResult(null)), ONE],
  ["a newest block without a hash", (node) => replies(node, HEAD, rpcResult({ number: "0x1" })), ONE],
  ["429", (node) => replies(node, ALL, { status: 429, body: "" }), ONE],
  ["429 in a 200", (node) => replies(node, ALL, rpcError(429, "exceeded its throughput limit")), ONE],
  ["429 in a 200 for calls alone", (node) => replies(node, "eth_call", rpcError(-32005)), ONE],
  ["402: the day's credits are used up", (node) => replies(node, ALL, { status: 402, body: rpcError(402).body }), ONE],
  ["403", (node) => replies(node, "eth_call", { status: 403, body: "<html>" }), ONE],
  ["500", (node) => replies(node, "eth_call", { status: 500, body: "" }), ONE],
  ["a redirect", (node) => replies(node, ALL, { status: 302, body: "", headers: { Location: "/" } }), ONE],
  ["a page with 200", (node) => replies(node, ALL, { body: "<html>Just a moment...</html>" }), ONE],
  ["an answer that breaks off", (node) => replies(node, "eth_call", { body: '{"jsonrpc":"2.0","id":1,"resu' }), ONE],
  ["an error object without an id", (node) => replies(node, ALL, { body: { error: { code: -32600 }, id: null } }), ONE],
  ["a list, as for a batch", (node) => replies(node, ALL, { body: [rpcResult("0x1").body] }), ONE],
  ["answers to something else", (node) => edits(node, (body) => body.replace('"id":1,', '"id":2,')), ONE],
  [
    "more than a block can be",
    (node) => edits(node, (body) => body.replace("[]", () => `["${"f".repeat(3e6)}"]`)),
    ONE,
  ],
  ["503 of a node that is away", (node) => replies(node, ALL, { status: 503, body: "" }), ONE],
  ["408 for every call", (node) => replies(node, "eth_call", { status: 408, body: "<html>" }), ONE],
  // A balancer's status about time is retried once.
  ["408, once", (node) => replies(node, "eth_call", { status: 408, body: "<html>" }, 1), WHOLE],
  ["522, once", (node) => replies(node, "eth_call", { status: 522, body: "" }, 1), WHOLE],
  // Behind its address are machines a block apart: it is asked again, in seconds.
  ["a machine that lacks the block, twice", (node) => replies(node, "eth_call", rpcError(-32000), 2), WHOLE],
  ["a machine that lacks it and says null, twice", (node) => replies(node, "eth_call", rpcResult(null), 2), WHOLE],
];

describe("a fault of one of two nodes", () => {
  test.each(FAULTS)("%s", async (_fault, spoil, expected) => {
    const world = await evmWorld();
    expect(inShort(await world.read())).toEqual(WHOLE);
    await spoil(world.node(1), world);
    expect(inShort(await world.read())).toEqual(expected);
    // A repaired fault is forgotten.
    Object.assign(world.node(1), { instead: () => undefined, chain: world.chain, kept: 128 });
    expect(inShort(await world.read())).toEqual(WHOLE);
  });

  test("a null block for a number below its own head is asked for again", async () => {
    const world = await evmWorld();
    await world.read();
    world.node(1).behind = 1;
    let nulls = 0;
    world.node(0).instead = ({ method, params }) => {
      if (method !== "eth_getBlockByNumber" || params[0] === "latest" || nulls === 3) return undefined;
      nulls += 1;
      return rpcResult(null);
    };
    expect(inShort(await world.read())).toEqual(WHOLE);
    expect(nulls).toBe(3);
  });

  test("another block than the one that was asked for is none", async () => {
    const world = await evmWorld();
    await world.read();
    world.node(0).behind = 1;
    world.node(1).instead = ({ method, params }) => {
      if (method !== "eth_getBlockByNumber" || params[0] === "latest") return undefined;
      return rpcResult({ number: "0x65", hash: world.chain.head.hash, timestamp: "0x65" });
    };
    expect(inShort(await world.read())).toEqual(ONE);
  });

  test.each([1, 9])("a block that is replaced %i times while it is read is read under its last hash", async (times) => {
    const world = await evmWorld();
    await world.read();
    const before = world.node(0).called("eth_call");
    let left = times;
    // One after the other: a block that one node has answered at is replaced for both, or for neither.
    let inTurn: Promise<unknown> = Promise.resolve();
    for (const node of world.nodes) {
      const reply = node.reply.bind(node);
      const reorganising = async (text: string) => {
        if (!text.includes("eth_call") || left === 0) return reply(text);
        left -= 1;
        const other = world.chain.forkBefore(world.chain.head.number, String(left));
        await other.mine();
        world.chain.reorganise(other);
        return reply(text);
      };
      node.reply = (text) => {
        const replied = inTurn.then(() => reorganising(text));
        inTurn = replied;
        return replied;
      };
    }
    expect(inShort(await world.read())).toEqual(WHOLE);
    expect(left).toBe(0);
    expect(world.node(0).called("eth_call") - before).toBeGreaterThan(1);
  });

  test("a node that stays behind by a minute of the chain's clock is no witness of the present", async () => {
    const world = await evmWorld();
    await world.read();
    world.node(1).behind = 31;
    expect(inShort(await world.read())).toEqual(ONE);
    expect((await world.pool.states()).nodes.map(({ isOutdated }) => isOutdated)).toEqual([false, true]);
    world.node(1).behind = 0;
    expect(inShort(await world.read())).toEqual(WHOLE);
  });
});

test("a node that claims a block of the future, and then fails, takes no other one's place", async () => {
  const world = await evmWorld();
  await world.read();
  const future = { hash: world.chain.head.hash, number: "0xffffff", timestamp: "0xffffffff" };
  replies(world.node(1), HEAD, rpcResult(future));
  expect((await world.pool.states()).nodes).toMatchObject([{ isOutdated: false }, { isOutdated: false }]);
  await world.time.pass(20_000);
  expect((await world.pool.states()).nodes).toMatchObject([{ isOutdated: false }, { head: { version: 0xffffffn } }]);
  replies(world.node(1), ALL, { status: 500, body: "" });
  expect(inShort(await world.read())).toEqual(ONE);
});

test("once a reading is over nothing more is asked", async () => {
  const world = await evmWorld();
  let isOver = false;
  const {
    answering: [node],
  } = await world.time.run(world.pool.nodes(() => isOver, []));
  isOver = true;
  const asked = world.node(0).requests.length;
  expect(await node?.supply(world.asset, world.chain.head.number, null)).toMatchObject({ why: "silent" });
  expect(world.node(0).requests).toHaveLength(asked);
});

describe("what a token's contract does not say is refused by its name, and never zero", () => {
  test.each([
    ["totalSupply() reverts", new Map([[SUPPLY_SLOT, REVERTS]]), "the contract does not answer totalSupply()"],
    ["decimals() reverts", new Map([[DECIMALS_SLOT, REVERTS]]), "the contract does not answer decimals()"],
    ["more decimals than a token has", new Map([[DECIMALS_SLOT, 37n]]), "the contract names more than 36 decimals"],
    ["decimals changed", new Map([[DECIMALS_SLOT, 6n]]), "decimals differ: chain 6, schedule 18"],
    ["nothing is minted", new Map([[SUPPLY_SLOT, 0n]]), "the supply of this asset on chain is zero"],
    ["control", new Map([[DECIMALS_SLOT, 18n]]), WHOLE],
  ])("%s", async (_case, writes, expected) => {
    const world = await evmWorld();
    await world.read();
    await world.chain.mine(writes);
    expect(inShort(await world.read())).toEqual(expected);
  });

  test("no contract is at its address", async () => {
    const world = await evmWorld();
    await world.read();
    await world.chain.mine(new Map(), new Uint8Array());
    expect(inShort(await world.read())).toContain("there is no contract at 0x0000c0ffee");
  });

  test("balanceOf() reverts for one wallet: its last balance stays, and says why", async () => {
    const world = await evmWorld();
    await world.read();
    const [, address = ""] = HOLDERS.keys();
    await world.chain.mine(new Map([[BigInt(address), REVERTS]]));
    const found = await world.read();
    expect(inShort(found)).toEqual(WHOLE);
    const anomaly = { kind: "unreadable", reason: "the contract does not answer balanceOf()" };
    expect(found).toMatchObject({ value: { wallets: [{ anomaly: null }, { anomaly }, { anomaly: null }] } });
  });
});

describe("the pool", () => {
  test("says of each node what its last probe found", async () => {
    const world = await evmWorld(4);
    const [, paid, busy, wrong] = world.nodes;
    if (paid && busy && wrong) {
      replies(paid, ALL, { status: 402, body: "" });
      replies(busy, ALL, rpcError(-32005, "limit exceeded"));
      wrong.chain = await EvmChain.begin({ chainId: 137 });
    }
    expect((await world.pool.states()).nodes).toMatchObject([
      { label: "node-1", kind: "answers", head: { version: 100n, atMs: 1_700_000_000_000 } },
      { label: "node-2", kind: "fails", failure: { behaviour: "answers with status 402", status: 402 } },
      {
        label: "node-3",
        kind: "fails",
        failure: { behaviour: "answers with the JSON-RPC error -32005", status: null },
      },
      { label: "node-4", kind: "wrong_chain" },
    ]);
  });

  test("a node that names a time is left alone until then", async () => {
    const world = await evmWorld();
    replies(world.node(1), ALL, { status: 429, body: "", headers: { "Retry-After": "45" } });
    const asked: number[] = [];
    for (let seconds = 0; seconds <= 60; seconds += 15) {
      await world.pool.states();
      asked.push(world.node(1).requests.length);
      await world.time.pass(15_000);
    }
    expect(asked).toEqual([1, 1, 1, 2, 2]);
  });

  test("asks each node at most once in ten seconds, however often it is asked", async () => {
    const world = await evmWorld();
    for (let second = 0; second < 30; second += 1) {
      await Promise.all([world.pool.states(), world.pool.states()]);
      await world.time.pass(1_000);
    }
    expect(world.node(0).called("eth_chainId")).toBe(3);
  });

  test("a node that does not answer in three seconds does not hold the others", async () => {
    const world = await evmWorld();
    const never = new Promise<never>(() => undefined);
    world.node(1).reply = () => never;
    const from = world.time.nowMs;
    const { nodes: states } = await world.time.run(world.pool.states());
    expect(states).toMatchObject([{ kind: "answers" }, { failure: { behaviour: "did not answer in 3 s" } }]);
    expect(world.time.nowMs - from).toBe(3_000);
  });

  test("without a chain id in the settings the first answer names the chain", async () => {
    const world = await evmWorld(2, null);
    world.node(1).chain = await EvmChain.begin({ chainId: 10 });
    expect((await world.pool.states()).nodes).toMatchObject([{ kind: "answers" }, { kind: "wrong_chain" }]);
  });
});

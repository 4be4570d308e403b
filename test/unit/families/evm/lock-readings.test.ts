import { describe, expect, test } from "vitest";
import { MAX_VALUE_CHARACTERS } from "../../../../src/home/guarded-store.ts";
import { lockCode, viewSlot } from "../../../support/evm/lock.ts";
import { WORD } from "../../../support/evm/node.ts";
import { REVERTS } from "../../../support/evm/token.ts";
import { evmWorld, HOLDERS, SUPPLY } from "./evm-world.ts";

const BOTH = ["node-1", "node-2"];
const [TREASURY = "", LOCK = "", DEAD = ""] = HOLDERS.keys();
const [IN_TREASURY = 0n, BALANCE = 0n, BURNED = 0n] = HOLDERS.values();
const LOCKED = 2_000_000n * 10n ** 18n + 17n;
/** Words of the lock in an answer: the first wallet is an account, and has one. */
const [BALANCE_WORD, VIEW_WORD] = [WORD.balances + 1, WORD.balances + 2];

/** The second of three wallets is a lock by `locked()`. */
async function lockWorld(count = 2) {
  const world = await evmWorld(count, 1, HOLDERS, { [LOCK]: { holds: "lock", view: "locked()" } });
  const report = (value: bigint, code: Uint8Array | null = null) =>
    world.chain.mine(new Map(), null, new Map([[LOCK, { code, writes: new Map([[viewSlot("locked()"), value]]) }]]));
  await report(LOCKED, lockCode());
  return { ...world, report };
}
type World = Awaited<ReturnType<typeof lockWorld>>;

/** Balances of a reading, with the nodes that reported the lock and what is unusual about it. */
async function read(world: World) {
  const found = await world.read();
  if (found.kind === "failure") return found.reason;
  const [, lock] = found.value.wallets;
  const balances = found.value.wallets.map(({ balance }) => balance?.baseUnits ?? null);
  return { balances, confirmedBy: lock?.confirmedBy, anomaly: lock?.anomaly ?? null };
}
const WHOLE = { balances: [IN_TREASURY, LOCKED, BURNED], confirmedBy: BOTH, anomaly: null };

test("a lock is read at the same block as everything else, in the same call of each node", async () => {
  const world = await lockWorld();
  expect(await read(world)).toEqual(WHOLE);
  for (const node of world.nodes) expect(node.called("eth_call")).toBe(1);
  expect([TREASURY, DEAD].every((address) => address !== LOCK)).toBe(true);
});

describe("a liar about a lock", () => {
  test("of two nodes stops the reading, and is named with the other", async () => {
    const world = await lockWorld();
    expect(await read(world)).toEqual(WHOLE);
    world.node(1).says({ [VIEW_WORD]: (truth) => truth - 1n });
    expect(await read(world)).toMatch(
      /^the chain nodes disagree: node-1 and node-2 about native 0x00a2.* lock locked\(\)/,
    );
    world.node(1).instead = () => undefined;
    expect(await read(world)).toEqual(WHOLE);
  });

  test("of three is outvoted", async () => {
    const world = await lockWorld(3);
    await read(world);
    world.node(1).says({ [VIEW_WORD]: (truth) => truth + 1n });
    expect(await read(world)).toEqual({ ...WHOLE, confirmedBy: ["node-1", "node-3"] });
    expect(world.reader.disagreement).toMatchObject({ outvoted: "node-2" });
  });

  test.each([
    ["a balance below the lock", { [BALANCE_WORD]: () => LOCKED - 1n }],
    ["a view above the balance", { [VIEW_WORD]: () => BALANCE + 1n }],
    ["a view that reverts", { [VIEW_WORD]: () => REVERTS }],
  ])("that reports %s reports no lock at all: the other node is alone with it", async (_lie, words) => {
    const world = await lockWorld();
    await read(world);
    world.node(1).says(words);
    expect(await read(world)).toEqual({ ...WHOLE, confirmedBy: ["node-1"] });
  });
});

describe("a lock that the contract itself reports wrongly", () => {
  test.each([
    ["reverts", REVERTS, "the contract does not answer locked()"],
    [
      "is above the balance",
      BALANCE + 1n,
      `locked() is ${BALANCE + 1n} base units, and the lock holds only ${BALANCE}`,
    ],
  ])("and %s keeps its last amount and says why; control: repaired it is current", async (_case, value, reason) => {
    const world = await lockWorld();
    await read(world);
    await world.report(value);
    expect(await read(world)).toEqual({ ...WHOLE, confirmedBy: [], anomaly: { kind: "unreadable", reason } });
    await world.report(LOCKED);
    expect(await read(world)).toEqual(WHOLE);
  });

  test("and never was right has no amount", async () => {
    const world = await lockWorld();
    await world.report(REVERTS);
    expect(await read(world)).toMatchObject({ balances: [IN_TREASURY, null, BURNED] });
  });
});

test("a lock that falls by more than half is accepted and marked", async () => {
  const world = await lockWorld();
  await read(world);
  await world.report(LOCKED / 2n - 1n);
  expect(await read(world)).toMatchObject({
    balances: [IN_TREASURY, LOCKED / 2n - 1n, BURNED],
    anomaly: { kind: "dropped", from: LOCKED },
  });
});

/** Every wallet is a lock by one view of one shared contract. */
async function sharedLockWorld(count: number) {
  const contract = `0x${"c".repeat(40)}`;
  const view = "getRestAmount(address)";
  const addresses = Array.from({ length: count }, (_, index) => `0x${String(index).padStart(40, "f")}`);
  const holders = new Map(addresses.map((address) => [address, 10n ** 23n]));
  const kinds = Object.fromEntries(addresses.map((address) => [address, { holds: "lock", view, contract }]));
  const world = await evmWorld(2, 1, holders, kinds);
  const has = (code: Uint8Array | null, words: ReadonlyMap<string, bigint> = new Map()) => {
    const writes = new Map([...words].map(([address, value]) => [viewSlot(view, address), value]));
    return world.chain.mine(new Map(), null, new Map([[contract, { code, writes }]]));
  };
  return { ...world, addresses, has };
}

test.each([1, 45, 256, 1_024])(
  "%i locks that burn all their gas are unreadable, and the supply is read",
  async (count) => {
    const world = await sharedLockWorld(count);
    await world.has(Uint8Array.of(0xfe));
    const found = await world.read();
    if (found.kind === "failure") throw new Error(found.reason);
    expect(found.value.minted).toBe(SUPPLY);
    const reason = "the contract does not answer getRestAmount(address)";
    expect(found.value.wallets.map(({ anomaly }) => anomaly)).toEqual(
      Array.from({ length: count }, () => ({ kind: "unreadable", reason })),
    );
  },
  60_000,
);

test("the largest file of locks is read by 29 calls at one block, and its reading can be stored", async () => {
  const world = await sharedLockWorld(1_024);
  await world.has(lockCode(), new Map(world.addresses.map((address) => [address, 10n ** 23n - 1n])));
  const found = await world.read();
  if (found.kind === "failure") throw new Error(found.reason);
  expect(new Set(found.value.wallets.map(({ balance }) => balance?.baseUnits))).toEqual(new Set([10n ** 23n - 1n]));
  expect(world.node(0).called("eth_call")).toBe(29);
  const blocks = world.node(0).requests.filter(({ method }) => method === "eth_call");
  expect(new Set(blocks.map(({ params: [, at] }) => Object(at).blockHash))).toEqual(new Set([world.chain.head.hash]));
  // Each lock is refused for a reason of its own, as long as it can be, and the last complete reading is stored too.
  const above = world.addresses.map((address, index) => [address, 2n ** 256n - 2n - BigInt(index)] as const);
  await world.has(null, new Map(above));
  await world.read();
  expect(world.stored()).toContain("lastComplete");
  expect(world.stored().match(/is \d{78} base units/g)).toHaveLength(1_024);
  expect(world.stored().length).toBeLessThan(0.75 * MAX_VALUE_CHARACTERS);
}, 60_000);

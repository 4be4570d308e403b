import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import schema from "../../../../schedule/schema.json" with { type: "json" };
import type { Holding } from "../../../../src/chain/holding.ts";
import { parseEvmAddress } from "../../../../src/families/evm/address.ts";
import { evmNode } from "../../../../src/families/evm/evm-node.ts";
import type { Rpc } from "../../../../src/families/evm/json-rpc.ts";
import { LOCK_VIEWS } from "../../../../src/families/evm/lock-views.ts";
import { LOCKS_PROGRAM, PROGRAM } from "../../../../src/families/evm/program.ts";
import { assemble } from "../../../../tools/evm/assemble.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";
import { lockCode, selectorOf, viewSlot } from "../../../support/evm/lock.ts";
import { BURNS_GAS, REVERTS } from "../../../support/evm/token.ts";
import { vestingWallet } from "../../../support/evm/vesting-wallet.ts";

const ETHER = 10n ** 18n;
const ASSET = { kind: "contract", text: parseEvmAddress(TOKEN) ?? expect.fail() } as const;
const LOCK = "0x00000000000000000000000000000000000010c0";
const HOLDER = "0x0000000000000000000000000000000000401de4";
const SIGNATURES = Object.keys(LOCK_VIEWS);

const lock = (view: string, changes: Partial<Holding> = {}): Holding => {
  const contract = LOCK_VIEWS[view]?.subject === "address" ? { address: HOLDER, contract: LOCK } : { contract: null };
  return { chain: "native", label: "", address: LOCK, holds: "lock", view, ...contract, ...changes } as Holding; // an EVM lock
};
const account = (address: string): Holding => ({ chain: "native", label: "", holds: "account", address });
/** Address that a view is asked about, as its contract's source says. */
const argumentOf = (view: string): string | null =>
  view === "getRestAmount(address)" ? HOLDER : view.endsWith("(address)") ? TOKEN : null;

/** A chain with a lock contract whose view has this value, and a node of it. */
async function chainWith(view: string, value: bigint, balance: bigint, code = lockCode()) {
  const holders = new Map([
    [LOCK, balance],
    [HOLDER, balance],
  ]);
  const chain = await EvmChain.begin({ holders });
  const writes = new Map([[viewSlot(view, argumentOf(view)), value]]);
  await chain.mine(new Map(), null, new Map([[LOCK, { code, writes }]]));
  return { chain, ...nodeOf(chain) };
}

function nodeOf(chain: EvmChain) {
  const calls: unknown[] = [];
  const call: Rpc = async (method, params) => {
    calls.push([method, ...params]);
    const answer = await chain.answer(method, params);
    return "result" in answer ? { kind: "result", value: answer.result } : { kind: "error", code: answer.error.code };
  };
  const head = { ...chain.head, timestampMs: chain.head.timestampSeconds * 1_000 };
  const read = async (holdings: readonly Holding[]) => {
    const node = evmNode({ label: "a", chainId: 1, head, call }, holdings);
    expect(await node.supply(ASSET, head.number, null)).toMatchObject({ minted: 10n ** 27n, decimals: 18 });
    return node.balances(ASSET, holdings, head.number);
  };
  return { calls, read };
}

const held = (baseUnits: bigint) => ({ baseUnits, stake: null, pool: null });
const refused = (reason: string) => ({ why: "refused", reason });

test("the closed list is that of schema and manual, and each selector is the hash of its signature", () => {
  expect(SIGNATURES.sort()).toEqual([...schema.$defs.lock_view.enum].sort());
  const manual = readFileSync(join(import.meta.dirname, "../../../../page/docs/schedule.md"), "utf8");
  const section = manual.split("### Locks")[1]?.split("\n## ")[0] ?? "";
  expect([...section.matchAll(/^\| `(\w+\((?:address)?\))`/gm)].map(([, view]) => view).sort()).toEqual(SIGNATURES);
  for (const [signature, { selector, subject }] of Object.entries(LOCK_VIEWS)) {
    expect(selector, signature).toBe(selectorOf(signature));
    expect(subject === "contract", signature).toBe(signature.endsWith("()"));
  }
});

describe.each(SIGNATURES)("a lock by %s", (view) => {
  const locked = (value: bigint, balance: bigint) =>
    view === "released(address)" ? balance : view === "releasable(address)" ? balance - value : value;

  test("is read to the base unit at 18 decimals, in the one call with supply and wallets", async () => {
    const [value, balance] = [123_456_789n * ETHER + 1n, 400_000_000n * ETHER + 3n];
    const { calls, read } = await chainWith(view, value, balance);
    const other = view === "getRestAmount(address)" ? LOCK : HOLDER;
    expect(await read([account(other), lock(view)])).toEqual([held(balance), held(locked(value, balance))]);
    expect(calls).toHaveLength(1);
    expect(JSON.stringify(calls)).toContain(LOCKS_PROGRAM);
  });

  test("has any amount up to the balance", async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt(0n, 10n ** 27n), fc.bigInt(0n, 10n ** 9n), async (balance, billionths) => {
        const value = (balance * billionths) / 10n ** 9n;
        const { read } = await chainWith(view, value, balance);
        expect(await read([lock(view)])).toEqual([held(locked(value, balance))]);
      }),
      { numRuns: 10 },
    );
  });

  test("of an address without code, a view that reverts and one that burns its gas are refused, never 0", async () => {
    const reason = `the contract does not answer ${view}`;
    const none = await chainWith(view, 5n, 10n, new Uint8Array());
    expect(await none.read([lock(view)])).toEqual([refused(reason)]);
    const reverting = await chainWith(view, REVERTS, 10n);
    expect(await reverting.read([lock(view)])).toEqual([refused(reason)]);
    const burning = await chainWith(view, 5n, 10n, Uint8Array.of(0xfe));
    expect(await burning.read([account(TOKEN), lock(view)])).toEqual([held(0n), refused(reason)]);
    const control = await chainWith(view, 5n, 10n);
    expect(await control.read([lock(view)])).toEqual([held(locked(5n, 10n))]);
  });

  test("whose balance cannot be read is refused", async () => {
    for (const balance of [REVERTS, BURNS_GAS]) {
      const { read } = await chainWith(view, 5n, balance);
      expect(await read([lock(view)])).toEqual([refused("the contract does not answer balanceOf()")]);
    }
  });
});

test.each(SIGNATURES.filter((view) => view !== "released(address)"))(
  "a lock by %s above the balance by a base unit is refused, and at the balance it is not",
  async (view) => {
    const balance = 7n * ETHER;
    const { read } = await chainWith(view, balance + 1n, balance);
    const reason = `${view} is ${balance + 1n} base units, and the lock holds only ${balance}`;
    expect(await read([lock(view)])).toEqual([{ ...refused(reason), mayPass: true }]);
    const control = await chainWith(view, balance, balance);
    expect(await control.read([lock(view)])).toEqual([held(view === "releasable(address)" ? 0n : balance)]);
  },
);

describe("a VestingWallet as its package has it", () => {
  const [start, duration] = [1_700_000_000 - 250, 1_000];
  const allocation = 1_000_000n * ETHER + 999n;

  test.each([
    ["nothing released", 0n],
    ["a part released", 200_000n * ETHER + 7n],
  ])(
    "with %s: what is unreleased is the balance, what is unvested follows from the block's time",
    async (_case, out) => {
      const balance = allocation - out;
      const chain = await EvmChain.begin({ holders: new Map([[LOCK, balance]]) });
      const contract = await vestingWallet(chain, { start, duration, released: new Map([[TOKEN, out]]) });
      await chain.mine(new Map(), null, new Map([[LOCK, contract]]));
      const { read } = nodeOf(chain);
      const passed = BigInt(chain.head.timestampSeconds - start);
      const vested = (allocation * passed) / BigInt(duration);
      expect(passed).toBeGreaterThan(0n);
      expect(await read([lock("released(address)")])).toEqual([held(balance)]);
      expect(await read([lock("releasable(address)")])).toEqual([held(allocation - vested)]);
      // Control: it has none of the other views.
      expect(await read([lock("locked()")])).toEqual([refused("the contract does not answer locked()")]);
    },
  );
});

test("more locks than one call asks for are read by several calls at one block, each in its place", async () => {
  const addresses = Array.from({ length: 130 }, (_, index) => `0x${(index + 4_096).toString(16).padStart(40, "0")}`);
  const holders = new Map(addresses.map((address, index) => [address, BigInt(index) + 1_000n]));
  const chain = await EvmChain.begin({ holders });
  const contracts = addresses.map(
    (address, index) =>
      [address, { code: lockCode(), writes: new Map([[viewSlot("locked()"), BigInt(index)]]) }] as const,
  );
  await chain.mine(new Map(), null, new Map(contracts));
  const { calls, read } = nodeOf(chain);
  const locks = addresses.map((address) => lock("locked()", { address }));
  expect(await read(locks)).toEqual(addresses.map((_, index) => held(BigInt(index))));
  const at = calls.map((call) => Object(call)[2].blockHash);
  expect(at).toEqual(Array.from({ length: 4 }, () => chain.head.hash));
});

test("a lock has its gas whatever the locks before it burn, and no call asks for 16,000,000", async () => {
  const reportsGas = assemble("GAS\nPUSH1 0\nMSTORE\nPUSH1 32\nPUSH1 0\nRETURN");
  const addresses = Array.from({ length: 72 }, (_, index) => `0x${(index + 4_096).toString(16).padStart(40, "0")}`);
  const chain = await EvmChain.begin({ holders: new Map(addresses.map((address) => [address, 10n ** 9n])) });
  const code = (index: number) => (index % 36 === 35 ? reportsGas : Uint8Array.of(0xfe));
  await chain.mine(new Map(), null, new Map(addresses.map((address, index) => [address, { code: code(index) }])));
  const { calls, read } = nodeOf(chain);
  const balances = await read(addresses.map((address) => lock("locked()", { address })));
  const burned = refused("the contract does not answer locked()");
  const answered = balances.filter((each) => !("why" in each));
  expect(balances.filter((each) => "why" in each)).toEqual(Array.from({ length: 70 }, () => burned));
  expect(answered).toHaveLength(2);
  for (const each of answered) expect("baseUnits" in each && each.baseUnits).toBeGreaterThan(199_000n);
  expect(calls).toHaveLength(2);
  for (const asked of calls) expect(Number(Object(asked)[1].gas)).toBeLessThan(16_000_000);
});

test("without a lock the call is the one without locks", async () => {
  const { calls, read } = await chainWith("locked()", 1n, 5n);
  expect(await read([account(LOCK)])).toEqual([held(5n)]);
  const [[, { gas, data }]] = calls as [[string, { gas: string; data: string }]]; // the call of the reading
  expect([gas, data]).toEqual(["0x102ca0", `${PROGRAM}${TOKEN.slice(2)}${LOCK.slice(2)}`]);
});

test("a signature outside the list is refused, also by a node", async () => {
  const { read } = await chainWith("locked()", 1n, 5n);
  expect(await read([lock("circulating_supply()")])).toEqual([
    refused("a lock cannot be read by circulating_supply()"),
  ]);
});

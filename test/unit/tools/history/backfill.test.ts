import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReadView } from "../../../../src/chain/view.ts";
import { moveNode } from "../../../../src/families/move/move-node.ts";
import { type Backfilled, backfill } from "../../../../tools/history/backfill.ts";
import { backfillText, parseBackfill } from "../../../../tools/history/csv.ts";
import { type Blocks, firstBlockFrom } from "../../../../tools/nodes/blocks.ts";
import type { GivenNode } from "../../../../tools/nodes/given-node.ts";
import { CHECKOUT } from "../../../support/checkout.ts";
import { tokenChain } from "../../../support/token-chain.ts";
import { bucket, file, valid } from "../../supply/schedules.ts";

const DAY_MS = 86_400_000;
const NONE: Backfilled = { figures: [], prices: [] };
const START = Date.parse("2026-11-01T00:00:00Z");
const COIN = { kind: "coin", text: "0x1::aptos_coin::AptosCoin" } as const;

/** A chain whose blocks began at these instants; the first heights may be pruned. */
function chainOf(instants: readonly number[], oldest = 0): Blocks & { calls: number } {
  const chain = {
    calls: 0,
    oldest,
    newest: instants.length - 1,
    at: async (height: number) => {
      chain.calls += 1;
      const atMs = instants[height];
      return atMs === undefined || height < oldest ? null : { height, atMs, lastVersion: BigInt(height * 10 + 9) };
    },
  };
  return chain;
}

test("property: the first block at or after an instant is found in log2(height) steps", async () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(gaps, fc.nat(20_000), fc.nat(50), async (steps, instant, pruned) => {
      let at = 0;
      const instants = steps.map((gap) => {
        at += gap;
        return at;
      });
      const oldest = Math.min(pruned, instants.length - 1);
      const chain = chainOf(instants, oldest);
      const expected = (instants[oldest] ?? 0) >= instant ? -1 : instants.findIndex((each) => each >= instant);
      expect((await firstBlockFrom(chain, instant))?.height ?? -1).toBe(expected);
      expect(chain.calls).toBeLessThanOrEqual(10);
    }),
  );
});

test("a block that begins at the instant is found", async () => {
  const chain = chainOf([10, 20, 30, 40]);
  expect((await firstBlockFrom(chain, 30))?.height).toBe(2);
  expect((await firstBlockFrom(chain, 31))?.height).toBe(3);
  expect(await firstBlockFrom(chain, 10)).toBeNull();
});

const schedule = valid(
  file({
    buckets: [
      bucket({
        genesis: "20",
        phases: [{ kind: "never", amount: "980" }],
        addresses: [{ chain: "native", address: "0xa", label: "Vault", holds: "account" }],
      }),
    ],
    wallets: [{ chain: "native", address: "0xb", label: "Burn", category: "burn", holds: "account" }],
  }),
);

/** A block every eight hours; a view answers with the version of its request. */
const instants = Array.from({ length: 12 }, (_, index) => START - DAY_MS + index * (DAY_MS / 3) + 5_000);
const TOKEN = 100_000_000n;
const readView: ReadView = async ({ function: name, ledgerVersion, arguments: [address] }) => {
  if (address === "0xa" && ledgerVersion === 69n) return { kind: "refused", status: 410 };
  const values = name.endsWith("::supply")
    ? [{ vec: [String(ledgerVersion * TOKEN)] }]
    : name.endsWith("::decimals")
      ? [8]
      : [address === "0xb" ? "3" : "7"];
  return { kind: "returned", values, ledgerVersion: 119n };
};
const blocks = chainOf(instants);
const node: GivenNode = {
  at: async (version) =>
    moveNode("archive", version, { readView, readResource: async () => ({ kind: "unavailable" }) }),
  blocks: async () => blocks,
  pointAt: () => expect.fail("only blocks are read"),
};
const chain = { chain: tokenChain({ chainId: 4, asset: COIN }), node, blocks };

test("each day has its first block's version; unreadable figures are omitted and reported", async () => {
  const reported: string[] = [];
  const { figures: rows } = await backfill({
    schedule,
    chains: [chain],
    stable: null,
    days: { from: "2026-10-30", to: "2026-11-04" },
    existing: NONE,
    report: ({ day, message }) => reported.push(`${day}: ${message}`),
  });
  expect(reported).toEqual([
    "2026-10-30: the node has no block of this day; omitted",
    "2026-10-31: the node has no block of this day; omitted",
    "2026-11-01: ledger version 39",
    "2026-11-02: ledger version 69; omitted circulating_supply_on_chain: wallet 0xa (Vault) was never read: the chain node answers 410 to 0x1::coin::balance; omitted circulating_supply_above_plan: wallet 0xa (Vault) was never read: the chain node answers 410 to 0x1::coin::balance; omitted non_circulating_supply: wallet 0xa (Vault) was never read: the chain node answers 410 to 0x1::coin::balance",
    "2026-11-03: ledger version 99",
    "2026-11-04: the node has no block of this day; omitted",
  ]);
  expect(rows.map(({ day, figure, baseUnits, observedAtMs }) => [day, figure, baseUnits, observedAtMs])).toEqual([
    // The schedule of that day allows 2,000,000,000. As observed rows are: the total is less what is burned, which no wallet of the project holds.
    ["2026-11-01", "burned_supply", "3", START + 5_000],
    ["2026-11-01", "circulating_supply_above_plan", "1899999990", START + 5_000],
    ["2026-11-01", "circulating_supply_on_chain", "3899999990", START + 5_000],
    ["2026-11-01", "non_circulating_supply", "7", START + 5_000],
    ["2026-11-01", "total_supply", "3899999997", START + 5_000],
    ["2026-11-02", "burned_supply", "3", START + DAY_MS + 5_000],
    ["2026-11-02", "total_supply", "6899999997", START + DAY_MS + 5_000],
    ["2026-11-03", "burned_supply", "3", START + 2 * DAY_MS + 5_000],
    ["2026-11-03", "circulating_supply_above_plan", "7899999990", START + 2 * DAY_MS + 5_000],
    ["2026-11-03", "circulating_supply_on_chain", "9899999990", START + 2 * DAY_MS + 5_000],
    ["2026-11-03", "non_circulating_supply", "7", START + 2 * DAY_MS + 5_000],
    ["2026-11-03", "total_supply", "9899999997", START + 2 * DAY_MS + 5_000],
  ]);
  expect(parseBackfill(backfillText(rows), { ...schedule, nowMs: START + 30 * DAY_MS })).toEqual({
    kind: "rows",
    rows,
  });
});

test("days in the wrong order are refused by name", () => {
  const words = ["backfill", "--node", "http://127.0.0.1:1/v1", "--from", "2026-11-20", "--to", "2026-11-10"];
  const { stderr } = spawnSync(process.execPath, ["tools/history.ts", ...words], { cwd: CHECKOUT, encoding: "utf8" });
  expect(stderr).toBe("history: --from: 2026-11-20 is after --to, 2026-11-10\n");
});

test("rows of an earlier run are kept", async () => {
  const run = async (figures: Backfilled["figures"]) =>
    (
      await backfill({
        schedule,
        chains: [chain],
        stable: COIN,
        days: { from: "2026-11-01", to: "2026-11-01" },
        existing: { ...NONE, figures },
        report: () => undefined,
      })
    ).figures;
  const first = (await run([])).map((row) => ({ ...row, baseUnits: "1" }));
  expect(await run(first)).toEqual(first);
});

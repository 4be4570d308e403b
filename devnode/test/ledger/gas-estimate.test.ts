import fc from "fast-check";
import { expect, test } from "vitest";
import { type BlockPrices, estimateGas, FULL_BLOCK_TRANSACTIONS } from "../../ledger/gas-estimate.ts";

const full = (lowestPrice: bigint): BlockPrices => ({ users: FULL_BLOCK_TRANSACTIONS, lowestPrice });
const slack = (lowestPrice: bigint): BlockPrices => ({ users: FULL_BLOCK_TRANSACTIONS - 1, lowestPrice });
const blocks = (count: number, block: BlockPrices): BlockPrices[] => Array.from({ length: count }, () => block);

test.each([
  ["no block", [], [100n, 100n, 150n]],
  ["one full block", [full(400n)], [500n, 500n, 1_000n]],
  ["blocks that are not full, at any price", blocks(120, slack(9_000n)), [100n, 100n, 150n]],
  ["full blocks at the minimum", blocks(120, full(100n)), [150n, 150n, 300n]],
  ["one full block among ten", [full(400n), ...blocks(9, slack(100n))], [100n, 100n, 1000n]],
  [
    "ten full blocks after twenty-one empty ones",
    [...blocks(10, full(400n)), ...blocks(21, slack(100n))],
    [500n, 500n, 1000n],
  ],
  ["twenty full blocks, then slack", [...blocks(20, full(150n)), ...blocks(10, slack(100n))], [300n, 300n, 500n]],
  ["the tenth block at the minimum", [...blocks(9, full(400n)), ...blocks(111, slack(100n))], [100n, 100n, 150n]],
  [
    "half of thirty blocks full",
    [...blocks(15, slack(100n)), ...blocks(15, full(400n)), ...blocks(90, slack(100n))],
    [100n, 500n, 1_000n],
  ],
  [
    "fewer than half of thirty blocks full",
    [...blocks(16, slack(100n)), ...blocks(14, full(400n)), ...blocks(90, slack(100n))],
    [100n, 100n, 1_000n],
  ],
  [
    "a tenth of 120 blocks full",
    [...blocks(108, slack(100n)), ...blocks(12, full(400n)), ...blocks(9, slack(100n))],
    [100n, 100n, 1_000n],
  ],
  [
    "fewer than a tenth of 120 blocks full",
    [...blocks(109, slack(100n)), ...blocks(11, full(400n)), ...blocks(9, full(400n))],
    [100n, 100n, 150n],
  ],
  ["a price above every bucket", blocks(10, full(2_000_000n)), [2_000_000n, 2_000_000n, 2_000_000n]],
] as const)("the gas estimate after %s", (_, recent, [deprioritized, market, prioritized]) => {
  expect(estimateGas(recent, 100n)).toEqual({ deprioritized, market, prioritized });
});

test("the three prices are in order and never below the minimum", () => {
  const block = fc.record({ users: fc.nat(500), lowestPrice: fc.option(fc.bigInt({ min: 100n, max: 2_000_000n })) });
  fc.assert(
    fc.property(fc.array(block, { maxLength: 130 }), (recent) => {
      const { deprioritized, market, prioritized } = estimateGas(recent, 100n);
      expect(deprioritized >= 100n && market >= deprioritized && prioritized >= market).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each([
  [149n, 150n],
  [150n, 300n],
  [299n, 300n],
  [300n, 500n],
  [500n, 1_000n],
  [1_000n, 3_000n],
  [3_000n, 5_000n],
  [5_000n, 10_000n],
  [10_000n, 100_000n],
  [100_000n, 1_000_000n],
  [999_999n, 1_000_000n],
  [1_000_000n, 1_000_000n],
])("to enter blocks whose lowest price is %d costs %d", (lowestPrice, price) => {
  const recent = blocks(10, { users: 250, lowestPrice });
  expect(estimateGas(recent, 100n).deprioritized).toBe(price);
  expect(estimateGas(blocks(10, { users: 249, lowestPrice }), 100n).deprioritized).toBe(100n);
});

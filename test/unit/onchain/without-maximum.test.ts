import { expect, test } from "vitest";
import { combineChains, type RoundResult } from "../../../src/onchain/combine-chains.ts";
import type { Reading } from "../../../src/onchain/reading.ts";
import { onlyChainRules } from "../../../src/onchain/rules.ts";
import { configOf } from "../../support/app.ts";
import { readingOfOne, tokenChain } from "../../support/token-chain.ts";
import { validFile, walletFile } from "../supply/schedules.ts";

const UNIT = 10n ** 8n;
const NOW_MS = Date.parse("2026-11-21T02:00:00Z");
const WITH = validFile(walletFile({ max_supply: "1000" }));
const WITHOUT = validFile(walletFile({ max_supply: null }));

function readingOf(minted: bigint): Reading {
  const read = { ledgerVersion: 7n, readAtMs: NOW_MS, decimals: 8, minted, confirmedBy: ["a", "b"], nodeCount: 2 };
  return readingOfOne({ ...read, staking: null, lastComplete: null, wallets: [] });
}

test("a step of one node alone is a share of the maximum, or of what exists without one", () => {
  const toleranceOf = (schedule: typeof WITH) =>
    onlyChainRules(schedule, tokenChain(), configOf()).toleranceOf(0n, 400n * UNIT);
  expect([toleranceOf(WITH), toleranceOf(WITHOUT)]).toEqual([10n * UNIT, 4n * UNIT]);
});

test("without a maximum no total is too great, and a total of zero is still refused", () => {
  const violated = (schedule: typeof WITH, minted: bigint) =>
    onlyChainRules(schedule, tokenChain(), configOf()).violatedInvariant(readingOf(minted), undefined);
  expect(violated(WITH, 5_000n * UNIT)).toContain("above the maximum supply");
  expect(violated(WITHOUT, 5_000n * UNIT)).toBeNull();
  expect(violated(WITHOUT, 0n)).toContain("is zero");
});

test("without a maximum a fall of the sum by more than a share of the last sum is noticed", () => {
  const round = (minted: bigint): RoundResult => ({
    id: "native",
    good: { kind: "observed", value: readingOf(minted), observedAtMs: NOW_MS },
    failure: null,
  });
  const dropTo = (schedule: typeof WITH, minted: bigint) => {
    const before = combineChains(schedule, [round(400n * UNIT)], null, 1, NOW_MS) ?? null;
    return combineChains(schedule, [round(minted)], before, 1, NOW_MS)?.value.supplyDrop?.from ?? null;
  };
  expect([dropTo(WITHOUT, 396n * UNIT), dropTo(WITHOUT, 396n * UNIT - 1n)]).toEqual([null, 400n * UNIT]);
  expect([dropTo(WITH, 391n * UNIT), dropTo(WITH, 389n * UNIT)]).toEqual([null, 400n * UNIT]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHoldings, type SupplyBreakdown } from "../../../page/src/documents.ts";
import { rowsOf } from "../../../page/src/reconciliation.ts";
import { STATES } from "../../support/page-states.ts";

const USUAL = STATES.usual.breakdown as SupplyBreakdown;

const amount = (units: bigint) => ({ tokens: "0", base_units: String(units) });
const wallet = (bucket: string, category: string, units: bigint) => ({
  ...USUAL.non_circulating_wallets[0],
  bucket,
  category,
  balance: amount(units),
});

const MAXIMUM = 1_000n;

interface Chain {
  readonly planned: bigint;
  readonly minted: bigint;
  readonly locked: bigint;
  readonly held: bigint;
  readonly free: bigint;
  readonly burned: bigint;
}

/** The API's breakdown of a chain: what circulates is what was minted, less every listed wallet. */
function rowsOfChain({ planned, minted, locked, held, free, burned }: Chain) {
  const breakdown = {
    ...USUAL,
    buckets: [{ ...USUAL.buckets[0], locked_by_schedule: amount(locked) }],
    non_circulating_wallets: [wallet("b", "team", held), wallet("", "treasury", free), wallet("", "burn", burned)],
    minted_supply: amount(minted),
    burned_supply: amount(burned),
    total_supply: amount(minted - burned),
    circulating_supply_on_chain: amount(minted - burned - held - free),
    circulating_supply_scheduled: amount(planned),
  };
  return rowsOf(parseHoldings(breakdown), MAXIMUM);
}

test("from the plan to the chain: other wallets, burned tokens and what is not minted", () => {
  const rows = rowsOfChain({ planned: 600n, minted: 990n, locked: 400n, held: 400n, free: 50n, burned: 7n });
  expect(rows.map(({ label, amount: units }) => [label, units])).toEqual([
    ["Planned: what the schedule has unlocked", 600n],
    ["Held by the project’s other wallets", -50n],
    ["Burned", -7n],
    ["Not minted yet", -10n],
    ["Circulating on chain", 533n],
    ["Above plan", 0n],
  ]);
});

test("the first rows always add up to what circulates on chain, and the last is how much of it is unplanned", () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 30n });
  const chain = fc.record({ planned: units, minted: units, locked: units, held: units, free: units, burned: units });
  fc.assert(
    fc.property(chain, (one) => {
      const amounts = rowsOfChain(one).map((row) => row.amount);
      const [onChain = 0n, above] = amounts.slice(-2);
      expect(amounts.slice(0, -2).reduce((sum, part) => sum + part, 0n)).toBe(onChain);
      expect(above).toBe(onChain > one.planned ? onChain - one.planned : 0n);
    }),
  );
});

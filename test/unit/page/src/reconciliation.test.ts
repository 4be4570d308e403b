import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHoldings, type SupplyBreakdown } from "../../../../page/src/documents.ts";
import { rowsOf } from "../../../../page/src/reconciliation.ts";
import { STATES } from "../../../support/page-states.ts";
import { bucket, file, wallet as listed, valid } from "../../supply/schedules.ts";

const USUAL = STATES.usual.breakdown as SupplyBreakdown;

const amount = (units: bigint) => ({ tokens: "0", base_units: String(units) });
const wallet = (bucket: string, category: string, units: bigint) => ({
  ...USUAL.non_circulating_wallets[0],
  bucket,
  category,
  balance: amount(units),
});

/** In base units the maximum is 1,000; "b" lists a wallet if `lists` says so, "u" never does. */
const scheduleOf = (lists: boolean) => {
  const phases = [{ kind: "never", amount: "500" }];
  const allocation = { allocation: "500", genesis: "0", phases };
  return valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 0 },
      buckets: [
        bucket({ id: "b", ...allocation, addresses: lists ? [listed("0xa")] : [] }),
        bucket({ id: "u", ...allocation }),
      ],
    }),
  );
};

interface Chain {
  readonly planned: bigint;
  readonly minted: bigint;
  readonly locked: bigint;
  readonly held: bigint;
  readonly free: bigint;
  readonly burned: bigint;
  /** Locked in an allocation that lists no wallet. */
  readonly unseen?: bigint;
  /** Stated as lost; a part of what does not circulate. */
  readonly lost?: bigint;
}

/** The API's breakdown of a chain: what circulates is what was minted, less every listed wallet. */
function rowsOfChain({ planned, minted, locked, held, free, burned, unseen = 0n, lost = 0n }: Chain, lists = true) {
  const stated = { label: "Lost", source: "https://example.org/", date: "2025-02-13" };
  const breakdown = {
    ...USUAL,
    buckets: [
      { ...USUAL.buckets[0], id: "b", locked_by_schedule: amount(locked) },
      { ...USUAL.buckets[0], id: "u", locked_by_schedule: amount(unseen), held_on_chain: null, difference: null },
    ],
    non_circulating_wallets: [wallet("b", "team", held), wallet("", "treasury", free), wallet("", "burn", burned)],
    constants: [
      { ...stated, category: "other", amount: amount(lost) },
      { ...stated, category: "burn", amount: amount(burned) },
    ],
    minted_supply: amount(minted),
    burned_supply: amount(burned),
    total_supply: amount(minted - burned),
    circulating_supply_on_chain: amount(minted - burned - held - free - lost),
    circulating_supply_scheduled: amount(planned),
  };
  return rowsOf(parseHoldings(breakdown), scheduleOf(lists));
}

test("from the plan to the chain: other wallets, burned tokens and what is not minted", () => {
  const rows = rowsOfChain({ planned: 600n, minted: 990n, locked: 400n, held: 400n, free: 50n, burned: 7n, lost: 3n });
  expect(rows.map(({ label, amount: units }) => [label, units])).toEqual([
    ["Planned: what the schedule has unlocked", 600n],
    ["Held by the project’s other wallets", -50n],
    ["Stated, in no wallet", -3n],
    ["Burned", -7n],
    ["Not minted yet", -10n],
    ["Circulating on chain", 530n],
    ["Above plan", 0n],
  ]);
});

test("what an allocation without a wallet must keep locked is a separate row, and neither missing nor above plan", () => {
  const chain = { planned: 530n, minted: 1_000n, locked: 300n, held: 250n, free: 0n, burned: 0n, unseen: 170n };
  expect(rowsOfChain(chain).map(({ label, amount: units }) => [label, units])).toEqual([
    ["Planned: what the schedule has unlocked", 530n],
    ["Locked by schedule, in no listed wallet", 170n],
    ["Missing from the allocations’ wallets", 50n],
    ["Circulating on chain", 750n],
    ["Above plan", 50n],
  ]);
});

test("where no allocation with locked tokens lists a wallet, nothing is missing and nothing is reported above plan", () => {
  const chain = { planned: 530n, minted: 1_000n, locked: 300n, held: 0n, free: 0n, burned: 0n, unseen: 170n };
  expect(rowsOfChain(chain, false).map(({ label, amount: units }) => [label, units])).toEqual([
    ["Planned: what the schedule has unlocked", 530n],
    ["Locked by schedule, in no listed wallet", 470n],
    ["Circulating on chain", 1_000n],
  ]);
});

test("the first rows always add up to what circulates on chain, and the last is how much of it is unplanned", () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 30n });
  const amounts = { planned: units, minted: units, locked: units, held: units, free: units, burned: units };
  const chain = fc.record({ ...amounts, unseen: units, lost: units });
  fc.assert(
    fc.property(chain, (one) => {
      const amounts = rowsOfChain(one).map((row) => row.amount);
      const [onChain = 0n, above] = amounts.slice(-2);
      expect(amounts.slice(0, -2).reduce((sum, part) => sum + part, 0n)).toBe(onChain);
      const allowed = one.planned + one.unseen;
      expect(above).toBe(onChain > allowed ? onChain - allowed : 0n);
    }),
  );
});

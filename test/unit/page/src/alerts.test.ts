import { expect, test } from "vitest";
import { alertsOf, maximumAlerts } from "../../../../page/src/alerts.ts";
import { parseHoldings, type SupplyBreakdown } from "../../../../page/src/documents.ts";
import { STATES, type StateName } from "../../../support/page-states.ts";

/** Sentences that are announced for a breakdown. */
function sentences(name: StateName, changes: Partial<SupplyBreakdown> = {}): string[] {
  const { breakdown, schedule } = STATES[name];
  const value = parseHoldings({ ...(breakdown as SupplyBreakdown), ...changes });
  return alertsOf(value, "", schedule).map(({ fact, detail }) => `${fact} ${detail}`.trim());
}

const amount = (tokens: bigint) => ({ tokens: String(tokens), base_units: String(tokens * 10n ** 8n) });

test.each(["usual", "observed days", "other wallets and burned tokens", "ended", "starts next month"] as const)(
  "%s: nothing is wrong, and nothing is said",
  (name) => expect(sentences(name)).toEqual([]),
);

test("before the first answer nothing is announced; a failure is one sentence with its reason", () => {
  const { schedule } = STATES.usual;
  expect(alertsOf(undefined, "", schedule)).toEqual([]);
  const unread = "The chain could not be read. The wallet Team has no balance yet. Next try in about a minute.";
  expect(alertsOf(undefined, unread, schedule)).toEqual([
    {
      state: "partial",
      fact: "The chain could not be read.",
      detail: "The wallet Team has no balance yet. Next try in about a minute.",
    },
  ]);
});

test("more in circulation than planned comes first, with its amount, its share and whose wallets lack tokens", () => {
  expect(sentences("more in circulation than planned")).toEqual([
    "47,000,000 XYZ more circulate than planned (+12.43%). Held for Community: 47,000,000 less than scheduled.",
  ]);
});

test("a part of a token above the plan is the rounding of an unlock", () => {
  const circulating_supply_on_chain = { tokens: "378000000.99", base_units: "37800000099000000" };
  expect(sentences("usual", { circulating_supply_on_chain })).toEqual([]);
  const one = { tokens: "378000001", base_units: "37800000100000000" };
  expect(sentences("usual", { circulating_supply_on_chain: one })).toEqual([
    "1 XYZ more circulate than planned (< 0.01%).",
  ]);
});

test("more than the maximum", () => {
  expect(sentences("usual", { minted_supply: amount(1_000_000_005n), total_supply: amount(1_000_000_005n) })).toEqual([
    "5 XYZ more exist on chain than the maximum.",
  ]);
});

test("a plan above the total: what is missing, without a reason that is not known", () => {
  const name = "locked in no listed wallet, not minted yet";
  expect(sentences(name)).toEqual([
    "126,000,000 XYZ of it are not minted yet, or burned: 836,000,000 circulate on chain, 850,000,000 exist.",
  ]);
  expect(sentences(name, { minted_supply: amount(1_000_000_000n), burned_supply: amount(150_000_000n) })).toEqual([
    "126,000,000 XYZ of it are not minted yet, or burned: 836,000,000 circulate on chain, 850,000,000 exist.",
  ]);
});

test("wallets that cannot be read, and wallets that lost tokens, are two facts", () => {
  expect(sentences("wallet that cannot be read")).toEqual(["1 of 4 wallets could not be read."]);
  expect(sentences("old values")).toEqual([
    "1,000 XYZ less than scheduled are held for Community.",
    "The balance of 1 of 4 wallets fell by more than half.",
  ]);
});

test("a plan that exceeds the total by less than a token is rounding", () => {
  const name = "locked in no listed wallet, not minted yet";
  const scheduled = amount(976_000_000n);
  const by = (baseUnits: bigint) => ({ tokens: "0", base_units: String(BigInt(scheduled.base_units) - baseUnits) });
  const withTotal = (baseUnits: bigint) =>
    sentences(name, { circulating_supply_scheduled: scheduled, total_supply: by(baseUnits) });
  expect(withTotal(10n ** 8n - 1n)).toEqual([]);
  expect(withTotal(10n ** 8n)).toEqual([
    "1 XYZ of it are not minted yet, or burned: 836,000,000 circulate on chain, 975,999,999 exist.",
  ]);
});

test("while nothing is planned to circulate, what circulates has no share", () => {
  const nothing = amount(0n);
  const [fact] = sentences("usual", { circulating_supply_scheduled: nothing, circulating_supply_on_chain: amount(7n) });
  expect(fact).toBe("7 XYZ more circulate than planned.");
});

test("more than the maximum is one sentence, whoever tells it, and none of less than a token", () => {
  const token = { symbol: "XYZ", decimals: 2 };
  expect(maximumAlerts({ total: 10_199n }, 10_100n, token)).toEqual([]);
  expect(maximumAlerts({ total: 10_200n }, 10_100n, token).map(({ fact }) => fact)).toEqual([
    "1 XYZ more exist on chain than the maximum.",
  ]);
  expect(maximumAlerts({ total: 10_200n }, null, token)).toEqual([]);
});

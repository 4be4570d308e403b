import { expect, test } from "vitest";
import type { SharePrice, SharePriceState } from "../../../src/chain/share-price.ts";
import type { Agreement } from "../../../src/onchain/agreement.ts";
import { acceptPrices } from "../../../src/onchain/price-acceptance.ts";
import type { ReadingRules } from "../../../src/onchain/rules.ts";
import { tokenChain } from "../../support/token-chain.ts";

const START_MS = Date.parse("2026-11-21T09:00:00Z");
const SHARE: SharePrice = {
  ...{ id: "vault", name: "Vault", kind: "vault", provider: "Example", url: null },
  asset: { symbol: "XYZ", address: null, decimals: 18 },
  ...{ chain: "native", contract: "0xfe", view: "getRate()", decimals: 18 },
};

/** A reading: second after the start, block, price, and how many nodes report it. */
type Report = readonly [second: number, block: number, value: number, nodes: number];

/** Accepts the reports one after the other, and returns the price that each leaves. */
function pricesAfter(reports: readonly Report[], { configured = 2, shares = [SHARE] as readonly SharePrice[] } = {}) {
  const labels = Array.from({ length: configured }, (_none, index) => `upstream-${index + 1}`);
  let states: readonly SharePriceState[] = [];
  return reports.map(([second, block, value, nodes], index) => {
    const share = shares[index] ?? SHARE;
    // Cast: the members that prices do not depend on are left out.
    const rules = {
      ...{ chain: tokenChain({ family: "evm", chainId: 1 }), prices: [share], isTrusted: false },
      ...{ stepPercent: 1, confirmMs: 60_000 },
    } as unknown as ReadingRules;
    const atMs = START_MS + second * 1_000;
    const agreed = { value: { value: BigInt(value), atMs }, confirmedBy: labels.slice(0, nodes) };
    const agreement = { ledgerVersion: BigInt(block), configured: labels, prices: [agreed] } as unknown as Agreement;
    states = acceptPrices(states, agreement, rules, atMs);
    const [state = expect.fail("no state")] = states;
    expect(state.unreadable === null, "a price that is held has a reason").toBe(state.price?.readAtMs === atMs);
    return { value: state.price && Number(state.price.value), series: state.series, reason: state.unreadable };
  });
}

/** Reports as a table writes them: second/block/price/nodes. */
const reportsOf = (text: string): Report[] =>
  // Cast: each has four parts.
  text.split(" ").map((report) => report.split("/").map(Number) as unknown as Report);

const FIRST: Report = [0, 1, 1_000, 2];

test.each<[configured: number, rule: string, reports: string, expected: number[]]>([
  [2, "a step is taken at once", "0/1/1000/2 5/2/1010/2", [1_000, 1_010]],
  [2, "more than a step is held", "0/1/1000/2 5/2/1011/2", [1_000, 1_000]],
  [2, "a repetition a minute later is taken", "0/1/1000/2 5/2/2000/2 65/3/2000/2", [1_000, 1_000, 2_000]],
  [2, "an earlier repetition is held", "0/1/1000/2 5/2/2000/2 64/3/2000/2", [1_000, 1_000, 1_000]],
  [2, "a repetition in the same block is held", "0/1/1000/2 5/2/2000/2 65/2/2000/2", [1_000, 1_000, 1_000]],
  [2, "another price far away is no repetition", "0/1/1000/2 5/2/2000/2 65/3/5000/2", [1_000, 1_000, 1_000]],
  [
    2,
    "the minute begins with the first report",
    "5/1/1000/2 10/2/2000/2 40/3/2000/2 70/4/2000/2",
    [1_000, 1_000, 1_000, 2_000],
  ],
  [
    2,
    "the former price ends the doubt",
    "5/1/1000/2 10/2/2000/2 40/3/1000/2 70/4/2000/2",
    [1_000, 1_000, 1_000, 1_000],
  ],
  [
    2,
    "a clock that was ahead delays nothing",
    "0/1/1000/2 86400/2/2000/2 10/3/2000/2 70/4/2000/2",
    [1_000, 1_000, 1_000, 2_000],
  ],
  [2, "one node alone moves it by a step", "0/1/1000/2 5/2/1010/1", [1_000, 1_010]],
  [
    2,
    "one node alone moves it no further",
    "0/1/1000/2 5/2/1010/1 65/3/1020/1 125/4/1020/1",
    [1_000, 1_010, 1_010, 1_010],
  ],
  [1, "the first price is taken", "0/1/1000/1", [1_000]],
  [1, "steps do not add up without a repetition", "0/1/1000/1 5/2/1008/1 65/3/1016/1", [1_000, 1_008, 1_008]],
  [1, "a repetition a minute later is taken", "0/1/1000/1 5/2/1016/1 65/3/1016/1", [1_000, 1_000, 1_016]],
])("of %i configured nodes: %s", (configured, _rule, reports, expected) => {
  expect(pricesAfter(reportsOf(reports), { configured }).map(({ value }) => value)).toEqual(expected);
});

test("one of two alone has no first price, and the node that is absent is named", () => {
  const [first, second] = pricesAfter([[0, 1, 1_000, 1], FIRST]);
  expect(first).toMatchObject({
    value: null,
    reason: expect.stringMatching(/^only upstream-1 reports it; .*upstream-2/),
  });
  expect(second).toMatchObject({ value: 1_000, reason: null });
});

test("another contract under the same id begins with a first price of its own", () => {
  const other = { ...SHARE, contract: "0xff" };
  const [first, second] = pricesAfter([FIRST, [5, 2, 9_000, 2]], { shares: [SHARE, other] });
  expect(second).toMatchObject({ value: 9_000, series: first?.series.replace("0xfe", "0xff") });
});

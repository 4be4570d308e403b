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

const FIRST: Report = [0, 1, 1_000, 2];

test.each<[string, Report[], (number | null)[]]>([
  ["a step is taken at once", [[5, 2, 1_010, 2]], [1_010]],
  ["more than a step is held", [[5, 2, 1_011, 2]], [1_000]],
  [
    "repeated a minute later in a later block it is taken",
    [
      [5, 2, 2_000, 2],
      [65, 3, 2_000, 2],
    ],
    [1_000, 2_000],
  ],
  [
    "repeated earlier it is held",
    [
      [5, 2, 2_000, 2],
      [64, 3, 2_000, 2],
    ],
    [1_000, 1_000],
  ],
  [
    "repeated in the same block it is held",
    [
      [5, 2, 2_000, 2],
      [65, 2, 2_000, 2],
    ],
    [1_000, 1_000],
  ],
  [
    "repeated by another price far away it is held",
    [
      [5, 2, 2_000, 2],
      [65, 3, 5_000, 2],
    ],
    [1_000, 1_000],
  ],
  [
    "the minute begins with its first report",
    [
      [5, 2, 2_000, 2],
      [35, 3, 2_000, 2],
      [65, 4, 2_000, 2],
    ],
    [1_000, 1_000, 2_000],
  ],
  [
    "the former price in between ends the doubt",
    [
      [5, 2, 2_000, 2],
      [35, 3, 1_000, 2],
      [65, 4, 2_000, 2],
    ],
    [1_000, 1_000, 1_000],
  ],
  [
    "a doubt of a clock that was ahead does not delay it",
    [
      [86_400, 2, 2_000, 2],
      [10, 3, 2_000, 2],
      [70, 4, 2_000, 2],
    ],
    [1_000, 1_000, 2_000],
  ],
  ["one of two alone moves it by a step", [[5, 2, 1_010, 1]], [1_010]],
  [
    "one of two alone moves it no further, however often",
    [
      [5, 2, 1_010, 1],
      [65, 3, 1_020, 1],
      [125, 4, 1_020, 1],
    ],
    [1_010, 1_010, 1_010],
  ],
])("of two nodes: %s", (_rule, reports, expected) => {
  expect(pricesAfter([FIRST, ...reports]).map(({ value }) => value)).toEqual([1_000, ...expected]);
});

test.each<[string, Report[], (number | null)[]]>([
  ["its first price is taken", [], []],
  [
    "steps do not add up without a repetition",
    [
      [5, 2, 1_008, 1],
      [65, 3, 1_016, 1],
    ],
    [1_008, 1_008],
  ],
  [
    "what it repeats a minute later is taken",
    [
      [5, 2, 1_016, 1],
      [65, 3, 1_016, 1],
    ],
    [1_000, 1_016],
  ],
])("of the only node: %s", (_rule, reports, expected) => {
  const prices = pricesAfter([[0, 1, 1_000, 1], ...reports], { configured: 1 });
  expect(prices.map(({ value }) => value)).toEqual([1_000, ...expected]);
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

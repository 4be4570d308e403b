import { describe, expect, test } from "vitest";
import type { YieldProduct } from "../../../../page/src/documents.ts";
import { type Basis, bestOf, byRate, ratesOf, shownRate } from "../../../../page/src/shown-rate.ts";

const UNKNOWN = { apy: null, apy_base: null, apy_reward: null, status: "active", apy_mean_30d_source: "history" };
const MEANS = ["7d", "30d"].flatMap((days) =>
  ["", "_base", "_reward"].map((part) => [`apy_mean_${days}${part}`, null]),
);

/** Cast: only what a rate is shown of. */
function product(id: string, known: Partial<YieldProduct>): YieldProduct {
  return { id, ...UNKNOWN, ...Object.fromEntries(MEANS), ...known } as YieldProduct;
}

const WHOLE = product("whole", {
  apy: 7.25,
  apy_base: 7,
  apy_reward: 0.25,
  apy_mean_7d: 6,
  apy_mean_7d_base: 5.75,
  apy_mean_7d_reward: 0.25,
  apy_mean_30d: 5,
  apy_mean_30d_base: 4.75,
  apy_mean_30d_reward: 0.25,
});

describe("the rate that is shown of a product is", () => {
  test.each<[string, YieldProduct, Basis, [Basis, number] | undefined]>([
    ["the 30-day mean where it has one", WHOLE, "30d", ["30d", 5]],
    ["the 7-day mean on request", WHOLE, "7d", ["7d", 6]],
    ["the present rate on request", WHOLE, "spot", ["spot", 7.25]],
    ["the present rate without a mean", product("new", { apy: 3 }), "30d", ["spot", 3]],
    ["the mean while the present rate is unknown", product("late", { apy_mean_30d: 4 }), "30d", ["30d", 4]],
    ["none where nothing is known", product("none", {}), "30d", undefined],
  ])("%s", (_what, given, basis, shown) => {
    const rate = shownRate(given, basis);
    expect(rate && [rate.basis, rate.apy]).toEqual(shown);
  });

  test("with its parts, which a mean that the listing states does not have", () => {
    expect(ratesOf(WHOLE).map(({ basis, base, reward }) => [basis, base, reward])).toEqual([
      ["30d", 4.75, 0.25],
      ["spot", 7, 0.25],
      ["7d", 5.75, 0.25],
    ]);
    const [listed] = ratesOf({ ...WHOLE, apy_mean_30d_source: "listing" });
    expect(listed).toEqual({ basis: "30d", apy: 5, base: null, reward: null });
  });
});

test("the best product is the active one whose shown rate is the highest", () => {
  const spike = product("spike", { apy: 50, apy_mean_30d: 3 });
  const paused = product("paused", { apy: 90, status: "paused" });
  expect(bestOf([spike, WHOLE, paused])?.id).toBe("whole");
  expect(bestOf([spike, WHOLE, paused], "spot")?.id).toBe("spike");
  expect(bestOf([paused])).toBeUndefined();
});

test("products come by their shown rate, the highest first; of equal ones the listing decides; inactive ones are last", () => {
  const all = [
    product("paused", { apy: 90, status: "paused" }),
    product("none", {}),
    product("low", { apy: 50, apy_mean_30d: 3 }),
    WHOLE,
    product("equal", { apy: 5 }),
    product("apr", { apr: 4 }),
  ];
  expect(byRate(all).map(({ id }) => id)).toEqual(["whole", "equal", "apr", "low", "none", "paused"]);
  expect(all[0]?.id, "the listing itself stays as it is").toBe("paused");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { valueTicks } from "../../../../page/view/scale.ts";

test.each([
  [0, 100, 5, [0, 20, 40, 60, 80, 100]],
  [0, 1_050_000_000, 5, [0, 250_000_000, 500_000_000, 750_000_000, 1_000_000_000]],
  [-1, 10, 4, [0, 5, 10]],
  [0, 0, 5, [0]],
])("values from %d to %d in about %d ticks", (min, max, count, expected) => {
  expect(valueTicks(min, max, count)).toEqual(expected);
});

test("value ticks are inside the range, evenly spaced, and close to the wanted number", () => {
  const size = fc.double({ min: 1e-6, max: 1e18, noNaN: true });
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 10 }), (max, count) => {
      const ticks = valueTicks(0, max, count);
      expect(ticks.length).toBeLessThanOrEqual(count + 1);
      expect(ticks.every((tick) => tick >= 0 && tick <= max * 1.000001)).toBe(true);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  changeOf,
  codeParts,
  compactOf,
  dayOf,
  differenceOf,
  duration,
  exactOf,
  growthOf,
  isWhole,
  longMonthOf,
  ordinal,
  share,
  sharesOf,
  timeLeft,
  timeOf,
  tokensOf,
} from "../../../../page/view/format.ts";
import { compact, percent, wholeTokens } from "../../../../src/base/shown-figures.ts";

test.each([
  ["0", "0"],
  ["999", "999"],
  ["1000", "1,000"],
  ["672869584.99999999", "672,869,584"],
  ["9007199254740993", "9,007,199,254,740,993"],
])("%s tokens are formatted as %s", (decimal, text) => {
  expect(wholeTokens(decimal)).toBe(text);
});

test.each([
  [-1, "now"],
  [0, "now"],
  [59, "in less than a minute"],
  [60, "in 1 minute"],
  [7_199, "in 119 minutes"],
  [86_400 * 2 - 1, "in 47 hours"],
  [86_400 * 21 + 3_600, "in 21 days"],
])("%i remaining seconds are formatted as %s", (seconds, text) => {
  expect(timeLeft(seconds)).toBe(text);
});

test.each([
  [0, "0 seconds"],
  [61, "1 minute"],
  [7_200, "2 hours"],
  [86_400 * 14, "14 days"],
])("a duration of %i seconds is formatted as %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test("a day is formatted in UTC in every time zone", () => {
  expect(dayOf("2026-12-12T00:00:00Z")).toBe("12 Dec 2026");
});

test("days, months, ordinals and large amounts are those of the locale en", () => {
  const [day, month] = (["short", "long"] as const).map(
    (name) =>
      new Intl.DateTimeFormat("en-GB", {
        ...(name === "short" ? { day: "numeric" } : {}),
        month: name,
        year: "numeric",
        timeZone: "UTC",
      }),
  );
  const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
  const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
  const amounts = new Intl.NumberFormat("en", {
    notation: "compact",
    maximumFractionDigits: 2,
    roundingMode: "trunc",
  } as Intl.NumberFormatOptions);
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
      fc.nat({ max: 400 }),
      fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.nat({ max: 8 })),
      (date, number, [digits, power]) => {
        expect(dayOf(date.getTime())).toBe(day?.format(date).replace("Sept", "Sep"));
        expect(longMonthOf(date.getTime())).toBe(month?.format(date));
        expect(ordinal(number)).toBe(`${number}${endings[ordinals.select(number)]}`);
        const amount = (10 * digits + 3) * 10 ** power;
        expect(compact(amount)).toBe(amounts.format(amount).replace("-", "−"));
      },
    ),
    { numRuns: 1_000 },
  );
});

test("a part of a token is cut off at any number of decimals, never rounded up", () => {
  const unit = 10n ** 18n;
  expect(compactOf(1_000n * unit - 1n, 18)).toBe("999.99");
  expect(compactOf(-unit + 1n, 18)).toBe("−0.99");
  expect(compactOf(290_000_000_000_000_000n, 18)).toBe("0.29");
  expect(exactOf(950_000_000n * unit + 7n, 18)).toBe("950,000,000.000000000000000007");
});

test("an unknown rate is a dash, never zero", () => {
  expect([percent(null), percent(0), percent(5.25)]).toEqual(["–", "0.00%", "5.25%"]);
});

test("a rate and a share are cut off, not rounded: the page says what its badge says", () => {
  expect([percent(7.25933), percent(-7.25933), share(725_933n, 10_000_000n)]).toEqual(["7.25%", "−7.25%", "7.25%"]);
  expect(compact(3_404_721_318_292_092)).toBe("3,404.72T");
});

test.each([
  [0n, 100n, "0%"],
  [100n, 100n, "100%"],
  [1n, 4n, "25.00%"],
  [1n, 100_000n, "< 0.01%"],
  [99_999n, 100_000n, "99.99%"],
  [-1n, 4n, "−25.00%"],
  [5n, 4n, "125.00%"],
  [1n, 0n, "–"],
])("%s of %s is %s: nothing and all are never rounded to", (part, whole, text) => {
  expect(share(part, whole)).toBe(text);
});

test("the lines of a column have as many decimals", () => {
  expect([190_000_000n, 134_782_640n, 1_000n, 0n].map((amount) => compactOf(amount, 0, true))).toEqual([
    "190.00M",
    "134.78M",
    "1.00K",
    "0",
  ]);
  expect(compactOf(-282_300_000n, 0, true)).toBe("−282.30M");
  expect(compactOf(190_000_000n, 0)).toBe("190M");
});

test("a change has its sign, a minus and no hyphen", () => {
  expect([changeOf(1_234_500n, 2), changeOf(-1_234_500n, 2), changeOf(0n, 2)]).toEqual(["+12,345", "−12,345", "0"]);
});

test("a time is in UTC, with its day", () => {
  const now = Date.UTC(2026, 10, 21, 23, 12);
  expect(timeOf(now)).toBe("21 Nov 2026, 23:12 UTC");
});

test("ordinals", () => {
  expect([1, 2, 3, 4, 11, 12, 21, 28].map(ordinal).join(" ")).toBe("1st 2nd 3rd 4th 11th 12th 21st 28th");
});

test("code keeps its line ends as parts of their own", () => {
  expect(codeParts("curl a\ncurl b/c")).toEqual(["curl ", "a", "\n", "curl ", "b", "/c"]);
});

test.each([
  [0n, "0"],
  [1n, "< 1"],
  [999n, "< 1"],
  [999_999_999n, "< 1"],
  [1_000_000_000n, "1"],
])("%i base units of nine decimals are formatted as %s tokens", (units, text) => {
  expect(tokensOf(units, 9)).toBe(text);
  expect(changeOf(units, 9)).toBe(units === 0n || text.startsWith("<") ? text : `+${text}`);
});

test("an amount of at least one whole token is whole, and only its difference is displayed", () => {
  expect([isWhole(99n, 2), isWhole(100n, 2), isWhole(-100n, 2), isWhole(0n, 0), isWhole(1n, 0)]).toEqual([
    false,
    true,
    false,
    false,
    true,
  ]);
  expect([-100n, -99n, 0n, 99n, 100n].map((units) => differenceOf(units, 2))).toEqual(["−1", "0", "0", "0", "+1"]);
});

test("a growth has its sign where it is a number, and is empty where nothing was before", () => {
  expect([growthOf(1n, 4n), growthOf(1n, 1_000_000n), growthOf(5n, 0n)]).toEqual(["+25.00%", "< 0.01%", ""]);
});

test("the displayed shares of a part and the rest add up to a hundred", () => {
  expect(sharesOf(677_413n, 1_000_000n, 1)).toEqual(["67.7%", "32.3%"]);
  expect([sharesOf(0n, 9n, 1), sharesOf(9n, 9n, 1)]).toEqual([
    ["0%", "100%"],
    ["100%", "0%"],
  ]);
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n), (part, more) => {
      const [shown, rest] = sharesOf(part, part + more, 1).map((text) => Number(text.replace(/^< [\d.]+%$|%$/, "")));
      expect((shown ?? 0) + (rest ?? 0)).toBeCloseTo(100, 6);
    }),
  );
});

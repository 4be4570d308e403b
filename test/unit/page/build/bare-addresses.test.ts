import { expect, test } from "vitest";
import { withBareQueries } from "../../../../page/build/bare-addresses.ts";
import { validFile, walletFile } from "../../supply/schedules.ts";

/** Texts of a page, and what stands there when JSON readers would round the maximum, or there is none. */
const TEXTS = [
  ["https://HOST/api/max-supply", "https://HOST/api/max-supply?format=plain"],
  ['curl "https://HOST/api/max-supply"', 'curl "https://HOST/api/max-supply?format=plain"'],
  ['href="/api/circulating-supply"', 'href="/api/circulating-supply?format=plain"'],
  [
    "https://HOST/api/circulating-supply?date=2025-01-31",
    "https://HOST/api/circulating-supply?format=plain&date=2025-01-31",
  ],
  ["https://HOST/api/total-supply?format=result&decimals=exact", null],
  ["https://HOST/api/supply", null],
  ["https://HOST/api/supply-breakdown", null],
  ["`/api/max-supply` is the most that will ever exist", null],
] as const;
const withMaximum = (maximum: string | null) => validFile(walletFile({ max_supply: maximum }));

test.each(TEXTS)("%s", (text, large) => {
  const page = `before\n${text}\nafter`;
  for (const maximum of ["9007199254740992", null])
    expect(withBareQueries(page, withMaximum(maximum))).toBe(`before\n${large ?? text}\nafter`);
  expect(withBareQueries(page, withMaximum("9007199254740991"))).toBe(page);
});

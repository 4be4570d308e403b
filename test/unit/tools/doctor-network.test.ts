import { expect, test } from "vitest";
import { certificateWarning, connectionTo } from "../../../tools/doctor/network.ts";

const NOW_MS = Date.parse("2026-11-21T09:00:00Z");
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(NOW_MS + days * DAY_MS).toUTCString();

test.each<[string, string | null]>([
  [inDays(90), null],
  [inDays(14), null],
  [inDays(13.99), "the certificate expires in 13 days and has not been renewed"],
  [inDays(0.5), "the certificate expires in 0 days"],
  ["no date", null],
])("a certificate that is valid to %s", (validTo, warning) => {
  const found = certificateWarning(validTo, NOW_MS);
  expect(found).toEqual(warning === null ? null : expect.stringContaining(warning));
});

test("a name that does not resolve is a problem, and no warning", async () => {
  expect(await connectionTo(new URL("https://host.invalid/"), NOW_MS)).toEqual({
    problem: expect.stringContaining("the name host.invalid does not resolve"),
    warning: null,
  });
});

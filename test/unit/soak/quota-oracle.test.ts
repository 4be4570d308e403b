import { expect, test } from "vitest";
import { quotaFaults, type Spent } from "../../support/quota-oracle.ts";

const at = (sentMs: number, outcome: Spent["outcome"], tookMs = 5): Spent => ({
  sentMs,
  endedMs: sentMs + tookMs,
  outcome,
});

test.each<[string, readonly Spent[], number]>([
  ["no request", [], 0],
  ["a quota and a refusal", [at(0, "admitted"), at(10, "admitted"), at(20, "refused")], 0],
  ["another admission a window later", [at(0, "admitted"), at(10, "admitted"), at(1_011, "admitted")], 0],
  ["one too many", [at(0, "admitted"), at(10, "admitted"), at(20, "admitted")], 1],
  [
    "one too many, unless it was delayed beyond the window",
    [at(0, "admitted"), at(10, "admitted"), at(990, "admitted", 20)],
    0,
  ],
  ["a refusal within the quota", [at(0, "admitted"), at(10, "refused")], 1],
  ["a refusal when one had expired", [at(0, "admitted"), at(10, "admitted"), at(1_006, "refused")], 1],
  ["a refusal that a lost request explains", [at(0, "admitted"), at(5, "lost"), at(10, "refused")], 0],
])("%s", (_what, spent, faults) => {
  expect(quotaFaults(spent, 2, 1_000)).toHaveLength(faults);
});

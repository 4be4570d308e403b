import { expect, test } from "vitest";
import { phasesOf } from "../../../../../tools/schedule/plan/phases.ts";

test.each<[readonly bigint[], readonly string[]]>([
  [[5n, 15n, 25n, 35n], ["30 from 1, 3 times"]],
  [
    [0n, 0n, 5n, 10n, 10n, 12n],
    ["10 from 2, 2 times", "2 from 5"],
  ],
  [[0n, 3n, 6n, 10n], ["10 from 1, 3 times"]],
  [
    [0n, 3n, 7n, 10n],
    ["7 from 1, 2 times", "3 from 3"],
  ],
  [[0n, 0n, 0n, 5n, 5n, 5n, 10n, 10n, 10n, 15n], ["15 from 3, 3 times, every 3"]],
  [
    [0n, 5n, 5n, 10n],
    ["5 from 1", "5 from 3"],
  ],
  [
    [0n, 300n, 800n, 1000n],
    ["300 from 1", "500 from 2", "200 from 3"],
  ],
])("the totals %s are the rules %s, to the base unit", (totals, rules) => {
  const found = phasesOf(totals, String).map((phase) => {
    if (phase.kind === "cliff") return `${phase.amount} from ${phase.month}`;
    if (!("first_month" in phase)) return phase.kind;
    const { amount, first_month, count, every_months } = phase;
    return `${amount} from ${first_month}, ${count} times${every_months === 1 ? "" : `, every ${every_months}`}`;
  });
  expect(found).toEqual(rules);
});

import { expect, test } from "vitest";
import { dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { stepAt } from "../../../src/supply/circulating.ts";
import { nextPlannedUnlock } from "../../../src/supply/unlock-events.ts";
import arbitrum from "../../fixtures/schedule/examples/arbitrum.json" with { type: "json" };
import celestia from "../../fixtures/schedule/examples/celestia.json" with { type: "json" };
import sui from "../../fixtures/schedule/examples/sui.json" with { type: "json" };
import { valid } from "./schedules.ts";

function figures(json: unknown, day: string) {
  const schedule = valid(json);
  const current = stepAt(schedule, Date.parse(`${day}T00:00:00Z`));
  const unlock = nextPlannedUnlock(schedule, Date.parse(`${day}T00:00:00Z`));
  return {
    circulating: tokenText(current?.circulating ?? -1n, schedule.token.decimals),
    next: unlock && `${dayText(unlock.atMs)} ${tokenText(unlock.amount, schedule.token.decimals)}`,
    unlocked: Object.fromEntries(
      (current?.buckets ?? []).map(({ id, circulating }) => [id, tokenText(circulating, schedule.token.decimals)]),
    ),
  };
}

/** The network's own service answers the figure of the month: MystenLabs/sui-circulation-api, circulation_data.json. */
test.each([
  ["2023-05-03", "514649369.9487179"],
  ["2023-05-31", "514649369.9487179"],
  ["2023-06-01", "582598087.8974359"],
  ["2024-04-30", "1295901469.4146154"],
  ["2024-05-01", "2339196965.7338886"],
  ["2025-12-01", "3736866360.6511097"],
  ["2030-05-01", "4782793256.212355"],
  // The network's service fails after the table's end; ours keeps the last figure.
  ["2030-06-01", "4782793256.212355"],
])("Sui, a table: %s is %s", (day, circulating) => {
  expect(figures(sui, day).circulating).toBe(circulating);
});

/**
 * docs.arbitrum.foundation, distribution: 11.62 % to users and 1.13 % to DAOs at once; 26.94 % team and 17.53 %
 * investors, a quarter after a year and the rest monthly over three. The DAO's forum names the first unlock,
 * 1,111,750,000 (proposal 14907); trackers name the following ones, 92.65 million each.
 */
test("Arbitrum, a cliff, installments and a linear phase: the published unlocks", () => {
  expect(figures(arbitrum, "2023-03-23").circulating).toBe("1275000000");
  const [before, cliff, after] = ["2024-03-15", "2024-03-16", "2024-04-16"].map(
    (day) => figures(arbitrum, day).unlocked,
  );
  expect([before?.["team"], before?.["investors"]]).toEqual(["0", "0"]);
  expect(Number(cliff?.["team"]) + Number(cliff?.["investors"])).toBe(1_111_750_000);
  const monthly = Number(after?.["team"]) + Number(after?.["investors"]) - 1_111_750_000;
  expect((monthly / 1e6).toFixed(2)).toBe("92.65");
  expect(figures(arbitrum, "2027-03-16").unlocked).toMatchObject({ team: "2694000000", investors: "1753000000" });
  // 17 April 2023 to 17 April 2027 is 1461 days; 16 April 2025 is day 730.
  expect(figures(arbitrum, "2025-04-16").unlocked["foundation"]).toBe(
    tokenText((750n * 10n ** 24n * 730n) / 1461n, 18),
  );
  expect(figures(arbitrum, "2027-05-16")).toMatchObject({ circulating: "6472000000", next: undefined });
});

/**
 * docs.celestia.org, unlocks: public allocation (20 %) and 25 % of R&D (26.79 %) at launch, 33.33 % of contributors
 * (17.64 %), seed (15.90 %) and series A and B (19.67 %) on 30 October 2024, then by days to 30 October of 2025,
 * 2026 and 2027.
 */
test("Celestia, installments by days and linear phases: the published shares", () => {
  expect(figures(celestia, "2024-10-31")).toMatchObject({ circulating: "266975000" });
  // Counted on 1 November 2024, two days after the first unlock: 33.33 %, and 2 of 365, 730 and 1095 days of the rest.
  const first = figures(celestia, "2024-11-01").unlocked;
  const share = (allocation: bigint, days: bigint) =>
    tokenText((allocation * 3333n) / 10n + (allocation * 6667n * 2n) / (10n * days), 3);
  expect(first["seed"]?.startsWith(share(159_000_000n, 365n))).toBe(true);
  expect(first["contributors"]?.startsWith(share(176_400_000n, 730n))).toBe(true);
  expect(figures(celestia, "2025-11-01").unlocked).toMatchObject({ seed: "159000000", series_ab: "196700000" });
  expect(figures(celestia, "2026-11-01").unlocked).toMatchObject({ contributors: "176400000" });
  expect(figures(celestia, "2027-11-01").circulating).toBe("1000000000");
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepOf } from "../../../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../../../src/supply/schedule.ts";
import { schedule as command } from "../../../../tools/schedule.ts";
import { readUnlockSchedule } from "../../../support/unlock-schedule.ts";
import { bucket, file } from "../../supply/schedules.ts";

export const folder = mkdtempSync(join(tmpdir(), "revise-life-"));
export const [path, rowsPath, recordPath] = ["native.json", "published.csv", "published.json"].map((name) =>
  join(folder, name),
) as [string, string, string]; // three names
const sources = [{ title: "Tokenomics", url: "https://token.test/tokenomics" }];
export const SOURCE = ["--source", "https://token.test/notice"];

/** A schedule whose months up to now are published. */
export function published(json: object, nowMs: number): UnlockSchedule {
  for (const each of [rowsPath, recordPath])
    writeFileSync(each, JSON.stringify({ symbol: "", revision: 0, sha256: "", served: false }));
  writeFileSync(path, JSON.stringify({ ...json, published_at: "2018-01-01", sources }));
  command(["publish", "--served"], { folder, nowMs });
  return readUnlockSchedule(path);
}

/** Steps to compare two schedules over: beyond the end of either. */
export const stepsOf = (schedule: UnlockSchedule, count: number) =>
  Array.from({ length: count }, (_, index) => stepOf(schedule, Math.min(index, schedule.lastIndex)));

export const NOW = Date.parse("2026-03-20");
export const run = (...words: string[]) => command(["revise", ...words], { folder, nowMs: NOW });
const monthly = (amount: string, first_month: number, count: number) => ({
  kind: "installments",
  amount,
  first_month,
  count,
  every_months: 1,
});
const never = (amount: string) => ({ kind: "never", amount });
/** The team unlocks 300 from April on, the treasury never, and the community has unlocked and unlocks. */
export const small = () =>
  file({
    start: "2026-01-01",
    buckets: [
      bucket({ id: "team", label: "Team", allocation: "300", genesis: "0", phases: [monthly("300", 3, 3)] }),
      bucket({
        id: "treasury",
        label: "Treasury",
        allocation: "200",
        genesis: "0",
        phases: [never("120"), never("80")],
      }),
      bucket({
        id: "community",
        label: "Community",
        allocation: "400",
        genesis: "300",
        phases: [monthly("100", 1, 10)],
      }),
      bucket({
        id: "mixed",
        label: "Mixed",
        allocation: "100",
        genesis: "10",
        phases: [never("50"), monthly("40", 4, 4)],
      }),
    ],
  });
export const at = (month: string) => command(["at", `${month}-01`, path], { folder, nowMs: NOW }).split("\t")[0];

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { tokenText } from "../../../../src/chain/amount.ts";
import { monthText, stepIndexAt, stepMs } from "../../../../src/supply/calendar.ts";
import { rows, stepOf } from "../../../../src/supply/circulating.ts";
import type { Schedule } from "../../../../src/supply/schedule.ts";
import { DAY_MS } from "../../../../src/utc.ts";
import { Refusal } from "../../../../tools/command-line.ts";
import { readSchedule } from "../../../../tools/schedule/files.ts";
import { schedule as command } from "../../../../tools/schedule.ts";
import { fileOf, type Sketch, sketch } from "../../supply/generated-schedules.ts";
import { bucket, file } from "../../supply/schedules.ts";

const folder = mkdtempSync(join(tmpdir(), "revise-"));
const [nativePath, ...recordPaths] = ["native.json", "published.csv", "published.json"].map((name) =>
  join(folder, name),
);
const path = nativePath ?? "";
const sources = [{ title: "Tokenomics", url: "https://token.test/tokenomics" }];
afterAll(() => rmSync(folder, { recursive: true }));

/** A schedule whose months up to now are published. */
function published(json: object, nowMs: number): Schedule {
  for (const each of recordPaths) rmSync(each, { force: true });
  writeFileSync(path, JSON.stringify({ ...json, sources }, null, 2));
  command(["publish"], { folder, nowMs });
  return readSchedule(path);
}

const pastOf = (schedule: Schedule, nowMs: number) =>
  Array.from({ length: stepIndexAt(schedule.calendar, nowMs) + 1 }, (_, index) => {
    const { circulating, buckets } = stepOf(schedule, Math.min(index, schedule.lastIndex));
    return { circulating, buckets };
  });

/** Any schedule whose first bucket begins with 47 monthly installments of an amount that rarely divides by 47. */
const installments = { kind: "installments", first_month: 2, count: 47, every_months: 1 } as const;
const withInstallments = sketch.map(({ buckets, ...rest }): Sketch => {
  const [first, ...others] = buckets;
  const { genesis = 1n, phases = [] } = first ?? {};
  return { ...rest, buckets: [{ genesis, phases: [[installments, genesis], ...phases] }, ...others] };
});

/** A revision of the first bucket; `from`: a month to come. */
type Revise = (about: {
  readonly schedule: Schedule;
  readonly size: number;
  readonly from: string;
}) => readonly string[];

const REVISIONS: readonly (readonly [string, Revise])[] = [
  ["a delay", ({ size }) => ["delay", "b0", "--months", String(size)]],
  ["a later delay", ({ size, from }) => ["delay", "b0", "--months", String(size), "--from", from]],
  ["a delay of one phase", ({ size }) => ["delay", "b0", "--months", String(size), "--phase", "0"]],
  [
    "another amount",
    ({ schedule, size }) => {
      const each = schedule.maxSupply / BigInt(400 + 37 * size) + 1n;
      return ["amount", "b0", "--monthly", tokenText(each, schedule.token.decimals), "--phase", "0"];
    },
  ],
  ["a burn", ({ schedule, from }) => ["burn", "b0", "--amount", unit(schedule), "--month", from, ...SOURCE]],
  [
    "a correction",
    ({ schedule, from }) => ["correct", "b0", "--delta", `-${unit(schedule)}`, "--month", from, ...SOURCE],
  ],
];
const SOURCE = ["--source", "https://token.test/notice"];
const unit = ({ token }: Schedule) => tokenText(1n, token.decimals);

describe("for every schedule and day, a revision keeps every published figure and passes the check", () => {
  test.each(REVISIONS)("after %s", (_, words) => {
    let written = 0;
    fc.assert(
      fc.property(withInstallments, fc.nat(2_000), fc.integer({ min: 1, max: 30 }), (sketched, days, size) => {
        const nowMs = Date.parse(sketched.start) + days * DAY_MS;
        const before = published(fileOf(sketched), nowMs);
        const next = stepIndexAt(before.calendar, nowMs) + 1;
        const from = monthText(stepMs(before.calendar, next + (size % 5)));
        const past = pastOf(before, nowMs);
        try {
          command(["revise", ...words({ schedule: before, size, from })], { folder, nowMs });
        } catch (cause) {
          // Complete, or not monthly; the file is as it was.
          if (!(cause instanceof Refusal) || !/nothing that is still|not monthly|phases|below 0/.test(cause.message))
            throw cause;
          expect(readSchedule(path)).toEqual(before);
          return;
        }
        written += 1;
        const after = readSchedule(path);
        expect(pastOf(after, nowMs)).toEqual(past);
        expect(after.revision).toBe(2);
        command(["check"], { folder, nowMs });
        const ends = [before, after].map((schedule) => rows(schedule).at(-1)?.circulating ?? 0n);
        expect((ends[0] ?? 0n) - (ends[1] ?? 0n)).toBe(
          ["burn", "correct"].includes(words({ schedule: before, size, from })[0] ?? "") ? 1n : 0n,
        );
      }),
      { numRuns: 40 },
    );
    expect(written).toBeGreaterThan(12);
  });
});

const NOW = Date.parse("2025-08-15");
const phases = [{ kind: "installments", amount: "900", first_month: 1, count: 9, every_months: 1 }];
const wallet = { chain: "native", address: "0xa1", label: "Vault", holds: "account" };
const small = () => file({ buckets: [bucket({ genesis: "100", phases, addresses: [wallet] })] });
const run = (...words: string[]) => command(["revise", ...words], { folder, nowMs: NOW });

test("the file changes by as few characters as possible: its author's form stays", () => {
  published(small(), NOW);
  const own = readFileSync(path, "utf8").replace('"symbol": "XYZ"', '"symbol":   "XYZ"');
  writeFileSync(path, own);
  run("delay", "community", "--months", "2");
  const text = readFileSync(path, "utf8");
  expect(text).toContain('"symbol":   "XYZ"');
  expect(text).toContain(
    '{ "kind": "installments", "amount": "600", "first_month": 1, "count": 6, "every_months": 1 },\n        { "kind": "installments", "amount": "300", "first_month": 9, "count": 3, "every_months": 1 }',
  );
});

test("changes before the next publication are one revision; a dry run writes nothing", () => {
  published(small(), NOW);
  const before = readFileSync(path, "utf8");
  expect(run("delay", "community", "--months", "2", "--dry-run")).toContain("not written, because of --dry-run");
  expect(readFileSync(path, "utf8")).toBe(before);
  run("delay", "community", "--months", "2");
  run("wallet", "retire", "0xA1", "--published-at", "2025-08-14");
  expect(readSchedule(path)).toMatchObject({ revision: 2, publishedAt: "2025-08-14" });
  command(["publish"], { folder, nowMs: NOW });
  run("wallet", "add", "0xb2", "--bucket", "community", "--label", "New");
  expect(readSchedule(path)).toMatchObject({ revision: 3, publishedAt: "2025-08-15" });
});

test("a late burn changes published months only when it is said, and passes the check", () => {
  published(small(), NOW);
  const words = ["burn", "community", "--amount", "2.5", "--month", "2025-06", ...SOURCE];
  expect(() => run(...words)).toThrow(/^this would change 3 published months:\n {2}2025-06: 500 -> 497.5\n/);
  expect(run(...words, "--restate")).toContain("2025-06-01  changed   500  497.5");
  expect(command(["check"], { folder, nowMs: NOW })).toContain("valid");
});

test.each([
  [["delay", "team", "--months", "2"], "team is not the id of a bucket; there are community"],
  [["delay", "community"], "--months: missing"],
  [["delay", "community", "--months", "0"], '--months: must be a whole number from 1 to 600, not "0"'],
  [["delay", "community", "--months", "2", "--phase", "3"], "--phase: community has the phases 0 to 0, not 3"],
  [["delay", "community", "--months", "2", "--from", "2025"], "--from: 2025 is no month of the schedule"],
  [["delay", "community", "--months", "2", "--from", "2025-07"], "  2025-07: 600 -> 500"],
  [["delay", "community", "--months", "2", "--from", "2026-07"], "community has nothing that is still to unlock"],
  [["amount", "community", "--monthly", "0"], "--monthly: must be an amount above 0"],
  [["amount", "community", "--monthly", "1e3"], "--monthly: must be an amount above 0"],
  [["burn", "community", "--amount", "5", "--month", "2025-13", ...SOURCE], "--month: 2025-13 is no month"],
  [["burn", "community", "--amount", "5", "--month", "2025-10"], "--source: missing"],
  [
    ["burn", "community", "--amount", "5", "--month", "2025-10", "--source", "us"],
    "source: must be an http or https URL",
  ],
  [["burn", "community", "--amount", "5000", "--month", "2025-10", ...SOURCE], "below 0"],
  [["correct", "community", "--delta", "+5", "--month", "2025-10", ...SOURCE], "--delta: must be an amount such as"],
  [["wallet", "move", "0xb2", "--to", "0xb3"], "0xb2 is not in the file"],
  [["wallet", "add", "0xa1", "--bucket", "community", "--label", "x"], "0x"],
  [["wallet", "add", "0xb2", "--label", "x"], "give --bucket ID for a bucket's locked tokens, or --category NAME"],
  [["wallet", "add", "0xb2", "--category", "friends", "--label", "x"], "category: must be one of"],
  [["wallet", "sell", "0xa1"], "wallet sell is no revision"],
  [["rename", "community"], "rename is no revision"],
  [["delay"], "usage: npm run schedule -- revise delay"],
])("%j is refused by name, and writes nothing", (words, message) => {
  published(small(), NOW);
  const before = readFileSync(path, "utf8");
  expect(() => run(...words)).toThrow(message);
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("a table has no buckets: its months are edited", () => {
  const { buckets: _, ...rest } = file();
  published({ ...rest, start: "2025-02-01", table: [{ month: "2025-02", circulating: "5" }] }, NOW);
  expect(() => run("delay", "community", "--months", "1")).toThrow("the schedule is a table of figures");
});

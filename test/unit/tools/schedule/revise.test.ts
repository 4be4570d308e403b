import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../../src/base/utc.ts";
import { tokenText } from "../../../../src/chain/amount.ts";
import { monthText, stepIndexAt, stepMs } from "../../../../src/supply/calendar.ts";
import { allSteps, stepOf } from "../../../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../../../src/supply/schedule.ts";
import { Refusal } from "../../../../tools/lib/command-line.ts";
import { scheduleFileText } from "../../../../tools/schedule/file-text.ts";
import { schedule as command } from "../../../../tools/schedule.ts";
import { readUnlockSchedule } from "../../../support/unlock-schedule.ts";
import { fileOf, type Sketch, sketch } from "../../supply/generated-schedules.ts";
import { bucket, file, table, wallet } from "../../supply/schedules.ts";

const folder = mkdtempSync(join(tmpdir(), "revise-"));
const [nativePath, ...recordPaths] = ["native.json", "published.csv", "published.json"].map((name) =>
  join(folder, name),
);
const path = nativePath ?? "";
const sources = [{ title: "Tokenomics", url: "https://token.test/tokenomics" }];

/** A schedule whose months up to now are published. */
function published(json: object, nowMs: number): UnlockSchedule {
  // A record that binds nobody is written anew, without asking git for a lost one.
  const unserved = { symbol: "", revision: 0, sha256: "", served: false };
  for (const each of recordPaths) writeFileSync(each, JSON.stringify(unserved));
  writeFileSync(path, JSON.stringify({ ...json, published_at: "2018-01-01", sources }, null, 2));
  command(["publish", "--served"], { folder, nowMs });
  return readUnlockSchedule(path);
}

/** The figures that have passed; of the buckets that there were. */
const pastOf = (schedule: UnlockSchedule, nowMs: number) =>
  Array.from({ length: stepIndexAt(schedule.calendar, nowMs) + 1 }, (_, index) => {
    const { circulating, buckets } = stepOf(schedule, Math.min(index, schedule.lastIndex));
    return { circulating, buckets: buckets.filter(({ id }) => id !== "fresh") };
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
  readonly schedule: UnlockSchedule;
  readonly size: number;
  readonly from: string;
}) => readonly string[];

const REVISIONS: readonly (readonly [string, Revise])[] = [
  ["a delay", ({ size }) => ["delay", "b0", "--months", String(size)]],
  ["a later delay", ({ size, from }) => ["delay", "b0", "--months", String(size), "--from", from]],
  [
    "a delay of one month's unlock",
    ({ size, from }) => ["delay", "b0", "--months", String(size), "--from", from, "--until", from],
  ],
  ["a delay of one phase", ({ size }) => ["delay", "b0", "--months", String(size), "--phase", "0"]],
  [
    "another amount",
    ({ schedule, size }) => {
      const each = schedule.maxSupply / BigInt(400 + 37 * size) + 1n;
      return ["amount", "b0", "--monthly", tokenText(each, schedule.token.decimals), "--phase", "0"];
    },
  ],
  [
    "another amount for all that is left",
    ({ schedule, size }) => {
      const each = schedule.maxSupply / BigInt(400 + 37 * size) + 1n;
      return ["amount", "b0", "--monthly", tokenText(each, schedule.token.decimals), "--phase", "all"];
    },
  ],
  ["a burn of locked tokens", ({ schedule }) => ["burn", "b0", "--amount", unit(schedule), "--locked", ...SOURCE]],
  [
    "a new bucket",
    ({ schedule, size, from }) => [
      ...["bucket", "fresh", "--of", "b0", "--amount", unit(schedule), "--from", from, "--count", String(size)],
      ...["--label", "Fresh", "--category", "other"],
    ],
  ],
  ["a burn", ({ schedule, from }) => ["burn", "b0", "--amount", unit(schedule), "--month", from, ...SOURCE]],
  [
    "a correction",
    ({ schedule, from }) => ["correct", "b0", "--delta", `-${unit(schedule)}`, "--month", from, ...SOURCE],
  ],
];
const SOURCE = ["--source", "https://token.test/notice"];
const unit = ({ token }: UnlockSchedule) => tokenText(1n, token.decimals);

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
          if (
            !(cause instanceof Refusal) ||
            !/(still|left) to unlock|not monthly|phases|below 0|never unlocks/.test(cause.message)
          )
            throw cause;
          expect(readUnlockSchedule(path)).toEqual(before);
          return;
        }
        written += 1;
        const after = readUnlockSchedule(path);
        expect(pastOf(after, nowMs)).toEqual(past);
        expect(after.revision).toBe(2);
        command(["check"], { folder, nowMs });
        const [action = ""] = words({ schedule: before, size, from });
        // A new bucket unlocks what never did, or what another would have unlocked.
        const ends = [before, after].map((schedule) => allSteps(schedule).at(-1)?.circulating ?? 0n);
        const lost = (ends[0] ?? 0n) - (ends[1] ?? 0n);
        expect(action === "bucket" ? [0n, -1n] : [["burn", "correct"].includes(action) ? 1n : 0n]).toContain(lost);
      }),
      { numRuns: 25 },
    );
    expect(written).toBeGreaterThan(7);
  });
});

const NOW = Date.parse("2025-08-15");
const phases = [{ kind: "installments", amount: "900", first_month: 1, count: 9, every_months: 1 }];
const small = () => file({ buckets: [bucket({ genesis: "100", phases, addresses: [wallet("0xa1")] })] });
const run = (...words: string[]) => command(["revise", ...words], { folder, nowMs: NOW });

test("the file is written in one form, whatever form its author gave it", () => {
  published(small(), NOW);
  const own = readFileSync(path, "utf8").replace('"symbol": "XYZ"', '"symbol":   "XYZ"');
  writeFileSync(path, own);
  run("delay", "community", "--months", "2");
  const text = readFileSync(path, "utf8");
  expect(text).toBe(scheduleFileText(JSON.parse(text)));
  expect(text).toContain(
    '{ "kind": "installments", "amount": "600", "first_month": 1, "count": 6, "every_months": 1 },\n        { "kind": "installments", "amount": "300", "first_month": 9, "count": 3, "every_months": 1 }',
  );
});

test.each([0, 1, 2])("phase %i of three goes", (gone) => {
  const cliffs = [1, 2, 3].map((month) => ({ kind: "cliff", amount: "300", month: month + 20 }));
  published(file({ buckets: [bucket({ genesis: "100", phases: cliffs })] }), NOW);
  run("burn", "community", "--amount", "300", "--locked", "--phase", String(gone), ...SOURCE);
  const { plan } = readUnlockSchedule(path);
  const months = [21, 22, 23].filter((_, index) => index !== gone).map((month) => ({ kind: "cliff", month }));
  expect(plan).toMatchObject({ buckets: [{ phases: [...months, { kind: "never" }] }] });
});

test("changes before the next publication are one revision; a dry run writes nothing", () => {
  published(small(), NOW);
  const before = readFileSync(path, "utf8");
  expect(run("delay", "community", "--months", "2", "--dry-run")).toContain("not written, because of --dry-run");
  expect(readFileSync(path, "utf8")).toBe(before);
  run("delay", "community", "--months", "2");
  run("wallet", "retire", "0xA1", "--published-at", "2025-08-14");
  expect(readUnlockSchedule(path)).toMatchObject({ revision: 2, publishedAt: "2025-08-14" });
  command(["publish", "--served"], { folder, nowMs: NOW });
  run("wallet", "add", "0xb2", "--bucket", "community", "--label", "New");
  expect(readUnlockSchedule(path)).toMatchObject({ revision: 3, publishedAt: "2025-08-15" });
});

test("another file than the published one gets a new number at each change, also of the same token", () => {
  published(small(), NOW);
  run("delay", "community", "--months", "2");
  const draft = join(folder, "draft.json");
  writeFileSync(draft, readFileSync(path));
  for (const revision of [3, 4]) {
    run("wallet", "add", `0xb${revision}`, "--bucket", "community", "--label", "New", "--file", draft);
    expect(readUnlockSchedule(draft).revision).toBe(revision);
  }
});

test("a late burn changes published months only with --restate, and passes the check", () => {
  published(small(), NOW);
  const words = ["burn", "community", "--amount", "2.5", "--month", "2025-06", ...SOURCE];
  expect(() => run(...words)).toThrow(/^this would change 3 published months:\n {2}2025-06: 500 -> 497.5\n/);
  expect(() => run(...words, "--restate", "--published-at", "2025-05-31")).toThrow("is before the step of 2025-06");
  expect(run(...words, "--restate")).toContain("2025-06-01  changed   500  497.5");
  expect(command(["check"], { folder, nowMs: NOW })).toContain("valid");
});

test.each([
  [["delay", "team", "--months", "2"], "team is not the id of a bucket; there are community"],
  [["delay", "community"], "--months: missing"],
  [["delay", "community", "--months", "0"], '--months: must be a whole number from 1 to 600, not "0"'],
  [["delay", "community", "--months", "2", "--phase", "3"], "--phase: community has the phases 0 to 0, not 3"],
  [["delay", "community", "--months", "2", "--from", "2025"], "--from: 2025 is not a month of the schedule"],
  [["delay", "community", "--months", "2", "--from", "2025-07"], "  2025-07: 600 -> 500"],
  [["delay", "community", "--months", "2", "--from", "2026-07"], "community has nothing left to unlock"],
  [["delay", "community", "--months", "2", "--from", "2025-07", "--restate"], "Unknown option '--restate'"],
  [["burn", "community", "--locked", "--restate", "--month", "2025-10"], "Unknown option '--restate'"],
  [["delay", "community", "--months", "2", "--monthly", "5", "--delta", "-3"], "Unknown option '--monthly'"],
  [["amount", "community", "--monthly", "5", "--until", "2026-01"], "Unknown option '--until'"],
  [["wallet", "retire", "0xa1", "--label", "x"], "Unknown option '--label'"],
  [["amount", "community", "--monthly", "0"], "--monthly: must be an amount above 0"],
  [["amount", "community", "--monthly", "1e3"], "--monthly: must be an amount above 0"],
  [["burn", "community", "--amount", "5", "--month", "2025-13", ...SOURCE], "--month: 2025-13 is not a month"],
  [["burn", "community", "--amount", "5", "--month", "2025-10"], "--source: missing"],
  [
    ["burn", "community", "--amount", "5", "--month", "2025-10", "--source", "us"],
    "source: must be an http or https URL",
  ],
  [["burn", "community", "--amount", "5000", "--month", "2025-10", ...SOURCE], "below 0"],
  [["correct", "community", "--delta", "+5", "--month", "2025-10", ...SOURCE], "--delta: must be an amount such as"],
  [
    ["burn", "community", "--amount", "5", "--month", "2025-01", ...SOURCE],
    "--month: 2025-01 is not a month of the schedule, as YYYY-MM",
  ],
  [["wallet", "move", "0xb2", "--to", "0xb3"], "0xb2 is not in the file"],
  [["wallet", "add", "0xa1", "--bucket", "community", "--label", "x"], "0x"],
  [["wallet", "add", "0xb2", "--label", "x"], "give --bucket ID for a bucket's locked tokens, or --category NAME"],
  [["wallet", "add", "0xb2", "--category", "friends", "--label", "x"], "category: must be one of"],
  [
    ["wallet", "add", "0xb2", "--category", "team", "--label", "two\nlines"],
    'wallets[0].label: must be one line of printable text, not "two\\nlines"',
  ],
  [["wallet", "sell", "0xa1"], "wallet sell is not an action of revise"],
  [["rename", "community"], "rename is not an action of revise"],
  [["delay", "community", "--months", "2", "--until", "soon"], "--until: soon is not a month of the schedule"],
  [["burn", "community", "--amount", "900", "--locked", ...SOURCE], "community has 300 still to unlock, less than 900"],
  [
    ["delay", "community", "--months", "2", "--from", "2025-10", "--until", "2025-09"],
    "--until: 2025-09 is before 2025-10, the first month that changes",
  ],
  [["bucket", "grants", "--of", "team", "--amount", "5"], "team is not the id of a bucket"],
  [["bucket", "community", "--of", "community", "--amount", "5"], "community is a bucket already"],
  [
    ["bucket", "grants", "--of", "community", "--amount", "5", "--from", "2026-01", "--label", "x", "--category", "x"],
    "buckets[1].category: must be one of community",
  ],
  [["delay"], "usage: npm run schedule -- revise delay"],
])("%j is refused by name, and writes nothing", (words, message) => {
  published(small(), NOW);
  const before = readFileSync(path, "utf8");
  expect(() => run(...words)).toThrow(message);
  expect(readFileSync(path, "utf8")).toBe(before);
});

test.each(["move", "retire"])("an address that holds tokens in several ways is none to %s", (action) => {
  const both = [wallet("0xa1"), wallet("0xa1", { holds: "delegation", pool: "0xdd" })];
  published(file({ buckets: [bucket({ genesis: "100", phases, addresses: both })] }), NOW);
  const before = readFileSync(path, "utf8");
  const to = action === "move" ? ["--to", "0xb3"] : [];
  expect(() => run("wallet", action, "0xa1", ...to)).toThrow("0xa1 is in the file several times: edit it there");
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("with a record that contradicts the file nothing is written", () => {
  published(small(), NOW);
  const [record = ""] = recordPaths;
  const before = readFileSync(path, "utf8");
  writeFileSync(record, readFileSync(record, "utf8").replace(",300,30000000000,", ",301,30100000000,"));
  expect(() => run("delay", "community", "--months", "2")).toThrow("was published as 301, now 300");
  expect(readFileSync(path, "utf8")).toBe(before);
});

describe("a line", () => {
  /** 900 tokens of 1,000 unlock by days from 1 March 2025 to this day. */
  const lineTo = (to: string, from = "2025-03-01") =>
    file({ buckets: [bucket({ genesis: "100", phases: [{ kind: "linear", amount: "900", from, to }] })] });
  const figures = () => allSteps(readUnlockSchedule(path)).map(({ circulating }) => circulating);

  test("is as planned up to the month before the one that changes, and goes on from its next day", () => {
    published(lineTo("2026-03-01"), NOW);
    const planned = figures();
    run("delay", "community", "--months", "2", "--from", "2025-11");
    const [delayed, last] = [figures(), stepIndexAt(readUnlockSchedule(path).calendar, Date.parse("2025-10-01"))];
    expect(delayed.slice(0, last + 1)).toEqual(planned.slice(0, last + 1));
    // Nothing unlocks for two months, then as it would have.
    expect(delayed[last + 1]).toBe(planned[last]);
    expect(delayed[last + 2]).toBe(planned[last]);
    expect(delayed[last + 3]).toBeGreaterThan(planned[last] ?? 0n);
    expect(delayed.at(-1)).toBe(planned.at(-1));
  });

  test("that is cut now goes on without a month's pause where only its end changes", () => {
    published(lineTo("2026-03-01"), NOW);
    const [planned, now] = [figures(), stepIndexAt(readUnlockSchedule(path).calendar, NOW)];
    run("burn", "community", "--amount", "100", "--locked", ...SOURCE);
    const [before = 0n, next = 0n] = figures().slice(now);
    // The burn takes the same part of each of the 212 days that are left.
    expect(before).toBe(planned[now]);
    expect(next).toBeGreaterThan(before);
    expect(next).toBeLessThan(planned[now + 1] ?? 0n);
  });

  test("that has no day left in a shorter month has one", () => {
    published(lineTo("2026-01-31", "2026-01-30"), NOW);
    run("delay", "community", "--months", "1");
    const [from, to] = ["2026-02-28", "2026-03-01"].map((day) => Date.parse(day));
    expect(readUnlockSchedule(path).plan).toMatchObject({
      buckets: [{ phases: [{ kind: "linear", amount: 90_000_000_000n, fromMs: from, toMs: to }] }],
    });
  });
});

test("a burn of what never unlocks anyway changes no figure, and the sources name it", () => {
  const never = { kind: "never", amount: "900" };
  const before = published(file({ buckets: [bucket({ genesis: "100", phases: [never] })] }), NOW);
  const burn = (amount: string) => run("burn", "community", "--amount", amount, "--locked", ...SOURCE);
  expect(() => burn("901")).toThrow("community has 900 that never unlock, less than 901");
  burn("900");
  const after = readUnlockSchedule(path);
  expect(after.sources.at(-1)?.title).toBe("Burn of 900 XYZ of Community");
  expect(after.plan).toEqual(before.plan);
});

test("a new bucket of all that never unlocks leaves no such phase", () => {
  const never = { kind: "never", amount: "300" };
  const monthly = { kind: "installments", amount: "600", first_month: 1, count: 9, every_months: 1 };
  published(file({ buckets: [bucket({ genesis: "100", phases: [monthly, never] })] }), NOW);
  const words = ["--label", "Grants", "--category", "community", "--from", "2026-01"];
  run("bucket", "grants", "--of", "community", "--amount", "300", ...words);
  expect(readUnlockSchedule(path).plan).toMatchObject({
    buckets: [
      { allocation: 70_000_000_000n, phases: [{ kind: "monthly", amount: 60_000_000_000n, count: 9 }] },
      { id: "grants", allocation: 30_000_000_000n },
    ],
  });
});

const tableOf = (figures: readonly bigint[]) => {
  const month = (index: number) => new Date(Date.UTC(2025, 1 + index)).toISOString().slice(0, 7);
  const rows = figures.map((figure, index) => [month(index), tokenText(figure, 8)] as const);
  return { ...table(...rows), start: "2025-02-01" };
};

test("a table becomes a bucket with the same figures, which every revision knows", () => {
  const steps = fc.array(fc.oneof(fc.constant(0n), fc.constant(7n), fc.bigInt(0n, 10n ** 9n)), {
    minLength: 1,
    maxLength: 90,
  });
  fc.assert(
    fc.property(steps, (unlocks) => {
      const figures = unlocks.map((_, last) => unlocks.slice(0, last + 1).reduce((sum, each) => sum + each, 0n));
      const before = published(tableOf(figures), NOW);
      command(["convert"], { folder, nowMs: NOW });
      const after = readUnlockSchedule(path);
      expect(Array.from(unlocks, (_, index) => stepOf(after, Math.min(index, after.lastIndex)).circulating)).toEqual(
        figures,
      );
      expect(stepOf(after, 400).circulating).toBe(figures.at(-1));
      expect(after.maxSupply).toBe(before.maxSupply);
    }),
    { numRuns: 60 },
  );
});

test("a table is refused with the advice to convert, which states its consequences; then it is delayed, burned, corrected", () => {
  published(tableOf([100n, 200n, 300n, 400n, 500n, 600n, 700n, 900n, 1000n].map((tokens) => tokens * 10n ** 7n)), NOW);
  expect(() => run("delay", "unlocking", "--months", "1")).toThrow(
    "npm run schedule -- convert, which makes one bucket",
  );
  const said = command(["convert", "--rest", "treasury"], { folder, nowMs: NOW });
  expect(said).toMatch(/^revision: 1 -> 2\n(?:.*\n)*No figure changes\./);
  expect(said).toContain("3 rules, one for each change of the monthly amount, with the same figures. The API");
  run("delay", "unlocking", "--months", "2", "--from", "2025-09", "--until", "2025-09");
  run("burn", "unlocking", "--amount", "5", "--month", "2025-10", ...SOURCE);
  run("correct", "unlocking", "--delta", "-1", "--month", "2025-10", ...SOURCE);
  expect(command(["check"], { folder, nowMs: NOW })).toContain("revision 2");
  expect(() => command(["convert"], { folder, nowMs: NOW })).toThrow("has buckets already");
});

test("one month's unlock comes later, and nothing else moves", () => {
  published(small(), NOW);
  const changed = run("delay", "community", "--months", "3", "--from", "2025-09", "--until", "2025-09").split("\n");
  expect(changed.filter((line) => line.startsWith("2025-")).map((line) => line.split(/ +/))).toEqual([
    ["2025-09-01", "changed", "800", "700", "-100"],
    ["2025-10-01", "changed", "900", "800", "-100"],
    ["2025-11-01", "changed", "1000", "900", "-100"],
  ]);
});

test("tokens that are burned before they unlock never do; a new bucket takes from what never unlocks first", () => {
  published(small(), NOW);
  run("burn", "community", "--amount", "150", "--locked", ...SOURCE);
  run(
    "bucket",
    "grants",
    "--of",
    "community",
    "--amount",
    "60",
    "--label",
    "Grants",
    "--category",
    "community",
    "--from",
    "2026-01",
    "--count",
    "3",
  );
  const { plan, sources: named } = readUnlockSchedule(path);
  expect(named.at(-1)?.title).toBe("Burn of 150 XYZ of Community");
  expect(plan).toMatchObject({
    buckets: [
      {
        allocation: 94_000_000_000n,
        phases: [{ amount: 60_000_000_000n }, { amount: 15_000_000_000n }, { kind: "never", amount: 9_000_000_000n }],
      },
      { id: "grants", allocation: 6_000_000_000n, phases: [{ kind: "monthly", firstMonth: 11, count: 3 }] },
    ],
  });
  expect(command(["check"], { folder, nowMs: NOW })).toContain("valid");
});

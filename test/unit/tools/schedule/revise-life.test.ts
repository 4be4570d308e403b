import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../../src/base/utc.ts";
import { tokenText } from "../../../../src/chain/amount.ts";
import { monthText, stepIndexAt, stepMs } from "../../../../src/supply/calendar.ts";
import { bucketsOf } from "../../../../src/supply/schedule.ts";
import { Refusal } from "../../../../tools/lib/command-line.ts";
import { schedule as command } from "../../../../tools/schedule.ts";
import { readUnlockSchedule } from "../../../support/unlock-schedule.ts";
import { fileOf, sketch } from "../../supply/generated-schedules.ts";
import { at, folder, NOW, path, published, run, SOURCE, small, stepsOf } from "./revisions.ts";

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, each) => all + each, 0n);

const pick = fc.record({
  bucket: fc.nat(3),
  other: fc.nat(3),
  ahead: fc.nat(8),
  months: fc.integer({ min: 1, max: 12 }),
  part: fc.integer({ min: 1, max: 20 }),
});
type Pick = typeof pick extends fc.Arbitrary<infer Value> ? Value : never;

/** The words of a life event. */
type Event = (about: {
  readonly bucket: string;
  readonly other: string;
  readonly month: string;
  readonly amount: string;
  readonly pick: Pick;
}) => readonly string[];

const EVENTS: Readonly<Record<string, Event>> = {
  delay: ({ bucket: id, month, pick: { months } }) => ["delay", id, "--months", `${months}`, "--from", month],
  forward: ({ bucket: id, month, pick: { months } }) => ["forward", id, "--months", `${months}`, "--from", month],
  burn: ({ bucket: id, amount, month }) => ["burn", id, "--amount", amount, "--month", month, ...SOURCE],
  buyback: ({ bucket: id, amount, month }) => ["buyback", id, "--amount", amount, "--month", month, ...SOURCE],
  cancel: ({ bucket: from, amount, month }) => move([from, "never"], amount, month),
  "top up": ({ bucket: from, other, amount, month, pick: { months } }) =>
    move([from, other], amount, month, "--count", `${months}`),
  reserve: ({ bucket: from, other, amount, month }) => move([from, other], amount, month, "--locked"),
  transfer: ({ bucket: from, other, amount, month }) => move([from, other], amount, month, "--unlocked"),
  relock: ({ bucket: from, amount, month }) => move([from, "never"], amount, month, "--unlocked"),
};
const move = ([from, to]: readonly [string, string], amount: string, month: string, ...more: string[]) => [
  ...["move", "--from", from, "--to", to, "--amount", amount, "--month", month, ...more, ...SOURCE],
];
const NAMES = Object.keys(EVENTS);
const EXPECTED_REFUSALS =
  /(still|left) to unlock|below 0|never unlock|is the bucket that|published month|before the schedule's start|not the id of/;

test("for every schedule and every life of it, the published past stays and the sums hold", () => {
  const applied = new Map<string, number>();
  const life = fc.array(fc.tuple(fc.constantFrom(...NAMES), pick), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(sketch, fc.nat(700), life, (sketched, days, events) => {
      const nowMs = Date.parse(sketched.start) + days * DAY_MS;
      let before = published(fileOf(sketched), nowMs);
      const passed = stepIndexAt(before.calendar, nowMs) + 1;
      const past = stepsOf(before, passed);
      for (const [name, picked] of events) {
        const buckets = bucketsOf(before);
        const [from, to] = [picked.bucket, picked.other].map((index) => buckets[index % buckets.length]);
        const units = (from?.allocation ?? 0n) / BigInt(picked.part) + 1n;
        const words = EVENTS[name]?.({
          bucket: from?.id ?? "",
          other: to?.id ?? "",
          month: monthText(stepMs(before.calendar, passed + picked.ahead)),
          amount: tokenText(units, before.token.decimals),
          pick: picked,
        });
        const text = readFileSync(path, "utf8");
        try {
          command(["revise", ...(words ?? [])], { folder, nowMs });
        } catch (cause) {
          if (!(cause instanceof Refusal) || !EXPECTED_REFUSALS.test(cause.message)) throw cause;
          expect(readFileSync(path, "utf8")).toBe(text);
          continue;
        }
        applied.set(name, (applied.get(name) ?? 0) + 1);
        const after = readUnlockSchedule(path);
        const count = Math.max(before.lastIndex, after.lastIndex) + 2;
        const [was, is] = [stepsOf(before, count), stepsOf(after, count)];
        expect(stepsOf(after, passed).map(({ circulating, buckets: all }) => [circulating, all])).toEqual(
          past.map(({ circulating, buckets: all }) => [circulating, all]),
        );
        expect(sum(bucketsOf(after).map(({ allocation }) => allocation))).toBe(after.maxSupply);
        for (const { circulating } of is) expect(circulating <= after.maxSupply && circulating >= 0n).toBe(true);
        const ended = (is.at(-1)?.circulating ?? 0n) - (was.at(-1)?.circulating ?? 0n);
        if (name === "transfer")
          expect(is.map((step) => step.circulating)).toEqual(was.map((step) => step.circulating));
        if (["delay", "forward"].includes(name)) expect(ended).toBe(0n);
        if (["burn", "buyback", "cancel", "relock"].includes(name)) expect(ended).toBe(-units);
        // Out of what never unlocks, or of what would have.
        if (name === "top up") expect([0n, units]).toContain(ended);
        if (name === "reserve") expect([0n, -units]).toContain(ended);
        before = after;
      }
      command(["check"], { folder, nowMs });
    }),
    { numRuns: 60 },
  );
  // Each event has an example of its own below; here most of them were applied, in all many times.
  const total = [...applied.values()].reduce((all, times) => all + times, 0);
  expect([applied.size > NAMES.length / 2, total > 15], JSON.stringify([...applied])).toEqual([true, true]);
});

describe("tokens move", () => {
  test("out of a reserve into a bucket that unlocks them in the month", () => {
    published(small(), NOW);
    run(...move(["treasury", "team"], "150", "2026-05"));
    expect(["2026-04", "2026-05", "2026-07", "2030-01"].map(at)).toEqual(["440", "710", "850", "900"]);
    const { plan, sources: named } = readUnlockSchedule(path);
    expect(plan).toMatchObject({
      buckets: [
        { allocation: 45_000_000_000n, phases: [{ kind: "monthly" }, { kind: "cliff", month: 4 }] },
        { allocation: 5_000_000_000n, phases: [{ kind: "never", amount: 5_000_000_000n }] },
        {},
        {},
      ],
    });
    expect(named.at(-1)).toEqual({
      title: "Transfer of 150 XYZ of Treasury to Team",
      url: "https://token.test/notice",
    });
  });

  test("out of unlocks that would have come before the month", () => {
    published(small(), NOW);
    run(...move(["community", "team"], "80", "2027-06", "--count", "2"));
    expect(["2026-03", "2026-12", "2027-06", "2027-07"].map(at)).toEqual(["330", "670", "710", "750"]);
  });

  test("back into a reserve, which is not called a burn", () => {
    published(small(), NOW);
    const said = run(...move(["team", "treasury"], "60", "2026-05"));
    expect(said).not.toMatch(/burn/i);
    expect(["2026-04", "2026-05", "2026-06", "2030-01"].map(at)).toEqual(["440", "530", "620", "690"]);
    expect(readUnlockSchedule(path).plan).toMatchObject({
      buckets: [{ allocation: 24_000_000_000n }, { allocation: 26_000_000_000n }, {}, {}],
    });
  });

  test("to nobody: a cancelled allocation is named so", () => {
    published(small(), NOW);
    run(...move(["team", "never"], "300", "2026-04"));
    expect(["2026-04", "2030-01"].map(at)).toEqual(["340", "450"]);
    const { plan, sources: named } = readUnlockSchedule(path);
    expect(plan).toMatchObject({ buckets: [{ allocation: 30_000_000_000n, phases: [{ kind: "never" }] }, {}, {}, {}] });
    expect(named.at(-1)?.title).toBe("Cancellation of 300 XYZ of Team");
  });

  test.each([
    ["community", ["-5 transfer", "5 transfer"], ["440", "750"]],
    ["never", ["-5 transfer"], ["435", "745"]],
  ])("after they have unlocked, to %s, by adjustments", (to, kinds, figures) => {
    published(small(), NOW);
    const said = run(...move(["mixed", to], "5", "2026-04", "--unlocked"));
    const { adjustments, calendar } = readUnlockSchedule(path);
    expect(adjustments.map(({ delta, kind }) => `${tokenText(delta, 8)} ${kind}`)).toEqual(kinds);
    expect(adjustments.every(({ index }) => monthText(stepMs(calendar, index)) === "2026-04")).toBe(true);
    expect(said).toContain(`mixed -5 transfer <https://token.test/notice>`);
    expect(["2026-04", "2030-01"].map(at)).toEqual(figures);
  });

  test("in a published month only with --restate", () => {
    published(small(), NOW);
    const words = move(["mixed", "community"], "5", "2026-02", "--unlocked");
    expect(() => run(...words)).toThrow("this would change 2 published months");
    run(...words, "--restate");
    expect(command(["check"], { folder, nowMs: NOW })).toContain("valid");
  });
});

test("a buyback has a kind of its own", () => {
  published(small(), NOW);
  run("buyback", "community", "--amount", "20", "--month", "2026-05", ...SOURCE);
  expect(readUnlockSchedule(path).adjustments).toMatchObject([
    { bucket: "community", delta: -2_000_000_000n, kind: "buyback" },
  ]);
});

test("an unlock is brought forward, and nothing else moves", () => {
  published(small(), NOW);
  const changed = run("forward", "community", "--months", "2", "--from", "2026-09").split("\n");
  expect(changed.filter((line) => line.startsWith("2026-")).map((line) => line.split(/ +/))).toEqual([
    ["2026-07-01", "changed", "700", "710", "+10"],
    ["2026-08-01", "changed", "720", "740", "+20"],
    ["2026-09-01", "changed", "730", "750", "+20"],
    ["2026-10-01", "changed", "740", "750", "+10"],
  ]);
  expect(changed.at(-1)).toMatch(/^warning: buckets\[2\]\.phases\[1\]: overlaps phases\[0\]$/);
});

test.each([
  [move(["team", "team"], "5", "2026-05"), "--to: team is the bucket that has the tokens already"],
  [move(["team", "gone"], "5", "2026-05"), "gone is not the id of a bucket; there are team, treasury"],
  [
    move(["team", "mixed"], "5", "2026-05"),
    "give --count 1 if the moved tokens unlock in --month, or --locked if they never unlock",
  ],
  [move(["team", "mixed"], "5", "2026-05", "--locked", "--count", "2"), "--locked: tokens that never unlock have no"],
  [move(["team", "never"], "5", "2026-05", "--count", "2"), "--count: tokens that move to never have no installments"],
  [move(["team", "never"], "250", "2026-05"), "team has 200 still to unlock, less than 250"],
  [move(["treasury", "team"], "201", "2026-05"), "treasury has 200 that never unlock, less than 201"],
  [move(["team", "community"], "5", "2026-02"), "this would change 2 published months"],
  [move(["team", "community"], "5", "2026-05", "--restate"), "Unknown option '--restate'"],
  [move(["mixed", "community"], "50", "2026-05", "--unlocked"), "mixed is -30 in 2026-05, below 0"],
  [["move", "team", ...move(["team", "community"], "5", "2026-05").slice(1)], "usage: npm run schedule -- revise"],
  [["forward", "community", "--months", "2"], "this would change 2 published months"],
  [["forward", "team", "--months", "9"], "would come before the schedule's start"],
  [["delay", "team", "--months", "-3"], "--months: must be above 0; to unlock earlier: revise forward team --months 3"],
  [
    ["bucket", "team", "--of", "treasury", "--amount", "50", "--from", "2026-09"],
    "team is a bucket already; to add tokens to it: revise move --from treasury --to team --amount 50 --month 2026-09 --source URL",
  ],
])("%j is refused by name, and writes nothing", (words, message) => {
  published(small(), NOW);
  const text = readFileSync(path, "utf8");
  expect(() => run(...words)).toThrow(message);
  expect(readFileSync(path, "utf8")).toBe(text);
});

describe("a wallet on a chain that the schedule does not list is reported", () => {
  const OTHER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  const warning = new RegExp(`warning: wallets: ${OTHER} is on base, .*list its chain in chains`);

  test("when it is added, and when it moves there", () => {
    published(small(), NOW);
    expect(run("wallet", "add", "0xb2", "--bucket", "team", "--label", "Vault")).not.toContain("list its chain");
    expect(run("wallet", "add", OTHER, "--bucket", "team", "--label", "Vault", "--chain", "base")).toMatch(warning);
    run("wallet", "retire", OTHER);
    expect(run("wallet", "move", "0xb2", "--to", OTHER, "--chain", "base")).toMatch(warning);
    expect(bucketsOf(readUnlockSchedule(path))[0]?.addresses).toMatchObject([
      { chain: "base", address: OTHER, label: "Vault" },
    ]);
  });

  test("also where there is another one already, whose warning is not repeated", () => {
    published(small(), NOW);
    run("wallet", "add", "elsewhere", "--bucket", "team", "--label", "Vault", "--chain", "other");
    const said = run("wallet", "add", OTHER, "--category", "treasury", "--label", "Vault", "--chain", "base");
    expect(said).toMatch(warning);
    expect(said).not.toContain("elsewhere is on");
  });
});

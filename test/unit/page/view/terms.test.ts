import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cliffsOf } from "../../../../page/view/cliffs.ts";
import { rulesOf, sentenceOf } from "../../../../page/view/terms.ts";
import { timelineOf } from "../../../../page/view/timeline.ts";
import { recipientsOf } from "../../../../page/view/unlocks.ts";
import { bucketsOf } from "../../../../src/supply/schedule.ts";
import { nextPlannedUnlock, unlockEvents } from "../../../../src/supply/unlock-events.ts";
import { CHECKOUT } from "../../../support/checkout.ts";
import { cliff, installments, phased, valid } from "../../supply/schedules.ts";

const FOLDER = join(CHECKOUT, "schedule", "examples");
const DAY_MS = 86_400_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Phase as the file writes it. */
interface FilePhase {
  readonly kind: string;
  readonly amount: string;
  readonly from?: string;
  readonly to?: string;
  readonly month?: number;
  readonly first_month?: number;
  readonly every_months?: number;
  readonly first_day?: number;
  readonly every_days?: number;
  readonly count?: number;
}

interface FileBucket {
  readonly label: string;
  readonly allocation: string;
  readonly genesis: string;
  readonly phases: readonly FilePhase[];
}

interface ScheduleFile {
  readonly start: string;
  readonly step_day: number;
  readonly buckets?: readonly FileBucket[];
}

/** Instant of a step, computed from the file's rows alone. */
function stepOf({ start, step_day: day }: ScheduleFile, index: number): number {
  const at = new Date(start);
  const isLater = at.getUTCDate() >= day;
  return index === 0 ? at.getTime() : Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + index - (isLater ? 0 : 1), day);
}

/** Time that a phase pays for, and whether it is one unlock. */
function timeOf(file: ScheduleFile, phase: FilePhase): { fromMs: number; toMs: number; isOnce: boolean } | undefined {
  const { count = 1 } = phase;
  const isOnce = count === 1;
  if (phase.kind === "never") return undefined;
  if (phase.kind === "cliff") {
    const atMs = stepOf(file, phase.month ?? 0);
    return { fromMs: atMs, toMs: atMs, isOnce };
  }
  if (phase.kind === "linear")
    return { fromMs: Date.parse(phase.from ?? ""), toMs: Date.parse(phase.to ?? ""), isOnce: false };
  const inSteps = phase.first_month !== undefined;
  const first = phase.first_month ?? phase.first_day ?? 0;
  const every = phase.every_months ?? phase.every_days ?? 0;
  const at = (index: number): number => (inSteps ? stepOf(file, index) : Date.parse(file.start) + index * DAY_MS);
  return { fromMs: at(isOnce ? first : Math.max(0, first - every)), toMs: at(first + (count - 1) * every), isOnce };
}

/** Months between two instants, to the nearest: a month has 30.44 days. */
const monthsOf = (fromMs: number, toMs: number): number => Math.round((toMs - fromMs) / DAY_MS / 30.44);
const monthName = (ms: number): string => `${MONTHS[new Date(ms).getUTCMonth()]} ${new Date(ms).getUTCFullYear()}`;
const percent = (part: string, whole: string): string => `${Math.floor((Number(part) * 100) / Number(whole))}%`;

/** Expects that the figures of a sentence are those of the file's rows. */
function expectFigures(text: string, file: ScheduleFile, bucket: FileBucket): void {
  const startMs = Date.parse(file.start);
  const times = bucket.phases.flatMap((phase) => {
    const time = timeOf(file, phase);
    return time === undefined ? [] : [{ ...time, phase }];
  });
  const vesting = times.filter(({ isOnce }) => !isOnce);
  const [once] = times.filter(({ isOnce }) => isOnce);
  if (vesting.length > 0) {
    const fromMs = Math.min(...vesting.map((one) => one.fromMs));
    const toMs = Math.max(...vesting.map((one) => one.toMs));
    expect(text).toMatch(new RegExp(`\\b${monthsOf(fromMs, toMs)} months? until ${monthName(toMs)}\\.`));
    const beforeMs = once === undefined || once.fromMs > fromMs ? startMs : once.fromMs;
    const isCliff = /^Cliff/.test(text);
    expect(/from/i.test(text), text).toBe(!isCliff && fromMs - beforeMs > 27 * DAY_MS);
    if (/from/i.test(text)) expect(text).toMatch(new RegExp(`[Ff]rom ${monthName(fromMs)} over`));
  }
  if (Number(bucket.genesis) > 0) expect(text).toContain(`${percent(bucket.genesis, bucket.allocation)} at launch`);
  else if (once !== undefined && vesting.length > 0)
    expect(text).toContain(
      `Cliff of ${monthsOf(startMs, once.fromMs)} months (${percent(once.phase.amount, bucket.allocation)}), then`,
    );
}

test.each(readdirSync(FOLDER))("%s: every sentence has the file's months and shares", (name) => {
  const file = JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as ScheduleFile;
  const schedule = valid(file);
  const buckets = bucketsOf(schedule);
  expect(buckets).toHaveLength(file.buckets?.length ?? 0);
  for (const [index, bucket] of (file.buckets ?? []).entries()) {
    const parsed = buckets[index];
    if (parsed !== undefined) expectFigures(sentenceOf(parsed, schedule), file, bucket);
  }
});

test.each([...readdirSync(FOLDER), "../native.json"])(
  "%s: a cliff is the same in the terms, the notes, the marks and the next unlocks",
  (name) => {
    const schedule = valid(JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
    const timeline = timelineOf(schedule);
    const notes = cliffsOf(schedule);
    for (const bucket of bucketsOf(schedule)) {
      const { id, label } = bucket;
      const note = notes.find(({ labels }) => labels.includes(label));
      const sentence = sentenceOf(bucket, schedule);
      // The terms and the drawing's note name the same cliff, or both none.
      const inTerms = /Cliff of (\d+ (?:month|day))|All at once/.exec(sentence);
      expect(inTerms !== null, `${label}: ${sentence}`).toBe(note !== undefined);
      if (note === undefined) continue;
      const { count, unit } = note.length;
      if (inTerms?.[1] !== undefined) expect(inTerms[1]).toBe(`${count} ${unit}`);
      // It ends with the bucket's first unlock.
      const first = nextPlannedUnlock(schedule, Number.NEGATIVE_INFINITY, id);
      const atMs = (timeline.steps[note.index]?.atSeconds ?? 0) * 1_000;
      expect(first?.atMs, label).toBe(atMs);
      // What unlocks at once there is tagged in the table of unlocks and marked in the chart; installments are neither.
      const event = unlockEvents(schedule).find((one) => one.atMs === atMs);
      const tagged = event && recipientsOf(event, schedule.calendar).find((one) => one.id === id)?.isCliff;
      expect(timeline.steps[note.index]?.cliffs.includes(`${label}: cliff`), label).toBe(tagged);
      expect(
        rulesOf(bucket, schedule).some((rule) => /cliff/.test(rule)),
        label,
      ).toBe(true);
    }
  },
);

describe("sentences of published schedules", () => {
  const sentences = (name: string): string[] => {
    const schedule = valid(JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
    return bucketsOf(schedule).map((bucket) => `${bucket.label}: ${sentenceOf(bucket, schedule)}`);
  };
  test("celestia: a wait after the launch, and a cliff that is stated in days", () => {
    expect(sentences("celestia.json")).toEqual([
      "Public allocation: 100% at launch.",
      "R&D and ecosystem: 25% at launch, then from Oct 2024 over 36 months until Oct 2027.",
      "Initial core contributors: Cliff of 12 months (33%), then 24 months until Oct 2026.",
      "Early backers: seed: Cliff of 12 months (33%), then 12 months until Oct 2025.",
      "Early backers: series A and B: Cliff of 12 months (33%), then 12 months until Oct 2025.",
    ]);
  });

  test("arbitrum: months are counted from the vesting's own start", () => {
    expect(sentences("arbitrum.json").slice(2)).toEqual([
      "Team, future team and advisors: Cliff of 12 months (25%), then 36 months until Mar 2027.",
      "Investors: Cliff of 12 months (25%), then 36 months until Mar 2027.",
      "Arbitrum Foundation: From Apr 2023 over 48 months until Apr 2027.",
      "Arbitrum DAO treasury, until the DAO spends it: Stays locked.",
    ]);
  });

  test("celestia's cliffs in days have their note, and their mark at the step at which they take effect", () => {
    const schedule = valid(JSON.parse(readFileSync(join(FOLDER, "celestia.json"), "utf8")));
    const labels = ["Early backers: series A and B", "Early backers: seed", "Initial core contributors"].sort();
    const [found, ...others] = cliffsOf(schedule);
    expect([found?.index, found?.length, found && [...found.labels].sort(), others]).toEqual([
      13,
      { count: 12, unit: "month" },
      labels,
      [],
    ]);
    const { steps } = timelineOf(schedule);
    expect(new Date((steps[13]?.atSeconds ?? 0) * 1_000).toISOString()).toMatch(/^2024-11-01/);
    expect(steps.flatMap(({ cliffs }, index) => (cliffs.length > 0 ? [index] : []))).toEqual([13]);
  });
});

/** A cliff of 40 after some months, in each form that a file may have for it. */
const once = (month: number): readonly ReturnType<typeof cliff>[] => [
  cliff(40, month),
  installments(40, month, 1, 12) as never,
  // From 1 January of a year without 29 February, with the days of the months before.
  { kind: "installments", amount: "40", first_day: daysTo(month), count: 1, every_days: 30 } as never,
];
const daysTo = (month: number): number => (Date.UTC(2025, month, 1) - Date.UTC(2025, 0, 1)) / DAY_MS;

test("a cliff is the same in every form of the file: in the sentence, the drawing, the marks and the rules", () => {
  const month = fc.integer({ min: 3, max: 36 });
  fc.assert(
    fc.property(month, fc.integer({ min: 2, max: 48 }), fc.integer({ min: 1, max: 3 }), (at, count, every) => {
      const seen = once(at).map((phase) => {
        const file = phased({ team: [phase, installments(60, at + every, count, every)] }, 0, { start: "2025-01-01" });
        const schedule = valid(file);
        const [bucket] = bucketsOf(schedule);
        if (bucket === undefined) throw new Error("no bucket");
        const sentence = sentenceOf(bucket, schedule);
        expect(sentence).toMatch(
          new RegExp(`^Cliff of ${at} months \\(40%\\), then ${count * every} months until \\w+ \\d+\\.$`),
        );
        expectFigures(sentence, file as never, (file as { buckets: FileBucket[] }).buckets[0] as FileBucket);
        const { steps } = timelineOf(schedule);
        return [sentence, cliffsOf(schedule), steps.map(({ cliffs }) => cliffs)];
      });
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
    }),
  );
});

test.each([
  ["a launch, then all else at once", 10, [cliff(90, 12)], "10% at launch, then 90% on 1 Jan 2026."],
  [
    "many cliffs",
    0,
    [3, 6, 9, 12].map((month) => cliff(25, month)),
    "Cliff of 3 months (25%), then 9 months until Jan 2026.",
  ],
  [
    "a cliff within the vesting",
    0,
    [installments(60, 1, 24), cliff(40, 12)],
    "Over 24 months until Jan 2027, and 40% on 1 Jan 2026.",
  ],
  ["yearly payments", 0, [installments(100, 12, 4, 12)], "In 4 yearly installments over 48 months until Jan 2029."],
  [
    "yearly payments after a cliff",
    0,
    [installments(100, 24, 4, 12)],
    "Cliff of 12 months, then in 4 yearly installments over 48 months until Jan 2030.",
  ],
  [
    "two runs with a gap",
    0,
    [installments(50, 1, 6), installments(50, 21, 5)],
    "Over 6 months until Jul 2025, then from Sep 2026 over 5 months until Feb 2027.",
  ],
  [
    "a part that stays locked",
    0,
    [installments(50, 1, 12), { kind: "never", amount: "50" }],
    "Over 12 months until Jan 2026. 50% stays locked.",
  ],
  [
    "days",
    0,
    [{ kind: "linear", amount: "100", from: "2025-01-01", to: "2025-01-21" }],
    "Over 20 days until Jan 2025.",
  ],
])("%s", (_, genesis, phases, sentence) => {
  const schedule = valid(phased({ team: phases }, genesis, { start: "2025-01-01" }));
  expect(bucketsOf(schedule).map((bucket) => sentenceOf(bucket, schedule))).toEqual([sentence]);
});

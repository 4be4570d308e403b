import type { Calendar } from "../../src/supply/calendar.ts";
import type { Bucket, Phase, UnlockSchedule } from "../../src/supply/schedule.ts";
import { cliffOf, isCliff, type Period, periodOf } from "./cliffs.ts";
import { columnOf, dayOf, monthOf, share } from "./format.ts";
import { lengthOf, lengthText, MIN_WAIT_MS } from "./lengths.ts";

type Rules = Pick<Bucket, "genesis" | "allocation" | "phases">;

/** Part of a bucket's terms, with its time. */
interface Term {
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
}

/** Most cliffs of a bucket that are named one by one. */
const MAX_CLIFFS = 2;

/** Describes a bucket's terms in one sentence: `Cliff of 12 months (25%), then 36 months until Oct 2026.` */
export function sentenceOf(bucket: Rules, { calendar }: Pick<UnlockSchedule, "calendar">): string {
  const { genesis, allocation, phases } = bucket;
  const { startMs } = calendar;
  const part = (amount: bigint): string => share(amount, allocation, 0);
  const launch = { fromMs: startMs, toMs: startMs, text: `${part(genesis)} at launch` };
  const [jumps, runs] = jumpsAndRuns(phases, calendar);
  const cliff = runs.length === 0 ? undefined : cliffOf(bucket, calendar);
  const before: Term[] = genesis > 0n ? [launch] : [];
  if (cliff !== undefined) {
    const amount = cliff.phase === undefined ? "" : ` (${part(cliff.phase.amount)})`;
    const text = `Cliff of ${lengthText(lengthOf(startMs, cliff.fromMs))}${amount}`;
    before.push({ fromMs: cliff.fromMs, toMs: cliff.fromMs, text });
  }
  for (const { phase, firstMs } of jumps) {
    if (phase === cliff?.phase) continue;
    const text = `${phase.amount === allocation ? "All at once" : part(phase.amount)} on ${dayOf(firstMs)}`;
    before.push({ fromMs: firstMs, toMs: firstMs, text });
  }
  const terms = [...before];
  for (const run of runs) terms.push(vestingTerm(run, terms, startMs));
  const never = phases.reduce((sum, phase) => (phase.kind === "never" ? sum + phase.amount : sum), 0n);
  if (terms.length === 0) return "Stays locked.";
  return `${joined(terms)}.${never > 0n ? ` ${part(never)} stays locked.` : ""}`;
}

/** Time without a gap in which a bucket vests. */
interface Run extends Pick<Period, "fromMs" | "lastMs"> {
  /** Installments that are the whole run and more than a quarter apart: `4 yearly installments`. */
  readonly pace?: string;
}

/** Returns phases that unlock at once, in order of time, and the runs of all others. Many cliffs are a run too. */
function jumpsAndRuns(
  phases: readonly Phase[],
  calendar: Calendar,
): readonly [readonly (Period & { readonly phase: Phase })[], readonly Run[]] {
  const all = phases
    .flatMap((phase) => {
      const period = periodOf(phase, calendar);
      return period === undefined ? [] : [{ ...period, phase }];
    })
    .sort((one, other) => one.firstMs - other.firstMs);
  const cliffs = all.filter(({ phase }) => isCliff(phase));
  const jumps = cliffs.length > MAX_CLIFFS ? cliffs.slice(0, 1) : cliffs;
  const others = all.filter((one) => !jumps.includes(one));
  const runs: Run[] = cliffs.length > MAX_CLIFFS ? [...jumps] : [];
  for (const { phase, fromMs, lastMs } of others.sort((one, other) => one.fromMs - other.fromMs)) {
    const run = runs.at(-1);
    // Of many cliffs each is paid for the time since the one before it.
    if (run === undefined || (!isCliff(phase) && fromMs - run.lastMs >= MIN_WAIT_MS))
      runs.push({ fromMs, lastMs, ...(isSlow(phase) && { pace: installmentsText(phase) }) });
    else runs[runs.length - 1] = { fromMs: run.fromMs, lastMs: Math.max(run.lastMs, lastMs) };
  }
  return [jumps, runs];
}

/** Describes a vesting by its length; where it does not begin with the end of a term before it, by its start too. */
function vestingTerm({ fromMs, lastMs, pace }: Run, before: readonly Term[], startMs: number): Term {
  const ends = before.flatMap(({ toMs }) => (toMs <= fromMs ? [toMs] : []));
  const hasWait = fromMs - Math.max(startMs, ...ends) >= MIN_WAIT_MS;
  const steps = pace === undefined ? "" : `in ${pace} `;
  const over = hasWait ? `from ${monthOf(fromMs)} ${steps}over ` : steps || ends.length === 0 ? `${steps}over ` : "";
  return { fromMs, toMs: lastMs, text: `${over}${lengthText(lengthOf(fromMs, lastMs))} until ${monthOf(lastMs)}` };
}

/** Joins terms in order of time; the first word of a sentence is capitalized. */
function joined(terms: readonly Term[]): string {
  const ordered = [...terms].sort((one, other) => one.fromMs - other.fromMs);
  const text = ordered
    .map((term, index) => {
      const before = ordered[index - 1];
      return `${before === undefined ? "" : before.toMs > term.fromMs ? ", and " : ", then "}${term.text}`;
    })
    .join("");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Describes a bucket's rules in sentences: the amount at launch, the cliff, the vesting. */
export function rulesOf(bucket: Rules, { calendar, token }: UnlockSchedule): string[] {
  const amount = (units: bigint): string => columnOf(units, token.decimals);
  const cliff = cliffOf(bucket, calendar);
  const { count, unit } = lengthOf(calendar.startMs, cliff?.fromMs ?? calendar.startMs);
  return [
    ...(bucket.genesis > 0n ? [`${amount(bucket.genesis)} at launch.`] : []),
    // The rule of a phase that unlocks at once is marked as a cliff itself.
    ...(cliff === undefined || cliff.phase !== undefined ? [] : [`${count}-${unit} cliff.`]),
    ...bucket.phases.map((phase) => `${amount(phase.amount)} ${ruleText(phase, calendar)}.`),
  ];
}

const PACES: Readonly<Record<string, string>> = {
  "1 month": "monthly",
  "3 month": "quarterly",
  "12 month": "yearly",
  "1 day": "daily",
  "7 day": "weekly",
};

type Installments = Extract<Phase, { readonly count: number }>;

/** Whether installments are more than a quarter apart: their length alone would read as a steady vesting. */
function isSlow(phase: Phase): phase is Installments {
  return phase.kind === "monthly" ? phase.everyMonths > 3 : phase.kind === "daily" && phase.everyDays > 92;
}

/** Describes installments by their number and pace: `4 yearly installments`. */
function installmentsText(phase: Installments): string {
  const [every, unit] = phase.kind === "monthly" ? [phase.everyMonths, "month"] : [phase.everyDays, "day"];
  const pace = PACES[`${every} ${unit}`];
  return pace === undefined
    ? `${phase.count} installments, every ${every} ${unit}s,`
    : `${phase.count} ${pace} installments`;
}

function ruleText(phase: Phase, calendar: Calendar): string {
  const period = periodOf(phase, calendar);
  if (period === undefined) return "stay locked";
  const { fromMs, firstMs, lastMs } = period;
  if (isCliff(phase)) return `on ${dayOf(firstMs)} (cliff)`;
  if (!("count" in phase)) return `day by day from ${dayOf(fromMs)} to ${dayOf(lastMs)}`;
  return `in ${installmentsText(phase).replace(/,$/, "")}, ${monthOf(firstMs)} to ${monthOf(lastMs)}`;
}

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
  const [jumps, vesting] = jumpsAndVesting(phases, calendar);
  const cliff = vesting && cliffOf(bucket, calendar);
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
  const terms = [...before, ...(vesting === undefined ? [] : [vestingTerm(vesting, before, startMs)])];
  const never = phases.reduce((sum, phase) => (phase.kind === "never" ? sum + phase.amount : sum), 0n);
  if (terms.length === 0) return "Stays locked.";
  return `${joined(terms)}.${never > 0n ? ` ${part(never)} stays locked.` : ""}`;
}

/** Returns phases that unlock at once, in order of time, and the time of all others. Many cliffs are a vesting too. */
function jumpsAndVesting(
  phases: readonly Phase[],
  calendar: Calendar,
): readonly [readonly (Period & { readonly phase: Phase })[], Period | undefined] {
  const all = phases
    .flatMap((phase) => {
      const period = periodOf(phase, calendar);
      return period === undefined ? [] : [{ ...period, phase }];
    })
    .sort((one, other) => one.firstMs - other.firstMs);
  const cliffs = all.filter(({ phase }) => isCliff(phase));
  const jumps = cliffs.length > MAX_CLIFFS ? cliffs.slice(0, 1) : cliffs;
  const others = all.filter((one) => !jumps.includes(one));
  if (others.length === 0) return [jumps, undefined];
  // Of many cliffs each is paid for the time since the one before it.
  const [start] = cliffs.length > MAX_CLIFFS ? jumps : [];
  const fromMs = Math.min(...others.map((one) => one.fromMs), start?.firstMs ?? Number.POSITIVE_INFINITY);
  const lastMs = Math.max(...others.map((one) => one.lastMs));
  return [jumps, { fromMs, firstMs: fromMs, lastMs }];
}

/** Describes a vesting by its length; where it does not begin with the end of a term before it, by its start too. */
function vestingTerm({ fromMs, lastMs }: Period, before: readonly Term[], startMs: number): Term {
  const ends = before.flatMap(({ toMs }) => (toMs <= fromMs ? [toMs] : []));
  const hasWait = fromMs - Math.max(startMs, ...ends) >= MIN_WAIT_MS;
  const over = hasWait ? `from ${monthOf(fromMs)} over ` : ends.length === 0 ? "over " : "";
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

function ruleText(phase: Phase, calendar: Calendar): string {
  const period = periodOf(phase, calendar);
  if (period === undefined) return "stay locked";
  const { fromMs, firstMs, lastMs } = period;
  if (isCliff(phase)) return `on ${dayOf(firstMs)} (cliff)`;
  if (!("count" in phase)) return `day by day from ${dayOf(fromMs)} to ${dayOf(lastMs)}`;
  const [every, unit] = phase.kind === "monthly" ? [phase.everyMonths, "month"] : [phase.everyDays, "day"];
  const pace = PACES[`${every} ${unit}`];
  const parts =
    pace === undefined ? `${phase.count} installments, every ${every} ${unit}s` : `${phase.count} ${pace} installments`;
  return `in ${parts}, ${monthOf(firstMs)} to ${monthOf(lastMs)}`;
}

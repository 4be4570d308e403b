import { DAY_MS } from "../../../src/base/utc.ts";
import type { BaseUnits } from "../../../src/chain/amount.ts";
import { daysBetween, stepIndexAt, stepMs } from "../../../src/supply/calendar.ts";
import { phaseUnlocked } from "../../../src/supply/circulating.ts";
import type { Phase, UnlockSchedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { addMonths } from "../months.ts";

/** Phase in two parts: what it has unlocked by a step, and what is still to come. */
export interface SplitPhase {
  /** Rules that unlock the same amount as the phase at each step up to the last, exact to the base unit. */
  readonly kept: readonly Phase[];
  /**
   * Same rule for the remaining amount, from its next installment or day on; null when it is complete or never unlocks.
   */
  readonly rest: Phase | null;
}

/** Splits a phase after step `last`; a phase that has not begun is all rest. */
export function splitPhase(phase: Phase, schedule: UnlockSchedule, last: number): SplitPhase {
  const unlocked = phaseUnlocked(phase, schedule, last);
  switch (phase.kind) {
    case "never":
      return { kept: [phase], rest: null };
    case "cliff":
      return last >= phase.month ? { kept: [phase], rest: null } : { kept: [], rest: phase };
    case "monthly":
    case "daily": {
      const [first, every] =
        phase.kind === "monthly" ? [phase.firstMonth, phase.everyMonths] : [phase.firstDay, phase.everyDays];
      const passed = phase.kind === "monthly" ? last : daysUntil(schedule, last);
      const done = Math.min(Math.max(Math.floor((passed - first) / every) + 1, 0), phase.count);
      if (done === 0) return { kept: [], rest: phase };
      if (done === phase.count) return { kept: [phase], rest: null };
      const from = (part: number, count: number, amount: BaseUnits): Phase =>
        phase.kind === "monthly"
          ? { ...phase, amount, count, firstMonth: first + part * every }
          : { ...phase, amount, count, firstDay: first + part * every };
      const kept = fewestRules(done, installmentCurve(phase), (amount, part, count) => from(part, count, amount));
      return { kept, rest: from(done, phase.count - done, phase.amount - unlocked) };
    }
    case "linear":
      return splitLinear(phase, schedule, last);
  }
}

/** Days from the start to a step; -1 before it. */
function daysUntil({ calendar }: UnlockSchedule, step: number): number {
  return step < 0 ? -1 : daysBetween(calendar.startMs, stepMs(calendar, step));
}

/** Curve of equal installments: the amount of the first `done`, and its growth within a run. */
function installmentCurve({ amount, count }: { readonly amount: BaseUnits; readonly count: number }) {
  return {
    unlocked: (done: number): BaseUnits => (amount * BigInt(done)) / BigInt(count),
    share: (sum: BaseUnits, at: number, from: number, to: number): BaseUnits =>
      (sum * BigInt(at - from)) / BigInt(to - from),
  };
}

interface UnlockCurve {
  readonly unlocked: (point: number) => BaseUnits;
  /** Amount that a rule over the points `from` to `to` with the total `sum` has unlocked at a point between. */
  readonly share: (sum: BaseUnits, at: number, from: number, to: number) => BaseUnits;
}

/**
 * Covers the points 0 to `last` with as few rules as possible. Each is the longest whose rounding agrees at every
 * point: a single rule where the amount divides evenly. Otherwise several are needed, because each rule rounds down
 * from its own start.
 */
function fewestRules(
  last: number,
  part: UnlockCurve,
  ruleOf: (sum: BaseUnits, from: number, count: number) => Phase,
): Phase[] {
  const rules: Phase[] = [];
  for (let from = 0; from < last; ) {
    let to = last;
    while (!agrees(part, from, to)) to -= 1;
    const sum = part.unlocked(to) - part.unlocked(from);
    if (sum > 0n) rules.push(ruleOf(sum, from, to - from));
    from = to;
  }
  return rules;
}

function agrees({ unlocked, share }: UnlockCurve, from: number, to: number): boolean {
  const before = unlocked(from);
  const sum = unlocked(to) - before;
  for (let at = from + 1; at < to; at += 1) if (share(sum, at, from, to) !== unlocked(at) - before) return false;
  return true;
}

/**
 * Splits a linear phase at a step. The record binds the figures of steps, so both parts begin and end at one. Figures of
 * the days between past steps may differ in their last base units.
 */
function splitLinear(phase: Extract<Phase, { kind: "linear" }>, schedule: UnlockSchedule, last: number): SplitPhase {
  const { calendar } = schedule;
  const { amount, fromMs, toMs } = phase;
  const cutMs = last < 0 ? fromMs : stepMs(calendar, last);
  if (cutMs >= toMs) return { kept: [phase], rest: null };
  if (cutMs <= fromMs) return { kept: [], rest: phase };
  const first = Math.max(0, stepIndexAt(calendar, fromMs) + 1);
  const points = [fromMs, ...Array.from({ length: last - first + 1 }, (_, index) => stepMs(calendar, first + index))];
  const at = (point: number): number => points[point] ?? cutMs;
  const unlocked = (point: number): BaseUnits =>
    (amount * BigInt(daysBetween(fromMs, at(point)))) / BigInt(daysBetween(fromMs, toMs));
  const share = (sum: BaseUnits, point: number, from: number, to: number): BaseUnits =>
    (sum * BigInt(daysBetween(at(from), at(point)))) / BigInt(daysBetween(at(from), at(to)));
  const kept = fewestRules(points.length - 1, { unlocked, share }, (sum, from, count) => ({
    kind: "linear",
    amount: sum,
    fromMs: at(from),
    toMs: at(from + count),
  }));
  return { kept, rest: { kind: "linear", amount: amount - unlocked(points.length - 1), fromMs: cutMs, toMs } };
}

/**
 * Moves a phase by `months`, which may be negative. Days move to the same day of the other month, or to its last one.
 */
export function shifted(phase: Phase, { calendar }: UnlockSchedule, months: number): Phase {
  switch (phase.kind) {
    case "never":
      return phase;
    case "cliff":
      return { ...phase, month: notBeforeStart(phase.month + months) };
    case "monthly":
      return { ...phase, firstMonth: notBeforeStart(phase.firstMonth + months) };
    case "daily": {
      const firstMs = addMonths(calendar.startMs + phase.firstDay * DAY_MS, months);
      return { ...phase, firstDay: notBeforeStart(daysBetween(calendar.startMs, firstMs)) };
    }
    case "linear": {
      const fromMs = addMonths(phase.fromMs, months);
      return { ...phase, fromMs, toMs: Math.max(addMonths(phase.toMs, months), fromMs + DAY_MS) };
    }
  }
}

/** Checks that a month or day, counted from the start, is not before the start. */
function notBeforeStart(count: number): number {
  if (count >= 0) return count;
  throw new Refusal([
    "--months: these unlocks would come before the schedule's start; give fewer months, or a later --from",
  ]);
}

import { DAY_MS, dayText, instantText } from "../base/utc.ts";
import type { Holding } from "../chain/holding.ts";
import { type Calendar, stepMs } from "./calendar.ts";
import { lockedOf, type SupplyStep } from "./circulating.ts";
import { amountView, percentText } from "./representations.ts";
import { type Bucket, bucketsOf, type Phase, type UnlockSchedule } from "./schedule.ts";
import { nextPlannedUnlock } from "./unlock-events.ts";
import { isOnChain } from "./wallets.ts";

export type AllocationsView = ReturnType<typeof allocationsView>;

/** Builds the body of `/api/allocations` while `step` is in force; undefined: before the start. */
export function allocationsView(schedule: UnlockSchedule, step: SupplyStep | undefined) {
  const {
    token,
    maxSupply,
    revision,
    publisher = null,
    publishedAt,
    sources,
    methodology,
    sample,
    calendar,
    plan,
  } = schedule;
  const circulating = step?.circulating ?? 0n;
  return {
    token,
    max_supply: amountView(maxSupply, token.decimals),
    schedule_revision: revision,
    publisher,
    published_at: publishedAt,
    sources,
    methodology,
    sample,
    state: step === undefined ? "not_started" : step.nextStepMs === null ? "ended" : "running",
    starts_at: instantText(calendar.startMs),
    effective_from: step === undefined ? null : instantText(step.effectiveFromMs),
    published_as: plan.kind,
    unlocked: amountView(circulating, token.decimals),
    locked: amountView(maxSupply - circulating, token.decimals),
    allocations: bucketsOf(schedule).map((bucket) => allocationView(schedule, bucket, step)),
    wallets: schedule.wallets.map((each) => verifiable(each, schedule)),
  };
}

function allocationView(schedule: UnlockSchedule, bucket: Bucket, step: SupplyStep | undefined) {
  const { decimals } = schedule.token;
  const next = nextPlannedUnlock(schedule, step?.effectiveFromMs ?? Number.NEGATIVE_INFINITY, bucket.id);
  const unlocked = step?.buckets.find(({ id }) => id === bucket.id)?.circulating ?? 0n;
  return {
    id: bucket.id,
    label: bucket.label,
    category: bucket.category,
    allocation: amountView(bucket.allocation, decimals),
    percent_of_max: percentText(bucket.allocation, schedule.maxSupply),
    genesis: amountView(bucket.genesis, decimals),
    phases: bucket.phases.map((phase) => phaseView(phase, schedule.calendar, decimals)),
    unlocked: amountView(unlocked, decimals),
    locked: amountView(lockedOf(bucket, schedule, step?.index ?? -1), decimals),
    percent_unlocked: percentText(unlocked, bucket.allocation),
    next_unlock: next === undefined ? null : { at: instantText(next.atMs), amount: amountView(next.amount, decimals) },
    source: bucket.source ?? null,
    precision: bucket.precision ?? null,
    addresses: bucket.addresses.map((each) => verifiable(each, schedule)),
  };
}

function verifiable<Listed extends Holding>(listed: Listed, schedule: UnlockSchedule) {
  return { ...listed, verification: isOnChain(schedule)(listed) ? "on_chain" : "unverified" };
}

/**
 * Writes a phase in calendar dates. Daily amounts circulate from the next monthly step on in the monthly figure, and
 * from their own day on in the daily one.
 */
function phaseView(phase: Phase, calendar: Calendar, decimals: number) {
  return {
    kind: phase.kind === "monthly" || phase.kind === "daily" ? "installments" : phase.kind,
    amount: amountView(phase.amount, decimals),
    ...datesOf(phase, calendar),
    installments: phase.kind === "cliff" ? 1 : "count" in phase ? phase.count : null,
    every_months: phase.kind === "monthly" ? phase.everyMonths : null,
    every_days: phase.kind === "daily" ? phase.everyDays : null,
  };
}

function datesOf(phase: Phase, calendar: Calendar) {
  const [fromMs, toMs] = phasePeriod(phase, calendar) ?? [];
  return { from: fromMs === undefined ? null : dayText(fromMs), to: toMs === undefined ? null : dayText(toMs) };
}

/** Returns the first and the last instant at which a phase unlocks; undefined: it never does. */
function phasePeriod(phase: Phase, calendar: Calendar): readonly [number, number] | undefined {
  switch (phase.kind) {
    case "cliff":
      return [stepMs(calendar, phase.month), stepMs(calendar, phase.month)];
    case "monthly": {
      const { firstMonth, count, everyMonths } = phase;
      return [stepMs(calendar, firstMonth), stepMs(calendar, firstMonth + (count - 1) * everyMonths)];
    }
    case "daily": {
      const fromMs = calendar.startMs + phase.firstDay * DAY_MS;
      return [fromMs, fromMs + (phase.count - 1) * phase.everyDays * DAY_MS];
    }
    case "linear":
      return [phase.fromMs, phase.toMs];
    case "never":
      return undefined;
  }
}

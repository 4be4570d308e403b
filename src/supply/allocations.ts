import { DAY_MS, dayText, instantText } from "../utc.ts";
import { type Calendar, stepMs } from "./calendar.ts";
import { lockedOf, type SupplyStep } from "./circulating.ts";
import { amountView, percentText } from "./representations.ts";
import type { Bucket, Holding, Phase, Schedule } from "./schedule.ts";
import { nextUnlock } from "./unlock-events.ts";
import { isOnChain } from "./wallets.ts";

/** The body of `/api/allocations` while `step` is in force; undefined: before the start. */
export function allocationsView(schedule: Schedule, step: SupplyStep | undefined) {
  const { token, maxSupply, revision, publishedAt, sources, methodology, sample, calendar, plan } = schedule;
  const circulating = step?.circulating ?? 0n;
  return {
    token,
    max_supply: amountView(maxSupply, token.decimals),
    schedule_revision: revision,
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
    allocations: plan.kind === "table" ? [] : plan.buckets.map((bucket) => allocationView(schedule, bucket, step)),
    wallets: schedule.wallets.map(verifiable),
  };
}

function allocationView(schedule: Schedule, bucket: Bucket, step: SupplyStep | undefined) {
  const { decimals } = schedule.token;
  const next = nextUnlock(schedule, step?.effectiveFromMs ?? Number.NEGATIVE_INFINITY, bucket.id);
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
    addresses: bucket.addresses.map(verifiable),
  };
}

function verifiable<Listed extends Holding>(listed: Listed) {
  return { ...listed, verification: isOnChain(listed) ? "on_chain" : "unverified" };
}

/** A rule in calendar dates. Daily accruals circulate from the next monthly step. */
function phaseView(phase: Phase, calendar: Calendar, decimals: number) {
  return {
    kind: phase.kind === "monthly" || phase.kind === "daily" ? "installments" : phase.kind,
    amount: amountView(phase.amount, decimals),
    from: null,
    to: null,
    installments: null,
    every_months: null,
    every_days: null,
    ...periodView(phase, calendar),
  };
}

function periodView(phase: Phase, calendar: Calendar) {
  switch (phase.kind) {
    case "cliff": {
      const day = dayText(stepMs(calendar, phase.month));
      return { from: day, to: day, installments: 1 };
    }
    case "monthly": {
      const { firstMonth, count, everyMonths } = phase;
      const dayOf = (month: number): string => dayText(stepMs(calendar, month));
      const to = dayOf(firstMonth + (count - 1) * everyMonths);
      return { from: dayOf(firstMonth), to, installments: count, every_months: everyMonths };
    }
    case "daily": {
      const { firstDay, count, everyDays } = phase;
      const dayOf = (day: number): string => dayText(calendar.startMs + day * DAY_MS);
      const to = dayOf(firstDay + (count - 1) * everyDays);
      return { from: dayOf(firstDay), to, installments: count, every_days: everyDays };
    }
    case "linear":
      return { from: dayText(phase.fromMs), to: dayText(phase.toMs) };
    case "never":
      return {};
  }
}

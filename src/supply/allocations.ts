import { DAY_MS, dayText, instantText } from "../utc.ts";
import { type Calendar, stepMs } from "./calendar.ts";
import { lockedOf, phaseUnlocked, type SupplyStep } from "./circulating.ts";
import { amountView, percentText } from "./representations.ts";
import { type Bucket, NATIVE_CHAIN, type Phase, type Schedule } from "./schedule.ts";

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
  };
}

function allocationView(schedule: Schedule, bucket: Bucket, step: SupplyStep | undefined) {
  const { decimals } = schedule.token;
  const index = step?.index ?? -1;
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
    locked: amountView(lockedOf(bucket, schedule, index), decimals),
    percent_unlocked: percentText(unlocked, bucket.allocation),
    next_unlock: nextUnlockView(schedule, bucket, index),
    addresses: bucket.addresses.map((address) => ({
      ...address,
      verification: address.chain === NATIVE_CHAIN ? "on_chain" : "unverified",
    })),
  };
}

/** A bucket's next unlock; before the start, what circulates from the start on, if anything. */
function nextUnlockView(schedule: Schedule, bucket: Bucket, index: number) {
  const { token, calendar } = schedule;
  for (let next = index + 1; next <= schedule.lastIndex; next += 1) {
    const unlocked = bucket.phases.map(
      (phase) => phaseUnlocked(phase, schedule, next) - phaseUnlocked(phase, schedule, next - 1),
    );
    const amount = unlocked.reduce((sum, part) => sum + part, next === 0 ? bucket.genesis : 0n);
    if (amount > 0n) return { at: instantText(stepMs(calendar, next)), amount: amountView(amount, token.decimals) };
  }
  return null;
}

/** A rule in calendar dates. Daily accruals circulate from the next monthly step. */
function phaseView(phase: Phase, calendar: Calendar, decimals: number) {
  const shared = {
    kind: phase.kind === "monthly" || phase.kind === "daily" ? "installments" : phase.kind,
    amount: amountView(phase.amount, decimals),
  };
  const rule = (
    fromMs: number,
    toMs: number,
    installments: number | null,
    months: number | null,
    days: number | null,
  ) => ({
    ...shared,
    from: dayText(fromMs),
    to: dayText(toMs),
    installments,
    every_months: months,
    every_days: days,
  });
  switch (phase.kind) {
    case "cliff": {
      const atMs = stepMs(calendar, phase.month);
      return rule(atMs, atMs, 1, null, null);
    }
    case "monthly": {
      const { firstMonth, count, everyMonths } = phase;
      const toMs = stepMs(calendar, firstMonth + (count - 1) * everyMonths);
      return rule(stepMs(calendar, firstMonth), toMs, count, everyMonths, null);
    }
    case "daily": {
      const { firstDay, count, everyDays } = phase;
      const atMs = (day: number): number => calendar.startMs + day * DAY_MS;
      return rule(atMs(firstDay), atMs(firstDay + (count - 1) * everyDays), count, null, everyDays);
    }
    case "linear":
      return rule(phase.fromMs, phase.toMs, null, null, null);
    case "never":
      return { ...shared, from: null, to: null, installments: null, every_months: null, every_days: null };
  }
}

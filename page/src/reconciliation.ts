import { abovePlan, isPlanWatched, unwatchedBuckets } from "../../src/supply/above-plan.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { type Holdings, units, type Wallet } from "./documents.ts";

/** Groups of wallets, by the role that they have in the difference between plan and chain. */
export const GROUPS = [
  { id: "locked", title: "Locked tokens of the allocations" },
  { id: "free", title: "The project’s, without locked tokens" },
  { id: "burned", title: "In burn wallets" },
  { id: "stated", title: "Stated, in no wallet" },
] as const;
export type Group = (typeof GROUPS)[number]["id"];

export function groupOf({ bucket, category }: Wallet): Group {
  return category === "burn" ? "burned" : bucket === "" ? "free" : "locked";
}

/** Line of the sum that leads from the plan to the chain, in base units. */
export interface Row {
  readonly label: string;
  readonly amount: bigint;
  /** True of lines that are a start or a result of the sum; false of the summands. */
  readonly isSum: boolean;
  /** Group of wallets that the amount is about. */
  readonly group?: Group;
  /** Path at which the amount is served alone. */
  readonly path?: string;
}

const ABOVE_PLAN = "/api/circulating-supply-above-plan";

/**
 * Returns the lines from the planned circulating supply to the circulating supply on chain. Between the two are amounts
 * that the plan does not know (other wallets of the project, burned tokens), amounts in no listed wallet, and
 * deviations of the chain.
 */
export function rowsOf({ breakdown, minted, burned, onChain }: Holdings, schedule: UnlockSchedule): readonly Row[] {
  const { maxSupply } = schedule;
  const { non_circulating_wallets: wallets, circulating_supply_scheduled: scheduled } = breakdown;
  if (scheduled === null) return [];
  const planned = units(scheduled);
  const heldIn = (group: Group): bigint =>
    wallets.reduce((sum, one) => (one.balance !== null && groupOf(one) === group ? sum + units(one.balance) : sum), 0n);
  const unseen = lockedIn(breakdown, schedule, true);
  const ahead = lockedIn(breakdown, schedule, false) - heldIn("locked");
  const parts: Row[] = [
    { label: "Held by the project’s other wallets", amount: -heldIn("free"), isSum: false, group: "free" },
    { label: "Stated, in no wallet", amount: -statedIn(breakdown), isSum: false, group: "stated" },
    { label: "Burned", amount: -burned, isSum: false, group: "burned" },
    { label: "Locked by schedule, in no listed wallet", amount: unseen, isSum: false },
    {
      label: ahead > 0n ? "Missing from the allocations’ wallets" : "Still in the allocations’ wallets",
      amount: ahead,
      isSum: false,
      group: "locked",
    },
    {
      label: minted < maxSupply ? "Not minted yet" : "Minted above the maximum",
      amount: minted - maxSupply,
      isSum: false,
    },
  ];
  const rest = onChain - planned - parts.reduce((sum, { amount }) => sum + amount, 0n);
  const above = abovePlanOf({ breakdown, onChain }, schedule);
  return [
    { label: "Planned: what the schedule has unlocked", amount: planned, isSum: true },
    ...[...parts, { label: "Other", amount: rest, isSum: false }].filter(({ amount }) => amount !== 0n),
    { label: "Circulating on chain", amount: onChain, isSum: true },
    ...(above === undefined ? [] : [{ label: "Above plan", amount: above, isSum: true, path: ABOVE_PLAN }]),
  ];
}

/** Adds up the constants that are not burned. */
function statedIn({ constants }: Holdings["breakdown"]): bigint {
  return constants.reduce((sum, { category, amount }) => (category === "burn" ? sum : sum + units(amount)), 0n);
}

/**
 * Returns how much circulates beyond the plan; undefined before the start, and if no allocation with locked tokens
 * lists a wallet.
 */
export function abovePlanOf(
  { breakdown, onChain }: Pick<Holdings, "breakdown" | "onChain">,
  schedule: UnlockSchedule,
): bigint | undefined {
  const { circulating_supply_scheduled: scheduled } = breakdown;
  if (scheduled === null || !isPlanWatched(schedule)) return undefined;
  return abovePlan(onChain, { plan: units(scheduled), unseen: lockedIn(breakdown, schedule, true) });
}

/** Adds up what allocations must keep locked: those without a listed wallet, or the others. */
function lockedIn({ buckets }: Holdings["breakdown"], schedule: UnlockSchedule, isUnwatched: boolean): bigint {
  const unwatched = new Set(unwatchedBuckets(schedule).map(({ id }) => id));
  return buckets
    .filter(({ id }) => unwatched.has(id) === isUnwatched)
    .reduce((sum, { locked_by_schedule: amount }) => sum + units(amount), 0n);
}

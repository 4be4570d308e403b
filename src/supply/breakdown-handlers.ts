import type { BaseUnits } from "../chain/amount.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import type { Handler } from "../http/handler.ts";
import { publicFor, tagged } from "../http/reply.ts";
import { ageHeaders, type CachedValue, unavailable } from "../swr/cached-value.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { instantText } from "../utc.ts";
import { type Breakdown, chainAmounts, lockedAt, stateOf, sumOf, type WalletState } from "./breakdown.ts";
import { stepAt } from "./circulating.ts";
import { type AmountView, amountView, percentText } from "./representations.ts";
import type { Schedule } from "./schedule.ts";
import { maxAgeAt } from "./validity.ts";
import { isBurned, isOnChain, referenceOf, type StakeParts, type Wallet, walletsOf } from "./wallets.ts";

/** `/api/supply-breakdown`. */
export function breakdownHandler(schedule: Schedule, breakdown: SwrValue<Breakdown>): Handler {
  return async (context) => {
    const current = await breakdown.read(context);
    if (current.kind === "unavailable") return unavailable("The supply breakdown is", current);
    const { nowMs } = context;
    const body = JSON.stringify(breakdownView(schedule, current, nowMs));
    return tagged(`breakdown-${current.value.ledgerVersion}`, body, JSON_TYPE, {
      ...ageHeaders(current),
      // The scheduled figures in it change at a step.
      "Cache-Control": publicFor(maxAgeAt(schedule, nowMs, current.policy.sharedSeconds)),
    });
  };
}

/** The balances that count, their sum, and how it compares with the schedule. */
export function breakdownView(
  schedule: Schedule,
  { value, observedAtMs }: Pick<CachedValue<Breakdown>, "value" | "observedAtMs">,
  nowMs: number,
) {
  const { token, revision } = schedule;
  const view = (amount: BaseUnits): AmountView => amountView(amount, token.decimals);
  const { minted, burned, total, held, circulating } = chainAmounts(schedule, value);
  const step = stepAt(schedule, nowMs);
  const buckets = bucketRows(schedule, value, nowMs);
  return {
    token,
    schedule_revision: revision,
    as_of: instantText(observedAtMs),
    ledger_version: String(value.ledgerVersion),
    minted_supply: view(minted),
    burned_supply: view(burned),
    total_supply: view(total),
    non_circulating_supply: view(held),
    circulating_supply_on_chain: view(circulating),
    circulating_supply_scheduled: step === undefined ? null : view(step.circulating),
    complete: isComplete(schedule, value, buckets),
    buckets: buckets.map(({ id, label, category, locked, onChain }) => ({
      id,
      label,
      category,
      locked_by_schedule: view(locked),
      held_on_chain: onChain === null ? null : view(onChain),
      difference: onChain === null ? null : view(onChain - locked),
    })),
    non_circulating_wallets: walletsOf(schedule).map((wallet) => walletView(schedule, wallet, value, total)),
  };
}

export interface BucketRow {
  readonly id: string;
  readonly label: string;
  readonly category: string;
  readonly locked: BaseUnits;
  /** null: no wallet of the bucket was ever read. */
  readonly onChain: BaseUnits | null;
}

/** Per bucket, the amount that must be locked and the balance of its wallets. */
export function bucketRows(schedule: Schedule, { wallets }: Breakdown, nowMs: number): BucketRow[] {
  if (schedule.plan.kind === "table") return [];
  const known = walletsOf(schedule);
  return schedule.plan.buckets.map(({ id, label, category }) => {
    const states = known.filter(({ bucket }) => bucket === id).flatMap((wallet) => stateOf(wallet, wallets) ?? []);
    const isRead = states.some(({ balance }) => balance !== null);
    return { id, label, category, locked: lockedAt(schedule, id, nowMs), onChain: isRead ? sumOf(states) : null };
  });
}

function isComplete(schedule: Schedule, { wallets }: Breakdown, buckets: readonly BucketRow[]): boolean {
  return (
    buckets.length > 0 &&
    walletsOf(schedule).every(isOnChain) &&
    wallets.every(({ balance }) => balance !== null) &&
    buckets.every(({ locked, onChain }) => locked === 0n || onChain !== null)
  );
}

function walletView({ token }: Schedule, wallet: Wallet, { wallets }: Breakdown, total: BaseUnits) {
  const state = stateOf(wallet, wallets);
  const [balance, anomaly] = [state?.balance ?? null, state?.anomaly ?? null];
  return {
    // The released document has a string here.
    bucket: wallet.bucket ?? "",
    category: wallet.category,
    chain: wallet.chain,
    address: wallet.address,
    label: wallet.label,
    holds: wallet.holds,
    ...referenceOf(wallet),
    verification: isOnChain(wallet) ? "on_chain" : "unverified",
    balance: balance === null ? null : amountView(balance.baseUnits, token.decimals),
    stake: balance === null || balance.stake === null ? null : stakeView(balance.stake, token.decimals),
    percentage_of_total_supply: balance === null || isBurned(wallet) ? null : percentText(balance.baseUnits, total),
    anomaly: anomaly !== null,
    anomaly_reason: anomaly === null ? null : anomalyText(anomaly),
    observed_balance:
      anomaly?.kind === "fell" || anomaly?.kind === "unconfirmed" ? amountView(anomaly.observed, token.decimals) : null,
    ledger_version: balance === null ? null : String(balance.ledgerVersion),
    last_updated: balance === null ? null : instantText(balance.readAtMs),
  };
}

export function anomalyText(anomaly: NonNullable<WalletState["anomaly"]>): string {
  switch (anomaly.kind) {
    case "fell":
      return "The balance fell by more than half; the last good balance is kept until a new revision of the schedule.";
    case "unconfirmed":
      return "The balance is far from the last good one, which is kept until another reading confirms the new one.";
    case "unreadable":
      return `It could not be read: ${anomaly.reason}.`;
  }
}

function stakeView({ active, inactive, pendingActive, pendingInactive }: StakeParts, decimals: number) {
  return {
    active: amountView(active, decimals),
    inactive: amountView(inactive, decimals),
    pending_active: amountView(pendingActive, decimals),
    pending_inactive: amountView(pendingInactive, decimals),
  };
}

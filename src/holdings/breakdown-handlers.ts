import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { type Asset, assetText } from "../chain/asset.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import type { Handler } from "../http/handler.ts";
import { publicFor, type Reply, tagged } from "../http/reply.ts";
import { stepAt } from "../supply/circulating.ts";
import { type AmountView, amountView, percentText } from "../supply/representations.ts";
import type { Schedule } from "../supply/schedule.ts";
import { maxAgeAt } from "../supply/validity.ts";
import { isBurned, isOnChain, referenceOf, type Wallet, walletsOf } from "../supply/wallets.ts";
import { ageHeaders, type CachedValue, unavailable } from "../swr/cached-value.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { instantText } from "../utc.ts";
import type { StakeParts } from "./chain-node.ts";
import { ledgerVersionHeader } from "./figure-handlers.ts";
import { MISSING_RETRY_SECONDS } from "./figures.ts";
import {
  chainFigures,
  less,
  lockedAt,
  type Missing,
  type Reading,
  stateOf,
  sumOf,
  type WalletAnomaly,
} from "./reading.ts";

/** `/api/supply-breakdown`. */
export function breakdownHandler(schedule: Schedule, asset: Asset, readings: SwrValue<Reading>): Handler {
  return async (context) => {
    const current = await readings.read(context);
    if (current.kind === "unavailable") return unavailable("The supply breakdown is", current);
    const { nowMs } = context;
    const view = breakdownView(schedule, asset, current, nowMs);
    if (!view.complete) return incomplete(view);
    return tagged(`breakdown-${current.value.ledgerVersion}`, JSON.stringify(view), JSON_TYPE, {
      ...ageHeaders(current),
      ...ledgerVersionHeader(current.value),
      // The scheduled figures in it change at a step.
      "Cache-Control": publicFor(maxAgeAt(schedule, nowMs, current.policy.sharedSeconds)),
    });
  };
}

/** An Error object with what is known: version 1 has no null for a sum. */
function incomplete(view: ReturnType<typeof breakdownView>): Reply {
  const [reason] = Object.values(view.unavailable);
  const body = {
    message: `The supply breakdown is incomplete: ${reason}.`,
    error_code: "service_unavailable",
    ...view,
  };
  return {
    kind: "reply",
    status: 503,
    headers: { "Content-Type": JSON_TYPE, "Cache-Control": "no-store", "Retry-After": String(MISSING_RETRY_SECONDS) },
    body: JSON.stringify(body),
  };
}

/** The balances that count, their sum, and how it compares with the schedule. */
function breakdownView(
  schedule: Schedule,
  asset: Asset,
  { value, observedAtMs }: Pick<CachedValue<Reading>, "value" | "observedAtMs">,
  nowMs: number,
) {
  const { token, revision } = schedule;
  const view = (amount: BaseUnits): AmountView => amountView(amount, token.decimals);
  const { burned_supply, total_supply, non_circulating_supply } = chainFigures(schedule)(value);
  // Beside the other sums it may be zero.
  const circulating_supply_on_chain = less(total_supply, non_circulating_supply);
  const sums = { burned_supply, total_supply, non_circulating_supply, circulating_supply_on_chain };
  const unavailable = Object.entries(sums).flatMap(([name, sum]) =>
    typeof sum === "bigint" ? [] : [[name, sum.reason] as const],
  );
  const known = (sum: BaseUnits | Missing): AmountView | null => (typeof sum === "bigint" ? view(sum) : null);
  const step = stepAt(schedule, nowMs);
  return {
    token,
    asset: assetText(asset),
    schedule_revision: revision,
    as_of: instantText(observedAtMs),
    ledger_version: String(value.ledgerVersion),
    confirmed_by: confirmationView(value, observedAtMs),
    minted_supply: view(value.minted),
    burned_supply: known(burned_supply),
    total_supply: known(total_supply),
    non_circulating_supply: known(non_circulating_supply),
    circulating_supply_on_chain: known(circulating_supply_on_chain),
    unavailable: Object.fromEntries(unavailable),
    circulating_supply_scheduled: step === undefined ? null : view(step.circulating),
    // No wallet is without a balance, or on another chain.
    complete: unavailable.length === 0,
    buckets: bucketRows(schedule, value, nowMs).map(({ id, label, category, locked, onChain }) => ({
      id,
      label,
      category,
      locked_by_schedule: view(locked),
      held_on_chain: onChain === null ? null : view(onChain),
      difference: onChain === null ? null : view(onChain - locked),
    })),
    non_circulating_wallets: walletsOf(schedule).map((wallet) => walletView(schedule, wallet, value)),
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
export function bucketRows(schedule: Schedule, { wallets }: Pick<Reading, "wallets">, nowMs: number): BucketRow[] {
  if (schedule.plan.kind === "table") return [];
  const known = walletsOf(schedule);
  return schedule.plan.buckets.map(({ id, label, category }) => {
    const states = known.filter(({ bucket }) => bucket === id).flatMap((wallet) => stateOf(wallet, wallets) ?? []);
    const isRead = states.some(({ balance }) => balance !== null);
    return { id, label, category, locked: lockedAt(schedule, id, nowMs), onChain: isRead ? sumOf(states) : null };
  });
}

function walletView(schedule: Schedule, wallet: Wallet, reading: Reading) {
  const { token } = schedule;
  const { total_supply: total } = chainFigures(schedule)(reading);
  const state = stateOf(wallet, reading.wallets);
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
    percentage_of_total_supply:
      balance === null || isBurned(wallet) || typeof total !== "bigint" ? null : percentText(balance.baseUnits, total),
    anomaly: anomaly !== null,
    anomaly_reason: anomaly === null ? null : anomalyText(anomaly, token.decimals),
    observed_balance:
      anomaly?.kind === "fell" && balance !== null ? amountView(balance.baseUnits, token.decimals) : null,
    ledger_version: balance === null ? null : String(balance.ledgerVersion),
    last_updated: balance === null ? null : instantText(balance.readAtMs),
  };
}

/** Which nodes said so, at which version, when. */
export function confirmationView(
  { confirmedBy, ledgerVersion }: Pick<Reading, "confirmedBy" | "ledgerVersion">,
  atMs: number,
) {
  return { nodes: confirmedBy, ledger_version: String(ledgerVersion), at: instantText(atMs) };
}

export function anomalyText(anomaly: WalletAnomaly, decimals: number): string {
  switch (anomaly.kind) {
    case "fell":
      return `The balance fell by more than half at ${instantText(anomaly.atMs)}; it was ${tokenText(anomaly.from, decimals)} before.`;
    case "unreadable":
      return `It could not be read, the balance is an earlier one: ${anomaly.reason}.`;
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

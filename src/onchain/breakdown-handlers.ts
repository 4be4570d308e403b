import { memoOfLast } from "../base/memo.ts";
import { dayText, instantText } from "../base/utc.ts";
import type { BaseUnits } from "../chain/amount.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import type { Config } from "../config.ts";
import type { StakeParts } from "../families/chain-node.ts";
import type { Handler, Outcome } from "../http/handler.ts";
import { publicFor, tagged } from "../http/reply.ts";
import { stepAt } from "../supply/circulating.ts";
import { constantsAt } from "../supply/constants.ts";
import { type AmountView, amountView, percentText } from "../supply/representations.ts";
import type { Schedule } from "../supply/schedule.ts";
import { maxAgeAt } from "../supply/validity.ts";
import { isBurned, isOnChain, referenceOf, type Wallet, walletsOf } from "../supply/wallets.ts";
import type { CachedCopy } from "../swr/cached-copy.ts";
import { ageHeaders, type CachedValue, unavailable } from "../swr/cached-value.ts";
import { chainFigures, readingForFigures } from "./chain-figures.ts";
import { chainRows } from "./chain-rows.ts";
import { confirmationView } from "./confirmation.ts";
import { bucketRows } from "./cross-check.ts";
import { ledgerVersionHeader } from "./figure-handlers.ts";
import { type FigureResult, MISSING_RETRY_SECONDS } from "./figure-sums.ts";
import { amountDecimals, anomalyText, hasSeveralChains, type Reading, stateOf, toTokenUnits } from "./reading.ts";

/** Settings that a breakdown needs: the chains of the token. */
type TokenChains = Pick<Config, "chains">;

/** Handles `/api/supply-breakdown`. */
export function breakdownHandler(
  schedule: Schedule,
  source: TokenChains,
  readings: Pick<CachedCopy<Reading>, "read">,
): Handler {
  const outcomeOf = memoOfLast<Outcome>();
  return async (context) => {
    const newest = await readings.read(context);
    if (newest.kind === "unavailable") return unavailable("The supply breakdown is", newest);
    const { nowMs } = context;
    const current = newestWithAllSums(schedule, newest);
    // The requests of one second share a body, which may list a thousand wallets. Scheduled figures change at a second.
    const inputs = [newest.value, current.value, current.observedAtMs, Math.floor(nowMs / 1_000)];
    const outcome = outcomeOf(inputs, () => breakdownOutcome(schedule, source, current, newest.value, nowMs));
    if (outcome.kind !== "reply") return outcome;
    const headers = {
      ...outcome.headers,
      ...ageHeaders(current),
      ...ledgerVersionHeader(current.value),
      // The body has scheduled figures, which change at a step.
      "Cache-Control": publicFor(maxAgeAt(schedule, nowMs, current.policy.sharedSeconds)),
    };
    return { ...outcome, headers };
  };
}

/** Builds the reply without the fields that depend on its age; 503 while a sum is missing. */
function breakdownOutcome(
  schedule: Schedule,
  source: TokenChains,
  current: CachedValue<Reading>,
  newest: Reading,
  nowMs: number,
): Outcome {
  const view = breakdownView(schedule, source, current, newest, nowMs);
  const body = { ...view, chains: chainRows(schedule, source, newest) };
  const [reason] = Object.values(body.unavailable);
  if (reason === undefined)
    return tagged(`breakdown-${current.value.ledgerVersion}`, JSON.stringify(body), JSON_TYPE, {});
  const message = `The supply breakdown is incomplete: ${reason}.`;
  // The answer is 503: in version 1 of the API a sum is never null.
  return { kind: "unavailable", message, retryAfterSeconds: MISSING_RETRY_SECONDS, knownMembers: body };
}

/** Chooses the reading whose sums are served: the newest that has all sums, within its bound. */
export function newestWithAllSums(schedule: Schedule, newest: CachedValue<Reading>): CachedValue<Reading> {
  return readingForFigures(newest, (reading) => Object.values(sumsIn(schedule, reading)));
}

function sumsIn(schedule: Schedule, reading: Reading) {
  const { burned_supply, total_supply, non_circulating_supply, circulatingOrZero } = chainFigures(schedule)(reading);
  return { burned_supply, total_supply, non_circulating_supply, circulating_supply_on_chain: circulatingOrZero };
}

/**
 * Builds the body: sums, allocations compared with the schedule, and wallets with what is unusual about them. While a
 * chain is missing the sums come from the last complete round, and the wallets of the other chains are current.
 */
function breakdownView(
  schedule: Schedule,
  { chains: [{ chain: first }] }: TokenChains,
  current: CachedValue<Reading>,
  newest: Reading,
  nowMs: number,
) {
  const { value, observedAtMs } = current;
  const { token, revision } = schedule;
  const view = (amount: BaseUnits): AmountView => amountView(amount, token.decimals);
  const viewOf = (figure: FigureResult) => ("reason" in figure ? null : view(figure.baseUnits));
  const rows = Object.entries(sumsIn(schedule, value));
  const { minted_supply: minted, total_supply: total } = chainFigures(schedule)(value);
  const missing = rows.flatMap(([name, sum]) => ("reason" in sum ? [[name, sum.reason] as const] : []));
  const step = stepAt(schedule, nowMs);
  return {
    token,
    asset: first.asset.text,
    schedule_revision: revision,
    as_of: instantText(observedAtMs),
    ledger_version: String(value.ledgerVersion),
    // Absent in families whose versions have no block hash.
    block_hash: value.block,
    chain_id: value.block === undefined ? undefined : (first.chainId ?? undefined),
    confirmed_by: confirmationView(current),
    minted_supply: viewOf(minted) ?? undefined,
    ...Object.fromEntries(rows.map(([name, sum]) => [name, viewOf(sum)])),
    unavailable: Object.fromEntries(missing),
    circulating_supply_scheduled: step === undefined ? null : view(step.circulating),
    // True when no sum is missing, so no wallet is unreadable or on a chain that is not read.
    complete: missing.length === 0,
    buckets: bucketRows(schedule, value, nowMs).map(({ id, label, category, locked, onChain }) => ({
      id,
      label,
      category,
      locked_by_schedule: view(locked),
      held_on_chain: onChain === null ? null : view(onChain),
      difference: onChain === null ? null : view(onChain - locked),
    })),
    constants: constantsAt(schedule, value.readAtMs).map(({ label, category, amount, source, fromMs }) => ({
      label,
      category,
      amount: view(amount),
      source,
      date: dayText(fromMs),
    })),
    non_circulating_wallets: walletsOf(schedule).map((wallet) =>
      walletView(schedule, wallet, hasSeveralChains(newest) ? newest : value, newest, total),
    ),
  };
}

function walletView(schedule: Schedule, wallet: Wallet, reading: Reading, newest: Reading, total: FigureResult) {
  const { decimals } = schedule.token;
  const state = stateOf(wallet, reading.wallets);
  const balance = state?.balance ?? null;
  const newestAnomaly = stateOf(wallet, newest.wallets)?.anomaly;
  const anomaly = newestAnomaly?.kind === "unreadable" ? newestAnomaly : (state?.anomaly ?? null);
  const view = (units: BaseUnits) => amountView(toTokenUnits(units, reading), decimals);
  const amount = balance && view(balance.baseUnits);
  return {
    // Version 1 of the API has a string here, so a wallet without an allocation has "".
    bucket: wallet.bucket ?? "",
    category: wallet.category,
    chain: wallet.chain,
    address: wallet.address,
    label: wallet.label,
    holds: wallet.holds,
    ...referenceOf(wallet),
    verification: isOnChain(schedule)(wallet) ? "on_chain" : "unverified",
    balance: amount,
    stake: balance?.stake ? stakeView(balance.stake, view) : null,
    percentage_of_total_supply:
      balance === null || isBurned(wallet) || "reason" in total
        ? null
        : percentText(toTokenUnits(balance.baseUnits, reading), total.baseUnits),
    anomaly: anomaly !== null,
    anomaly_reason: anomalyText({ anomaly, balance }, amountDecimals(reading)),
    observed_balance: anomaly?.kind === "dropped" ? amount : null,
    ledger_version: balance && String(balance.ledgerVersion),
    last_updated: balance && instantText(balance.readAtMs),
  };
}

function stakeView(
  { active, inactive, pendingActive, pendingInactive }: StakeParts,
  view: (amount: BaseUnits) => AmountView,
) {
  return {
    active: view(active),
    inactive: view(inactive),
    pending_active: view(pendingActive),
    pending_inactive: view(pendingInactive),
  };
}

import { NATIVE_STAKING } from "../chain/staking.ts";
import { familyOf } from "../families/family.ts";
import { FIGURES, whyNotOffered } from "../figures.ts";
import { evaluateHealth, type FigureState, type Health } from "../health/report.ts";
import type { MakeStakingProduct } from "../home/staking.ts";
import { type ChainFigures, chainFigures, readingForFigures } from "../onchain/chain-figures.ts";
import { confirmationView } from "../onchain/confirmation.ts";
import { figureProblems, scheduleEnded } from "../onchain/cross-check.ts";
import { type Reading, whyIncomplete } from "../onchain/reading.ts";
import type { Problem } from "../problems.ts";
import { type Product, staleProblem } from "../rates/product.ts";
import { capabilitiesOf, settingsCapabilities } from "../supply/capabilities.ts";
import { hasDayPhases } from "../supply/circulating.ts";
import { hasUnlocks, type Schedule } from "../supply/schedule.ts";
import { walletsOf } from "../supply/wallets.ts";
import type { CachedValue, FreshnessPolicy, Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { type Copies, type FigurePorts, readCurrent } from "./copies.ts";

type CurrentValue<T> = CachedValue<T> | Unavailable | undefined;

/** Makes the function that reads everything health depends on, in parallel. */
export function healthOf(ports: FigurePorts, copies: Copies, stakingProduct: MakeStakingProduct) {
  const { schedule, config } = ports;
  const capabilities = capabilitiesOf(settingsCapabilities(config), schedule);
  // A figure that the deployment does not have is neither right nor wrong.
  const isOffered = (name: (typeof FIGURES)[number]["name"]): boolean =>
    FIGURES.some((row) => row.name === name && whyNotOffered(row, capabilities) === null);
  // Without wallets the breakdown would repeat the total. With a wallet on a chain that is not read, there is no
  // breakdown.
  const hasBreakdown = walletsOf(schedule).length > 0 && capabilities.walletsOnChain && capabilities.everyChain;
  return async (when: RequestTime, cf?: object): Promise<Health> => {
    const [[reading, stableReading, listing], nodes, tipRead, limiter] = await Promise.all([
      readCurrent(copies, when),
      config.chainSource === "none" ? null : ports.upstreamHealth(),
      ports.readTip(cf, when.waitUntil),
      ports.limiterState(),
    ]);
    const { nowMs } = when;
    const figures: FigureState[] = [
      ...publishedStates(schedule, nowMs),
      ...(capabilities.unlocks || !isOffered("circulating_supply")
        ? []
        : stateOf(
            "circulating_supply",
            copies.native?.policy,
            readingWithSums(["circulating_supply_on_chain"], schedule, reading),
            confirmationView,
          )),
      ...(isOffered("total_supply")
        ? stateOf(
            "total_supply",
            copies.native?.policy,
            readingWithSums(["total_supply"], schedule, reading),
            confirmationView,
          )
        : []),
      ...stateOf("stable_supply", copies.stable?.policy, stableReading, confirmationView),
      ...stateOf("rates", copies.listing?.policy, listing),
      ...(hasBreakdown
        ? stateOf(
            "supply_breakdown",
            copies.native?.policy,
            readingWithSums(["total_supply", "non_circulating_supply"], schedule, reading),
            confirmationView,
          )
        : []),
    ];
    return evaluateHealth({
      upstreams: nodes?.upstreams ?? [],
      chainReplaced: nodes?.chainReplaced ?? null,
      disagreements: nodes?.disagreements ?? [],
      storeRefusedAtMs: nodes?.storeRefusedAtMs ?? null,
      damagedTables: nodes?.damagedTables ?? [],
      nowMs,
      versionWord: familyOf(config.chains[0].chain.family).versionWord,
      figures,
      tipRead,
      nativeStaking: nativeStakingOf(config, reading, listing, stakingProduct),
      limiterObjects: limiter.limiterObjects,
      fullLimiters: limiter.fullLimiters,
      figureProblems: [
        ...(reading?.kind === "cached"
          ? figureProblems(schedule, nowMs, reading.value, config.planToleranceBasisPoints)
          : []),
        ...scheduleEnded(schedule, nowMs),
        ...staleRates(listing, nowMs),
      ],
    });
  };
}

/** Lists the states of figures that need only the schedule file; these never grow old. */
function publishedStates(schedule: Schedule, nowMs: number): FigureState[] {
  const fixed = { ageSeconds: 0, boundSeconds: null, error: null };
  const states: FigureState[] = schedule.maxSupply === null ? [] : [{ ...fixed, name: "max_supply" }];
  if (!hasUnlocks(schedule)) return states;
  const pending = nowMs < schedule.calendar.startMs;
  const names = ["circulating_supply", ...(hasDayPhases(schedule) ? ["circulating_supply_daily"] : [])] as const;
  return [...states, ...names.map((name) => ({ ...fixed, name, ageSeconds: pending ? null : 0, pending }))];
}

/** Finds a listing that can be read and has nothing new. A listing that cannot be read is another problem. */
function staleRates(listing: CurrentValue<readonly Product[]>, nowMs: number): Problem[] {
  const isRead = listing?.kind === "cached" && listing.error === null;
  const message = isRead ? staleProblem(listing.value, nowMs) : null;
  return message === null ? [] : [{ code: "rates_stale", subject: "rates", message }];
}

/**
 * Chooses the newest reading in which all these sums are known; if there is none, returns the reason why the first is
 * not.
 */
function readingWithSums(names: readonly (keyof ChainFigures)[], schedule: Schedule, newest: CurrentValue<Reading>) {
  if (newest?.kind !== "cached") return newest;
  const sumsIn = (reading: Reading) => names.map((name) => chainFigures(schedule)(reading)[name]);
  const current = readingForFigures(newest, sumsIn);
  const missing = sumsIn(current.value).find((sum) => "reason" in sum);
  // While a chain is missing, the sums come from an earlier round, which health must show as an error.
  return missing ?? { ...current, error: current.error ?? whyIncomplete(newest.value) ?? null };
}

/** Makes the state of a figure; an empty list if this deployment does not have the figure. */
function stateOf<T>(
  name: string,
  policy: FreshnessPolicy | undefined,
  current: CurrentValue<T>,
  confirmation?: (current: CachedValue<T>) => FigureState["confirmedBy"],
): FigureState[] {
  if (policy === undefined || current === undefined) return [];
  const boundSeconds = policy.maxStaleSeconds;
  if (current.kind === "unavailable") return [{ name, boundSeconds, ageSeconds: null, error: current.reason }];
  const { ageSeconds, error, unconfirmed } = current;
  return [{ name, boundSeconds, ageSeconds, error, unconfirmed, confirmedBy: confirmation?.(current) ?? null }];
}

/** Finds the source of the native staking product that is served. */
function nativeStakingOf(
  { staking }: FigurePorts["config"],
  reading: CurrentValue<Reading>,
  listing: CurrentValue<readonly Product[]>,
  stakingProduct: MakeStakingProduct,
): Health["nativeStaking"] {
  if (listing?.kind === "cached" && listing.value.some(({ id }) => id === NATIVE_STAKING))
    return { source: "listing", reason: `the listing has a product ${NATIVE_STAKING} of its own` };
  if (!staking || reading === undefined) return { source: null, reason: "this deployment does not read it" };
  const found = reading.kind === "cached" ? stakingProduct(reading.value) : reading.reason;
  return typeof found === "string" ? { source: null, reason: found } : { source: "chain", reason: null };
}

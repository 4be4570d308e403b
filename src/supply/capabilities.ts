import type { Config, ConfigResult } from "../config.ts";
import type { Capabilities } from "../figures.ts";
import { hasUnwatchedLocks, isPlanWatched } from "./above-plan.ts";
import { hasDayPhases } from "./circulating.ts";
import { hasUnlocks, type Schedule } from "./schedule.ts";
import { sharePricesRead } from "./share-prices.ts";
import { isBurned, isOnChain, walletsOf } from "./wallets.ts";

/** Capabilities that follow from the settings; the others follow from the schedule. */
export type SettingsCapabilities = Omit<
  Capabilities,
  | "unlocks"
  | "dayPhases"
  | "maximum"
  | "wallets"
  | "watchedPlan"
  | "unwatchedLocks"
  | "walletsOnChain"
  | "bridged"
  | "burnWallets"
  | "mintedOnce"
>;

export function settingsCapabilities({
  chainSource,
  listingSource,
  staking,
  assets: { stable },
  chains,
}: Config): SettingsCapabilities {
  return {
    chain: chainSource !== "none",
    stableToken: stable !== null,
    staking,
    yields: listingSource !== "none" || staking,
    everyChain: chains.slice(1).every(({ nodeUrls }) => nodeUrls.length > 0),
  };
}

/** Checks that the settings can serve the schedule file; otherwise they become problems. */
export function settingsFor(schedule: Schedule, parsed: ConfigResult): ConfigResult {
  if (parsed.kind === "problems") return parsed;
  const problem = missingChain(schedule, { chain: parsed.config.chainSource !== "none" });
  return problem === null ? parsed : { kind: "problems", problems: [problem], policies: parsed.config.policies };
}

/** States why a schedule file cannot be served with these capabilities; null when it can. */
export function missingChain(schedule: Schedule, { chain }: Pick<Capabilities, "chain">): string | null {
  if (chain || hasUnlocks(schedule)) return null;
  return "NODE_URLS is none, and the schedule file lists wallets alone, whose figures only a chain has; name the chain's nodes";
}

export function capabilitiesOf(settings: SettingsCapabilities, schedule: Schedule): Capabilities {
  const listed = walletsOf(schedule);
  return {
    ...settings,
    yields: settings.yields || sharePricesRead(schedule, settings).length > 0,
    unlocks: hasUnlocks(schedule),
    dayPhases: hasDayPhases(schedule),
    maximum: schedule.maxSupply !== null,
    // In a file of wallets alone, an empty list is a statement too: nothing is held back.
    wallets: !hasUnlocks(schedule) || listed.some((wallet) => !isBurned(wallet)),
    watchedPlan: isPlanWatched(schedule),
    unwatchedLocks: hasUnwatchedLocks(schedule),
    walletsOnChain: listed.every(isOnChain(schedule)),
    bridged: (schedule.chains ?? []).some(({ escrow }) => escrow !== null),
    burnWallets: listed.some(isBurned) || (schedule.constants ?? []).some(isBurned),
    mintedOnce: schedule.mintedOnce ?? false,
  };
}

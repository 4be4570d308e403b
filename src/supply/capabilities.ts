import type { Config } from "../config.ts";
import type { Capabilities } from "../figures.ts";
import { isPlanWatched } from "./above-plan.ts";
import type { Schedule } from "./schedule.ts";
import { isBurned, isOnChain, walletsOf } from "./wallets.ts";

/** Capabilities that the settings decide; the others follow from the schedule. */
export type SettingsCapabilities = Omit<
  Capabilities,
  "wallets" | "watchedPlan" | "walletsOnChain" | "bridged" | "burnWallets"
>;

export function settingsCapabilities({
  chain,
  listing,
  staking,
  assets: { stable },
  chains,
}: Config): SettingsCapabilities {
  return {
    chain: chain !== "none",
    stableToken: stable !== null,
    staking,
    yields: listing !== "none" || staking,
    everyChain: chains.slice(1).every(({ nodeUrls }) => nodeUrls.length > 0),
  };
}

export function capabilitiesOf(settings: SettingsCapabilities, schedule: Schedule): Capabilities {
  const listed = walletsOf(schedule);
  return {
    ...settings,
    wallets: listed.some((wallet) => !isBurned(wallet)),
    watchedPlan: isPlanWatched(schedule),
    walletsOnChain: listed.every(isOnChain(schedule)),
    bridged: (schedule.chains ?? []).some(({ escrow }) => escrow !== null),
    burnWallets: listed.some(isBurned),
  };
}

import type { Config } from "../config.ts";
import type { Offer } from "../figures.ts";
import { isPlanWatched } from "./above-plan.ts";
import type { Schedule } from "./schedule.ts";
import { isBurned, isOnChain, walletsOf } from "./wallets.ts";

/** The part of an offer that settings decide; the other part follows from the schedule. */
export type SettingsOffer = Omit<Offer, "wallets" | "watchedPlan" | "walletsOnChain" | "bridged" | "burnWallets">;

export function settingsOffer({ chain, listing, staking, assets: { stable }, chains }: Config): SettingsOffer {
  return {
    chain: chain !== "none",
    stableToken: stable !== null,
    staking,
    yields: listing !== "none" || staking,
    everyChain: chains.slice(1).every(({ nodeUrls }) => nodeUrls.length > 0),
  };
}

export function offerOf(settings: SettingsOffer, schedule: Schedule): Offer {
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

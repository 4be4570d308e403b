import type { Config } from "../config.ts";
import type { Offer } from "../figures.ts";
import type { Schedule } from "./schedule.ts";
import { isBurned, isOnChain, walletsOf } from "./wallets.ts";

/** The part of an offer that settings decide; the other part follows from the schedule. */
export type SettingsOffer = Omit<Offer, "wallets" | "walletsOnChain" | "burnWallets">;

export function settingsOffer({ chain, listing, staking, assets: { stable } }: Config): SettingsOffer {
  return { chain: chain !== "none", stableToken: stable !== null, staking, yields: listing !== "none" || staking };
}

export function offerOf(settings: SettingsOffer, schedule: Schedule): Offer {
  const listed = walletsOf(schedule);
  return {
    ...settings,
    wallets: listed.some((wallet) => !isBurned(wallet)),
    walletsOnChain: listed.every(isOnChain),
    burnWallets: listed.some(isBurned),
  };
}

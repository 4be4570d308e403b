import { FIGURES } from "../../src/figures.ts";
import { capabilitiesOf } from "../../src/supply/capabilities.ts";
import { BURN, type Schedule } from "../../src/supply/schedule.ts";
import { holdingKey, walletsOf } from "../../src/supply/wallets.ts";
import { ALL_PARTS } from "../lib/parts.ts";

/** Figures on chain that the change from one schedule to the other may move, as named in their paths. */
export function movedFigures(before: Schedule, after: Schedule, movesPlan: boolean): readonly string[] {
  const amountKeys = (schedule: Schedule, isCounted: (category: string) => boolean): string =>
    [
      ...walletsOf(schedule)
        .filter(({ category }) => isCounted(category))
        .map(holdingKey),
      ...(schedule.constants ?? [])
        .filter(({ category }) => isCounted(category))
        .map(({ amount, fromMs }) => `${amount} ${fromMs}`),
    ]
      .sort()
      .join();
  const differ = (isCounted: (category: string) => boolean): boolean =>
    amountKeys(before, isCounted) !== amountKeys(after, isCounted);
  const offers = [before, after].map((schedule) => capabilitiesOf(ALL_PARTS, schedule));
  const [movesWallets, movesBurned] = [differ(() => true), differ((category) => category === BURN)];
  const movesMinted = before.mintedOnce !== after.mintedOnce || before.maxSupply !== after.maxSupply;
  return FIGURES.flatMap((row) => {
    const needs: readonly string[] = "needs" in row ? row.needs : [];
    const moves =
      (movesWallets && needs.includes("wallets")) ||
      (movesPlan && (needs.includes("watchedPlan") || needs.includes("unwatchedLocks"))) ||
      (movesMinted && needs.includes("mintedOnce")) ||
      (movesBurned && (needs.includes("burnWallets") || row.name === "total_supply"));
    const isOffered = offers.some((offer) =>
      Object.entries(offer).every(([name, has]) => has || !needs.includes(name)),
    );
    return moves && isOffered ? [row.name.replaceAll("_", "-")] : [];
  });
}

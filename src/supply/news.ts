import { dayText, parseDay } from "../base/utc.ts";
import { type BaseUnits, groupedTokens, tokenText } from "../chain/amount.ts";
import { stepMs } from "./calendar.ts";
import { percentText } from "./representations.ts";
import { hasUnlocks, type Schedule, type UnlockSchedule } from "./schedule.ts";
import { isRestated, unlockEvents } from "./unlock-events.ts";

const MAX_UNLOCKS = 12;

/** Lists the current revision and the most recent unlocks as feed entries. Future events are not listed. */
export function scheduleNews(schedule: Schedule, nowMs: number) {
  const { revision, publishedAt, token, sources } = schedule;
  const publishedAtMs = parseDay(publishedAt) ?? 0;
  const { what, link, notes, unlocks } = hasUnlocks(schedule) ? unlockNews(schedule, nowMs) : WALLET_NEWS;
  const news = {
    id: `revision/${revision}`,
    title: `${token.symbol} ${what}, revision ${revision}`,
    updatedAtMs: publishedAtMs,
    summary: `Published on ${publishedAt}; sources: ${sources.map(({ url }) => url).join(", ")}.${notes}`,
    link,
  };
  return [...(publishedAtMs <= nowMs ? [news] : []), ...unlocks];
}

/** Texts for wallets alone, which have revisions and no unlocks. */
const WALLET_NEWS = { what: "wallet list", link: "/api/supply-breakdown", notes: "", unlocks: [] } as const;

function unlockNews(schedule: UnlockSchedule, nowMs: number) {
  const { token } = schedule;
  const past = unlockEvents(schedule).filter(({ atMs }) => atMs <= nowMs);
  const unlocks = past.slice(-MAX_UNLOCKS).map(({ atMs, amount, cumulative }) => ({
    id: `unlock/${dayText(atMs)}`,
    title: eventTitle(schedule, amount, "unlocked"),
    updatedAtMs: atMs,
    summary: `${tokenText(cumulative, token.decimals)} ${token.symbol} circulate since ${dayText(atMs)}.`,
    link: `/api/unlock-events?from=${dayText(atMs)}&to=${dayText(atMs)}`,
  }));
  return { what: "unlock schedule", link: "/api/unlock-schedule", notes: adjustmentNotes(schedule), unlocks };
}

/** Writes the title of an event. A burn or another adjustment is written as "removed", not as a negative unlock. */
export function eventTitle(
  { token, maxSupply }: UnlockSchedule,
  change: BaseUnits,
  unlock: "unlock" | "unlocked",
): string {
  const [amount, verb] = change < 0n ? [-change, "removed"] : [change, unlock];
  const share = percentText(amount, maxSupply);
  return `${groupedTokens(amount, token.decimals)} ${token.symbol} ${verb} (${share} % of the maximum)`;
}

const MAX_ADJUSTMENTS = 5;

/** Describes the newest adjustments: their start, and whether they changed published months. */
function adjustmentNotes(schedule: UnlockSchedule): string {
  const { adjustments, calendar, token } = schedule;
  const newest = adjustments.slice(-MAX_ADJUSTMENTS).map((adjustment) => {
    const { bucket, delta, kind, index } = adjustment;
    const restated = isRestated(schedule, adjustment);
    const past =
      restated === null ? "" : restated ? ", which changes published months" : ", no published month changes";
    return ` ${kind}: ${tokenText(delta, token.decimals)} ${token.symbol} of ${bucket} from ${dayText(stepMs(calendar, index))} on${past}.`;
  });
  const more = adjustments.length - newest.length;
  return newest.join("") + (more > 0 ? ` And ${more} earlier adjustments.` : "");
}

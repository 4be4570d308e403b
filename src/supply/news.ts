import { titleTokens, tokenText } from "../chain/amount.ts";
import { dayText, parseDay } from "../utc.ts";
import { percentText } from "./representations.ts";
import type { Schedule } from "./schedule.ts";
import { unlockEvents } from "./unlock-events.ts";

const MAX_UNLOCKS = 12;

/** The current revision and the most recent unlocks, as entries of the feed. No future events. */
export function scheduleNews(schedule: Schedule, nowMs: number) {
  const { revision, publishedAt, token, maxSupply, sources, adjustments } = schedule;
  const publishedAtMs = parseDay(publishedAt) ?? 0;
  const notes = adjustments.length === 0 ? "" : ` It has ${adjustments.length} adjustments of the published past.`;
  const news = {
    id: `revision/${revision}`,
    title: `${token.symbol} unlock schedule, revision ${revision}`,
    updatedAtMs: publishedAtMs,
    summary: `Published on ${publishedAt}; sources: ${sources.map(({ url }) => url).join(", ")}.${notes}`,
    link: "/api/unlock-schedule",
  };
  const past = unlockEvents(schedule).filter(({ atMs }) => atMs <= nowMs);
  const unlocks = past.slice(-MAX_UNLOCKS).map(({ atMs, amount, cumulative }) => ({
    id: `unlock/${dayText(atMs)}`,
    title: `${titleTokens(amount, token.decimals)} ${token.symbol} unlocked (${percentText(amount, maxSupply)} % of the maximum)`,
    updatedAtMs: atMs,
    summary: `${tokenText(cumulative, token.decimals)} ${token.symbol} circulate since ${dayText(atMs)}.`,
    link: `/api/unlock-events?from=${dayText(atMs)}&to=${dayText(atMs)}`,
  }));
  return [...(publishedAtMs <= nowMs ? [news] : []), ...unlocks];
}

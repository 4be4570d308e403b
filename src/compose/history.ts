import { recordedFigures } from "../home/day.ts";
import { historyRoutes } from "../home/history/history-handlers.ts";
import type { GetRoute } from "../http/handler.ts";
import { publicFor } from "../http/reply.ts";
import { feedRoutes } from "../publish/feed/feed-handlers.ts";
import type { ProductCatalog } from "../rates/published.ts";
import { identityOf } from "../supply/identity.ts";
import { scheduleNews } from "../supply/news.ts";
import { maxAgeAt } from "../supply/validity.ts";
import { type Copies, type FigurePorts, readCurrent } from "./copies.ts";

/** Wires the daily history and the feed, which also reports changes of health. */
export function historyAndFeed(ports: FigurePorts, copies: Copies, offered: ProductCatalog | null): GetRoute[] {
  const { schedule, config, history, backfill, corrections, pause } = ports;
  const { series, notOffered } = recordedFigures(schedule, config);
  return [
    ...historyRoutes({
      store: history,
      readToday: (when) => readCurrent(copies, when),
      series,
      notOffered,
      hasSeveralChains: config.chains.length > 1,
      backfill,
      corrections,
      findProduct: offered?.find ?? null,
      pause,
    }),
    ...feedRoutes({
      name: JSON.stringify([config.deployment, identityOf(schedule)]),
      title: `${schedule.token.name} (${schedule.token.symbol}) supply`,
      entries: async ({ nowMs }) => [...scheduleNews(schedule, nowMs), ...(await healthEntries(ports))],
      cacheControl: (nowMs) => publicFor(maxAgeAt(schedule, nowMs)),
    }),
  ];
}

const MAX_HEALTH_ENTRIES = 20;

async function healthEntries({ history }: FigurePorts) {
  const changes = (await history.healthChanges(MAX_HEALTH_ENTRIES)) ?? [];
  return changes.map(({ atMs, status, reason }) => ({
    id: `health/${atMs}`,
    title: `Service health: ${status}`,
    updatedAtMs: atMs,
    summary: reason,
    link: "/api/health",
  }));
}

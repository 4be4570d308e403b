import type { RequestTime } from "../swr/loader.ts";
import { dayText } from "../utc.ts";
import type { FigureRow, RateRow } from "./rows.ts";
import type { HistoryStore } from "./stored-history.ts";

/** The currently known rows, each dated by its own reading. */
export interface KnownRows {
  readonly figures: readonly FigureRow[];
  readonly rates: readonly RateRow[];
  /** false: something could not be read and must be retried. */
  readonly complete: boolean;
}

export interface RecorderPorts {
  readonly store: HistoryStore;
  readonly read: (when: RequestTime) => Promise<KnownRows>;
}

/** Minimum interval between attempts of one isolate to complete a day on request; the hourly check always tries. */
const RETRY_MS = 60_000;

/** Records today's readings once; repetition is safe, because the store keeps the first reading of a day. */
export function recorderOf({ store, read }: RecorderPorts) {
  let completeDay = "";
  let triedAtMs = Number.NEGATIVE_INFINITY;
  /** false: the store does not answer, or does not accept the day. */
  const record = async (when: RequestTime): Promise<boolean> => {
    const today = dayText(when.nowMs);
    triedAtMs = when.nowMs;
    const { figures, rates, complete } = await read(when);
    const isToday = ({ day }: { readonly day: string }): boolean => day === today;
    const [figuresToday, ratesToday] = [figures.filter(isToday), rates.filter(isToday)];
    if (figuresToday.length + ratesToday.length === 0) return true;
    const isAccepted = await store.record(today, figuresToday, ratesToday);
    const everything = complete && figuresToday.length === figures.length && ratesToday.length === rates.length;
    if (isAccepted && everything) completeDay = today;
    return isAccepted === true;
  };
  /** Like `record`, unless this isolate has completed the day or tried recently. */
  const recordIfDue = async (when: RequestTime): Promise<void> => {
    const isRecent = Math.abs(when.nowMs - triedAtMs) < RETRY_MS;
    if (completeDay !== dayText(when.nowMs) && !isRecent) await record(when);
  };
  return { record, recordIfDue };
}

export type Recorder = ReturnType<typeof recorderOf>;

import type { RequestTime } from "../swr/loader.ts";
import { dayText } from "../utc.ts";
import type { FigureRow, HistoryStore, RateRow } from "./rows.ts";

/** The currently known rows, each dated by its own reading. */
export interface Readings {
  readonly figures: readonly FigureRow[];
  readonly rates: readonly RateRow[];
  /** false: something could not be read and must be retried. */
  readonly complete: boolean;
}

export interface RecorderPorts {
  readonly store: HistoryStore;
  readonly read: (when: RequestTime) => Promise<Readings>;
}

/** Minimum interval between attempts of one isolate to complete a day on request; the hourly check always tries. */
const RETRY_MS = 60_000;

/** Records today's readings once; {@link HistoryStore.record} makes repetition safe. */
export class Recorder {
  readonly #ports: RecorderPorts;
  #completeDay = "";
  #triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
  }

  async record(when: RequestTime): Promise<void> {
    const { store, read } = this.#ports;
    const today = dayText(when.nowMs);
    this.#triedAtMs = when.nowMs;
    const { figures, rates, complete } = await read(when);
    const isToday = ({ day }: { readonly day: string }): boolean => day === today;
    const [figuresToday, ratesToday] = [figures.filter(isToday), rates.filter(isToday)];
    if (figuresToday.length + ratesToday.length === 0) return;
    const recorded = await store.record(today, figuresToday, ratesToday);
    const everything = complete && figuresToday.length === figures.length && ratesToday.length === rates.length;
    if (recorded !== null && everything) this.#completeDay = today;
  }

  /** Like {@link record}, unless this isolate has completed the day or tried recently. */
  async recordIfDue(when: RequestTime): Promise<void> {
    const isRecent = Math.abs(when.nowMs - this.#triedAtMs) < RETRY_MS;
    if (this.#completeDay === dayText(when.nowMs) || isRecent) return;
    await this.record(when);
  }
}

import type { RequestTime } from "../swr/swr-value.ts";
import { dayOf, type FigureRow, type HistoryStore, type RateRow } from "./rows.ts";

/** What is known now, each row dated by its own reading. */
export interface Readings {
  readonly figures: readonly FigureRow[];
  readonly rates: readonly RateRow[];
  /** false: something could not be read, and is tried again. */
  readonly complete: boolean;
}

export interface RecorderPorts {
  readonly store: HistoryStore;
  readonly read: (when: RequestTime) => Promise<Readings>;
}

/** How often one isolate tries to complete a day on request; the hourly check always tries. */
const RETRY_MS = 60_000;

/** Records today's readings once; see {@link HistoryStore.record} for what makes that safe to repeat. */
export class Recorder {
  readonly #ports: RecorderPorts;
  #completeDay = "";
  #triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
  }

  async record(when: RequestTime): Promise<void> {
    const { store, read } = this.#ports;
    const today = dayOf(when.nowMs);
    this.#triedAtMs = when.nowMs;
    const { figures, rates, complete } = await read(when);
    const isToday = ({ day }: { readonly day: string }): boolean => day === today;
    const [figuresToday, ratesToday] = [figures.filter(isToday), rates.filter(isToday)];
    if (figuresToday.length + ratesToday.length === 0) return;
    const recorded = await store.record(today, figuresToday, ratesToday);
    const everything = complete && figuresToday.length === figures.length && ratesToday.length === rates.length;
    if (recorded !== null && everything) this.#completeDay = today;
  }

  /** The same, unless this isolate has completed the day or tried a moment ago. */
  async recordIfDue(when: RequestTime): Promise<void> {
    const isRecent = Math.abs(when.nowMs - this.#triedAtMs) < RETRY_MS;
    if (this.#completeDay === dayOf(when.nowMs) || isRecent) return;
    await this.record(when);
  }
}

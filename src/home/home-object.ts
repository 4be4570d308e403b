import { DurableObject } from "cloudflare:workers";
import { ratesMapping, schedule } from "../../dist/schedule.js";
import { parseStored, storedText } from "../base/json.ts";
import { logTo } from "../base/log.ts";
import { BoundedMap } from "../base/memo.ts";
import type { Environment } from "../base/settings.ts";
import { after, now, sleep } from "../base/timers.ts";
import { type Chain, type ChainReport, chainAfterReport, chainForSettings } from "../chain/chain-record.ts";
import type { NodesAndStoreReport } from "../chain/upstream-report.ts";
import { type Config, parseConfig, userAgentOf } from "../config.ts";
import { type EmbeddedNodeBinding, furtherSendersOf, sendersOf } from "../gateway/platform.ts";
import { ASSETS_ORIGIN, assetReader } from "../http/assets.ts";
import { listingDownloader } from "../rates/fetch-listing.ts";
import type { StoredText } from "../swr/loader.ts";
import type { ReadMode, SharedAnswer } from "../swr/shared-value.ts";
import { ClockMonitor } from "./clock-monitor.ts";
import { GuardedStore, MAX_VALUE_CHARACTERS, NO_WRITES, type WriteState } from "./guarded-store.ts";
import { builtListReader } from "./history/built-lists.ts";
import type { Days, HealthChange, RateRow, RecordedFigureRow } from "./history/rows.ts";
import { HISTORY_TABLES, HistoryTables } from "./history-tables.ts";
import { SharedReadings, type SharedValues } from "./readings.ts";
import { Tables } from "./tables.ts";
import { WatchedChain, type WatchedChainPorts } from "./watched-chain.ts";

export interface HomeBindings extends Environment, EmbeddedNodeBinding {
  readonly ASSETS?: Fetcher;
}

const TABLES = {
  last_good: { columns: "name TEXT PRIMARY KEY, stored_at_ms INTEGER NOT NULL, value TEXT NOT NULL" },
  fact: { columns: "name TEXT PRIMARY KEY, value TEXT NOT NULL" },
  health_change: { columns: "at_ms INTEGER PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL" },
  full_limiter: { columns: "object TEXT PRIMARY KEY, at_ms INTEGER NOT NULL" },
  ...HISTORY_TABLES,
} as const;

/** Name under which the chain is stored; its number is raised when the stored form changes. */
const CHAIN = "chain-2";
const MAX_LAST_GOOD = 64;
const MAX_HEALTH_CHANGES = 100;
/** How long health shows a limiter object that has reported a full table. */
const FULL_SHOWN_MS = 600_000;

const log = logTo(console);
/** States of the stores of this isolate's objects, by object id; they outlive the objects. */
const STORES = new BoundedMap<string, { readonly writes: WriteState; readonly damaged: Set<string> }>(64);

/**
 * The one Durable Object of a deployment. It reads chains and listings for all regions, so that all serve one reading.
 * It stores last good values, the chain behind the upstreams, the daily history, changes of health and reports of full
 * limiter objects.
 */
export class Home extends DurableObject<HomeBindings> {
  readonly #config: Config;
  readonly #ports: WatchedChainPorts;
  readonly #clock = new ClockMonitor();
  readonly #store: GuardedStore;
  readonly #tables: Tables<keyof typeof TABLES>;
  readonly #history: HistoryTables;
  readonly #readings: SharedReadings;
  #chain: Chain | null;
  #writtenChain: Chain | null;
  /** Chain of the current era with its nodes and readings; a new era starts with a new one. */
  #watched: WatchedChain;

  constructor(ctx: DurableObjectState, env: HomeBindings) {
    super(ctx, env);
    const parsed = parseConfig(env, schedule.chains);
    if (parsed.kind === "problems") throw new Error("misconfigured");
    const { config } = parsed;
    this.#config = config;
    const id = ctx.id.toString();
    const { writes, damaged } = STORES.get(id) ?? { writes: { ...NO_WRITES }, damaged: new Set() };
    STORES.set(id, { writes, damaged });
    const background = (work: Promise<unknown>) => ctx.waitUntil(work);
    this.#store = new GuardedStore({ memory: writes, sync: () => ctx.storage.sync(), now, log, background });
    const write = (work: () => void) => this.#store.write(work);
    this.#tables = new Tables({ sql: ctx.storage.sql, definitions: TABLES, damaged, write, now, log });
    this.#chain = this.#writtenChain = this.#storedChain();
    const { senders, send } = sendersOf(env, config);
    const load = (name: string) => this.lastGood(name);
    // A reading is accepted before it is saved: a write that fails would end every reply that waits for it.
    const afterReplies = (work: () => void) => background(sleep(0).then(work));
    const save: WatchedChainPorts["save"] = (...value) => afterReplies(() => this.putLastGood(...value));
    const report: WatchedChainPorts["report"] = (evidence) => this.chain(evidence);
    this.#ports = {
      config,
      schedule,
      senders,
      send,
      now,
      sleep,
      after,
      log,
      background,
      report,
      load,
      save,
      furtherNodes: furtherSendersOf(config),
    };
    this.#watched = new WatchedChain(this.chain(null).era, this.#ports);
    this.#history = new HistoryTables(this.#tables, write, config.chains[0].chain.chainId);
    const readAsset = assetReader((path) => env.ASSETS?.fetch(ASSETS_ORIGIN + path, { redirect: "manual" }));
    this.#readings = new SharedReadings({
      config,
      schedule,
      history: this.#history,
      load,
      save,
      now,
      log,
      background,
      afterReplies,
      readers: () => this.#currentChain().readers,
      // The embedded node's listing is in our format.
      ratesMapping: config.ratesUrl === null ? null : ratesMapping,
      fetchListing: listingDownloader({
        // Without a URL the listing comes from the embedded node.
        fetchSource: async (url, init) =>
          url === null ? env.NODE?.fetch("http://node/rates", init) : fetch(url, init),
        later: (run, delayMs) => after(delayMs, run),
        userAgent: userAgentOf(config),
        url: config.ratesUrl,
      }),
      corrections: builtListReader(readAsset, "/documents/history-corrections.json"),
      pricesBackfill: builtListReader(readAsset, "/documents/history-prices.json"),
    });
  }

  lastGood(name: string): StoredText | null {
    const query = "SELECT value, stored_at_ms AS storedAtMs FROM last_good WHERE name = ?";
    return this.#tables.rowsOrNone<StoredText>("last_good", query, name)[0] ?? null;
  }

  /** Stores a value and deletes the oldest beyond the limit. A value that is too large is not stored. */
  putLastGood(name: string, value: string, storedAtMs: number): void {
    if (value.length > MAX_VALUE_CHARACTERS) {
      log("value_too_large", { name, characters: value.length });
      return;
    }
    this.#store.write(() => {
      const insert = "INSERT OR REPLACE INTO last_good (name, stored_at_ms, value) VALUES (?, ?, ?)";
      this.#tables.run("last_good", insert, name, storedAtMs, value);
      this.#tables.run(
        "last_good",
        "DELETE FROM last_good WHERE name NOT IN (SELECT name FROM last_good ORDER BY stored_at_ms DESC LIMIT ?)",
        MAX_LAST_GOOD,
      );
    });
  }

  /** Records a report about the chain, and returns the current chain. null: nothing to report. */
  chain(report: ChainReport | null): Chain {
    const before = this.#chain;
    const { chainId } = this.#config.chains[0].chain;
    const origins = this.#ports.senders.map(({ origin }) => origin);
    const configured = chainForSettings(before, { chainId, origins }, now());
    const chain = report === null ? configured : chainAfterReport(configured, report, now());
    const { era, replaced: why } = chain;
    if (before !== null && era > before.era) log("chain_replaced", { era, chainId: chain.chainId, why });
    this.#chain = chain;
    // A chain that the store has refused is written again at the next call.
    if (chain === this.#writtenChain) return chain;
    const insert = "INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)";
    const isWritten = this.#store.write(() => this.#tables.run("fact", insert, this.#chainName, storedText(chain)));
    if (isWritten) this.#writtenChain = chain;
    return chain;
  }

  get #chainName(): string {
    return `${CHAIN}/${this.#config.objectGeneration}`;
  }

  #storedChain(): Chain | null {
    const query = "SELECT value FROM fact WHERE name = ?";
    const [row] = this.#tables.rowsOrNone<{ value: string }>("fact", query, this.#chainName);
    return parseStored<Chain>(row?.value) ?? null;
  }

  /** The state of each upstream, checked at most once a second. */
  async health(): Promise<NodesAndStoreReport> {
    const watched = this.#currentChain();
    const upstreams = await watched.reports();
    const { era, replaced } = this.chain(null);
    return {
      upstreams,
      chainReplaced: replaced === null ? null : { atMs: era, why: replaced },
      disagreements: watched.disagreements(),
      storeRefusedAtMs: this.#store.refusedAtMs,
      damagedTables: this.#tables.damaged(),
    };
  }

  /** Answers an isolate whose copy was observed at `ifNewerThan`. null: this deployment does not read the value. */
  getShared<Name extends keyof SharedValues>(
    name: Name,
    ifNewerThan: number | null,
    mode: ReadMode,
    callerMs: number,
  ): Promise<SharedAnswer<SharedValues[Name]> | null> {
    this.#compareClock(callerMs);
    return this.#readings.get(name, ifNewerThan, mode);
  }

  /** Compares the clock with the caller's. If it stands still, the object ends, and callers repeat the call on a new one. */
  #compareClock(callerMs: number): void {
    if (!this.#clock.hasStopped(now(), callerMs)) return;
    log("clock_set_back", { bySeconds: Math.round((now() - callerMs) / 1_000) });
    this.ctx.abort("the host's clock was set back");
  }

  #currentChain(): WatchedChain {
    const { era } = this.chain(null);
    if (this.#watched.era !== era) this.#watched = new WatchedChain(era, this.#ports);
    return this.#watched;
  }

  /** Records the rows of today; false: the store refuses them. */
  recordToday(callerMs: number): boolean {
    this.#compareClock(callerMs);
    return this.#readings.recordToday();
  }

  /** Reads recorded figures, after recording readings whose replies went out before their rows were written. */
  figures(days: Days): RecordedFigureRow[] {
    this.#readings.recordToday();
    return this.#history.figures(days);
  }

  async rates(product: string, days: Days): Promise<RateRow[] | null> {
    this.#readings.recordToday();
    return (await this.#readings.ratesOf(product, days))?.slice() ?? null;
  }

  recordHealth({ atMs, status, reason }: HealthChange): void {
    this.#store.write(() => {
      const insert = "INSERT OR IGNORE INTO health_change (at_ms, status, reason) VALUES (?, ?, ?)";
      this.#tables.run("health_change", insert, atMs, status, reason);
      this.#tables.run(
        "health_change",
        "DELETE FROM health_change WHERE at_ms NOT IN (SELECT at_ms FROM health_change ORDER BY at_ms DESC LIMIT ?)",
        MAX_HEALTH_CHANGES,
      );
    });
  }

  /** Lists the last changes of health, newest first. */
  healthChanges(count: number): HealthChange[] {
    return this.#tables.rowsOrNone<HealthChange>(
      "health_change",
      "SELECT at_ms AS atMs, status, reason FROM health_change ORDER BY at_ms DESC LIMIT ?",
      count,
    );
  }

  /** Records that the table of a limiter object is full. */
  recordFullLimiter(object: string): void {
    this.#store.write(() => {
      const insert = "INSERT OR REPLACE INTO full_limiter (object, at_ms) VALUES (?, ?)";
      this.#tables.run("full_limiter", insert, object, now());
      this.#tables.run("full_limiter", "DELETE FROM full_limiter WHERE at_ms <= ?", now() - FULL_SHOWN_MS);
    });
  }

  /** Names the limiter objects that have reported a full table in the last ten minutes. */
  fullLimiters(): string[] {
    const query = "SELECT object FROM full_limiter WHERE at_ms > ? ORDER BY object";
    const rows = this.#tables.rowsOrNone<{ object: string }>("full_limiter", query, now() - FULL_SHOWN_MS);
    return rows.map(({ object }) => object);
  }
}

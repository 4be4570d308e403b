import { DurableObject } from "cloudflare:workers";
import { schedule } from "../../dist/schedule.js";
import { parseStored, storedText } from "../base/json.ts";
import { logTo } from "../base/log.ts";
import { BoundedMap } from "../base/memo.ts";
import type { Environment } from "../base/settings.ts";
import { after, now, sleep } from "../base/timers.ts";
import { type Chain, type ChainReport, chainAfter, chainUnder } from "../chain/chain-record.ts";
import type { UpstreamsReport } from "../chain/upstream-report.ts";
import { type Config, parseConfig, userAgentOf } from "../config.ts";
import { furtherSendersOf, type NodeBindings, sendersOf } from "../gateway/platform.ts";
import { assetReader } from "../http/assets.ts";
import { listingFetcher } from "../rates/fetch-listing.ts";
import type { StoredText } from "../swr/loader.ts";
import type { ReadMode, SharedAnswer } from "../swr/shared-value.ts";
import { GuardedStore, NOTHING_WRITTEN, type StoreMemory } from "./guarded-store.ts";
import { listOf } from "./history/built-lists.ts";
import type { Days, FigureRow, HealthChange, RateRow } from "./history/rows.ts";
import { HISTORY_TABLES, HistoryTables } from "./history-tables.ts";
import { Readings, type ReadTable } from "./readings.ts";
import { StandingClock } from "./standing-clock.ts";
import { Tables } from "./tables.ts";
import { WatchedChain, type WatchPorts } from "./watched-chain.ts";

export interface HomeBindings extends Environment, NodeBindings {
  readonly ASSETS?: Fetcher;
}

const TABLES = {
  last_good: { columns: "name TEXT PRIMARY KEY, stored_at_ms INTEGER NOT NULL, value TEXT NOT NULL" },
  fact: { columns: "name TEXT PRIMARY KEY, value TEXT NOT NULL" },
  health_change: { columns: "at_ms INTEGER PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL" },
  full_limiter: { columns: "object TEXT PRIMARY KEY, at_ms INTEGER NOT NULL" },
  ...HISTORY_TABLES,
} as const;

/** Name of the fact; raised when the stored chain changes its meaning. */
const CHAIN = "chain-2";
const MAX_LAST_GOOD = 64;
const MAX_VALUE_CHARACTERS = 1_048_576;
const MAX_HEALTH_CHANGES = 100;
/** How long health shows a limiter object that has reported a full table. */
const FULL_SHOWN_MS = 600_000;

const log = logTo(console);
/** Of this isolate's objects, by id. */
const STORES = new BoundedMap<string, { readonly writes: StoreMemory; readonly damaged: Set<string> }>(64);

/**
 * What belongs to the whole deployment, in one object: last good values, the chain behind the upstreams, the daily
 * history, changes of health, reports of full limiter objects; and the state of the upstreams as health reports it. It
 * alone reads what changes with time, so that all regions have one reading, and records the day.
 */
export class Home extends DurableObject<HomeBindings> {
  readonly #config: Config;
  readonly #ports: WatchPorts;
  readonly #clock = new StandingClock();
  readonly #store: GuardedStore;
  readonly #tables: Tables<keyof typeof TABLES>;
  readonly #history: HistoryTables;
  readonly #readings: Readings;
  #chain: Chain | null;
  #writtenChain: Chain | null;
  /** Of one era: what is known of the upstreams, and what was read, belongs to a chain. */
  #watched: WatchedChain;

  constructor(ctx: DurableObjectState, env: HomeBindings) {
    super(ctx, env);
    const parsed = parseConfig(env, schedule.chains);
    if (parsed.kind === "problems") throw new Error("misconfigured");
    const { config } = parsed;
    this.#config = config;
    const id = ctx.id.toString();
    const { writes, damaged } = STORES.get(id) ?? { writes: { ...NOTHING_WRITTEN }, damaged: new Set() };
    STORES.set(id, { writes, damaged });
    const background = (work: Promise<unknown>) => ctx.waitUntil(work);
    this.#store = new GuardedStore({ memory: writes, sync: () => ctx.storage.sync(), now, log, background });
    const write = (work: () => void) => this.#store.write(work);
    this.#tables = new Tables({ sql: ctx.storage.sql, definitions: TABLES, memory: damaged, write, now, log });
    this.#chain = this.#writtenChain = this.#storedChain();
    const { senders, send } = sendersOf(env, config);
    const load = (name: string) => this.lastGood(name);
    // A reading counts before it is saved: a write that does not reach the disk takes every reply with it that waits.
    const behindReplies = (work: () => void) => background(sleep(0).then(work));
    const save: WatchPorts["save"] = (...value) => behindReplies(() => this.putLastGood(...value));
    const report: WatchPorts["report"] = (found) => this.chain(found);
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
    this.#history = new HistoryTables(this.#tables, write);
    this.#readings = new Readings({
      config,
      schedule,
      history: this.#history,
      load,
      save,
      now,
      log,
      background,
      behindReplies,
      readers: () => this.#present().readers,
      fetchListing: listingFetcher({
        // Without an address it is the embedded node's own.
        fetchSource: async (url, init) =>
          url === null ? env.NODE?.fetch("http://node/rates", init) : fetch(url, init),
        later: (run, delayMs) => after(delayMs, run),
        userAgent: userAgentOf(config),
        url: config.ratesUrl,
      }),
      corrections: listOf(
        assetReader((url) => env.ASSETS?.fetch(url)),
        "/documents/history-corrections.json",
      ),
    });
  }

  lastGood(name: string): StoredText | null {
    const query = "SELECT value, stored_at_ms AS storedAtMs FROM last_good WHERE name = ?";
    return this.#tables.rows<StoredText>("last_good", query, name)[0] ?? null;
  }

  /** Keeps the newest values. One that is too large is forgotten with the object. */
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

  /** The chain, after an object reported what it found out of it; null only asks. */
  chain(report: ChainReport | null): Chain {
    const before = this.#chain;
    const { chainId } = this.#config.chains[0].chain;
    const origins = this.#ports.senders.map(({ origin }) => origin);
    const known = chainUnder(before, { chainId, origins }, now());
    const chain = report === null ? known : chainAfter(known, report, now());
    const { era, replaced: why } = chain;
    if (before !== null && era > before.era) log("chain_replaced", { era, chainId: chain.chainId, why });
    this.#chain = chain;
    // One that a full store has refused is written when it accepts again.
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
    const [row] = this.#tables.rows<{ value: string }>("fact", query, this.#chainName);
    return parseStored<Chain>(row?.value) ?? null;
  }

  /** The state of each upstream, checked at most once a second. */
  async health(): Promise<UpstreamsReport> {
    const watched = this.#present();
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

  /** What it has read, for an isolate whose copy was observed then. null: this deployment does not read it. */
  say<Name extends keyof ReadTable>(
    name: Name,
    have: number | null,
    wanted: ReadMode,
    callerMs: number,
  ): Promise<SharedAnswer<ReadTable[Name]> | null> {
    this.#compareClock(callerMs);
    return this.#readings.say(name, have, wanted);
  }

  /** With its caller's. An object whose clock stands still is replaced, and its callers call the new one. */
  #compareClock(callerMs: number): void {
    if (!this.#clock.hasStopped(now(), callerMs)) return;
    log("clock_set_back", { bySeconds: Math.round((now() - callerMs) / 1_000) });
    this.ctx.abort("the host's clock was set back");
  }

  #present(): WatchedChain {
    const { era } = this.chain(null);
    if (this.#watched.era !== era) this.#watched = new WatchedChain(era, this.#ports);
    return this.#watched;
  }

  /** Records what was read today; false: the store refuses it. */
  today(callerMs: number): boolean {
    this.#compareClock(callerMs);
    return this.#readings.record();
  }

  /** With the rows of readings that have been said, which are recorded behind their replies. */
  figures(days: Days): FigureRow[] {
    this.#readings.record();
    return this.#history.figures(days);
  }

  rates(product: string, days: Days): RateRow[] {
    this.#readings.record();
    return this.#history.ratesOf([product], days);
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

  /** Newest first. */
  healthChanges(count: number): HealthChange[] {
    return this.#tables.rows<HealthChange>(
      "health_change",
      "SELECT at_ms AS atMs, status, reason FROM health_change ORDER BY at_ms DESC LIMIT ?",
      count,
    );
  }

  /** A limiter object's table is full. */
  noteFull(object: string): void {
    this.#store.write(() => {
      const insert = "INSERT OR REPLACE INTO full_limiter (object, at_ms) VALUES (?, ?)";
      this.#tables.run("full_limiter", insert, object, now());
      this.#tables.run("full_limiter", "DELETE FROM full_limiter WHERE at_ms <= ?", now() - FULL_SHOWN_MS);
    });
  }

  /** The limiter objects that have reported a full table in the last ten minutes. */
  fullLimiters(): string[] {
    const query = "SELECT object FROM full_limiter WHERE at_ms > ? ORDER BY object";
    const rows = this.#tables.rows<{ object: string }>("full_limiter", query, now() - FULL_SHOWN_MS);
    return rows.map(({ object }) => object);
  }
}

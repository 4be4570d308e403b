import { DurableObject } from "cloudflare:workers";
import { schedule } from "../../dist/schedule.js";
import { type Chain, type ChainReport, chainAfter, chainUnder } from "../chain/chain-record.ts";
import type { UpstreamsReport } from "../chain/upstream-report.ts";
import { type Config, parseConfig } from "../config.ts";
import { type NodeBindings, sendersOf } from "../gateway/platform.ts";
import type { Correction } from "../history/corrections.ts";
import { correctedRates, daysOfMeans, type ProductMeans, productMeans } from "../history/means.ts";
import type { Days, FigureRow, HealthChange, RateRow } from "../history/rows.ts";
import type { ReadToken } from "../holdings/reader.ts";
import type { Reading } from "../holdings/reading.ts";
import { parseStored, storedText } from "../json.ts";
import { logTo } from "../log.ts";
import { BoundedMap } from "../memo.ts";
import { MAX_PRODUCTS } from "../rates/listing.ts";
import type { Environment } from "../settings.ts";
import { type LoadError, loadError, type Sample, type StoredText } from "../swr/loader.ts";
import { after, now, sleep } from "../timers.ts";
import { dayText } from "../utc.ts";
import { GuardedStore, NOTHING_WRITTEN, type StoreMemory } from "./guarded-store.ts";
import { MAX_SKEW_MS, StandingClock } from "./standing-clock.ts";
import { WatchedChain, type WatchPorts } from "./watched-chain.ts";

export interface HomeBindings extends Environment, NodeBindings {}

const TABLES = `
  CREATE TABLE IF NOT EXISTS last_good (
    name TEXT PRIMARY KEY, stored_at_ms INTEGER NOT NULL, value TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS figure_day (
    figure TEXT NOT NULL, asset TEXT NOT NULL, day TEXT NOT NULL, base_units TEXT NOT NULL,
    decimals INTEGER NOT NULL, ledger_version TEXT, observed_at_ms INTEGER NOT NULL, witnesses INTEGER,
    PRIMARY KEY (day, figure, asset)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS rate_day (
    product TEXT NOT NULL, day TEXT NOT NULL, apy REAL, apy_base REAL, apy_reward REAL, tvl TEXT, tvl_usd REAL,
    observed_at_ms INTEGER NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (product, day)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS rate_of_day ON rate_day (day);
  CREATE TABLE IF NOT EXISTS health_change (at_ms INTEGER PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS full_limiter (object TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID;
`;

const RATE_ROWS = `SELECT product, day, apy, apy_base, apy_reward, tvl, tvl_usd, observed_at_ms AS observedAtMs, source
  FROM rate_day`;

/** Name of the fact; raised when the stored chain changes its meaning. */
const CHAIN = "chain-2";
const MAX_LAST_GOOD = 64;
const MAX_VALUE_CHARACTERS = 1_048_576;
/** Ten years, including leap days. A count: a date by a clock that is wrong once would drop what is right. */
const MAX_DAYS = 3_653;
const MAX_HEALTH_CHANGES = 100;
/** How long health shows a limiter object that has reported a full table. */
const FULL_SHOWN_MS = 600_000;

const log = logTo(console);
/** Of this isolate's objects, by id. */
const STORES = new BoundedMap<string, StoreMemory>(64);

/**
 * What belongs to the whole deployment, in one object: last good values, the chain behind the upstreams, the daily
 * history, changes of health, reports of full limiter objects; and the state of the upstreams as health reports it. It
 * alone reads the figures of the chain, so that all regions have one reading.
 */
export class Home extends DurableObject<HomeBindings> {
  readonly #config: Config;
  readonly #ports: WatchPorts;
  readonly #clock = new StandingClock();
  readonly #store: GuardedStore;
  #chain: Chain | null;
  #writtenChain: Chain | null;
  /** Of one era: what is known of the upstreams, and what was read, belongs to a chain. */
  #watched: WatchedChain;

  constructor(ctx: DurableObjectState, env: HomeBindings) {
    super(ctx, env);
    const parsed = parseConfig(env);
    if (parsed.kind === "problems") throw new Error("misconfigured");
    const { config } = parsed;
    this.#config = config;
    ctx.storage.sql.exec(TABLES);
    const id = ctx.id.toString();
    const memory = STORES.get(id) ?? { ...NOTHING_WRITTEN };
    STORES.set(id, memory);
    const background = (work: Promise<unknown>) => ctx.waitUntil(work);
    this.#store = new GuardedStore({ memory, sync: () => ctx.storage.sync(), now, log, background });
    this.#chain = this.#writtenChain = this.#storedChain();
    const { senders, send } = sendersOf(env, config);
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
      report: (report) => this.chain(report),
      load: (name) => this.lastGood(name),
      // A reading counts before it is saved: a write that does not reach the disk takes every reply with it that waits.
      save: (...value) => background(sleep(0).then(() => this.putLastGood(...value))),
    };
    this.#watched = new WatchedChain(this.chain(null).era, this.#ports);
  }

  lastGood(name: string): StoredText | null {
    const query = "SELECT value, stored_at_ms AS storedAtMs FROM last_good WHERE name = ?";
    return this.#rows<StoredText>(query, name)[0] ?? null;
  }

  /** Keeps the newest values. One that is too large is not kept: each isolate then reads it for itself. */
  putLastGood(name: string, value: string, storedAtMs: number): void {
    if (value.length > MAX_VALUE_CHARACTERS) {
      log("value_too_large", { name, characters: value.length });
      return;
    }
    this.#store.write(() => {
      const insert = "INSERT OR REPLACE INTO last_good (name, stored_at_ms, value) VALUES (?, ?, ?)";
      this.#run(insert, name, storedAtMs, value);
      this.#run(
        "DELETE FROM last_good WHERE name NOT IN (SELECT name FROM last_good ORDER BY stored_at_ms DESC LIMIT ?)",
        MAX_LAST_GOOD,
      );
    });
  }

  /** The chain, after an object reported what it found out of it; null only asks. */
  chain(report: ChainReport | null): Chain {
    const before = this.#chain;
    const { chainId } = this.#config;
    const origins = this.#ports.senders.map(({ origin }) => origin);
    const known = chainUnder(before, { chainId, origins }, now());
    const chain = report === null ? known : chainAfter(known, report, now());
    const { era, replaced: why } = chain;
    if (before !== null && era > before.era) log("chain_replaced", { era, chainId: chain.chainId, why });
    this.#chain = chain;
    // One that a full store has refused is written when it accepts again.
    if (chain === this.#writtenChain) return chain;
    const insert = "INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)";
    const isWritten = this.#store.write(() => this.#run(insert, this.#chainName, storedText(chain)));
    if (isWritten) this.#writtenChain = chain;
    return chain;
  }

  get #chainName(): string {
    return `${CHAIN}/${this.#config.objectGeneration}`;
  }

  #storedChain(): Chain | null {
    const [row] = this.#rows<{ value: string }>("SELECT value FROM fact WHERE name = ?", this.#chainName);
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
    };
  }

  /** A fresh reading of that token, or why there is none. */
  reading(token: ReadToken, nowMs: number): Promise<Sample<Reading> | LoadError> {
    this.#compareClock(nowMs);
    const reader = this.#present().readers[token];
    if (reader === null) return Promise.resolve(loadError("this deployment does not read it"));
    const reading = reader.read();
    // Others may wait for it when this caller has gone.
    this.ctx.waitUntil(reading);
    return reading;
  }

  /** The last reading that counts, of any age. */
  lastReading(token: ReadToken, nowMs: number): Sample<Reading> | null {
    this.#compareClock(nowMs);
    return this.#present().readers[token]?.good ?? null;
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

  /**
   * At most one row per UTC day for each figure of an asset and for each yield product. The first write of a day is
   * kept, so concurrent writes are safe; of products at most as many as are listed, however a listing renames its rows.
   * Only today by this object's clock is accepted (tomorrow in its last seconds), so a wrong clock cannot create rows;
   * false: this day is not, or the store refuses it.
   */
  record(day: string, figures: readonly FigureRow[], rates: readonly RateRow[], callerMs: number): boolean {
    this.#compareClock(callerMs);
    const nowMs = now();
    if (day !== dayText(nowMs) && day !== dayText(nowMs + MAX_SKEW_MS)) return false;
    const isOfDay = <Row extends { readonly day: string; readonly observedAtMs: number }>(row: Row): boolean =>
      row.day === day && dayText(row.observedAtMs) === day;
    const figureRows = figures.filter(isOfDay).map(({ figure, asset, decimals, witnesses, ...row }) => {
      const { baseUnits: base_units, ledgerVersion: ledger_version, observedAtMs: observed_at_ms } = row;
      return { figure, asset, day, base_units, decimals, ledger_version, observed_at_ms, witnesses };
    });
    const recorded = this.#rows<{ product: string }>("SELECT product FROM rate_day WHERE day = ?", day);
    const known = new Set(recorded.map(({ product }) => product));
    const added = rates.filter((row) => isOfDay(row) && !known.has(row.product));
    const rateRows = added.slice(0, MAX_PRODUCTS - known.size).map(({ observedAtMs: observed_at_ms, ...row }) => {
      const { product, apy, apy_base, apy_reward, tvl, tvl_usd, source } = row;
      return { product, day, apy, apy_base, apy_reward, tvl, tvl_usd, observed_at_ms, source };
    });
    return this.#store.write(() => {
      this.#insert("figure_day", figureRows);
      this.#insert("rate_day", rateRows);
    });
  }

  figures({ from, to }: Days): FigureRow[] {
    return this.#rows<FigureRow>(
      `SELECT figure, asset, day, base_units AS baseUnits, decimals, ledger_version AS ledgerVersion,
         observed_at_ms AS observedAtMs, witnesses, 'observed' AS source
       FROM figure_day WHERE day BETWEEN ? AND ? ORDER BY day, figure`,
      from,
      to,
    );
  }

  rates(product: string, { from, to }: Days): RateRow[] {
    return this.#rows<RateRow>(
      `${RATE_ROWS} WHERE product = ? AND day BETWEEN ? AND ? ORDER BY day`,
      product,
      from,
      to,
    );
  }

  /** The means of those of these products that have a row in the last 30 days, by their ids. */
  productMeans(
    day: string,
    products: readonly string[],
    corrections: readonly Correction[],
  ): Record<string, ProductMeans> {
    const { from, to } = daysOfMeans({ from: day, to: day });
    const rows = this.#rows<RateRow>(
      `${RATE_ROWS} WHERE product IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ORDER BY day`,
      JSON.stringify(products.slice(0, MAX_PRODUCTS)),
      from,
      to,
    );
    return productMeans(day, correctedRates(rows, corrections));
  }

  recordHealth({ atMs, status, reason }: HealthChange): void {
    this.#store.write(() => {
      this.#run("INSERT OR IGNORE INTO health_change (at_ms, status, reason) VALUES (?, ?, ?)", atMs, status, reason);
      this.#run(
        "DELETE FROM health_change WHERE at_ms NOT IN (SELECT at_ms FROM health_change ORDER BY at_ms DESC LIMIT ?)",
        MAX_HEALTH_CHANGES,
      );
    });
  }

  /** Newest first. */
  healthChanges(count: number): HealthChange[] {
    return this.#rows<HealthChange>(
      "SELECT at_ms AS atMs, status, reason FROM health_change ORDER BY at_ms DESC LIMIT ?",
      count,
    );
  }

  /** A limiter object's table is full. */
  noteFull(object: string): void {
    this.#store.write(() => {
      this.#run("INSERT OR REPLACE INTO full_limiter (object, at_ms) VALUES (?, ?)", object, now());
      this.#run("DELETE FROM full_limiter WHERE at_ms <= ?", now() - FULL_SHOWN_MS);
    });
  }

  /** The limiter objects that have reported a full table in the last ten minutes. */
  fullLimiters(): string[] {
    const query = "SELECT object FROM full_limiter WHERE at_ms > ? ORDER BY object";
    return this.#rows<{ object: string }>(query, now() - FULL_SHOWN_MS).map(({ object }) => object);
  }

  /** Rows by column, which older and newer code name alike. Those that exist stay, and the newest days. */
  #insert(table: "figure_day" | "rate_day", rows: readonly Readonly<Record<string, SqlStorageValue>>[]): void {
    let added = 0;
    for (const row of rows) {
      const columns = Object.keys(row);
      const insert = `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
      added += this.ctx.storage.sql.exec(insert, ...Object.values(row)).rowsWritten;
    }
    if (added === 0) return;
    this.#run(
      `DELETE FROM ${table} WHERE day <= (SELECT DISTINCT day FROM ${table} ORDER BY day DESC LIMIT 1 OFFSET ?)`,
      MAX_DAYS,
    );
  }

  #rows<Row extends object>(query: string, ...bindings: SqlStorageValue[]): Row[] {
    return this.ctx.storage.sql.exec<Row & Record<string, SqlStorageValue>>(query, ...bindings).toArray();
  }

  #run(query: string, ...bindings: SqlStorageValue[]): void {
    this.ctx.storage.sql.exec(query, ...bindings);
  }
}

import { type Asset, assetText } from "../chain/asset.ts";
import type { Chain, ChainReport } from "../chain/chain-record.ts";
import type { Disagreement, UpstreamReport } from "../chain/upstream-report.ts";
import type { Config } from "../config.ts";
import { ChainWatch } from "../gateway/upstream/chain-watch.ts";
import type { Exchange, Sender } from "../gateway/upstream/client.ts";
import { check } from "../gateway/upstream/trust.ts";
import { exclusionOf, poolOf, type UpstreamPool, type UpstreamPorts } from "../gateway/upstream/upstreams.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import type { ChainNode } from "../holdings/chain-node.ts";
import { moveNode } from "../holdings/move-node.ts";
import { ChainReader, type ReaderState, type ReadToken } from "../holdings/reader.ts";
import { nativeRules, type ReadingRules, stableRules } from "../holdings/rules.ts";
import { parseStored, storedText } from "../json.ts";
import type { Log } from "../log.ts";
import type { Schedule } from "../supply/schedule.ts";
import type { StoredText } from "../swr/loader.ts";
import { isWithin } from "../utc.ts";
import { answeringNodes } from "./answering-nodes.ts";
import { inTurn } from "./connections.ts";
import { reportsOf } from "./upstream-reports.ts";

export interface WatchPorts extends Omit<UpstreamPorts, "pool" | "follows" | "era"> {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly senders: readonly Sender[];
  /** The chain, after evidence of what it is. */
  readonly report: (report: ChainReport | null) => Chain;
  readonly load: (name: string) => StoredText | null;
  readonly save: (name: string, value: string, storedAtMs: number) => void;
  readonly log: Log;
}

/** Name of the stored readings; raised when they change their form. */
const READING = "reading-5";
const CHECK_EVERY_MS = 1_000;

/** The chain of one era, as one object sees it: its upstreams, evidence that it has ended, what was read of it. */
export class WatchedChain {
  readonly era: number;
  readonly readers: Readonly<Record<ReadToken, ChainReader | null>>;
  readonly #ports: WatchPorts;
  readonly #pool: UpstreamPool;
  readonly #sendInTurn: Exchange;
  readonly #watch: ChainWatch;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  /** The last check; requests that come meanwhile wait for it. */
  #checking: Promise<void> = Promise.resolve();

  constructor(era: number, ports: WatchPorts) {
    const { config, schedule, senders, report, now, background } = ports;
    this.era = era;
    this.#ports = ports;
    this.#pool = poolOf(senders);
    this.#sendInTurn = inTurn(ports.send, senders.length);
    this.#watch = new ChainWatch({
      now,
      chainId: config.chainId,
      upstreams: this.#pool.upstreams,
      report: async (evidence) => report(evidence),
      background,
      onEra: () => undefined,
    });
    this.#watch.learn(era, null);
    this.readers = {
      native: this.#reader("native", config.assets.native, nativeRules(schedule, config)),
      stable: config.assets.stable === null ? null : this.#reader("stable", config.assets.stable, stableRules(config)),
    };
  }

  /** The state of each upstream, checked at most once a second. */
  async reports(): Promise<UpstreamReport[]> {
    await this.#checked();
    return reportsOf(this.#pool, this.#ports.now());
  }

  disagreements(): Disagreement[] {
    return Object.values(this.readers).flatMap((reader) => reader?.disagreement ?? []);
  }

  async #checked(): Promise<void> {
    const { now } = this.#ports;
    if (!isWithin(this.#checkedAtMs, CHECK_EVERY_MS, now())) {
      this.#checkedAtMs = now();
      const called = this.#pool.upstreams.filter(({ state }) => exclusionOf(state, now()) === null);
      const follows: UpstreamPorts["follows"] = (...seen) => this.#watch.follows(...seen);
      this.#checking = check(called, { ...this.#ports, pool: this.#pool, era: this.era, follows });
    }
    await this.#checking;
  }

  /** The nodes that answer. When all of them stay below what was read, the chain was replaced. */
  async #nodes(token: ReadToken, isOver: () => boolean): Promise<ChainNode[]> {
    await this.#checked();
    const nodes = answeringNodes({ pool: this.#pool, send: this.#sendInTurn, now: this.#ports.now }, isOver);
    const floor = this.readers[token]?.good?.value.ledgerVersion ?? 0n;
    const [newest] = nodes.map(({ ledger }) => ledger).sort((a, b) => (a.version > b.version ? -1 : 1));
    if (newest !== undefined && newest.version < floor) this.#watch.lagged(floor, newest);
    else if (newest !== undefined) this.#watch.reached(newest.version);
    return nodes.map((node) => moveNode(node.label, node.ledger.version, node));
  }

  /** What is known is of the token and its decimals; of a wallet that was not listed before nothing is. */
  #reader(token: ReadToken, asset: Asset, rules: ReadingRules): ChainReader {
    const { load, save, now, sleep, log } = this.#ports;
    const key = `${READING}/${token}/${this.era}/${fnv1aHex(JSON.stringify([assetText(asset), rules.decimals]))}`;
    return new ChainReader({
      name: `${token}_reading`,
      asset,
      rules,
      nodes: (isOver) => this.#nodes(token, isOver),
      outvoted: () => this.disagreements().find(({ outvoted }) => outvoted !== null)?.outvoted ?? null,
      now,
      sleep,
      log,
      stored: parseStored<ReaderState>(load(key)?.value) ?? null,
      save: (state) => save(key, storedText(state), now()),
    });
  }
}

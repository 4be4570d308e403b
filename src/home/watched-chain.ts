import { fnv1aHex } from "../base/hash/fnv1a.ts";
import { parseStored, storedText } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { type Asset, assetText } from "../chain/asset.ts";
import { HAS_EVM } from "../chain/has-evm.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { Config } from "../config.ts";
import { ChainReader, type ReaderState, type ReadToken } from "../onchain/reader.ts";
import { nativeRules, type ReadingRules, stableRules } from "../onchain/rules.ts";
import type { Schedule } from "../supply/schedule.ts";
import type { StoredText } from "../swr/loader.ts";
import { type EvmNodesPorts, evmNodes } from "./evm-nodes.ts";
import { type MoveNodesPorts, moveNodes } from "./move-nodes.ts";
import type { WatchedNodes } from "./watched-nodes.ts";

export interface WatchPorts extends MoveNodesPorts, EvmNodesPorts {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly load: (name: string) => StoredText | null;
  readonly save: (name: string, value: string, storedAtMs: number) => void;
  readonly log: Log;
}

/** Name of the stored readings; raised when they change their form. */
const READING = "reading-5";

/** The chain of one era, as one object sees it: its nodes, and what was read of it. */
export class WatchedChain {
  readonly era: number;
  readonly readers: Readonly<Record<ReadToken, ChainReader | null>>;
  /** The state of each node, as of a check in the last seconds. */
  readonly reports: WatchedNodes["reports"];
  readonly #ports: WatchPorts;
  readonly #nodes: WatchedNodes;

  constructor(era: number, ports: WatchPorts) {
    const { config, schedule } = ports;
    this.era = era;
    this.#ports = ports;
    this.#nodes = HAS_EVM && config.chainFamily === "evm" ? evmNodes(ports) : moveNodes(era, ports);
    this.reports = this.#nodes.reports;
    this.readers = {
      native: this.#reader("native", config.assets.native, nativeRules(schedule, config)),
      stable: config.assets.stable === null ? null : this.#reader("stable", config.assets.stable, stableRules(config)),
    };
  }

  disagreements(): Disagreement[] {
    return Object.values(this.readers).flatMap((reader) => reader?.disagreement ?? []);
  }

  /** What is known is of the token and its decimals; of a wallet that was not listed before nothing is. */
  #reader(token: ReadToken, asset: Asset, rules: ReadingRules): ChainReader {
    const { load, save, now, sleep, log } = this.#ports;
    const key = `${READING}/${token}/${this.era}/${fnv1aHex(JSON.stringify([assetText(asset), rules.decimals]))}`;
    return new ChainReader({
      name: `${token}_reading`,
      asset,
      rules,
      nodes: (isOver) =>
        this.#nodes.answering(isOver, { ...rules, floor: this.readers[token]?.good?.value.ledgerVersion ?? 0n }),
      outvoted: () => this.disagreements().find(({ outvoted }) => outvoted !== null)?.outvoted ?? null,
      now,
      sleep,
      log,
      stored: parseStored<ReaderState>(load(key)?.value) ?? null,
      save: (state) => save(key, storedText(state), now()),
    });
  }
}

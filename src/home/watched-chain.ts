import { parseStored, storedText } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { Asset } from "../chain/asset.ts";
import type { TokenChain } from "../chain/token-chain.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { Config } from "../config.ts";
import {
  ChainReader,
  FRESH_SECONDS,
  freshSecondsOf,
  type ReaderState,
  type ReadToken,
  type TokenReader,
} from "../onchain/reader.ts";
import type { Reading } from "../onchain/reading.ts";
import { type ReadChain, RoundReader } from "../onchain/round-reader.ts";
import { chainRules, nativeRules, type ReadingRules, stableRules } from "../onchain/rules.ts";
import { NATIVE_CHAIN, type Schedule } from "../supply/schedule.ts";
import type { Sample, StoredText } from "../swr/loader.ts";
import { type EvmNodesPorts, evmNodes } from "./evm-nodes.ts";
import { type MoveNodesPorts, moveNodes } from "./move-nodes.ts";
import { storedName } from "./stored-name.ts";
import type { WatchedNodes } from "./watched-nodes.ts";

export interface WatchPorts extends MoveNodesPorts, EvmNodesPorts {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly load: (name: string) => StoredText | null;
  readonly save: (name: string, value: string, storedAtMs: number) => void;
  readonly log: Log;
  /** The token's further chains with their nodes; absent: it has none. */
  readonly legs?: readonly LegPorts[];
}

export interface LegPorts extends Pick<MoveNodesPorts, "senders" | "send"> {
  readonly chain: TokenChain;
}

/** Raised when stored readings change their form. */
const FORM = 6;

/** The nodes of one chain with the readers that ask them. */
interface AskedChain {
  readonly id: string;
  readonly era: number;
  readonly chainId: Config["chainId"];
  readonly nodes: WatchedNodes;
  readonly readers: ChainReader[];
}

/** The chain of one era, as one object sees it, and the token's further ones: their nodes, and what was read of them. */
export class WatchedChain {
  readonly era: number;
  readonly readers: Readonly<Record<ReadToken, TokenReader | null>>;
  /** The state of each node, as of a check in the last seconds. */
  readonly reports: WatchedNodes["reports"];
  readonly #ports: WatchPorts;
  readonly #chains: AskedChain[] = [];

  constructor(era: number, ports: WatchPorts) {
    const { config, schedule } = ports;
    this.era = era;
    this.#ports = ports;
    const { chainId } = config;
    const nodes = config.chainFamily === "evm" ? evmNodes(ports) : moveNodes(era, ports);
    const chain = this.#chain({ id: NATIVE_CHAIN, era, chainId, nodes });
    const { native, stable } = config.assets;
    const isOnSeveral = config.legs.length > 0;
    const freshSeconds = freshSecondsOf(schedule, config);
    const rules = isOnSeveral ? chainRules(schedule, NATIVE_CHAIN, config) : nativeRules(schedule, config);
    const first = this.#reader(chain, "native", native, rules, freshSeconds);
    this.reports = async () => (await Promise.all(this.#chains.map(({ nodes }) => nodes.reports()))).flat();
    this.readers = {
      native: isOnSeveral ? this.#rounds(first, freshSeconds) : first,
      stable: stable === null ? null : this.#reader(chain, "stable", stable, stableRules(config), FRESH_SECONDS),
    };
  }

  disagreements(): Disagreement[] {
    return this.#chains.flatMap(disagreementsOf);
  }

  #chain(asked: Omit<AskedChain, "readers">): AskedChain {
    const chain = { ...asked, readers: [] };
    this.#chains.push(chain);
    return chain;
  }

  /**
   * Reads a token on one chain. Its wallets are no part of the stored state's name: it has an amount of each by its
   * holding, and none of a wallet that was not listed before.
   */
  #reader(chain: AskedChain, token: ReadToken, asset: Asset, rules: ReadingRules, freshSeconds: number): ChainReader {
    const { load, save, now, sleep, log } = this.#ports;
    const { id, era, chainId } = chain;
    const { decimals } = rules;
    const key = storedName(`reading/${id}/${token}`, FORM, { era, chainId, asset, decimals });
    const reader: ChainReader = new ChainReader({
      name: `${id === NATIVE_CHAIN ? token : id}_reading`,
      asset,
      rules,
      freshSeconds,
      nodes: (isOver) => chain.nodes.now(isOver, { ...rules, floor: reader.floor }),
      outvoted: () => disagreementsOf(chain).find(({ outvoted }) => outvoted !== null)?.outvoted ?? null,
      now,
      sleep,
      log,
      stored: parseStored<ReaderState>(load(key)?.value) ?? null,
      save: (state) => save(key, storedText(state), now()),
    });
    chain.readers.push(reader);
    return reader;
  }

  /** Reads the token on all of its chains. What was read of a further one does not end with the first one's era. */
  #rounds(first: ChainReader, freshSeconds: number): RoundReader {
    const { config, schedule, legs = [], load, save, now, log } = this.#ports;
    const further = config.legs.map(({ chain: { id, family, chainId, asset } }): ReadChain => {
      const ports = legs.find(({ chain, senders }) => chain.id === id && senders.length > 0);
      if (ports === undefined) return { id, reader: null };
      // Nothing but the schedule replaces it.
      const report = () => ({ era: 0, chainId, servedBy: [], replaced: null });
      const nodePorts = { ...this.#ports, config: { ...config, chainId }, ...ports, report };
      const nodes = family === "evm" ? evmNodes(nodePorts) : moveNodes(0, nodePorts);
      const chain = this.#chain({ id, era: 0, chainId, nodes });
      return { id, reader: this.#reader(chain, "native", asset, chainRules(schedule, id, config), freshSeconds) };
    });
    const { chains, token } = schedule;
    const { era } = this;
    const { chainId, assets } = config;
    const madeOf = { era, chainId, asset: assets.native, decimals: token.decimals, chains };
    const key = storedName("reading/rounds", FORM, madeOf);
    return new RoundReader({
      schedule,
      freshSeconds,
      settings: config,
      now,
      log,
      chains: [{ id: NATIVE_CHAIN, reader: first }, ...further],
      stored: parseStored<Sample<Reading>>(load(key)?.value) ?? null,
      save: (good) => save(key, storedText(good), now()),
    });
  }
}

function disagreementsOf({ readers }: AskedChain): Disagreement[] {
  return readers.flatMap(({ disagreement }) => disagreement ?? []);
}

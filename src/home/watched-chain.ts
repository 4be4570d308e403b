import { HAS_EVM, HAS_LEGS } from "../base/built-for.ts";
import { fnv1aHex } from "../base/hash/fnv1a.ts";
import { parseStored, storedText } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { type Asset, assetText } from "../chain/asset.ts";
import type { TokenChain } from "../chain/token-chain.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { Config } from "../config.ts";
import { LEG_FRESH, LegsReader, type ReadLeg } from "../onchain/legs-reader.ts";
import {
  ChainReader,
  FRESH_SECONDS,
  freshSecondsOf,
  type ReaderState,
  type ReadToken,
  type TokenReader,
} from "../onchain/reader.ts";
import type { Reading } from "../onchain/reading.ts";
import { legRules, nativeRules, type ReadingRules, stableRules } from "../onchain/rules.ts";
import { NATIVE_CHAIN, type Schedule } from "../supply/schedule.ts";
import type { Sample, StoredText } from "../swr/loader.ts";
import { type EvmNodesPorts, evmNodes } from "./evm-nodes.ts";
import { type MoveNodesPorts, moveNodes } from "./move-nodes.ts";
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

/** Name of the stored readings; raised when they change their form. */
const READING = "reading-5";

/** The nodes of one chain with the readers that ask them. */
interface ReadChain {
  readonly era: number;
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
  readonly #chains: ReadChain[] = [];

  constructor(era: number, ports: WatchPorts) {
    const { config, schedule } = ports;
    this.era = era;
    this.#ports = ports;
    const chain = this.#chain(era, HAS_EVM && config.chainFamily === "evm" ? evmNodes(ports) : moveNodes(era, ports));
    const { native, stable } = config.assets;
    const hasLegs = HAS_LEGS && config.legs.length > 0;
    const freshSeconds = freshSecondsOf(schedule, config);
    const part = hasLegs ? LEG_FRESH : 1;
    const first = this.#reader(chain, "native", native, nativeRules(schedule, config), freshSeconds * part);
    this.reports = HAS_LEGS
      ? async () => (await Promise.all(this.#chains.map(({ nodes }) => nodes.reports()))).flat()
      : chain.nodes.reports;
    this.readers = {
      native: hasLegs ? this.#legs(first, freshSeconds) : first,
      stable: stable === null ? null : this.#reader(chain, "stable", stable, stableRules(config), FRESH_SECONDS),
    };
  }

  disagreements(): Disagreement[] {
    return this.#chains.flatMap(disagreementsOf);
  }

  #chain(era: number, nodes: WatchedNodes): ReadChain {
    const chain = { era, nodes, readers: [] };
    this.#chains.push(chain);
    return chain;
  }

  /** What is known is of the token and its decimals; of a wallet that was not listed before nothing is. */
  #reader(chain: ReadChain, name: string, asset: Asset, rules: ReadingRules, freshSeconds: number): ChainReader {
    const { load, save, now, sleep, log } = this.#ports;
    const key = `${READING}/${name}/${chain.era}/${fnv1aHex(JSON.stringify([assetText(asset), rules.decimals]))}`;
    const reader: ChainReader = new ChainReader({
      name: `${name}_reading`,
      asset,
      rules,
      freshSeconds,
      nodes: (isOver) => chain.nodes.answering(isOver, { ...rules, floor: reader.good?.value.ledgerVersion ?? 0n }),
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

  /** The token on all of its chains. What was read of a further one does not end with the first one's era. */
  #legs(first: ChainReader, freshSeconds: number): LegsReader {
    const { config, schedule, legs = [], load, save, now, log } = this.#ports;
    const further = config.legs.map(({ chain: { id, family, chainId, asset } }): ReadLeg => {
      const ports = legs.find(({ chain, senders }) => chain.id === id && senders.length > 0);
      if (ports === undefined) return { id, reader: null };
      // Nothing but the schedule replaces it.
      const report = () => ({ era: 0, chainId, servedBy: [], replaced: null });
      const nodePorts = { ...this.#ports, config: { ...config, chainId }, ...ports, report };
      const nodes = HAS_EVM && family === "evm" ? evmNodes(nodePorts) : moveNodes(0, nodePorts);
      const rules = legRules(schedule, id, config);
      return {
        id,
        reader: this.#reader(this.#chain(0, nodes), `leg-${id}-${chainId}`, asset, rules, freshSeconds * LEG_FRESH),
      };
    });
    const key = `${READING}/legs/${this.era}/${fnv1aHex(JSON.stringify(schedule.chains))}`;
    return new LegsReader({
      ...{ schedule, freshSeconds, settings: config, now, log },
      legs: [{ id: NATIVE_CHAIN, reader: first }, ...further],
      stored: parseStored<Sample<Reading>>(load(key)?.value) ?? null,
      save: (good) => save(key, storedText(good), now()),
    });
  }
}

function disagreementsOf({ readers }: ReadChain): Disagreement[] {
  return readers.flatMap(({ disagreement }) => disagreement ?? []);
}

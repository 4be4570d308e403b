import { parseStored, storedText } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { Config } from "../config.ts";
import { familyOf } from "../families/family.ts";
import type { TokenChain } from "../families/token-chain.ts";
import {
  ChainReader,
  type CountedToken,
  FRESH_SECONDS,
  freshSecondsOf,
  type ReaderState,
  type TokenReader,
} from "../onchain/reader.ts";
import type { Reading } from "../onchain/reading.ts";
import { type RoundChain, RoundReader } from "../onchain/round-reader.ts";
import { chainRules, onlyChainRules, type ReadingRules, stableRules } from "../onchain/rules.ts";
import type { Schedule } from "../supply/schedule.ts";
import type { Sample, StoredText } from "../swr/loader.ts";
import { type MoveNodesPorts, moveNodes } from "./move-nodes.ts";
import { type PolledNodesPorts, polledNodes } from "./polled-nodes.ts";
import { storedName } from "./stored-name.ts";
import type { WatchedNodes } from "./watched-nodes.ts";

export interface WatchedChainPorts extends MoveNodesPorts, PolledNodesPorts {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly load: (name: string) => StoredText | null;
  readonly save: (name: string, value: string, storedAtMs: number) => void;
  readonly log: Log;
  /** Nodes of the token's further chains, by chain id; absent when it has no further chain. */
  readonly furtherNodes?: ReadonlyMap<string, NodePorts>;
}

/** Connections to the nodes of one chain. */
export type NodePorts = Pick<MoveNodesPorts, "senders" | "send">;

/** Version of a stored reading's format, raised when the format changes. */
const STORED_FORMAT = 8;

/** Nodes of one chain with the readers that ask them. */
interface ChainWithReaders {
  readonly era: number;
  readonly nodes: WatchedNodes;
  readonly readers: ChainReader[];
}

/** All chains of the token for one era of the first chain: their nodes and the readers of the tokens. */
export class WatchedChain {
  readonly era: number;
  readonly readers: Readonly<Record<CountedToken, TokenReader | null>>;
  /** States of all nodes, from a check in the last seconds. */
  readonly reports: WatchedNodes["reports"];
  readonly #ports: WatchedChainPorts;
  readonly #chains: ChainWithReaders[] = [];

  constructor(era: number, ports: WatchedChainPorts) {
    const { config, schedule } = ports;
    this.era = era;
    this.#ports = ports;
    const [{ chain: token }, ...further] = config.chains;
    const chain = this.#chain(token, era, ports);
    const { stable } = config.assets;
    const hasSeveralChains = further.length > 0;
    const freshSeconds = freshSecondsOf(schedule, config);
    const rules = (hasSeveralChains ? chainRules : onlyChainRules)(schedule, token, config);
    const first = this.#reader(chain, "native", rules, freshSeconds);
    this.reports = async () => (await Promise.all(this.#chains.map(({ nodes }) => nodes.reports()))).flat();
    this.readers = {
      native: hasSeveralChains ? this.#rounds(first, freshSeconds) : first,
      stable:
        stable === null
          ? null
          : this.#reader(chain, "stable", stableRules({ ...token, asset: stable }, config), FRESH_SECONDS),
    };
  }

  disagreements(): Disagreement[] {
    return this.#chains.flatMap(disagreementsOf);
  }

  #chain({ family, chainId }: TokenChain, era: number, ports: WatchedChainPorts): ChainWithReaders {
    const definition = familyOf(family);
    const { protocol } = definition;
    const nodes = protocol === null ? moveNodes(era, chainId, ports) : polledNodes(protocol, definition, ports);
    const chain = { era, nodes, readers: [] };
    this.#chains.push(chain);
    return chain;
  }

  /**
   * Creates the reader of a token on one chain. The wallets are not part of the stored state's name: the state has an
   * amount for each wallet, and a new wallet simply has none.
   */
  #reader(chain: ChainWithReaders, token: CountedToken, rules: ReadingRules, freshSeconds: number): ChainReader {
    const { load, save, now, sleep, log } = this.#ports;
    const { era } = chain;
    const { decimals } = rules;
    const { id, chainId, asset } = rules.chain;
    const key = storedName(`reading/${id}/${token}`, STORED_FORMAT, { era, chainId, asset, decimals });
    const reader: ChainReader = new ChainReader({
      name: `${id === NATIVE_CHAIN ? token : id}_reading`,
      rules,
      freshSeconds,
      nodes: (isOver) => chain.nodes.nodesForReading(isOver, { ...rules, floor: reader.floor }),
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

  /** Creates the reader of all chains. Readings of a further chain outlive the era of the first chain. */
  #rounds(first: ChainReader, freshSeconds: number): RoundReader {
    const { config, schedule, furtherNodes = new Map(), load, save, now, log } = this.#ports;
    const chains = config.chains.map(({ chain }) => chain);
    const further = chains.slice(1).map((token): RoundChain => {
      const { id, chainId } = token;
      const ports = furtherNodes.get(id);
      if (ports === undefined || ports.senders.length === 0) return { id, reader: null };
      // Only the schedule can replace a further chain, so reports about it change nothing.
      const report = () => ({ era: 0, chainId, servedBy: [], replaced: null });
      const chain = this.#chain(token, 0, { ...this.#ports, ...ports, report });
      return { id, reader: this.#reader(chain, "native", chainRules(schedule, token, config), freshSeconds) };
    });
    const inputs = { era: this.era, decimals: schedule.token.decimals, chains };
    const key = storedName("reading/rounds", STORED_FORMAT, inputs);
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

function disagreementsOf({ readers }: ChainWithReaders): Disagreement[] {
  return readers.flatMap(({ disagreement }) => disagreement ?? []);
}

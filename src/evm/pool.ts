import { isWithin } from "../base/utc.ts";
import { type Head, headToRead, isBehind } from "../chain/heads.ts";
import type { ChainNodes } from "../onchain/chain-node.ts";
import type { Holding } from "../supply/schedule.ts";
import { type Block, blockIn, quantityIn } from "./block.ts";
import { evmNode } from "./evm-node.ts";
import type { NoAnswer, Rpc, RpcAnswer } from "./json-rpc.ts";

/** One configured node. */
export interface EvmSender {
  /** Its name in health reports; never its URL. */
  readonly label: string;
  /** A hash of its origin. */
  readonly origin: string;
  readonly call: Rpc;
}

/** What the last probe of a node found. Replaced, never mutated. */
export type EvmNodeState = { readonly head: Block | null } & (
  | { readonly kind: "unknown" }
  | { readonly kind: "answers"; readonly head: Block; readonly chainId: number }
  | { readonly kind: "wrong_chain" }
  | { readonly kind: "fails"; readonly failure: Pick<NoAnswer, "does" | "status">; readonly untilMs: number | null }
);

type NodeState = EvmNodeState & Pick<EvmSender, "label"> & { readonly isOutdated: boolean };

interface PoolStates {
  readonly nodes: readonly NodeState[];
  /** null when no node answers. */
  readonly read: Head | null;
}

export interface EvmPoolPorts {
  readonly senders: readonly EvmSender[];
  readonly now: () => number;
  /** Whether a node that reports this chain id follows the chain. */
  readonly follows: (chainId: number, origin: string) => boolean;
}

/** Heads so old are new enough for a reading, which lives longer; each probe is paid for. */
const CHECK_EVERY_MS = 10_000;

/** The nodes of an EVM chain as one object sees them. */
export class EvmPool {
  readonly #ports: EvmPoolPorts;
  #states: readonly EvmNodeState[];
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  /** The last check; requests that come meanwhile wait for it. */
  #checking: Promise<void> = Promise.resolve();

  constructor(ports: EvmPoolPorts) {
    this.#ports = ports;
    this.#states = ports.senders.map(() => ({ kind: "unknown", head: null }));
  }

  /** In the operator's order, as of a check in the last seconds; `read` is the head at which the chain is read. */
  async states(): Promise<PoolStates> {
    await this.#checked();
    const { senders, now } = this.#ports;
    const heads = this.#states.flatMap((state) => (state.kind === "answers" ? [headOf(state.head)] : []));
    const read = headToRead(heads, "evm", now()) ?? null;
    const nodes = senders.flatMap(({ label }, index): NodeState[] => {
      const state = this.#states[index];
      if (state === undefined) return [];
      const head = state.head === null ? null : headOf(state.head);
      const isOutdated = head !== null && read !== null && isBehind(head, read, "evm", now());
      return [{ ...state, label, isOutdated }];
    });
    return { nodes, read };
  }

  /** A node's head excludes no other node: where they differ, the version that is read decides (askNodes). */
  async nodes(isOver: () => boolean, wallets: readonly Holding[]): Promise<ChainNodes> {
    await this.#checked();
    const { senders } = this.#ports;
    const answering = senders.flatMap(({ label, call }, index) => {
      const state = this.#states[index];
      if (state?.kind !== "answers") return [];
      const whileNotOver: Rpc = async (...asked) => (isOver() ? OVER : call(...asked));
      return [evmNode({ ...state, label, call: whileNotOver }, wallets)];
    });
    return { configured: senders.map(({ label }) => label), answering };
  }

  async #checked(): Promise<void> {
    const { now, senders } = this.#ports;
    if (!isWithin(this.#checkedAtMs, CHECK_EVERY_MS, now())) {
      this.#checkedAtMs = now();
      this.#checking = Promise.all(senders.map((sender, index) => this.#probe(sender, this.#states[index]))).then(
        (states) => {
          this.#states = states;
        },
      );
    }
    await this.#checking;
  }

  /** One call after the other: an object has few connections. */
  async #probe({ call, origin }: EvmSender, before: EvmNodeState | undefined): Promise<EvmNodeState> {
    const { now, follows } = this.#ports;
    const head = before?.head ?? null;
    if (before?.kind === "fails" && before.untilMs !== null && before.untilMs > now()) return before;
    const fails = (answer: RpcAnswer): EvmNodeState => {
      const failure = answer.kind === "none" ? answer : { does: doesInstead(answer), status: null };
      const untilMs = answer.kind === "none" && answer.retryAfterMs !== null ? now() + answer.retryAfterMs : null;
      return { kind: "fails", head, failure, untilMs };
    };
    const named = await call("eth_chainId", []);
    const chainId = named.kind === "result" ? Number(quantityIn(named.value) ?? 0n) : 0;
    if (chainId === 0) return fails(named);
    if (!follows(chainId, origin)) return { kind: "wrong_chain", head: null };
    const newest = await call("eth_getBlockByNumber", ["latest", false]);
    const block = newest.kind === "result" ? blockIn(newest.value) : undefined;
    return block === undefined ? fails(newest) : { kind: "answers", head: block, chainId };
  }
}

const OVER = { kind: "none", does: "was not asked", status: null, retryAfterMs: null } as const;

function doesInstead(answer: Exclude<RpcAnswer, NoAnswer>): string {
  if (answer.kind === "error") return `answers with the JSON-RPC error ${answer.code}`;
  return "answers something else than its chain id and newest block";
}

function headOf({ number: version, timestampMs: atMs }: Block): Head {
  return { version, atMs };
}

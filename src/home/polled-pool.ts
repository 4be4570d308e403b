import { isWithin } from "../base/utc.ts";
import { type Head, headToRead, isBehind } from "../chain/heads.ts";
import type { Holding } from "../chain/holding.ts";
import type { ChainNodes, CirculatingView } from "../families/chain-node.ts";
import type { FamilyDefinition, NodeConnection, NodeProtocol, ProbedNode } from "../families/definition.ts";
import { noAnswer } from "../families/node-exchange.ts";

/** One configured node. */
export interface PolledSender {
  /** Name of the node in health reports; never its URL. */
  readonly label: string;
  /** Hash of the node's origin. */
  readonly origin: string;
  readonly calls: NodeConnection;
}

type Probed<Kind extends ProbedNode["kind"]> = Extract<ProbedNode, { readonly kind: Kind }>;

/** Result of a node's last probe, with its last head. A new probe replaces the object. */
type PolledState = { readonly head: Head | null } & (
  | { readonly kind: "unknown" }
  | Probed<"answers">
  | Probed<"wrong_chain">
  | (Probed<"fails"> & { readonly throttledUntilMs: number | null })
);

type NodeState = PolledState & Pick<PolledSender, "label"> & { readonly isOutdated: boolean };

export interface PoolStates {
  readonly nodes: readonly NodeState[];
  /** Head at which the chain is read; null when no node answers. */
  readonly readHead: Head | null;
}

export interface PolledPoolPorts {
  readonly protocol: NodeProtocol;
  readonly mostBehindMs: FamilyDefinition["mostBehindMs"];
  readonly senders: readonly PolledSender[];
  readonly now: () => number;
  /** Whether a node that reports this chain id follows the chain. */
  readonly follows: (chainId: number, origin: string) => boolean;
}

/** Minimum interval between probes. A reading stays fresh for longer, and each probe costs a call of the node's plan. */
const CHECK_EVERY_MS = 10_000;

/** Nodes of one chain with the results of their last probes. */
export class PolledNodePool {
  readonly #ports: PolledPoolPorts;
  #states: readonly PolledState[];
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  /** The last check, which requests that arrive meanwhile wait for. */
  #checking: Promise<void> = Promise.resolve();

  constructor(ports: PolledPoolPorts) {
    this.#ports = ports;
    this.#states = ports.senders.map(() => ({ kind: "unknown", head: null }));
  }

  /** States of the nodes in the operator's order, from a check in the last seconds. */
  async states(): Promise<PoolStates> {
    await this.#checked();
    const { senders, now, mostBehindMs } = this.#ports;
    const heads = this.#states.flatMap((state) => (state.kind === "answers" ? [state.head] : []));
    const read = headToRead(heads, mostBehindMs, now()) ?? null;
    const nodes = senders.flatMap(({ label }, index): NodeState[] => {
      const state = this.#states[index];
      if (state === undefined) return [];
      const { head } = state;
      const isOutdated = head !== null && read !== null && isBehind(head, read, mostBehindMs, now());
      return [{ ...state, label, isOutdated }];
    });
    return { nodes, readHead: read };
  }

  /** Nodes that answer. Heads may differ: no node excludes another one, and `askNodes` chooses the version. */
  async nodes(
    isOver: () => boolean,
    wallets: readonly Holding[],
    circulatingView: CirculatingView | null = null,
  ): Promise<ChainNodes> {
    await this.#checked();
    const { senders } = this.#ports;
    const answering = senders.flatMap(({ label, calls }, index) => {
      const state = this.#states[index];
      if (state?.kind !== "answers") return [];
      const exchange: NodeConnection["exchange"] = async (...sent) => (isOver() ? OVER : calls.exchange(...sent));
      return [state.node({ ...calls, exchange }, label, wallets, circulatingView)];
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

  async #probe({ calls, origin }: PolledSender, before: PolledState | undefined): Promise<PolledState> {
    const { protocol, now, follows } = this.#ports;
    if (before?.kind === "fails" && before.throttledUntilMs !== null && before.throttledUntilMs > now()) return before;
    const probed = await protocol.probe(calls, (chainId) => follows(chainId, origin));
    if (probed.kind === "answers") return probed;
    if (probed.kind === "wrong_chain") return { ...probed, head: null };
    const { retryAfterMs } = probed.failure;
    return {
      ...probed,
      head: before?.head ?? null,
      throttledUntilMs: retryAfterMs === null ? null : now() + retryAfterMs,
    };
  }
}

const OVER = noAnswer("was not asked");

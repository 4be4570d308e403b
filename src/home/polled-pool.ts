import { isWithin } from "../base/utc.ts";
import { type Head, headToRead, isBehind } from "../chain/heads.ts";
import type { Holding } from "../chain/holding.ts";
import type { ChainNodes } from "../families/chain-node.ts";
import type { FamilyDefinition, NodeCalls, NodeProtocol, ProbedNode } from "../families/definition.ts";
import { none } from "../families/node-exchange.ts";

/** One configured node. */
export interface PolledSender {
  /** Its name in health reports; never its URL. */
  readonly label: string;
  /** A hash of its origin. */
  readonly origin: string;
  readonly calls: NodeCalls;
}

type Probed<Kind extends ProbedNode["kind"]> = Extract<ProbedNode, { readonly kind: Kind }>;

/** Result of the last probe of a node, with its last head. Replaced, never mutated. */
type PolledState = { readonly head: Head | null } & (
  | { readonly kind: "unknown" }
  | Probed<"answers">
  | Probed<"wrong_chain">
  | (Probed<"fails"> & { readonly untilMs: number | null })
);

type NodeState = PolledState & Pick<PolledSender, "label"> & { readonly isOutdated: boolean };

export interface PoolStates {
  readonly nodes: readonly NodeState[];
  /** null when no node answers. */
  readonly read: Head | null;
}

export interface PolledPoolPorts {
  readonly protocol: NodeProtocol;
  readonly mostBehindMs: FamilyDefinition["mostBehindMs"];
  readonly senders: readonly PolledSender[];
  readonly now: () => number;
  /** Whether a node that reports this chain id follows the chain. */
  readonly follows: (chainId: number, origin: string) => boolean;
}

/** Heads so old are new enough for a reading, which lives longer; each probe is paid for. */
const CHECK_EVERY_MS = 10_000;

/** The nodes of a chain as one object sees them. */
export class PolledPool {
  readonly #ports: PolledPoolPorts;
  #states: readonly PolledState[];
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  /** The last check; requests that come meanwhile wait for it. */
  #checking: Promise<void> = Promise.resolve();

  constructor(ports: PolledPoolPorts) {
    this.#ports = ports;
    this.#states = ports.senders.map(() => ({ kind: "unknown", head: null }));
  }

  /** In the operator's order, as of a check in the last seconds; `read` is the head at which the chain is read. */
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
    return { nodes, read };
  }

  /** A node's head excludes no other node: where they differ, the version that is read decides (askNodes). */
  async nodes(isOver: () => boolean, wallets: readonly Holding[]): Promise<ChainNodes> {
    await this.#checked();
    const { senders } = this.#ports;
    const answering = senders.flatMap(({ label, calls }, index) => {
      const state = this.#states[index];
      if (state?.kind !== "answers") return [];
      const exchange: NodeCalls["exchange"] = async (...sent) => (isOver() ? OVER : calls.exchange(...sent));
      return [state.node({ ...calls, exchange }, label, wallets)];
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
    if (before?.kind === "fails" && before.untilMs !== null && before.untilMs > now()) return before;
    const probed = await protocol.probe(calls, (chainId) => follows(chainId, origin));
    if (probed.kind === "answers") return probed;
    if (probed.kind === "wrong_chain") return { ...probed, head: null };
    const { retryAfterMs } = probed.failure;
    return { ...probed, head: before?.head ?? null, untilMs: retryAfterMs === null ? null : now() + retryAfterMs };
  }
}

const OVER = none("was not asked");

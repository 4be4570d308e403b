import type { Ledger } from "../../../../src/gateway/model/ledger.ts";
import type { AttemptError, NodeRequest, NodeResponse } from "../../../../src/gateway/model/node-types.ts";
import { classify } from "../../../../src/gateway/upstream/classify.ts";
import type { UpstreamResult } from "../../../../src/gateway/upstream/client.ts";
import {
  exclusionOf,
  poolOf,
  type UpstreamPool,
  type UpstreamPorts,
} from "../../../../src/gateway/upstream/upstreams.ts";
import { SimulatedTime } from "../simulated-time.ts";

export const ledgerAt = (version: bigint, more: Partial<Ledger> = {}): Ledger => ({
  chainId: 4,
  version,
  oldestVersion: 0n,
  timestampMicros: 1_000_000_000n,
  epoch: 1n,
  blockHeight: version,
  oldestBlockHeight: 0n,
  ...more,
});

export const responseOf = (body: unknown, ledger: Ledger | null, status = 200): NodeResponse => ({
  status,
  contentType: "application/json; charset=utf-8",
  body: new TextEncoder().encode(JSON.stringify(body)),
  ledger,
  extras: {},
});

export const errorOf = (error: AttemptError, status: number | null = null): UpstreamResult => ({
  ...{ kind: "error", error, detail: "as ordered", status },
});

/** One node: its ledger, and how it responds to requests. */
export class SimulatedNode {
  version = 1_000n;
  ledger: Partial<Ledger> = {};
  delayMs = 10;
  /** The error that it injects instead of answering; null: it answers. */
  fault: (request: NodeRequest) => UpstreamResult | null = () => null;
  /** Overrides for the ledger headers of one response. */
  headers: (request: NodeRequest) => Ledger | undefined = () => undefined;
  readonly requests: NodeRequest[] = [];

  calls(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  /** Its probes are not a caller's requests. */
  get requestPaths(): string[] {
    return this.requests.map(({ path }) => path).filter((path) => path !== "");
  }

  answer(request: NodeRequest): UpstreamResult {
    const fault = this.fault(request);
    if (fault !== null) return fault;
    const ledger = this.headers(request) ?? ledgerAt(this.version, { blockHeight: this.version, ...this.ledger });
    const response = this.#respond(request, ledger);
    const classification = classify(request, response);
    if (typeof classification === "string") return { ...errorOf("invalid"), ...{ detail: classification } };
    return { kind: "response", response, classification, dialect: "node" };
  }

  #respond({ endpoint, params }: NodeRequest, ledger: Ledger): NodeResponse {
    const { oldestVersion, chainId } = ledger;
    switch (endpoint) {
      case "ledger_info":
        return responseOf({ chain_id: chainId, ledger_version: String(ledger.version) }, ledger);
      case "transaction_by_version": {
        const version = BigInt(params["txn_version"] ?? "0");
        if (version < oldestVersion)
          return responseOf({ message: "pruned", error_code: "version_pruned" }, ledger, 410);
        return responseOf(
          { type: "user_transaction", version: String(version), hash: `0x${version.toString(16).padStart(64, "0")}` },
          ledger,
        );
      }
      case "submit":
        return responseOf({ type: "pending_transaction", hash: "0x1" }, ledger, 202);
      default:
        return responseOf({ sequence_number: String(ledger.version), authentication_key: "0x00" }, ledger);
    }
  }
}

/** Nodes in simulated time, behind one pool. */
export class NodeWorld {
  readonly time = new SimulatedTime();
  readonly nodes: readonly SimulatedNode[];
  readonly pool: UpstreamPool;
  readonly background: Promise<unknown>[] = [];
  readonly ports: UpstreamPorts;

  constructor(count: number) {
    this.nodes = Array.from({ length: count }, () => new SimulatedNode());
    this.pool = poolOf(
      this.nodes.map((_node, index) => ({ label: `upstream-${index + 1}`, origin: `origin-${index + 1}` })),
    );
    this.ports = {
      pool: this.pool,
      era: 0,
      now: this.time.now,
      sleep: this.time.sleep,
      background: (work) => void this.background.push(work),
      follows: (_upstream, { chainId }) => chainId === 4,
      send: async (index, request, _dialect, deadlineMs) => {
        const node = this.node(index);
        node.requests.push(request);
        if (node.delayMs >= deadlineMs) {
          await this.time.sleep(deadlineMs);
          return errorOf("timeout");
        }
        await this.time.sleep(node.delayMs);
        return node.answer(request);
      },
    };
  }

  node(index: number): SimulatedNode {
    const node = this.nodes[index];
    if (node === undefined) throw new RangeError(`no node ${index}`);
    return node;
  }

  /** Why each upstream is excluded. */
  get exclusions(): (string | null)[] {
    return this.pool.upstreams.map(({ state }) => exclusionOf(state, this.time.nowMs));
  }

  /** Waits until no work is left in the background. */
  async settle(): Promise<void> {
    while (this.background.length > 0) await this.time.run(Promise.all(this.background.splice(0)));
  }
}

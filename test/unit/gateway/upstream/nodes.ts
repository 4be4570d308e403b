import type { Ledger } from "../../../../src/gateway/model/ledger.ts";
import type { NodeRequest, NodeResponse } from "../../../../src/gateway/model/node-types.ts";
import type { AttemptError } from "../../../../src/gateway/model/outcomes.ts";
import { classify } from "../../../../src/gateway/upstream/classify.ts";
import type { UpstreamResult } from "../../../../src/gateway/upstream/client.ts";
import {
  exclusionOf,
  poolOf,
  type UpstreamPool,
  type UpstreamPorts,
} from "../../../../src/gateway/upstream/upstreams.ts";
import { FakeChain } from "../../../support/fake-chain.ts";
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

export const errorOf = (
  error: AttemptError,
  status: number | null = null,
  retryAfterMs: number | null = null,
): UpstreamResult => ({ kind: "error", error, detail: "as ordered", status, retryAfterMs });

/** A node of the small chain in simulated time, and how it responds to requests. */
export class SimulatedNode extends FakeChain {
  override version = 1_000n;
  /** Overrides for its ledger headers. */
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

  respond(request: NodeRequest): UpstreamResult {
    const fault = this.fault(request);
    if (fault !== null) return fault;
    const { chainId, oldest: oldestVersion } = this;
    const ledger = this.headers(request) ?? ledgerAt(this.version, { chainId, oldestVersion, ...this.ledger });
    const { method, path, body } = request;
    const shape = this.answer({ method, path, body: body instanceof Uint8Array ? body : new Uint8Array() });
    const response = responseOf(shape.body, ledger, shape.status);
    const classification = classify(request, response);
    if (typeof classification === "string")
      return { kind: "error", error: "invalid", detail: classification, status: null, retryAfterMs: null };
    return { kind: "response", response, classification, dialect: "node" };
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
        return node.respond(request);
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

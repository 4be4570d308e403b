import type { NodeRequest } from "../node-types.ts";
import type { Dialect, UpstreamResult } from "../upstream/state.ts";

/** One exchange with the upstream of that place in the list, over a connection of whoever lends it. May reject. */
export type Exchange = (
  upstream: number,
  request: NodeRequest,
  dialect: Dialect,
  deadlineMs: number,
) => Promise<UpstreamResult>;

/** The connections of all requests that wait for one answer. One that failed its request is not used again. */
export class LentConnections {
  readonly #exchanges: Exchange[] = [];

  offer(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }

  get first(): Exchange | undefined {
    return this.#exchanges[0];
  }

  drop(exchange: Exchange): void {
    const index = this.#exchanges.indexOf(exchange);
    if (index !== -1) this.#exchanges.splice(index, 1);
  }
}

export interface ConnectionPorts {
  /** The object's own exchange. Never rejects. */
  readonly own: Exchange;
  /** Resolves after that long. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** How many of its own the object uses at once. */
  readonly count: number;
}

/** Beyond the deadline of an exchange: the way to the isolate and back. */
const WAY_MS = 1_000;

/**
 * An object has six connections that wait for headers, however many requests it serves; a request of an isolate has six
 * of its own. So the object uses its own while they last, and then those of the callers that wait for the answer anyway.
 */
export class Connections {
  readonly #ports: ConnectionPorts;
  readonly #queue: (() => void)[] = [];
  #free: number;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#free = ports.count;
  }

  /** Over the first connection that can be had. The deadline counts from then on. */
  async send(lent: LentConnections, ...exchange: Parameters<Exchange>): Promise<UpstreamResult> {
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#own(...exchange);
    }
    for (let lender = lent.first; lender !== undefined; lender = lent.first) {
      const result = await this.#over(lender, exchange);
      if (result !== undefined) return result;
      lent.drop(lender);
    }
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    return this.#own(...exchange);
  }

  /** Undefined when the lender is gone, or does not come back: the next one takes over. */
  async #over(lender: Exchange, exchange: Parameters<Exchange>): Promise<UpstreamResult | undefined> {
    const late = this.#ports.sleep(exchange[3] + WAY_MS).then(() => undefined);
    try {
      return await Promise.race([lender(...exchange), late]);
    } catch {
      return undefined;
    }
  }

  async #own(...exchange: Parameters<Exchange>): Promise<UpstreamResult> {
    try {
      return await this.#ports.own(...exchange);
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

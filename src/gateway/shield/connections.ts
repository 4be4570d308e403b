import { type Exchange, type UpstreamResult, upstreamError } from "../upstream/upstream-result.ts";

export interface ConnectionPorts {
  /** An exchange over the object's own connections. Never rejects. */
  readonly own: Exchange;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Maximum number of own connections in use at once. */
  readonly count: number;
}

/** Added to an exchange's deadline: the round trip to the isolate. */
const WAY_MS = 1_000;

/**
 * A Durable Object has six connections that wait for headers, however many requests it serves, and each request in an
 * isolate has six more. So the object uses its own first, then those of the callers that wait for the response anyway.
 */
export class Connections {
  readonly #ports: ConnectionPorts;
  #free: number;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#free = ports.count;
  }

  /**
   * Sends over the first available connection. The deadline starts then. There is no queue: every request that
   * waits for the response lends a connection, so when the last lender disconnects, no caller waits any more. One
   * that failed is removed from `lent`.
   */
  async send(lent: Exchange[], ...exchange: Parameters<Exchange>): Promise<UpstreamResult> {
    if (this.#free > 0) return this.#own(...exchange);
    for (let [lender] = lent; lender !== undefined; [lender] = lent) {
      const result = await this.#over(lender, exchange);
      if (result !== undefined) return result;
      const index = lent.indexOf(lender);
      if (index !== -1) lent.splice(index, 1);
    }
    if (this.#free > 0) return this.#own(...exchange);
    return upstreamError("no_connection", "no connection is free, and no caller lends one");
  }

  /** Undefined when the lender disconnects or does not respond in time: the next one takes over. */
  async #over(lender: Exchange, exchange: Parameters<Exchange>): Promise<UpstreamResult | undefined> {
    const late = this.#ports.sleep(exchange[3] + WAY_MS).then(() => undefined);
    try {
      return await Promise.race([lender(...exchange), late]);
    } catch {
      return undefined;
    }
  }

  async #own(...exchange: Parameters<Exchange>): Promise<UpstreamResult> {
    this.#free -= 1;
    try {
      return await this.#ports.own(...exchange);
    } finally {
      this.#free += 1;
    }
  }
}

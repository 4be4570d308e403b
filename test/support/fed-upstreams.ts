import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A chain node's views, a yield listing and a webhook over real HTTP, each of which can be taken away. */
export class FedUpstreams {
  nodeUp = true;
  listingUp = true;
  webhookUp = true;
  /** Base units; null: the chain does not track it. */
  coinSupply: bigint | null = 117_000_000_012_345_678n;
  tokenSupply: bigint | null = 50_000_123_456n;
  listing: unknown = { data: [] };
  /** Every view function that was asked for. */
  readonly views: string[] = [];
  /** How often the listing was asked for. */
  listings = 0;
  /** Where a failure was really served. */
  readonly refused: string[] = [];
  /** What the webhook was posted, taken or not. */
  readonly posted: Record<string, unknown>[] = [];
  readonly #server: Server;
  readonly #startedAtMs = Date.now();

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FedUpstreams> {
    const upstreams = new FedUpstreams();
    await new Promise<void>((resolve) => upstreams.#server.listen(0, "127.0.0.1", () => resolve()));
    return upstreams;
  }

  get url(): string {
    const address: AddressInfo | string | null = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  /** Two blocks a second. */
  get #version(): string {
    return String(100 + Math.floor((Date.now() - this.#startedAtMs) / 500));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString();
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (path === "/hook") {
      this.posted.push(JSON.parse(text));
      return this.#send(response, path, this.webhookUp ? 200 : 500, {});
    }
    if (path === "/rates") this.listings += 1;
    if (path === "/rates") return this.#send(response, path, this.listingUp ? 200 : 500, this.listing);
    if (!this.nodeUp) return this.#send(response, path, 500, { message: "down", error_code: "internal_error" });
    return this.#send(
      response,
      path,
      200,
      path === "/v1/view" ? [this.#view(JSON.parse(text).function)] : this.#ledger(),
    );
  }

  #send(response: ServerResponse, path: string, status: number, body: unknown): void {
    if (status !== 200) this.refused.push(path);
    const version = this.#version;
    response.writeHead(status, {
      "Content-Type": "application/json",
      "X-NODE-CHAIN-ID": "4",
      "X-NODE-LEDGER-VERSION": version,
      "X-NODE-LEDGER-OLDEST-VERSION": "0",
      "X-NODE-LEDGER-TIMESTAMPUSEC": String(Date.now() * 1_000),
      "X-NODE-EPOCH": "1",
      "X-NODE-BLOCK-HEIGHT": version,
      "X-NODE-OLDEST-BLOCK-HEIGHT": "0",
    });
    response.end(JSON.stringify(body));
  }

  #view(name: string): unknown {
    this.views.push(name);
    const coin = name.startsWith("0x1::coin::");
    if (name.endsWith("::decimals")) return coin ? 8 : 6;
    const supply = coin ? this.coinSupply : this.tokenSupply;
    return { vec: supply === null ? [] : [String(supply)] };
  }

  #ledger(): unknown {
    const version = this.#version;
    return {
      chain_id: 4,
      epoch: "1",
      ledger_version: version,
      oldest_ledger_version: "0",
      ledger_timestamp: String(Date.now() * 1_000),
      node_role: "full_node",
      oldest_block_height: "0",
      block_height: version,
      git_hash: "",
    };
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ViewRequest {
  readonly function: string;
  readonly arguments: readonly string[];
}

const TOKEN = 100_000_000n;
const VESTING_POOL = "0x5001";
const STAKING_POOL = "0x5002";
const FOUNDATION_POOL = "0xe64d94fc68f2a956b39b1a0b3770fe721a6c44fd0804482e87c2370643bd7685";

/** Base units in the wallets of test/fixtures/schedule/native.json: at least the locked amount, at any time. */
const BALANCES: ReadonlyMap<string, bigint> = new Map([
  ["0x9dff9cfd1f1e7786bab2dec44baaa7ff5cdc4c14e9fe3240872d44d5dad3bb38", 386_000_000n * TOKEN],
  ["0xda0b8533c90857bc7d03788ed457f62390ce82e9c8afe8268de2974b40781efd", 135_000_000n * TOKEN],
  [FOUNDATION_POOL, 160_000_000n * TOKEN],
  [VESTING_POOL, 190_000_000n * TOKEN],
  ["0x9e4d3959686cd295193545357d8cec2065f6b30d0976aa535f5777bddbf16c20", 3_000_000n * TOKEN],
]);

/** A chain node's views, a yield listing and a webhook over real HTTP, each of which can be made to fail. */
export class FedUpstreams {
  nodeUp = true;
  listingUp = true;
  webhookUp = true;
  /** Base units; null: the chain does not track it. */
  coinSupply: bigint | null = 99_999_999_912_345_678n;
  tokenSupply: bigint | null = 50_000_123_456n;
  listing: unknown = { data: [] };
  /** Every requested view function. */
  readonly views: string[] = [];
  /** The number of requests of the listing. */
  listings = 0;
  /** Every received `User-Agent`. */
  readonly userAgents = new Set<string>();
  /** The paths of served failures. */
  readonly refused: string[] = [];
  /** Every post to the webhook, accepted or not. */
  readonly posted: Record<string, unknown>[] = [];
  /** Every post to the monitor of the hourly check. */
  readonly heartbeats: unknown[] = [];
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
    if (path !== "/hook" && path !== "/heartbeat") this.userAgents.add(`${path} ${request.headers["user-agent"]}`);
    if (path === "/hook") {
      this.posted.push(JSON.parse(text));
      return this.#send(response, path, this.webhookUp ? 200 : 500, {});
    }
    if (path === "/heartbeat") {
      this.heartbeats.push(JSON.parse(text));
      return this.#send(response, path, 200, {});
    }
    if (path === "/rates") this.listings += 1;
    if (path === "/rates") return this.#send(response, path, this.listingUp ? 200 : 500, this.listing);
    if (!this.nodeUp) return this.#send(response, path, 500, { message: "down", error_code: "internal_error" });
    if (path.endsWith("::ValidatorSet"))
      return this.#send(response, path, 200, { type: "0x1::stake::ValidatorSet", data: { total_voting_power: "7" } });
    return this.#send(response, path, 200, path === "/v1/view" ? this.#view(JSON.parse(text)) : this.#ledger());
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

  #view({ function: name, arguments: [address = ""] }: ViewRequest): readonly unknown[] {
    this.views.push(name);
    const isCoin = name.startsWith("0x1::coin::");
    switch (name.split("::").at(-1)) {
      case "decimals":
        return [isCoin ? 8 : 6];
      case "supply": {
        const supply = isCoin ? this.coinSupply : this.tokenSupply;
        return [{ vec: supply === null ? [] : [String(supply)] }];
      }
      case "balance":
        return [String(BALANCES.get(address) ?? 0n)];
      case "reward_rate":
        return ["16", "1000000"];
      case "get_epoch_interval_secs":
        return ["7200"];
      case "stake_pool_address":
        return [name.startsWith("0x1::vesting::") ? VESTING_POOL : STAKING_POOL];
      case "staking_contract_amounts":
        return ["0", "0", "0"];
      case "get_stake":
        if (name.startsWith("0x1::delegation_pool::")) return ["0", "0", "0"];
        return [String(BALANCES.get(address) ?? 0n), "0", "0", "0"];
      default:
        throw new Error(`no view ${name}`);
    }
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

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import native from "../fixtures/schedule/native.json" with { type: "json" };
import { valid } from "../unit/supply/schedules.ts";
import { answerOf, type ScriptedChain } from "./deployment-world.ts";
import type { ViewRequest } from "./fake-chain.ts";
import { FakeNode } from "./fake-node.ts";
import { closing, listening } from "./listening.ts";

const TOKEN = 100_000_000n;
const SCHEDULE = valid(native);
/** Base units in the schedule's wallets, at least the locked amount at any time. */
const BALANCES: ReadonlyMap<string, bigint> = new Map([
  ["0x9dff9cfd1f1e7786bab2dec44baaa7ff5cdc4c14e9fe3240872d44d5dad3bb38", 386_000_000n * TOKEN],
  ["0xda0b8533c90857bc7d03788ed457f62390ce82e9c8afe8268de2974b40781efd", 135_000_000n * TOKEN],
  ["0xe64d94fc68f2a956b39b1a0b3770fe721a6c44fd0804482e87c2370643bd7685", 160_000_000n * TOKEN],
  ["0x6cd53f94942f13416986ceed5787062638b2a2351752db1fc2a0125ab317d1be", 190_000_000n * TOKEN],
  ["0x9e4d3959686cd295193545357d8cec2065f6b30d0976aa535f5777bddbf16c20", 3_000_000n * TOKEN],
]);
const VALIDATORS = { type: "0x1::stake::ValidatorSet", data: { total_voting_power: "7" } };

/** Node with the schedule's wallets, a yield listing and a webhook, over real HTTP. A test can make each fail. */
export class FedUpstreams {
  nodeUp = true;
  listingUp = true;
  webhookUp = true;
  /** Supply in base units; null: the chain does not track it. */
  coinSupply: bigint | null = 99_999_999_912_345_678n;
  tokenSupply: bigint | null = 50_000_123_456n;
  listing: unknown = { data: [] };
  /** Every requested view function. */
  readonly views: string[] = [];
  /** The `User-Agent` of each request of the listing. */
  readonly listingAgents: (string | undefined)[] = [];
  /** The paths at which listing or webhook have failed. */
  readonly refused: string[] = [];
  /** Every post to the webhook, accepted or not. */
  readonly posted: Record<string, unknown>[] = [];
  /** Every post to the monitor of the hourly check. */
  readonly heartbeats: unknown[] = [];
  readonly node: FakeNode;
  /** URL of the listing (`/rates`), the webhook (`/hook`) and the monitor (`/heartbeat`). */
  url = "";
  readonly #server: Server;

  private constructor(node: FakeNode) {
    this.node = node;
    node.commitEvery(500);
    node.fault = () => (this.nodeUp ? null : "status_500");
    node.views = (call, version) => this.#view(call, version);
    node.raw = ({ path }) =>
      this.nodeUp && path.includes(VALIDATORS.type) ? { text: JSON.stringify(VALIDATORS), isDeclared: true } : null;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FedUpstreams> {
    const upstreams = new FedUpstreams(await FakeNode.start());
    upstreams.url = await listening(upstreams.#server);
    return upstreams;
  }

  async stop(): Promise<void> {
    await Promise.all([this.node.stop(), closing(this.#server)]);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = "" } = request;
    const body = await text(request);
    if (path === "/hook") this.posted.push(JSON.parse(body));
    else if (path === "/heartbeat") this.heartbeats.push(JSON.parse(body));
    else this.listingAgents.push(request.headers["user-agent"]);
    const isUp = path === "/hook" ? this.webhookUp : path === "/heartbeat" || this.listingUp;
    if (!isUp) this.refused.push(path);
    response.writeHead(isUp ? 200 : 500, { "Content-Type": "application/json" });
    response.end(JSON.stringify(path === "/rates" ? this.listing : {}));
  }

  #view(call: ViewRequest, ledgerVersion: bigint): readonly unknown[] {
    this.views.push(call.function);
    const supply = call.function.startsWith("0x1::coin::") ? this.coinSupply : this.tokenSupply;
    if (call.function.endsWith("::supply") && supply === null) return [{ vec: [] }];
    const chain: ScriptedChain = {
      minted: () => this.coinSupply ?? 0n,
      stable: () => this.tokenSupply ?? 0n,
      balance: (holding) => BALANCES.get(holding.split(" ")[1] ?? "") ?? 0n,
      decimals: 8,
      stableDecimals: 6,
      staking: () => ({ numerator: 16n, denominator: 1_000_000n, epochSeconds: 7_200n, staked: 7n }),
    };
    const values = answerOf({ ...call, ledgerVersion }, { lie: () => undefined }, chain, SCHEDULE);
    if (values === undefined || values === "silent") throw new Error(`no view ${call.function}`);
    return values;
  }
}

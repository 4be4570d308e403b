import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { type ChainResponse, FakeChain, nodeError } from "./fake-chain.ts";
import { closing, listening } from "./listening.ts";

export interface FixedAnswer {
  readonly status: number;
  /** Header fields that replace the node's own. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly text?: string;
}

const HTML = { "Content-Type": "text/html" };
/** Fixed answers that replace the requested one. */
const INSTEAD = {
  html: { status: 200, fields: HTML, text: "<h1>Welcome</h1>" },
  not_json: { status: 200, text: '{"half":' },
  null_body: { status: 200, text: "null" },
  empty_body: { status: 200 },
  redirect: { status: 302, fields: { Location: "http://127.0.0.1:9/v1" } },
  forbidden: { status: 403, text: JSON.stringify(nodeError("api_disabled", "BCS is not enabled")) },
  forbidden_html: { status: 403, fields: HTML, text: "<h1>Forbidden</h1>" },
  page_414: { status: 414, fields: HTML, text: "<h1>Request-URI Too Large</h1>" },
  throttle: { status: 429, fields: { "Content-Type": "text/plain", "Retry-After": "2" }, text: "slow down" },
  status_500: { status: 500, text: JSON.stringify(nodeError("internal_error", "disk on fire")) },
  status_503_html: { status: 503, fields: HTML, text: "<h1>Bad gateway</h1>" },
} satisfies Record<string, FixedAnswer>;

/** Fault of one response, counted when it is served. */
export type FaultKind =
  | keyof typeof INSTEAD
  | "hang"
  | "hang_in_body"
  | "reset"
  | "truncate"
  | "wrong_length"
  | "other_identity";

export interface NodeRequest {
  readonly method: string;
  /** Path relative to /v1, with its query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Form in which a body is sent: with or without its length, complete, truncated after `cutAt` bytes, or slowly. */
export interface RawBody {
  readonly text: string;
  readonly isDeclared: boolean;
  readonly cutAt?: number;
  /** Bytes sent every 50 ms. */
  readonly slowly?: number;
}

/** Node of the small chain over real HTTP, with faults on request. */
export class FakeNode extends FakeChain {
  /** Replaces the ledger headers of one response. */
  ledgerHeaders: (request: NodeRequest) => Readonly<Record<string, string>> = () => ({});
  /** Time by which responses are delayed. */
  delayMs = 0;
  /** Work that every response awaits, beside the delay. */
  held: Promise<unknown> = Promise.resolve();
  fault: (request: NodeRequest) => FaultKind | null = () => null;
  /** Returns a fixed answer that replaces the requested one. */
  instead: (request: NodeRequest) => FixedAnswer | null = () => null;
  /** Replaces the body of one response. */
  raw: (request: NodeRequest) => RawBody | null = () => null;
  readonly requests: NodeRequest[] = [];
  readonly served: FaultKind[] = [];
  /** Bytes of the bodies of all requests and responses. */
  bytes = 0;
  /** The number of responses in progress. */
  openResponses = 0;
  /** Ends in `/v1`. */
  url = "";
  readonly #server: Server;
  #committing: NodeJS.Timeout | undefined;

  private constructor() {
    super();
    this.#server = createServer((request, response) => {
      this.openResponses += 1;
      response.on("close", () => {
        this.openResponses -= 1;
      });
      void this.#handle(request, response);
    });
  }

  static async start(): Promise<FakeNode> {
    const node = new FakeNode();
    node.url = `${await listening(node.#server)}/v1`;
    return node;
  }

  /** Commits a version at this interval from now on, at the time of the clock. */
  commitEvery(milliseconds: number): void {
    this.#committing = setInterval(() => (this.version += 1n), milliseconds);
    this.ledgerHeaders = () => ({ [`${this.prefix}LEDGER-TIMESTAMPUSEC`]: `${Date.now()}000` });
  }

  /** Makes the version the clock's second from now on, so that nodes of one chain agree on the time of each version. */
  followClock(): void {
    const follow = () => {
      this.version = BigInt(Math.floor(Date.now() / 1_000));
    };
    follow();
    this.#committing = setInterval(follow, 50);
  }

  /** Counts the requests of a path. */
  calls(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  async stop(): Promise<void> {
    clearInterval(this.#committing);
    await closing(this.#server);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen: NodeRequest = {
      method: request.method ?? "",
      path: (request.url ?? "").replace(/^\/v1/, ""),
      headers: request.headers,
      body: await buffer(request),
    };
    this.requests.push(seen);
    this.bytes += seen.body.length;
    const fault = this.fault(seen);
    // The response is decided when the request arrives, as in a node that reads its state and then sends.
    const head = { ...this.#ledgerFields(), ...this.ledgerHeaders(seen) };
    const shape = this.answer(seen);
    const raw = this.raw(seen);
    if (raw !== null) return sendRaw(response, raw, head);
    if (this.delayMs > 0) await pause(this.delayMs);
    await this.held;
    const instead = this.instead(seen);
    if (instead !== null) {
      response
        .writeHead(instead.status, { "Content-Type": "application/json", ...(instead.fields ?? head) })
        .end(instead.text);
      return;
    }
    if (fault !== null) this.served.push(fault);
    this.#send(response, shape, head, fault);
  }

  #send(
    response: ServerResponse,
    { status, body, extra }: ChainResponse,
    head: Record<string, string>,
    fault: FaultKind | null,
  ): void {
    const text = JSON.stringify(fault === "other_identity" ? otherIdentity(body) : body);
    this.bytes += text.length;
    const fields = {
      "Content-Type": "application/json; charset=utf-8",
      ...head,
      ...extra,
      "Set-Cookie": "AWSALB=x",
      Server: "node/1",
    };
    switch (fault) {
      case null:
      case "other_identity":
        response.writeHead(status, { ...fields, "Content-Length": String(Buffer.byteLength(text)) }).end(text);
        return;
      case "hang":
        return;
      case "reset":
        response.socket?.resetAndDestroy();
        return;
      case "hang_in_body":
      case "truncate":
        response.writeHead(status, { ...fields, "Content-Length": String(text.length) }).write(text.slice(0, 5));
        if (fault === "truncate") setTimeout(() => response.socket?.destroy(), 20);
        return;
      case "wrong_length":
        response.socket?.end(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length + 50}\r\n\r\n${text}`,
        );
        return;
      default: {
        const instead: FixedAnswer = INSTEAD[fault];
        response.writeHead(instead.status, instead.fields ?? fields).end(instead.text);
      }
    }
  }

  #ledgerFields(): Record<string, string> {
    const of: Record<string, unknown> = {
      "CHAIN-ID": this.chainId,
      "LEDGER-VERSION": this.version,
      "LEDGER-OLDEST-VERSION": this.oldest,
      "LEDGER-TIMESTAMPUSEC": this.version * 1_000_000n,
      EPOCH: 1,
      "BLOCK-HEIGHT": this.version,
      "OLDEST-BLOCK-HEIGHT": this.oldest,
    };
    return Object.fromEntries(Object.entries(of).map(([name, value]) => [this.prefix + name, String(value)]));
  }
}

async function sendSlowly(response: ServerResponse, text: string, bytes: number): Promise<void> {
  for (let at = 0; at < text.length && !response.destroyed; at += bytes) {
    response.write(text.slice(at, at + bytes));
    await pause(50);
  }
  response.end();
}

function sendRaw(
  response: ServerResponse,
  { text, isDeclared, cutAt, slowly }: RawBody,
  head: Readonly<Record<string, string>>,
): void {
  const length = isDeclared ? { "Content-Length": String(Buffer.byteLength(text)) } : {};
  response.writeHead(200, { "Content-Type": "application/json", ...head, ...length });
  if (slowly !== undefined) void sendSlowly(response, text, slowly);
  else if (cutAt === undefined) response.end(text);
  else response.write(text.slice(0, cutAt), () => setTimeout(() => response.destroy(), 20));
}

/** Returns a body of the same shape with another identity. */
function otherIdentity(body: unknown): unknown {
  return typeof body === "object" && body !== null && !Array.isArray(body)
    ? { ...body, version: "999999", hash: `0x${"cd".repeat(32)}`, block_height: "999999", type: "0x9::other::Thing" }
    : ["something else"];
}

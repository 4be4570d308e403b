import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type ChainResponse, FakeChain, nodeError } from "./fake-chain.ts";

/** A fault of one response. Each is counted when it is served. */
export type FaultKind =
  | "hang"
  | "hang_in_body"
  | "reset"
  | "truncate"
  | "wrong_length"
  | "html"
  | "not_json"
  | "null_body"
  | "empty_body"
  | "status_500"
  | "status_503_html"
  | "throttle"
  | "other_identity"
  | "page_414"
  | "forbidden"
  | "forbidden_html"
  | "redirect";

export interface NodeRequest {
  readonly method: string;
  /** Relative to /v1, with its query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** How a body is sent: with or without its length, complete, truncated after `cutAt` bytes, or slowly. */
export interface RawBody {
  readonly text: string;
  readonly isDeclared: boolean;
  readonly cutAt?: number;
  /** This many bytes every 50 ms. */
  readonly slowly?: number;
}

/** The small chain's node over real HTTP, with faults on request. */
export class FakeNode extends FakeChain {
  /** Overrides its ledger headers, for one response. */
  ledgerHeaders: (request: NodeRequest) => Readonly<Record<string, string>> = () => ({});
  /** Delays its responses by this time. */
  delayMs = 0;
  fault: (request: NodeRequest) => FaultKind | null = () => null;
  /** Overrides its body, for one response. */
  raw: (request: NodeRequest) => RawBody | null = () => null;
  readonly requests: NodeRequest[] = [];
  readonly served: FaultKind[] = [];
  /** Of the bodies of its requests and responses. */
  bytes = 0;
  /** The number of responses in progress. */
  openResponses = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
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
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<FakeNode> {
    const node = new FakeNode();
    await node.listen(0);
    return node;
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, "127.0.0.1", () => resolve()));
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** From now on it commits a version so often, at the time of the clock. */
  commitEvery(milliseconds: number): void {
    this.#committing = setInterval(() => (this.version += 1n), milliseconds);
    this.ledgerHeaders = () => ({ [`${this.prefix}LEDGER-TIMESTAMPUSEC`]: `${Date.now()}000` });
  }

  /** The number of requests of a path. */
  calls(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  async stop(): Promise<void> {
    clearInterval(this.#committing);
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const seen: NodeRequest = {
      method: request.method ?? "",
      path: (request.url ?? "").replace(/^\/v1/, ""),
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    this.requests.push(seen);
    this.bytes += seen.body.length;
    const fault = this.fault(seen);
    // The response is fixed when the request arrives, as by a node that reads its state and then sends.
    const head = { ...this.#ledgerFields(), ...this.ledgerHeaders(seen) };
    const shape = this.answer(seen);
    const raw = this.raw(seen);
    if (raw !== null) return sendRaw(response, raw, head);
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
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
        response.writeHead(status, { ...fields, "Content-Length": String(text.length) }).write(text.slice(0, 5));
        return;
      case "truncate":
        response.writeHead(status, { ...fields, "Content-Length": String(text.length) }).write(text.slice(0, 5));
        setTimeout(() => response.socket?.destroy(), 20);
        return;
      case "wrong_length":
        response.socket?.end(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length + 50}\r\n\r\n${text}`,
        );
        return;
      case "html":
        response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Welcome</h1>");
        return;
      case "not_json":
        response.writeHead(200, fields).end('{"half":');
        return;
      case "null_body":
        response.writeHead(200, fields).end("null");
        return;
      case "empty_body":
        response.writeHead(200, fields).end();
        return;
      case "page_414":
        response.writeHead(414, { "Content-Type": "text/html" }).end("<h1>Request-URI Too Large</h1>");
        return;
      case "forbidden":
        response.writeHead(403, fields).end(JSON.stringify(nodeError("api_disabled", "BCS is not enabled")));
        return;
      case "forbidden_html":
        response.writeHead(403, { "Content-Type": "text/html" }).end("<h1>Forbidden</h1>");
        return;
      case "status_500":
        response.writeHead(500, fields).end(JSON.stringify(nodeError("internal_error", "disk on fire")));
        return;
      case "status_503_html":
        response.writeHead(503, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
        return;
      case "throttle":
        response.writeHead(429, { "Content-Type": "text/plain", "Retry-After": "2" }).end("slow down");
        return;
      case "redirect":
        response.writeHead(302, { Location: "http://127.0.0.1:9/v1" }).end();
        return;
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
    await new Promise((resolve) => setTimeout(resolve, 50));
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

/** The same shape with another identity. */
function otherIdentity(body: unknown): unknown {
  return typeof body === "object" && body !== null && !Array.isArray(body)
    ? { ...body, version: "999999", hash: `0x${"cd".repeat(32)}`, block_height: "999999", type: "0x9::other::Thing" }
    : ["something else"];
}

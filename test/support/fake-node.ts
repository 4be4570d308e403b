import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

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

export interface ViewRequest {
  readonly function: string;
  readonly arguments: readonly string[];
}

/** How a body is sent: with or without its length, complete, truncated after `cutAt` bytes, or slowly. */
export interface RawBody {
  readonly text: string;
  readonly isDeclared: boolean;
  readonly cutAt?: number;
  /** This many bytes every 50 ms. */
  readonly slowly?: number;
}

interface Shape {
  readonly status: number;
  readonly body: unknown;
  readonly extra?: Readonly<Record<string, string>>;
}

/** A small chain node over real HTTP: one transaction a version, one block a version, faults on request. */
export class FakeNode {
  version = 10n;
  oldest = 0n;
  chainId = 4;
  prefix = "X-NODE-";
  /** Two hex digits in its hashes, which distinguish it from another chain. */
  salt = "ab";
  /** Overrides its ledger headers, for one response. */
  ledgerHeaders: (request: NodeRequest) => Readonly<Record<string, string>> = () => ({});
  /** Delays its responses by this time. */
  delayMs = 0;
  fault: (request: NodeRequest) => FaultKind | null = () => null;
  /** Overrides its body, for one response. */
  raw: (request: NodeRequest) => RawBody | null = () => null;
  /** Its views' values; null: each returns the ledger version that it was asked at. */
  views: ((call: ViewRequest, version: bigint) => readonly unknown[]) | null = null;
  /** Hashes that are in the mempool and not committed. */
  readonly pending = new Set<string>();
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
    const shape = this.#answer(seen);
    const raw = this.raw(seen);
    if (raw !== null) return sendRaw(response, raw, head);
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    if (fault !== null) this.served.push(fault);
    this.#send(response, shape, head, fault);
  }

  #send(
    response: ServerResponse,
    { status, body, extra }: Shape,
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
        response.writeHead(403, fields).end(JSON.stringify(errorOf("api_disabled", "BCS is not enabled")));
        return;
      case "forbidden_html":
        response.writeHead(403, { "Content-Type": "text/html" }).end("<h1>Forbidden</h1>");
        return;
      case "status_500":
        response.writeHead(500, fields).end(JSON.stringify(errorOf("internal_error", "disk on fire")));
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

  #answer({ method, path, body }: NodeRequest): Shape {
    const [pathname = "", query = ""] = path.split("?", 2);
    const requested = new URLSearchParams(query);
    const at = requested.get("ledger_version");
    if (at !== null && BigInt(at) > this.version) return notFound("version_not_found");
    if (at !== null && BigInt(at) < this.oldest) return pruned();
    const parts = pathname.split("/").slice(1).map(decodeURIComponent);
    if (method === "POST") return this.#post(parts, body, at);
    switch (parts[0] ?? "") {
      case "":
        return ok({ chain_id: this.chainId, epoch: "1", ledger_version: String(this.version), node_role: "full_node" });
      case "-":
        return ok({ message: "aptos-node:ok" });
      case "estimate_gas_price":
        return ok({ deprioritized_gas_estimate: 100, gas_estimate: 100, prioritized_gas_estimate: 150 });
      case "blocks":
        return this.#block(BigInt(parts[2] ?? "0"));
      case "transactions":
        return parts.length === 1 ? this.#page(requested) : this.#transaction(parts[1] ?? "", parts[2] ?? "");
      case "accounts":
        return this.#account(parts, at ?? String(this.version), requested);
      default:
        return { status: 404, body: errorOf("web_framework_error", "not found") };
    }
  }

  #post(parts: readonly string[], body: Buffer, at: string | null): Shape {
    if (parts[0] === "view") {
      const version = BigInt(at ?? this.version);
      return ok(this.views?.(JSON.parse(String(body)), version) ?? [String(version)]);
    }
    if (parts[0] === "tables") return ok(`${at ?? this.version} ${createHash("sha256").update(body).digest("hex")}`);
    if (parts[1] === "batch")
      return {
        status: 206,
        body: { transaction_failures: [{ error: errorOf("vm_error", "no"), transaction_index: 0 }] },
      };
    if (parts[1] === "simulate")
      return ok([{ type: "user_transaction", version: String(this.version), success: true }]);
    if (parts[1] === "encode_submission") return ok("0xb5e97db0");
    const hash = `0x${createHash("sha256").update(body).digest("hex")}`;
    this.pending.add(hash);
    return { status: 202, body: { type: "pending_transaction", hash } };
  }

  #block(height: bigint): Shape {
    if (height > this.version) return notFound("block_not_found");
    if (height < this.oldest) return { status: 410, body: errorOf("block_pruned", `Block(${height}) has been pruned`) };
    const of = String(height);
    return ok({
      block_height: of,
      block_hash: hashOf(height, this.salt),
      block_timestamp: of,
      first_version: of,
      last_version: of,
      transactions: null,
    });
  }

  #transaction(how: string, text: string): Shape {
    if (how === "by_version") {
      const version = BigInt(text);
      if (version > this.version) return notFound("transaction_not_found");
      return version < this.oldest ? pruned() : ok(record(version, this.salt));
    }
    if (this.pending.has(text)) return ok({ type: "pending_transaction", hash: text });
    const version = BigInt(text) >> 128n;
    return version <= this.version && hashOf(version, this.salt) === text
      ? ok(record(version, this.salt))
      : notFound("transaction_not_found");
  }

  #page(wanted: URLSearchParams): Shape {
    const limit = Number(wanted.get("limit"));
    const start = wanted.get("start") === null ? this.version - BigInt(limit - 1) : BigInt(wanted.get("start") ?? "0");
    if (start > this.version) return { status: 400, body: errorOf("invalid_input", "Given start value is too high") };
    if (start < this.oldest) return pruned();
    const records: unknown[] = [];
    for (let version = start < 0n ? 0n : start; version <= this.version && records.length < limit; version += 1n)
      records.push(record(version, this.salt));
    return ok(records);
  }

  #account(parts: readonly string[], version: string, params: URLSearchParams): Shape {
    const [, address = "", what, name = ""] = parts;
    if (address === "0xdead") return notFound("account_not_found");
    switch (what) {
      case undefined:
        return ok({ sequence_number: version, authentication_key: "0x00" });
      case "resource":
        return name.endsWith("::Missing") ? notFound("resource_not_found") : ok({ type: name, data: { version } });
      case "resources":
        return {
          ...ok([{ type: "0x1::a::A", data: { version } }]),
          extra: params.get("start") === null ? { [`${this.prefix}CURSOR`]: "00ab" } : {},
        };
      case "module":
        return ok({ bytecode: "0x", abi: { address, name } });
      case "balance":
        return ok(Number(version));
      default:
        return ok([]);
    }
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

/** The hash of the transaction that was committed at a version. */
export function hashOf(version: bigint, salt = "ab"): string {
  return `0x${version.toString(16).padStart(32, "0")}${salt.repeat(16)}`;
}

function record(version: bigint, salt: string): unknown {
  return { type: "user_transaction", version: String(version), hash: hashOf(version, salt), success: true };
}

function ok(body: unknown): Shape {
  return { status: 200, body };
}

function notFound(code: string): Shape {
  return { status: 404, body: errorOf(code, "not found") };
}

function pruned(): Shape {
  return { status: 410, body: errorOf("version_pruned", "has been pruned") };
}

function errorOf(code: string, message: string): unknown {
  return { message, error_code: code, vm_error_code: null };
}

/** The same shape with another identity. */
function otherIdentity(body: unknown): unknown {
  return typeof body === "object" && body !== null && !Array.isArray(body)
    ? { ...body, version: "999999", hash: `0x${"cd".repeat(32)}`, block_height: "999999", type: "0x9::other::Thing" }
    : ["something else"];
}

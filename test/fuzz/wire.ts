import { connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { type RawRequest, wireBytes } from "./raw-request.ts";

/** Response as received. Field names are in lower case, values byte by byte. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
  /** Whether the connection may carry another request. */
  readonly reusable: boolean;
}

/** Event instead of a response. */
export interface NoAnswer {
  readonly kind: "none";
  readonly reason: string;
}

const MAX_WAIT_MS = 60_000;

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
  zstd: zstdDecompressSync,
};

/** Sends requests byte by byte, which no HTTP library does, and parses responses strictly. One request at a time. */
export class Wire {
  readonly #host: string;
  readonly #port: number;
  #idle: Socket | null = null;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  async send(request: RawRequest): Promise<Answer | NoAnswer> {
    // A socket closed before a listener was added would never emit the event again.
    const stored = this.#idle?.writable === true && !this.#idle.readableEnded ? this.#idle : null;
    if (stored === null) this.#idle?.destroy();
    this.#idle = null;
    const answer = await this.#exchange(stored ?? connect(this.#port, this.#host), request);
    // The server may have closed an idle connection just as we wrote; that is no response to this request.
    const ended = stored !== null && answer.kind === "none" && answer.reason === "closed";
    return ended ? this.#exchange(connect(this.#port, this.#host), request) : answer;
  }

  close(): void {
    this.#idle?.destroy();
    this.#idle = null;
  }

  #exchange(socket: Socket, sent: RawRequest): Promise<Answer | NoAnswer> {
    return new Promise((resolve) => {
      let received = Buffer.alloc(0);
      const finish = (result: Answer | NoAnswer): void => {
        clearTimeout(timer);
        socket.removeAllListeners();
        socket.on("error", () => socket.destroy());
        const keeps = result.kind === "answer" && result.reusable && sent.framing !== "as_written" && !socket.destroyed;
        if (keeps && socket.writableLength === 0) this.#idle = socket;
        else socket.destroy();
        resolve(result);
      };
      const read = (ended: boolean): void => {
        const result = parseAnswer(received, sent, ended);
        if (result !== null) finish(result);
      };
      const timer = setTimeout(() => finish({ kind: "none", reason: `nothing in ${MAX_WAIT_MS} ms` }), MAX_WAIT_MS);
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        read(false);
      });
      // Bytes received before a reset may be a response: a runtime refuses without reading the whole request.
      socket.on("error", (cause) => {
        if (parseAnswer(received, sent, true)?.kind === "answer") read(true);
        else finish({ kind: "none", reason: received.length > 0 ? cause.message : "closed" });
      });
      socket.on("close", () => read(true));
      socket.write(wireBytes(sent, `${this.#host}:${this.#port}`));
    });
  }
}

/**
 * Parses the final response in the received bytes; null while it is incomplete. Anything other than valid HTTP/1.1 is a
 * missing response.
 */
export function parseAnswer(received: Buffer, raw: RawRequest, ended: boolean): Answer | NoAnswer | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) {
    if (!ended) return null;
    return { kind: "none", reason: received.length === 0 ? "closed" : "closed inside the head" };
  }
  const [statusLine = "", ...lines] = received.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${statusLine} `)?.[1] ?? 0);
  if (status === 0) return { kind: "none", reason: `not HTTP: ${statusLine.slice(0, 80)}` };
  const rest = received.subarray(headEnd + 4);
  if (status === 100) return parseAnswer(rest, raw, ended);
  const fields = new Map<string, string[]>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { kind: "none", reason: `not a field: ${line.slice(0, 80)}` };
    fields.set(name.toLowerCase(), [...(fields.get(name.toLowerCase()) ?? []), value]);
  }
  const reusable = fields.get("connection")?.[0]?.toLowerCase() !== "close";
  const body = bodyOf(rest, fields, raw, status, ended);
  if (body === null || "kind" in body) return body;
  const decode = body.length === 0 ? undefined : DECODERS[fields.get("content-encoding")?.join() ?? ""];
  return { kind: "answer", status, fields, body: decode === undefined ? body : decode(body), reusable };
}

function bodyOf(
  rest: Buffer,
  fields: ReadonlyMap<string, readonly string[]>,
  { method, framing }: RawRequest,
  status: number,
  ended: boolean,
): Buffer | NoAnswer | null {
  if (method === "HEAD" || status === 204 || status === 304 || status === 101) return Buffer.alloc(0);
  // When the runtime refuses headers without reading all of them, it resets the connection during its response.
  const cut = !ended ? null : status === 431 ? rest : { kind: "none" as const, reason: "closed inside the body" };
  if (fields.get("transfer-encoding")?.[0] === "chunked") return unchunked(rest) ?? cut;
  const length = fields.get("content-length")?.[0];
  if (length === undefined) return ended ? rest : null;
  if (rest.length < Number(length)) return cut;
  // Bytes after a body with a false length are parsed, and answered, as another request.
  if (framing === "as_written") return rest.subarray(0, Number(length));
  return rest.length === Number(length) ? rest : { kind: "none", reason: "more bytes than Content-Length declares" };
}

function unchunked(rest: Buffer): Buffer | NoAnswer | null {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    if (!(size >= 0)) return { kind: "none", reason: "a chunk without a size" };
    const end = lineEnd + 2 + size;
    if (rest.length < end + 2) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

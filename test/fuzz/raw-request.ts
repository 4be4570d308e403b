/** Request, byte by byte. Text represents bytes, one character each (Latin-1), so that nothing normalizes it. */
export interface RawRequest {
  readonly method: string;
  /** Target of the request line, as sent. */
  readonly target: string;
  /** Header fields; Host is added unless it is among them. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  /**
   * `declared`: a correct Content-Length is added; `chunked`: chunked encoding is added. `as_written`: the fields are
   * sent as given, correct or not.
   */
  readonly framing: "declared" | "chunked" | "as_written";
  /** Statuses that a valid request must have; null if the request was mutated. */
  readonly expected: readonly number[] | null;
}

export const PLAIN: RawRequest = {
  method: "GET",
  target: "/",
  fields: [],
  body: null,
  framing: "declared",
  expected: null,
};

const CHUNK_BYTES = 65_536;

/** Encodes a request into the bytes that are sent. */
export function wireBytes(request: RawRequest, host: string): Buffer {
  const names = request.fields.map(([name]) => name.toLowerCase());
  const own: [string, string][] = names.includes("host") ? [] : [["Host", host]];
  if (request.framing === "chunked") own.push(["Transfer-Encoding", "chunked"]);
  if (request.framing === "declared" && request.body !== null)
    own.push(["Content-Length", String(request.body.length)]);
  const lines = [...own, ...request.fields].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${request.method} ${request.target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  if (request.framing === "chunked") return Buffer.concat([head, ...chunked(request.body ?? new Uint8Array())]);
  return request.body === null ? head : Buffer.concat([head, request.body]);
}

function* chunked(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += CHUNK_BYTES) {
    const chunk = body.subarray(start, start + CHUNK_BYTES);
    yield Buffer.from(`${chunk.length.toString(16)}\r\n`);
    yield chunk;
    yield Buffer.from("\r\n");
  }
  yield Buffer.from("0\r\n\r\n");
}

/** Describes a request in a few lines. */
export function described(raw: RawRequest): string {
  const fields = raw.fields.map(([name, value]) => `  ${name}: ${JSON.stringify(shortened(value))}`);
  const body = raw.body === null ? "" : Buffer.from(raw.body.subarray(0, 300)).toString("latin1");
  const size = raw.body === null ? [] : [`  body, ${raw.body.length} bytes, ${raw.framing}: ${JSON.stringify(body)}`];
  return [`${raw.method} ${JSON.stringify(shortened(raw.target))}`, ...fields, ...size].join("\n");
}

function shortened(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}... (${text.length} characters)`;
}

/** Returns the last value of a field; null when the request has none. */
export function sent(raw: RawRequest, name: string): string | null {
  const values = raw.fields.filter(([field]) => field.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return values.length === 0 ? null : values.join(", ").trim();
}

/**
 * Lists the paths that a Worker may receive: as sent, with dot segments resolved, and as URL resolves it. Runtimes and
 * the proxies before them normalize paths in different ways. None when the target is not a path.
 */
export function pathsOf(raw: RawRequest): string[] {
  // RFC 9112 section 3.2: the absolute form names the host too; the runtime makes a path of the asterisk form.
  const target = raw.target.replace(/^https?:\/\/[^/?#]+(?=\/)/i, "").replace(/^\*$/, "/*");
  if (!target.startsWith("/")) return [];
  const sentPath = target.split(/[?# \t]/)[0] ?? "";
  const resolved: string[] = [];
  const segments = sentPath.split("/").slice(1);
  for (const segment of segments) {
    if (segment === "..") resolved.pop();
    else if (segment !== ".") resolved.push(segment);
  }
  const open = /^\.\.?$/.test(segments.at(-1) ?? "") ? [`/${resolved.join("/")}/`] : [];
  const normalized = URL.parse(`http://host.example${target}`)?.pathname;
  // The runtime writes the host before the target, even a host that contains a path.
  const atHost = URL.parse(`http://${sent(raw, "host") ?? "host.example"}${target}`)?.pathname;
  return [
    ...new Set([
      normalized ?? sentPath,
      ...(atHost === undefined ? [] : [atHost]),
      `/${resolved.join("/")}`,
      ...open,
      sentPath,
    ]),
  ];
}

/** Decodes percent-encoding; malformed text stays unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { type RawRequest, sent, wireBytes } from "./raw-request.ts";
import type { Answer, NoAnswer } from "./wire.ts";

/**
 * The runtime's own responses to requests that are not valid HTTP and never reach the Worker. Each row has its cause in
 * the request; the same response to a request without that cause is a fault.
 */
interface Refusal {
  readonly because: string;
  readonly status: number;
  readonly body: string;
  readonly cause: (raw: RawRequest) => boolean;
}

const METHODS =
  /^(GET|HEAD|POST|PUT|DELETE|PATCH|PURGE|OPTIONS|TRACE|COPY|LOCK|MKCOL|MOVE|PROPFIND|PROPPATCH|SEARCH|UNLOCK|ACL|REPORT|MKACTIVITY|CHECKOUT|MERGE|M-SEARCH|NOTIFY|SUBSCRIBE|UNSUBSCRIBE)$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/;
/** RFC 9112 section 5.5: characters that a field's value or a target must not contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is for control characters
const BREAKS_HEAD = /[\x00\r\n]/;
const HEAD_BYTES = 65_536;
/** After its response the runtime reads at most this many bytes of the body. */
const UNREAD_BYTES = 60_000;
const FAILED = { status: 500, body: "Internal Server Error" } as const;

const REFUSALS: readonly Refusal[] = [
  {
    because: "the method is not one that HTTP registers",
    status: 501,
    body: "ERROR: Unrecognized request method.",
    cause: ({ method }) => !METHODS.test(method),
  },
  {
    because: "the head is no HTTP head",
    status: 400,
    body: "ERROR: The headers sent by your client are not valid.",
    cause: ({ target, fields }) =>
      target === "" ||
      BREAKS_HEAD.test(target) ||
      fields.some(([name, value]) => !TOKEN.test(name) || BREAKS_HEAD.test(value)),
  },
  {
    because: "the head is larger than the runtime reads",
    status: 431,
    body: "ERROR: header too large.",
    cause: (raw) => wireBytes({ ...raw, body: null }, "host").length > HEAD_BYTES - 1_024,
  },
  {
    because: "there is no target",
    status: 400,
    body: "ERROR: Invalid request line.",
    cause: ({ target }) => target === "",
  },
  { because: "there is no such target", ...FAILED, cause: ({ target }) => !target.startsWith("/") },
  {
    because: "the host is none",
    status: 400,
    body: "Bad Request",
    cause: (raw) => /^[, ]*$/.test(sent(raw, "host") ?? "host"),
  },
  { because: "the host is none", ...FAILED, cause: (raw) => !isHost(sent(raw, "host") ?? "host") },
  {
    because: "no coding of the body is acceptable, not even none",
    status: 415,
    body: "Unsupported Media Type",
    cause: (raw) => /(identity|\*);q=0/.test(sent(raw, "accept-encoding") ?? ""),
  },
  {
    because: "the end of the body is not declared",
    ...FAILED,
    cause: (raw) =>
      raw.framing === "as_written" &&
      (!/^\d+$/.test(sent(raw, "content-length") ?? "0") ||
        (sent(raw, "transfer-encoding") ?? "chunked") !== "chunked"),
  },
];

function isHost(text: string): boolean {
  return /^[\w.-]+(:\d+)?$/.test(text) && URL.canParse(`http://${text}`);
}

/** Why the runtime, not the product, sent this response; null when the product must have. */
export function runtimeRefusal(raw: RawRequest, answer: Answer | NoAnswer): string | null {
  if (answer.kind === "none") {
    const reset = /ECONNRESET|EPIPE|^closed/.test(answer.reason) && (raw.body?.length ?? 0) > UNREAD_BYTES;
    return reset ? "the connection was reset during a large body that is not read" : null;
  }
  if (answer.fields.has("ratelimit")) return null;
  const text = answer.body.toString("latin1");
  const matches = ({ status, body, cause }: Refusal): boolean =>
    answer.status === status && (text === body || raw.method === "HEAD" || status === 431) && cause(raw);
  return REFUSALS.find(matches)?.because ?? null;
}

import { type RawRequest, sent } from "./raw-request.ts";
import type { Answer, NoAnswer } from "./wire.ts";

/**
 * Response of the runtime itself to a request that is not valid HTTP, so that the Worker never sees it. Each row names
 * its cause in the request. The same response without that cause is a fault.
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
/** Characters that a field's value must not contain (RFC 9110 section 5.5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is for control characters
const BREAKS_FIELD = /[\x00-\x08\x0a-\x1f\x7f]/;
/** Characters of a URI (RFC 3986 section 2), and a lone percent sign, which the runtime accepts. */
const URI_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const TARGET_BYTES = 65_534;
/** Most bytes of a body that the runtime reads after its response. */
const UNREAD_BYTES = 60_000;

const REFUSALS: readonly Refusal[] = [
  {
    because: "the method is not one that HTTP registers",
    status: 501,
    body: "ERROR: Unrecognized request method.",
    cause: ({ method }) => !METHODS.test(method),
  },
  {
    because: "the method is no token",
    status: 400,
    body: "invalid HTTP method parsed",
    cause: ({ method }) => !TOKEN.test(method),
  },
  {
    because: "the request line has more than three parts",
    status: 400,
    body: "invalid HTTP version parsed",
    cause: ({ method, target }) => method.includes(" ") || target.includes(" "),
  },
  {
    because: "the target is no URI",
    status: 400,
    body: "invalid URI",
    cause: ({ target }) => !URI_CHARACTERS.test(target) || !/^(\/|\*$|https?:\/\/(?![^/]*%))/.test(target),
  },
  {
    because: "the target is longer than the runtime reads",
    status: 414,
    body: "URI too long",
    cause: ({ target }) => target.length >= TARGET_BYTES,
  },
  {
    because: "a field is no HTTP field",
    status: 400,
    body: "invalid HTTP header parsed",
    cause: ({ fields }) => fields.some(([name, value]) => !TOKEN.test(name) || BREAKS_FIELD.test(value)),
  },
  {
    because: "the coding of the body has no end",
    status: 400,
    body: "invalid transfer-encoding parsed",
    cause: (raw) => (sent(raw, "transfer-encoding") ?? "chunked") !== "chunked",
  },
  {
    because: "the length of the body is none",
    status: 400,
    body: "invalid content-length parsed",
    cause: (raw) => !/^\d+$/.test(sent(raw, "content-length") ?? "0"),
  },
  {
    because: "the host is none",
    status: 400,
    body: "Bad Request",
    cause: (raw) => /^[, ]*$|[^ -~]/.test(sent(raw, "host") ?? "host"),
  },
];

/** Reason why the runtime sent this response; null when the product must have sent it. */
export function runtimeRefusal(raw: RawRequest, answer: Answer | NoAnswer): string | null {
  if (answer.kind === "none") {
    const reset = /ECONNRESET|EPIPE|^closed/.test(answer.reason) && (raw.body?.length ?? 0) > UNREAD_BYTES;
    return reset ? "the connection was reset during a large body that is not read" : null;
  }
  if (answer.fields.has("ratelimit")) return null;
  const text = answer.body.toString("latin1");
  const matches = ({ status, body, cause }: Refusal): boolean =>
    answer.status === status && (text === body || raw.method === "HEAD") && cause(raw);
  return REFUSALS.find(matches)?.because ?? null;
}

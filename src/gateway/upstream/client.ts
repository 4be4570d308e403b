import { fnv1aHex } from "../../base/hash/fnv1a.ts";
import { concatBytes } from "../../chain/bytes.ts";
import { isNodeStatus } from "../../chain/endpoints.ts";
import { ERROR_STATUS } from "../../chain/error-codes.ts";
import { BODY_HEADERS, ENCRYPTION_KEY, LEDGER_HEADERS, parseLedger } from "../../chain/ledger-headers.ts";
import { BCS_TYPE, essenceOf, JSON_TYPE, NODE_JSON_TYPE } from "../../chain/media-types.ts";
import { batchReport, bcsBatchReport, nodeError } from "../../chain/node-error.ts";
import { nodeAccess } from "../../chain/node-key.ts";
import { type CleanText, textCleaner } from "../../chain/node-text.ts";
import { parseJsonBytes } from "../../chain/utf8.ts";
import type { ChainSettings } from "../../families/chain-settings.ts";
import { FIRST_LABEL } from "../../families/token-chain.ts";
import { type BodyMemoryLimit, collect, declaredLength, type LargeBody, streamOf } from "../../http/body.ts";
import { retryAfterMs } from "../../http/retry-after.ts";
import { meaningOfStatus } from "../../http/status-meaning.ts";
import type { NodeRequest, NodeResponse } from "../model/node-types.ts";
import { type AttemptError, MAX_RESPONSE_BYTES } from "../model/outcomes.ts";
import { classify, NO_LEDGER, type ValidResponse } from "./classify.ts";

/** Result of a request to an upstream. Plain data, because it may cross between isolates. */
export type UpstreamResult = UpstreamResponse | UpstreamError;

export interface UpstreamResponse {
  readonly kind: "response";
  readonly response: NodeResponse;
  readonly classification: ValidResponse;
  readonly dialect: Dialect | null;
}

export interface UpstreamError {
  readonly kind: "error";
  readonly error: AttemptError;
  /** Text for the log. */
  readonly detail: string;
  /** HTTP status; null when there was none. */
  readonly status: number | null;
  /** Time for which the upstream is not to be called; null: it does not say. */
  readonly retryAfterMs: number | null;
}

export function upstreamError(
  error: AttemptError,
  detail: string,
  status: number | null = null,
  retryAfterMs: number | null = null,
): UpstreamError {
  return { kind: "error", error, detail, status, retryAfterMs };
}

/**
 * Dialects of Move nodes, which differ in media types and header prefix. A node's dialect is learned from its
 * responses.
 */
const DIALECTS = ["node", "aptos"] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Sends a request to the upstream at an index, with one deadline for head and body. Rejects only when it is lent. */
export type Exchange = (
  upstream: number,
  request: NodeRequest,
  dialect: Dialect,
  deadlineMs: number,
) => Promise<UpstreamResult>;

/** An HTTP exchange with an upstream; `path` is relative to its `/v1`. May reject. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>;

/** Ports of an exchange. */
export interface SendPorts {
  /** Calls `then` after a delay unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
  readonly memory: BodyMemoryLimit;
  /** Streams a body with its declared length, so that the upstream detects a truncation. */
  readonly withLength: (body: LargeBody) => ReadableStream<Uint8Array>;
  /** User-Agent, `name/revision`, because node operators block clients without one. */
  readonly userAgent: string;
  readonly now: () => number;
}

/**
 * Largest body that is buffered. Larger ones are passed on as they arrive: not parsed, cached, or shared between
 * requests.
 */
const MAX_BUFFERED_BYTES = 1_048_576;
/** Encodings that the platform decodes. A body in another one would be misread. */
const DECODED_ENCODINGS: readonly string[] = ["", "identity", "gzip", "br"];
/** Node headers that belong to a body. Others with the prefix may name machines of the upstream's operator. */
const EXTRA_SUFFIXES = [...Object.values(BODY_HEADERS), ENCRYPTION_KEY];
/** Form of these headers: decimal or hexadecimal digits, as the document says of a cursor. No node's is longer. */
const EXTRA_FORM = /^(0x)?[0-9a-f]{1,4096}$/;

/**
 * Sends a request to an upstream and reads the whole response under one deadline. Forwards only the node request
 * itself; returns only status, media type, body and the node's headers. Never rejects.
 */
export async function exchange(
  { transport, clean }: Pick<Sender, "transport" | "clean">,
  ports: SendPorts,
  request: NodeRequest,
  dialect: Dialect,
  deadlineMs: number,
): Promise<UpstreamResult> {
  const abort = new AbortController();
  let isLate = false;
  const cancel = ports.after(deadlineMs, () => {
    isLate = true;
    abort.abort();
  });
  let failure: "connect" | "truncated" = "connect";
  try {
    const { method, path, body } = request;
    const headers = { ...requestHeaders(request, dialect), "User-Agent": ports.userAgent };
    const sent = body === null || body instanceof Uint8Array ? body : ports.withLength(body);
    // Redirects are not followed, because their target is not a configured upstream.
    const message = await transport(path, { method, headers, body: sent, signal: abort.signal, redirect: "manual" });
    failure = "truncated";
    return await readResponse(request, message, abort, { ...ports, clean });
  } catch {
    if (isLate) return upstreamError("timeout", `no whole response in ${deadlineMs} ms`);
    return upstreamError(
      failure,
      failure === "connect" ? "the connection failed" : "the connection failed in the body",
    );
  } finally {
    cancel();
  }
}

function requestHeaders({ accept, contentType, clientHeaders }: NodeRequest, dialect: Dialect): Record<string, string> {
  const headers: Record<string, string> = { ...clientHeaders, Accept: accept === "bcs" ? BCS_TYPE : JSON_TYPE };
  if (contentType !== null)
    headers["Content-Type"] = contentType.replace("application/x.node.", `application/x.${dialect}.`);
  return headers;
}

async function readResponse(
  request: NodeRequest,
  message: Response,
  abort: AbortController,
  ports: SendPorts & Pick<Sender, "clean">,
): Promise<UpstreamResult> {
  const { status, headers } = message;
  const received = headErrorOf(request, message, ports) ?? (await receive(message, abort, ports));
  if ("kind" in received) {
    await message.body?.cancel().catch(() => undefined);
    return received;
  }
  const dialect = DIALECTS.find((each) => headers.has(`X-${each}-${LEDGER_HEADERS.version}`)) ?? null;
  const media = essenceOf(headers.get("Content-Type") ?? "");
  // The media type is sent without the upstream's parameters.
  const contentType = media === JSON_TYPE ? NODE_JSON_TYPE : media.slice(0, 100);
  const response = {
    status,
    contentType,
    ...received,
    ledger: parseLedger((suffix) => nodeHeader(headers, suffix)),
    extras: extrasOf(headers),
  };
  const result = resultOf(request, response, dialect, ports.clean);
  if (result.kind === "error") await received.large?.stream.cancel();
  return result;
}

/** Error that the response head alone shows; null: the body is to be read. */
function headErrorOf(
  request: NodeRequest,
  { status, headers }: Response,
  { now, clean }: Pick<SendPorts, "now"> & Pick<Sender, "clean">,
): UpstreamError | null {
  if (!isNodeStatus(request, status)) {
    const restMs = retryAfterMs(headers, now());
    return upstreamError(meaningOfStatus(status, restMs), `status ${status}`, status, restMs);
  }
  const encoding = (headers.get("Content-Encoding") ?? "").trim().toLowerCase();
  if (!DECODED_ENCODINGS.includes(encoding)) return upstreamError("invalid", "an unknown content encoding", status);
  const areExtras = Object.values(extrasOf(headers)).every((text) => EXTRA_FORM.test(text) && clean(text) === text);
  return areExtras ? null : upstreamError("invalid", "a cursor or gas that no node sends", status);
}

/** Header of the node, under either prefix. */
function nodeHeader(headers: Headers, suffix: string): string | null {
  return headers.get(`X-NODE-${suffix}`) ?? headers.get(`X-APTOS-${suffix}`);
}

function extrasOf(headers: Headers): Record<string, string> {
  const extras = EXTRA_SUFFIXES.map((suffix) => [suffix, nodeHeader(headers, suffix)] as const);
  return Object.fromEntries(extras.flatMap(([suffix, text]) => (text === null ? [] : [[suffix, text]])));
}

/** Placeholder of a large body, of which only the first byte is needed for classification. */
const LARGE = new Uint8Array(1);

/**
 * Receives a body. A body declared as large is passed on as it arrives. A large body without a declared length is read
 * to its end first, because only the length lets a caller detect a truncation.
 */
async function receive(
  message: Response,
  abort: AbortController,
  { memory }: SendPorts,
): Promise<Pick<NodeResponse, "body" | "large"> | UpstreamError> {
  const declared = declaredLength(message);
  if (declared !== null && declared > MAX_BUFFERED_BYTES && message.body !== null)
    return { body: LARGE, large: { length: declared, stream: message.body } };
  const reservation = memory.reserve(() => abort.abort());
  const chunks = await collect(message, MAX_RESPONSE_BYTES, abort.signal, reservation.grow).catch((cause: unknown) => {
    reservation.release();
    throw cause;
  });
  const length = chunks?.reduce((sum, chunk) => sum + chunk.byteLength, 0) ?? 0;
  if (chunks !== undefined && length > MAX_BUFFERED_BYTES)
    return { body: LARGE, large: { length, stream: streamOf(chunks, abort.signal, reservation.release) } };
  reservation.release();
  if (chunks === undefined) return upstreamError("too_large", `more than ${MAX_RESPONSE_BYTES} bytes`, message.status);
  if (declared !== null && declared !== length)
    return upstreamError("truncated", `${length} bytes of ${declared}`, message.status);
  return { body: concatBytes(chunks) };
}

function resultOf(
  request: NodeRequest,
  response: NodeResponse,
  dialect: Dialect | null,
  clean: CleanText,
): UpstreamResult {
  const { status } = response;
  const classification = classify(request, response);
  if (classification === NO_LEDGER) return upstreamError("headerless", classification, status);
  if (typeof classification === "string") return upstreamError(meaningOfStatus(status, null), classification, status);
  // Pruned history becomes 410, also from nodes that report it as a failure.
  const isPruned = status === 500 && classification.kind.startsWith("pruned");
  const body = publicBody(request, response, clean, isPruned ? { error_code: "version_pruned" } : {});
  if (body === undefined)
    return upstreamError(meaningOfStatus(status, null), `not the form of ${request.endpoint}`, status);
  const passed = { ...response, status: isPruned ? ERROR_STATUS.version_pruned : status, body };
  return { kind: "response", response: passed, classification, dialect };
}

/**
 * Body that is passed on: chain data as sent, but only the documented members of a node's error or report. undefined:
 * the body does not have their form.
 */
function publicBody(
  { endpoint }: NodeRequest,
  { status, contentType, body, large }: NodeResponse,
  clean: CleanText,
  override: object,
) {
  if (status < 400 && endpoint !== "submit_batch") return body;
  // No node's error or report is that large.
  if (large !== undefined) return undefined;
  if (status < 400 && essenceOf(contentType) === BCS_TYPE) return bcsBatchReport(body, clean);
  const sent = parseJsonBytes(body);
  const passed = status < 400 ? batchReport(sent, clean) : nodeError(sent, status, clean);
  return passed === undefined ? undefined : new TextEncoder().encode(JSON.stringify({ ...passed, ...override }));
}

export interface Sender {
  /** See {@link Upstream}. */
  readonly label: string;
  readonly origin: string;
  readonly transport: Transport;
  /** Cleans every text of the node before anybody sees it. */
  readonly clean: CleanText;
}

/**
 * Makes a sender for each upstream, in the operator's order, each with its own key; without upstreams, one for the
 * embedded node. `name` begins their labels.
 */
export function sendersFor(
  { nodeUrls, nodeKeys }: Pick<ChainSettings, "nodeUrls" | "nodeKeys">,
  fetchUrl: Transport,
  fetchEmbedded: Transport | undefined,
  name = FIRST_LABEL,
): Sender[] {
  if (nodeUrls.length === 0 && fetchEmbedded !== undefined) {
    const transport: Transport = (path, init) => fetchEmbedded(`http://node/v1${path}`, init);
    return [{ label: "embedded", origin: "embedded", transport, clean: textCleaner("") }];
  }
  return nodeUrls.map((address, index) => {
    const key = nodeKeys[index] ?? "";
    const { url, headers } = nodeAccess(address, key);
    return {
      label: `${name}-${index + 1}`,
      clean: textCleaner(key),
      origin: fnv1aHex(new URL(url).origin),
      transport: (path, init) =>
        fetchUrl(url + path, { ...init, headers: { ...init.headers, ...headers }, cache: "no-store" }),
    };
  });
}

/** Makes an exchange over the connections of the calling request. */
export function exchangeOver(senders: readonly Sender[], ports: SendPorts): Exchange {
  return async (index, ...sent) => {
    const sender = senders[index];
    if (sender === undefined) throw new RangeError(`no upstream has the index ${index}`);
    return exchange(sender, ports, ...sent);
  };
}

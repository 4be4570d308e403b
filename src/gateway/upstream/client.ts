import { BCS_TYPE, JSON_TYPE } from "../../chain/media-types.ts";
import type { ByteBudget } from "../byte-budget.ts";
import type { NodeRequest, NodeResponse } from "../node-types.ts";
import { declaredLength } from "../request/byte-stream.ts";
import { isLedgerSuffix, nodeSuffix, parseLedger } from "../tip/ledger-headers.ts";
import { classifyResponse } from "./classify-response.ts";
import { MAX_RESPONSE_BYTES, receiveBody } from "./large-body.ts";
import { withOwnMessage } from "./own-errors.ts";
import { type Dialect, type Send, type UpstreamError, type UpstreamResult, upstreamError } from "./upstream-result.ts";

/** One HTTP exchange with one upstream; `path` is relative to its `/v1`. May reject. */
export type Transport = (path: string, init: TransportInit) => Promise<Response>;

export interface TransportInit {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
  /** Redirects are never followed: their target is not a configured upstream. */
  readonly redirect: "manual";
}

export interface SendPorts {
  readonly transport: Transport;
  /** Calls `then` after a delay unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
  /** Memory for large bodies while they are read, shared by all requests. */
  readonly largeBodies: ByteBudget;
  /** `name/revision`: node operators block clients without a `User-Agent`. */
  readonly userAgent: string;
}

/** Encodings that the platform decodes. With any other one the body would be misread. */
const DECODED_ENCODINGS: readonly string[] = ["", "identity", "gzip", "br"];
/** Node headers that belong to a body. Others with the prefix may name machines of the upstream's operator. */
const EXTRA_SUFFIXES: readonly string[] = ["cursor", "gas-used"];

/**
 * Sends a request to one upstream and reads the whole response under one deadline. Forwards only the node request
 * itself; returns only status, media type, body and the node's own headers.
 */
export function httpSender(ports: SendPorts): Send {
  const { transport, after, userAgent } = ports;
  return async (request, dialect, deadlineMs) => {
    const abort = new AbortController();
    let isLate = false;
    const cancel = after(deadlineMs, () => {
      isLate = true;
      abort.abort();
    });
    let hasArrived = false;
    try {
      const response = await transport(request.path, {
        method: request.method,
        headers: { ...requestHeaders(request, dialect), "User-Agent": userAgent },
        body: request.body,
        signal: abort.signal,
        redirect: "manual",
      });
      hasArrived = true;
      return await readResponse(request, response, abort, ports);
    } catch {
      if (isLate) return upstreamError("timeout", `no whole response in ${deadlineMs} ms`);
      return hasArrived
        ? upstreamError("truncated", "the connection failed in the body")
        : upstreamError("connect", "the connection failed");
    } finally {
      cancel();
    }
  };
}

function requestHeaders({ accept, contentType }: NodeRequest, dialect: Dialect): Record<string, string> {
  const headers: Record<string, string> = { Accept: accept === "bcs" ? BCS_TYPE : JSON_TYPE };
  if (contentType !== null)
    headers["Content-Type"] = contentType.replace("application/x.node.", `application/x.${dialect}.`);
  return headers;
}

async function readResponse(
  request: NodeRequest,
  message: Response,
  abort: AbortController,
  ports: SendPorts,
): Promise<UpstreamResult> {
  const { status, headers } = message;
  const refused = headErrorOf(request, message);
  if (refused !== null) {
    await message.body?.cancel();
    return refused;
  }
  const received = await receiveBody(message, { ...ports, signal: abort.signal, abort: () => abort.abort() });
  if (received === null) return upstreamError("too_large", `more than ${MAX_RESPONSE_BYTES} bytes`, status);
  const { body, large } = received;
  const declared = declaredLength(message);
  if (large === undefined && declared !== null && declared !== body.byteLength)
    return upstreamError("truncated", `${body.byteLength} bytes of ${declared}`, status);
  const { fields, dialect } = nodeFields(headers);
  const extras = Object.fromEntries(Object.entries(fields).filter(([suffix]) => EXTRA_SUFFIXES.includes(suffix)));
  const contentType = headers.get("Content-Type") ?? "";
  const result = classified(
    request,
    { status, contentType, ...received, ledger: parseLedger(fields), extras },
    dialect,
  );
  if (result.kind === "error") await large?.stream.cancel();
  return result;
}

/** Errors that the response head alone shows; null when the body is to be read. */
function headErrorOf({ mode }: NodeRequest, { status, headers }: Response): UpstreamError | null {
  if (status === 429) return upstreamError("throttled", "requests are limited", status, retryAfter(headers));
  if (status === 401 || status === 407) return upstreamError("server_error", `status ${status}`, status);
  const isSuccess = status === 200 || (mode === "submit" && (status === 202 || status === 206));
  if (status < 400 && !isSuccess) return upstreamError("invalid", `status ${status}`, status);
  const encoding = (headers.get("Content-Encoding") ?? "").trim().toLowerCase();
  if (!DECODED_ENCODINGS.includes(encoding)) return upstreamError("invalid", "an unknown content encoding", status);
  return null;
}

function classified(request: NodeRequest, response: NodeResponse, dialect: Dialect | null): UpstreamResult {
  const { status } = response;
  const classification = classifyResponse(request, response);
  if (classification.kind === "invalid") {
    if (status >= 500) return upstreamError("server_error", `status ${status}`, status);
    return upstreamError(status >= 400 ? "refused" : "invalid", classification.why, status);
  }
  if (status < 500) return { kind: "response", response, classification, dialect };
  const own = isAboutRequest(request, status) ? withOwnMessage(response) : null;
  if (own === null) return upstreamError("server_error", `status ${status}`, status);
  return { kind: "response", response: own, classification, dialect };
}

/** A 5xx about the request or the node's mempool, not about the node's health. */
function isAboutRequest({ endpoint }: NodeRequest, status: number): boolean {
  return status === 507 || (status === 503 && endpoint === "healthy");
}

function nodeFields(headers: Headers): { fields: Record<string, string>; dialect: Dialect | null } {
  const fields: Record<string, string> = {};
  let dialect: Dialect | null = null;
  for (const [name, value] of headers) {
    const suffix = nodeSuffix(name);
    if (suffix === undefined || !(isLedgerSuffix(suffix) || EXTRA_SUFFIXES.includes(suffix))) continue;
    fields[suffix] = value;
    dialect = name.toLowerCase().startsWith("x-aptos-") ? "aptos" : "node";
  }
  return { fields, dialect };
}

/** Whole seconds; an HTTP-date is rare here and ignored. */
function retryAfter(headers: Headers): number | null {
  const text = headers.get("Retry-After");
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

import { BCS_TYPE, JSON_TYPE } from "../../chain/media-types.ts";
import type { NodeRequest, NodeResponse } from "../node-types.ts";
import { readBounded } from "../request/read-body.ts";
import { isLedgerSuffix, nodeSuffix, parseLedger } from "../tip/ledger-headers.ts";
import type { AttemptError, Dialect, Send, UpstreamResult } from "./state.ts";

/** One HTTP exchange with one upstream: `path` is below its `/v1`. May reject. */
export type Transport = (path: string, init: TransportInit) => Promise<Response>;

export interface TransportInit {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
  /** Where a redirect points is nobody's configured upstream. */
  readonly redirect: "manual";
}

export interface SendPorts {
  readonly transport: Transport;
  /** Runs `then` after so many milliseconds unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
}

/** What crosses to the asker in one message has its own bound of 32 MiB. */
export const MAX_RESPONSE_BYTES = 16 * 1_048_576;
const STATUSES_BELOW_400: readonly number[] = [200, 202, 206];

/**
 * Sends a target to one upstream and reads the whole answer under one deadline. Nothing of the caller goes along but
 * what the target holds; nothing of the answer comes back but status, media type, body and the node's own fields.
 */
export function httpSender({ transport, after }: SendPorts): Send {
  return async (target, dialect, deadlineMs) => {
    const abort = new AbortController();
    let late = false;
    const cancel = after(deadlineMs, () => {
      late = true;
      abort.abort();
    });
    let arrived = false;
    try {
      const response = await transport(target.path, {
        method: target.method,
        headers: requestFields(target, dialect),
        body: target.body,
        signal: abort.signal,
        redirect: "manual",
      });
      arrived = true;
      return await readResponse(response, abort.signal);
    } catch {
      const fault: AttemptError = late ? "timeout" : arrived ? "truncated" : "connect";
      return { kind: "fault", fault, why: late ? `no whole answer in ${deadlineMs} ms` : "the connection failed" };
    } finally {
      cancel();
    }
  };
}

function requestFields(target: NodeRequest, dialect: Dialect): Record<string, string> {
  const fields: Record<string, string> = {
    Accept: target.accept === "bcs" ? BCS_TYPE : JSON_TYPE,
  };
  if (target.contentType !== null)
    fields["Content-Type"] = target.contentType.replace("application/x.node.", `application/x.${dialect}.`);
  return fields;
}

async function readResponse(response: Response, signal: AbortSignal): Promise<UpstreamResult> {
  const { status } = response;
  if (status < 400 && !STATUSES_BELOW_400.includes(status)) {
    await response.body?.cancel();
    return { kind: "fault", fault: "invalid", why: `status ${status}` };
  }
  const body = await readBounded(response, MAX_RESPONSE_BYTES, signal);
  if (body === undefined) return { kind: "fault", fault: "too_large", why: `more than ${MAX_RESPONSE_BYTES} bytes` };
  const declared = response.headers.get("Content-Length");
  if (declared !== null && !response.headers.has("Content-Encoding") && Number(declared) !== body.byteLength)
    return { kind: "fault", fault: "truncated", why: `${body.byteLength} bytes of ${declared}` };
  const fields: Record<string, string> = {};
  let dialect: Dialect | null = null;
  for (const [name, value] of response.headers) {
    const suffix = nodeSuffix(name);
    if (suffix === undefined) continue;
    fields[suffix] = value;
    dialect = name.toLowerCase().startsWith("x-aptos-") ? "aptos" : "node";
  }
  const extras = Object.fromEntries(Object.entries(fields).filter(([suffix]) => !isLedgerSuffix(suffix)));
  const contentType = response.headers.get("Content-Type") ?? "";
  const answer: NodeResponse = { status, contentType, body, ledger: parseLedger(fields), extras };
  return { kind: "answer", answer, dialect, retryAfterSeconds: retryAfter(response.headers.get("Retry-After")) };
}

/** Seconds; an HTTP-date is rare here and counts as not given. */
function retryAfter(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

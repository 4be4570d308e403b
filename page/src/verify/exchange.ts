import { allowNodeOnly } from "./connections.ts";

/** Reason why a node cannot be used, as far as a browser can know it. */
export type NodeFailure =
  | { readonly kind: "hangs" }
  | { readonly kind: "unreachable" }
  /** The node answers, but does not allow pages of other origins. */
  | { readonly kind: "no_cors" }
  | { readonly kind: "not_a_node" }
  /** This service's gateway answers, under a name of its own that this page does not know. */
  | { readonly kind: "own_gateway"; readonly host: string }
  /** The node no longer has that version. */
  | { readonly kind: "gone" }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "rpc_error"; readonly code: number };

/**
 * Requests to one node of the reader's choice. Its responses are not trusted: each is bounded in time and size, and
 * must be JSON.
 */
export interface Exchange {
  readonly ask: (
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly value: unknown } | NodeFailure>;
  /** Records a failure that a response shows, and returns it. */
  readonly record: <T extends NodeFailure>(failure: T) => T;
  /** The first failure so far. */
  readonly firstFailure: () => NodeFailure | undefined;
}

const TIMEOUT_MS = 10_000;
/** Largest response that is read: a block with the hashes of some thousands of transactions. */
const MAX_BYTES = 262_144;

/** Requests carry no cookies and no referrer, and follow no redirect. */
const PRIVATE: RequestInit = {
  credentials: "omit",
  referrerPolicy: "no-referrer",
  redirect: "error",
  cache: "no-store",
};

export function exchangeWith(address: string): Exchange {
  let first: NodeFailure | undefined;
  const record = <T extends NodeFailure>(failure: T): T => {
    first ??= failure;
    return failure;
  };
  return {
    record,
    firstFailure: () => first,
    ask: async (path, body) => {
      try {
        const response = await fetch(address + path, {
          ...(body === undefined
            ? {}
            : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
          ...PRIVATE,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        if (isGateways(response.headers)) return record({ kind: "own_gateway", host: new URL(address).host });
        const text = await boundedText(response);
        const value: unknown = text === undefined ? undefined : jsonOf(text);
        return value === undefined ? record({ kind: "not_a_node" }) : { status: response.status, value };
      } catch (cause) {
        if (isTimeout(cause)) return record({ kind: "hangs" });
        allowNodeOnly();
        return record((await answersNoCors(address)) ? { kind: "no_cors" } : { kind: "unreachable" });
      }
    },
  };
}

/** Whether headers are those of an answer of this service's gateway, which it exposes to every page. */
function isGateways(headers: Headers): boolean {
  return headers.has("X-Request-Id") && /^edge;/.test(headers.get("Cache-Status") ?? "");
}

/** Reads a body up to {@link MAX_BYTES}; undefined: it is larger. */
async function boundedText(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === "TimeoutError";
}

/**
 * Whether there is a response that the browser hides from this page. Browsers send such a request only if redirects are
 * followed; the page's policy then allows only the node.
 */
async function answersNoCors(address: string): Promise<boolean> {
  try {
    await fetch(address, {
      ...PRIVATE,
      mode: "no-cors",
      redirect: "follow",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return true;
  } catch {
    return false;
  }
}

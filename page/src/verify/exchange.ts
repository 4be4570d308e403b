import { allowNodeOnly } from "./connections.ts";

/** Why a node has no say, as far as a browser can know. */
export type Trouble =
  | { readonly kind: "hangs" }
  | { readonly kind: "unreachable" }
  /** The node answers, but not to pages of other origins. */
  | { readonly kind: "no_cors" }
  | { readonly kind: "not_a_node" }
  /** The node no longer has the version. */
  | { readonly kind: "gone" }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "rpc_error"; readonly code: number };

/** Requests to one node of the reader's choice. Its answers are hostile: each is bounded in time and size, and is JSON. */
export interface Exchange {
  readonly ask: (
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly value: unknown } | Trouble>;
  /** Keeps a trouble that the answers show, and gives it back. */
  readonly note: <T extends Trouble>(trouble: T) => T;
  /** The first trouble so far. */
  readonly trouble: () => Trouble | undefined;
}

const TIMEOUT_MS = 10_000;
/** Largest answer that is read: a block with the hashes of some thousands of transactions. */
const MAX_BYTES = 262_144;

/** Nothing of the reader is sent along, and a redirect to another host is not followed. */
const PRIVATE: RequestInit = {
  credentials: "omit",
  referrerPolicy: "no-referrer",
  redirect: "error",
  cache: "no-store",
};

export function exchangeWith(address: string): Exchange {
  let first: Trouble | undefined;
  const note = <T extends Trouble>(trouble: T): T => {
    first ??= trouble;
    return trouble;
  };
  return {
    note,
    trouble: () => first,
    ask: async (path, body) => {
      try {
        const response = await fetch(address + path, {
          ...(body === undefined
            ? {}
            : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
          ...PRIVATE,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const text = await boundedText(response);
        const value: unknown = text === undefined ? undefined : jsonOf(text);
        return value === undefined ? note({ kind: "not_a_node" }) : { status: response.status, value };
      } catch (cause) {
        if (isTimeout(cause)) return note({ kind: "hangs" });
        allowNodeOnly();
        return note((await answersNoCors(address)) ? { kind: "no_cors" } : { kind: "unreachable" });
      }
    },
  };
}

/** undefined: more than any answer to a check is. */
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
 * Whether there is an answer that the browser keeps from this page. Browsers send such a request only if it may be
 * redirected; the page's policy then allows no other place than the node.
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

import { isRecord } from "../../../src/base/json.ts";
import type { ReadResource, ReadView, ViewResult } from "../../../src/chain/view.ts";

/** Why a node has no say, as far as a browser can know. */
export type Trouble =
  | { readonly kind: "hangs" }
  | { readonly kind: "unreachable" }
  /** It answers, but not to pages of other origins. */
  | { readonly kind: "no_cors" }
  | { readonly kind: "not_a_node" }
  | { readonly kind: "status"; readonly status: number };

/** A check reads views alone. */
export const noResource: ReadResource = async () => ({ kind: "unavailable" });

/** What a node says of itself. */
export interface NodeInfo {
  readonly kind: "info";
  readonly chainId: number;
  readonly newest: bigint;
  readonly oldest: bigint;
}

/** A node of the reader's choice. Its answers are hostile until they are parsed; each is bounded in time and size. */
export interface BrowserNode {
  readonly info: () => Promise<NodeInfo | Trouble>;
  readonly read: ReadView;
  /** The first trouble of any call so far. */
  readonly trouble: () => Trouble | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;
const GONE = 410;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export function browserNode(address: string, fetcher: Fetch = fetch): BrowserNode {
  let first: Trouble | undefined;
  const note = <T extends Trouble>(trouble: T): T => {
    first ??= trouble;
    return trouble;
  };
  const ask = async (path: string, body?: unknown): Promise<{ status: number; value: unknown } | Trouble> => {
    try {
      const response = await fetcher(address + path, {
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
      return note((await answersNoCors(address, fetcher)) ? { kind: "no_cors" } : { kind: "unreachable" });
    }
  };
  return {
    trouble: () => first,
    info: async () => {
      const answer = await ask("");
      if ("kind" in answer) return answer;
      if (answer.status !== 200) return note({ kind: "status", status: answer.status });
      return infoOf(answer.value) ?? note({ kind: "not_a_node" });
    },
    read: async ({ function: name, typeArguments, arguments: values, ledgerVersion }): Promise<ViewResult> => {
      const answer = await ask(`/view?ledger_version=${ledgerVersion}`, {
        function: name,
        type_arguments: typeArguments,
        arguments: values,
      });
      if ("kind" in answer) return { kind: "unavailable" };
      if (answer.status === GONE) note({ kind: "status", status: GONE });
      if (answer.status !== 200 || !Array.isArray(answer.value)) return { kind: "refused", status: answer.status };
      return { kind: "returned", values: answer.value, ledgerVersion: null };
    },
  };
}

/** Nothing of the reader is sent along, and a redirect to another host is not followed. */
const PRIVATE: RequestInit = {
  credentials: "omit",
  referrerPolicy: "no-referrer",
  redirect: "error",
  cache: "no-store",
};

function infoOf(value: unknown): NodeInfo | undefined {
  if (!isRecord(value)) return undefined;
  const { chain_id: chainId, ledger_version: newest, oldest_ledger_version: oldest } = value;
  const isVersion = (text: unknown): text is string => typeof text === "string" && /^\d{1,20}$/.test(text);
  if (typeof chainId !== "number" || !Number.isInteger(chainId) || !isVersion(newest)) return undefined;
  return { kind: "info", chainId, newest: BigInt(newest), oldest: isVersion(oldest) ? BigInt(oldest) : 0n };
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

/** Whether there is an answer that the browser keeps from this page. */
async function answersNoCors(address: string, fetcher: Fetch): Promise<boolean> {
  try {
    await fetcher(address, {
      mode: "no-cors",
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return true;
  } catch {
    return false;
  }
}

import { isRecord } from "../../src/base/json.ts";
import type { ViewResult } from "../../src/chain/view.ts";
import type { ChainNode } from "../../src/families/chain-node.ts";
import { moveNode } from "../../src/families/move/move-node.ts";

const DEADLINE_MS = 30_000;

/** Makes a chain node from its base URL (ending in /v1), at a version that it has, without cache and failover. */
export function nodeAt(base: string, version: bigint, headers: Readonly<Record<string, string>> = {}): ChainNode {
  return moveNode(base, version, {
    readView: (call) =>
      read(`${base}/view?ledger_version=${call.ledgerVersion}`, (body) => body, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({
          function: call.function,
          type_arguments: call.typeArguments,
          arguments: call.arguments,
        }),
      }),
    readResource: ({ address, type, ledgerVersion }) =>
      read(
        `${base}/accounts/${address}/resource/${encodeURIComponent(type)}?ledger_version=${ledgerVersion}`,
        (body) => (isRecord(body) ? [body["data"]] : undefined),
        { headers },
      ),
  });
}

async function read(url: string, valuesIn: (body: unknown) => unknown, init: RequestInit): Promise<ViewResult> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) });
    const values = response.ok ? valuesIn(await response.json()) : undefined;
    if (!Array.isArray(values)) return { kind: "refused", status: response.status };
    const version = response.headers.get("X-NODE-LEDGER-VERSION") ?? response.headers.get("X-APTOS-LEDGER-VERSION");
    return { kind: "returned", values, ledgerVersion: version === null ? null : BigInt(version) };
  } catch {
    return { kind: "unavailable" };
  }
}

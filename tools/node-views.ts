import type { ReadView } from "../src/chain/view.ts";

const DEADLINE_MS = 30_000;

/** Views of a chain node by its base URL (ending in /v1), for tools: no cache, no failover. */
export function viewsOf(base: string): ReadView {
  return async (call) => {
    const at = call.ledgerVersion === null ? "" : `?ledger_version=${call.ledgerVersion}`;
    try {
      const response = await fetch(`${base}/view${at}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          function: call.function,
          type_arguments: call.typeArguments,
          arguments: call.arguments,
        }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const values: unknown = response.ok ? await response.json() : undefined;
      if (!Array.isArray(values)) return { kind: "refused", status: response.status };
      const version = response.headers.get("X-NODE-LEDGER-VERSION") ?? response.headers.get("X-APTOS-LEDGER-VERSION");
      return { kind: "returned", values, ledgerVersion: version === null ? null : BigInt(version), ageSeconds: 0 };
    } catch {
      return { kind: "unavailable" };
    }
  };
}

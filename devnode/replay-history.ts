import type { History } from "./genesis-history.ts";
import type { RunningLedger } from "./ledger/ledger.ts";

/**
 * Runs the first history through the ledger like any other transactions. Block n of it gets height n, so that a start
 * that was interrupted goes on where it stopped, and one that was not finds nothing to do: the transactions are the same
 * each time, and one that already waits is simply taken again.
 */
export async function makeHistory(ledger: RunningLedger, history: History): Promise<void> {
  for (const block of history.slice(Number(ledger.info().blockHeight))) {
    for (const signedBytes of block) {
      const result = await ledger.submit(signedBytes);
      if (result.kind !== "accepted") throw new Error(`the first history is refused: ${JSON.stringify(result, text)}`);
    }
    ledger.makeBlock();
  }
}

function text(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

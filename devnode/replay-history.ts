import type { GenesisHistory } from "./genesis-history.ts";
import type { RunningLedger } from "./ledger/ledger.ts";

/**
 * Commits the genesis history like any other transactions. Block n of it gets height n, so an interrupted start
 * continues where it stopped, and a complete one does nothing. The transactions are always the same, and submitting a
 * pending one again is accepted.
 */
export async function replayHistory(ledger: RunningLedger, history: GenesisHistory): Promise<void> {
  for (const block of history.slice(Number(ledger.info().blockHeight))) {
    for (const signedBytes of block) {
      const result = await ledger.submit(signedBytes);
      if (result.kind !== "accepted")
        throw new Error(`the genesis history was refused: ${JSON.stringify(result, text)}`);
    }
    ledger.makeBlock();
  }
}

function text(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

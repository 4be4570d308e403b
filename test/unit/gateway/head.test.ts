import { expect, test } from "vitest";
import { TipKeeper } from "../../../src/gateway/head.ts";
import type { Ledger } from "../../../src/gateway/ledger.ts";

const at = (version: bigint): Ledger => ({
  chainId: 4,
  version,
  oldestVersion: 0n,
  timestampMicros: 0n,
  epoch: 1n,
  blockHeight: version,
  oldestBlockHeight: 0n,
});

test("a version heard in the very turn in which another is published is published too", async () => {
  let nowMs = 0;
  let during: Promise<unknown> | null = null;
  const keeper: TipKeeper = new TipKeeper(
    {
      now: () => nowMs,
      sleep: async (milliseconds) => {
        nowMs += milliseconds;
      },
      askLedger: async () => null,
      // Called when a tip was published, before the publication is over.
      remember: ({ version }) => {
        if (version === 2n) during = keeper.advance(at(3n));
      },
    },
    null,
  );
  await keeper.advance(at(1n));
  await keeper.lease();
  expect((await keeper.advance(at(2n))).ledger?.version).toBeGreaterThanOrEqual(2n);
  expect(await during).toMatchObject({ ledger: { version: 3n } });
  expect((await keeper.lease()).ledger?.version).toBe(3n);
});

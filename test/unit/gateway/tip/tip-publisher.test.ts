import { expect, test } from "vitest";
import type { Ledger } from "../../../../src/gateway/tip/ledger-headers.ts";
import { LEASE_MS } from "../../../../src/gateway/tip/tip-lease.ts";
import { TipKeeper } from "../../../../src/gateway/tip/tip-publisher.ts";

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

test("while a later version rises the published one is told at once, under no lease; who brought it waits", async () => {
  let nowMs = 10_000;
  let passTime = (): void => undefined;
  const keeper = new TipKeeper(
    {
      now: () => nowMs,
      sleep: (milliseconds) =>
        new Promise((resolve) => {
          passTime = () => {
            nowMs += milliseconds;
            resolve();
          };
        }),
      askLedger: async () => null,
      remember: () => undefined,
    },
    null,
  );
  await keeper.advance(at(1n));
  expect(await keeper.lease()).toMatchObject({ ledger: { version: 1n }, milliseconds: LEASE_MS, confirmed: true });
  const advancing = keeper.advance(at(2n));
  expect(await keeper.lease()).toMatchObject({ ledger: { version: 1n }, milliseconds: 0, confirmed: true });
  passTime();
  expect(await advancing).toMatchObject({ ledger: { version: 2n }, milliseconds: LEASE_MS });
});

test("a keeper that lost its memory tells nothing before its first publication: more may have been shown", async () => {
  let nowMs = 10_000;
  const keeper = new TipKeeper(
    {
      now: () => nowMs,
      sleep: async (milliseconds) => {
        nowMs += milliseconds;
      },
      askLedger: async () => at(7n),
      remember: () => undefined,
    },
    at(5n),
  );
  expect(await keeper.lease()).toMatchObject({ ledger: { version: 7n }, milliseconds: LEASE_MS });
});

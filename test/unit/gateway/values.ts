import fc from "fast-check";
import type { CachedResponse } from "../../../src/gateway/node-types.ts";
import type { Ledger } from "../../../src/gateway/tip/ledger-headers.ts";

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

export const ledgers: fc.Arbitrary<Ledger> = fc.record({
  chainId: fc.integer({ min: 1, max: 255 }),
  version: u64,
  oldestVersion: u64,
  timestampMicros: u64,
  epoch: u64,
  blockHeight: u64,
  oldestBlockHeight: u64,
});

export const values: fc.Arbitrary<CachedResponse> = fc.record({
  status: fc.constantFrom(200, 404, 410),
  contentType: fc.constantFrom("application/json; charset=utf-8", "application/x-bcs"),
  body: fc.uint8Array({ maxLength: 300 }),
  ledger: fc.option(ledgers),
  extras: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ maxLength: 20 }), { noNullPrototype: true }),
  retention: fc.constantFrom("immutable", "until-tip", "ttl", "no-store"),
  seconds: fc.integer({ min: 0, max: 86_400 }),
  storedAtMs: fc.nat(),
  epoch: fc.nat(),
  etag: fc.constant('"0123"'),
});

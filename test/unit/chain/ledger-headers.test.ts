import { expect, test } from "vitest";
import { parseLedger } from "../../../src/chain/ledger-headers.ts";

const FIELDS = {
  "CHAIN-ID": "4",
  "LEDGER-VERSION": "9",
  "LEDGER-OLDEST-VERSION": "1",
  "LEDGER-TIMESTAMPUSEC": "1000",
  EPOCH: "2",
  "BLOCK-HEIGHT": "5",
  "OLDEST-BLOCK-HEIGHT": "3",
};

const ledgerOf = (fields: Readonly<Record<string, string>>) => parseLedger((suffix) => fields[suffix] ?? null);

test("a ledger is read from all of its headers", () => {
  expect(ledgerOf(FIELDS)).toEqual({
    chainId: 4,
    version: 9n,
    oldestVersion: 1n,
    timestampMicros: 1_000n,
    epoch: 2n,
    blockHeight: 5n,
    oldestBlockHeight: 3n,
  });
});

test("what is missing besides chain id and version is zero", () => {
  expect(ledgerOf({ "CHAIN-ID": "4", "LEDGER-VERSION": "0" })).toEqual({
    chainId: 4,
    version: 0n,
    oldestVersion: 0n,
    timestampMicros: 0n,
    epoch: 0n,
    blockHeight: 0n,
    oldestBlockHeight: 0n,
  });
});

test.each([
  [{ "CHAIN-ID": "1" }, true],
  [{ "CHAIN-ID": "255" }, true],
  [{ "CHAIN-ID": "0" }, false],
  [{ "CHAIN-ID": "256" }, false],
  [{ "CHAIN-ID": "4, 4" }, false],
  [{ "CHAIN-ID": "" }, false],
  [{ "LEDGER-VERSION": "" }, false],
  [{ "LEDGER-VERSION": "9, 9" }, false],
  [{ "LEDGER-VERSION": "18446744073709551615" }, true],
  [{ "LEDGER-VERSION": "18446744073709551616" }, false],
])("%j is a ledger: %s", (fields, isLedger) => {
  expect(ledgerOf({ ...FIELDS, ...fields }) !== null).toBe(isLedger);
});

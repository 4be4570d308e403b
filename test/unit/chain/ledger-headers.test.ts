import { expect, test } from "vitest";
import { isLedgerSuffix, nodeSuffix, parseLedger } from "../../../src/chain/ledger-headers.ts";

const FIELDS = {
  "chain-id": "4",
  "ledger-version": "9",
  "ledger-oldest-version": "1",
  "ledger-timestampusec": "1000",
  epoch: "2",
  "block-height": "5",
  "oldest-block-height": "3",
};

test("a ledger is read from all of its headers", () => {
  expect(parseLedger(FIELDS)).toEqual({
    ...{ chainId: 4, version: 9n, oldestVersion: 1n, timestampMicros: 1_000n },
    ...{ epoch: 2n, blockHeight: 5n, oldestBlockHeight: 3n },
  });
});

test("what is missing besides chain id and version is zero", () => {
  expect(parseLedger({ "chain-id": "4", "ledger-version": "0" })).toEqual({
    ...{ chainId: 4, version: 0n, oldestVersion: 0n, timestampMicros: 0n },
    ...{ epoch: 0n, blockHeight: 0n, oldestBlockHeight: 0n },
  });
});

test.each([
  [{ "chain-id": "1" }, true],
  [{ "chain-id": "255" }, true],
  [{ "chain-id": "0" }, false],
  [{ "chain-id": "256" }, false],
  [{ "chain-id": "4, 4" }, false],
  [{ "chain-id": "" }, false],
  [{ "ledger-version": "" }, false],
  [{ "ledger-version": "9, 9" }, false],
  [{ "ledger-version": "18446744073709551615" }, true],
  [{ "ledger-version": "18446744073709551616" }, false],
])("%j is a ledger: %s", (fields, isLedger) => {
  expect(parseLedger({ ...FIELDS, ...fields }) !== null).toBe(isLedger);
});

test.each([
  ["X-NODE-Cursor", "cursor", false],
  ["x-aptos-ledger-version", "ledger-version", true],
  ["X-Other-Cursor", undefined, false],
  ["Date", undefined, false],
])("%s is the node's header %s, of its ledger: %s", (name, suffix, isLedger) => {
  expect(nodeSuffix(name)).toBe(suffix);
  expect(isLedgerSuffix(suffix ?? "")).toBe(isLedger);
});

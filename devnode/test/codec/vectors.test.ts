import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hexOf, parseHex } from "../../../src/chain/hex.ts";
import { encode } from "../../codec/bcs.ts";
import { authenticationKey, messageForm, signingMessage, transactionHash } from "../../codec/signing.ts";
import { decodeSignedTransaction, encodeSignedTransaction, rawTransaction } from "../../codec/transaction.ts";

/** Each section of the vector file as its fields. */
const SECTIONS = readFileSync("devnode/test/vectors/transactions.txt", "utf8")
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [name = "", ...lines] = section.trim().split("\n");
    return [name, Object.fromEntries(lines.map((line) => line.split(" ")))] as [string, Record<string, string>];
  });

test("the vector file was parsed", () => {
  expect(SECTIONS.map(([name]) => name)).toEqual(["ed25519", "multi_agent"]);
});

test.each(SECTIONS)("%s: bytes, message and both hashes equal the published ones", (_name, vector) => {
  const decoded = decodeSignedTransaction(parseHex(vector["signed_txn"] ?? "") ?? new Uint8Array());
  if (decoded.kind === "malformed") throw new Error(decoded.message);
  const signed = decoded.value;
  expect(hexOf(encodeSignedTransaction(signed)).slice(2)).toBe(vector["signed_txn"]);
  expect(hexOf(encode(rawTransaction, signed.raw)).slice(2)).toBe(vector["raw"]);
  expect(hexOf(signingMessage(signed.raw, messageForm(signed.authenticator))).slice(2)).toBe(vector["signing_message"]);
  expect(transactionHash(signed, "signed")).toBe(vector["hash_signed"]);
  expect(transactionHash(signed, "specification")).toBe(vector["hash_specification"]);
});

test("an authentication key is the address of an account that never rotated it", () => {
  const decoded = decodeSignedTransaction(parseHex(SECTIONS[0]?.[1]["signed_txn"] ?? "") ?? new Uint8Array());
  if (decoded.kind === "malformed" || decoded.value.authenticator.kind !== "ed25519") throw new Error("not the vector");
  expect(hexOf(authenticationKey(decoded.value.authenticator) ?? new Uint8Array())).toBe(decoded.value.raw.sender);
});

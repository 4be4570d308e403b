import fc from "fast-check";
import { expect, test } from "vitest";
import { type Address, addressBytes } from "../../../src/chain/address.ts";
import { hexOf } from "../../../src/chain/hex.ts";
import { encodeBcs } from "../../codec/bcs-writer.ts";
import { type EntryFunction, encodeSignedTransaction, type Payload } from "../../codec/transaction.ts";
import { signedTransactionJson } from "../../codec/transaction-json.ts";
import { signedTransactionFromJson, splitBatch } from "../../codec/transaction-request.ts";
import { interfaces } from "../../framework/abi.ts";
import { anyAddress } from "./arbitraries.ts";
import { anySignedTransaction } from "./transaction-arbitraries.ts";

const CHAIN_ID = 4;
const FRAMEWORK = "0x1" as Address; // a literal in canonical form
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

const anyTransfer: fc.Arbitrary<EntryFunction> = fc.tuple(anyAddress, u64).map(([to, amount]) => ({
  id: { address: FRAMEWORK, module: "aptos_account", name: "transfer" },
  typeArguments: [],
  arguments: [addressBytes(to), encodeBcs((writer) => writer.u64(amount))],
}));

const anyPayload: fc.Arbitrary<Payload> = fc.oneof(
  anyTransfer.map((entryFunction) => ({ kind: "entry_function" as const, entryFunction })),
  fc.record({ kind: fc.constant("multisig" as const), multisigAddress: anyAddress, entryFunction: anyTransfer }),
);

test("a call as JSON, with arguments by their types, encodes to the same bytes", () => {
  fc.assert(
    fc.property(anySignedTransaction, anyPayload, ({ raw, authenticator }, payload) => {
      const bytes = encodeSignedTransaction({ raw: { ...raw, payload, chainId: CHAIN_ID }, authenticator });
      const json: unknown = JSON.parse(JSON.stringify(signedTransactionJson(bytes, interfaces)));
      expect(signedTransactionFromJson(json, CHAIN_ID, interfaces)).toEqual({ kind: "read", value: bytes });
    }),
    { numRuns: 300 },
  );
});

test("a BCS batch is split into the bytes of its transactions", () => {
  fc.assert(
    fc.property(fc.array(anySignedTransaction, { maxLength: 4 }), (list) => {
      const parts = list.map(encodeSignedTransaction);
      const batch = encodeBcs((writer) => writer.vector(parts, (inner, part) => inner.fixed(part)));
      expect(splitBatch(batch)).toEqual({ kind: "split", list: parts });
      expect(splitBatch(new Uint8Array([...batch, 0])).kind).toBe("malformed");
    }),
    { numRuns: 100 },
  );
});

const PAYLOAD = {
  type: "entry_function_payload",
  function: "0x1::aptos_account::transfer",
  type_arguments: [],
  arguments: ["0x2", "5"],
};
const VALID = {
  sender: "0x1",
  sequence_number: "0",
  max_gas_amount: "1",
  gas_unit_price: "1",
  expiration_timestamp_secs: "1",
  payload: PAYLOAD,
  signature: {
    type: "ed25519_signature",
    public_key: hexOf(new Uint8Array(32)),
    signature: hexOf(new Uint8Array(64)),
  },
};

test.each([
  ["is not an object", [], "malformed"],
  ["lacks a field", { ...VALID, sender: undefined }, "malformed"],
  ["has a number instead of a string", { ...VALID, sequence_number: 0 }, "malformed"],
  ["has an invalid sequence number", { ...VALID, sequence_number: "-1" }, "malformed"],
  ["has a payload of an unknown type", { ...VALID, payload: { type: "other" } }, "malformed"],
  ["is a module bundle", { ...VALID, payload: { type: "module_bundle_payload" } }, "invalid"],
  ["calls a function that is not there", { ...VALID, payload: { ...PAYLOAD, function: "0x1::a::b" } }, "invalid"],
  ["has too few arguments", { ...VALID, payload: { ...PAYLOAD, arguments: [] } }, "invalid"],
  ["has an argument of another type", { ...VALID, payload: { ...PAYLOAD, arguments: ["0x2", 5] } }, "invalid"],
  ["has a key of another length", { ...VALID, signature: { ...VALID.signature, public_key: "0x00" } }, "invalid"],
  ["has a signature of an unknown type", { ...VALID, signature: { type: "other" } }, "malformed"],
])("a request that %s is refused", (_name, request, kind) => {
  expect(signedTransactionFromJson(VALID, CHAIN_ID, interfaces).kind).toBe("read");
  expect(signedTransactionFromJson(JSON.parse(JSON.stringify(request)), CHAIN_ID, interfaces).kind).toBe(kind);
});

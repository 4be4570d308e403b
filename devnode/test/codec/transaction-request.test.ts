import fc from "fast-check";
import { expect, test } from "vitest";
import { messageForm, signingMessage } from "../../codec/signing.ts";
import { encodeSignedTransaction, type SignedTransaction } from "../../codec/transaction.ts";
import { signedTransactionJson } from "../../codec/transaction-json.ts";
import { signedTransactionFromJson, signingMessageFromJson } from "../../codec/transaction-request.ts";
import { interfaces } from "../../framework/abi.ts";
import { anyAddress } from "./arbitraries.ts";
import { anyRawTransaction, anySignedTransaction } from "./transaction-arbitraries.ts";

const CHAIN_ID = 4;

/** A transaction whose JSON needs no function's types: it runs the payload stored in a multisig account. */
const anyStoredCall: fc.Arbitrary<SignedTransaction> = fc
  .record({ signed: anySignedTransaction, raw: anyRawTransaction, multisigAddress: anyAddress })
  .map(({ signed, raw, multisigAddress }) => ({
    raw: { ...raw, chainId: CHAIN_ID, payload: { kind: "multisig", multisigAddress, entryFunction: null } },
    authenticator: signed.authenticator,
  }));

const jsonOf = (signed: SignedTransaction): unknown =>
  JSON.parse(JSON.stringify(signedTransactionJson(encodeSignedTransaction(signed), interfaces)));

test("a transaction as JSON encodes to the same bytes and the same signing message", () => {
  fc.assert(
    fc.property(anyStoredCall, (signed) => {
      expect(signedTransactionFromJson(jsonOf(signed), CHAIN_ID, interfaces)).toEqual({
        kind: "read",
        value: encodeSignedTransaction(signed),
      });
      const form = messageForm(signed.authenticator);
      if (form.kind === "fee_payer") return;
      const requested = form.kind === "plain" ? {} : { secondary_signers: form.secondaryAddresses };
      expect(signingMessageFromJson(Object.assign({}, jsonOf(signed), requested), CHAIN_ID, interfaces)).toEqual({
        kind: "read",
        value: signingMessage(signed.raw, form),
      });
    }),
    { numRuns: 300 },
  );
});

/** Every position in a JSON value, as a path of keys. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

/** The value with that position replaced, or removed. */
function changed(value: unknown, path: readonly string[], to: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== "object" || value === null) return to;
  const entries = Object.entries(value).map(([name, inner]) => [name, name === key ? changed(inner, rest, to) : inner]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

const anyReplacement = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom(
    undefined,
    null,
    "",
    "0x",
    "0xzz",
    "-1",
    "18446744073709551616",
    1e300,
    -1,
    0.5,
    256,
    "u8",
    "no_account_signature",
    "entry_function_payload",
    "0x1::aptos_account::transfer",
    {},
    [],
    ["__proto__"],
  ),
);

test("a request with any value in any place is encoded or refused, and never throws", () => {
  fc.assert(
    fc.property(anyStoredCall, fc.nat(), anyReplacement, (signed, choice, to) => {
      const json = jsonOf(signed);
      const places = placesIn(json);
      const mutated = changed(json, places[choice % places.length] ?? [], to);
      expect(["read", "malformed", "invalid"]).toContain(signedTransactionFromJson(mutated, CHAIN_ID, interfaces).kind);
    }),
    { numRuns: 1_000 },
  );
});

const CALL = {
  sender: "0x1",
  sequence_number: "0",
  max_gas_amount: "2000",
  gas_unit_price: "100",
  expiration_timestamp_secs: "1900000000",
  payload: {
    type: "entry_function_payload",
    function: "0x1::aptos_account::transfer",
    type_arguments: [],
    arguments: ["0x2", "1000"],
  },
  signature: { type: "no_account_signature" },
};

test.each([
  ["function", "x".repeat(300), `invalid entry function id: ${"x".repeat(200)}`],
  ["type_arguments", ["x".repeat(300)], `invalid Move type: ${"x".repeat(200)}`],
])("an error quotes the first 200 characters of an invalid %s", (name, value, message) => {
  const request = { ...CALL, payload: { ...CALL.payload, [name]: value } };
  expect(signingMessageFromJson(request, CHAIN_ID, interfaces)).toMatchObject({ message });
});

test.each([
  ["0x", [], { kind: "invalid", message: "Script payload bytecode must not be empty" }],
  ["0x00", [], { kind: "read" }],
  // Signed without them it would be another transaction.
  ["0x00", ["1"], { kind: "invalid", message: "Script arguments cannot be encoded: this node runs no scripts" }],
  ["0x00", undefined, { kind: "malformed", message: "field `arguments` is required" }],
])("a script with the bytecode %s and the arguments %o is %o", (bytecode, values, expected) => {
  const payload = { type: "script_payload", code: { bytecode }, type_arguments: [], arguments: values };
  expect(signingMessageFromJson({ ...CALL, payload }, CHAIN_ID, interfaces)).toMatchObject(expected);
});

test("entry function arguments of any value are encoded or refused, and never throw", () => {
  expect(signingMessageFromJson(CALL, CHAIN_ID, interfaces).kind).toBe("read");
  const places = placesIn(CALL);
  fc.assert(
    fc.property(fc.nat(), anyReplacement, (choice, to) => {
      const mutated = changed(CALL, places[choice % places.length] ?? [], to);
      expect(["read", "malformed", "invalid"]).toContain(signingMessageFromJson(mutated, CHAIN_ID, interfaces).kind);
    }),
    { numRuns: 1_000 },
  );
});

import { hexOf } from "../../src/chain/hex.ts";
import { printTypeTag } from "../../src/chain/type-tag.ts";
import { argumentsToJson, type ModuleInterfaces } from "./call-arguments.ts";
import { printEntryFunctionId } from "./entry-function-id.ts";
import type { JsonObject } from "./json-request.ts";
import { signatureJson } from "./signature-json.ts";
import { decodeSignedTransaction, type EntryFunction, type Payload, type ScriptArgument } from "./transaction.ts";

/** A stored signed transaction as the JSON of a request. Throws when the bytes are not a signed transaction. */
export function signedTransactionJson(signedBytes: Uint8Array, interfaces: ModuleInterfaces): JsonObject {
  const decoded = decodeSignedTransaction(signedBytes);
  if (decoded.kind === "malformed") throw new Error(`the ledger contains a malformed transaction: ${decoded.message}`);
  const { raw, authenticator } = decoded.value;
  return {
    sender: raw.sender,
    sequence_number: String(raw.sequenceNumber),
    max_gas_amount: String(raw.maxGasAmount),
    gas_unit_price: String(raw.gasUnitPrice),
    expiration_timestamp_secs: String(raw.expirationTimestampSecs),
    payload: payloadJson(raw.payload, interfaces),
    signature: signatureJson(authenticator),
  };
}

function payloadJson(payload: Payload, interfaces: ModuleInterfaces): JsonObject {
  switch (payload.kind) {
    case "entry_function":
      return entryFunctionJson(payload.entryFunction, interfaces);
    case "multisig":
      return {
        multisig_address: payload.multisigAddress,
        ...(payload.entryFunction === null
          ? {}
          : { transaction_payload: entryFunctionJson(payload.entryFunction, interfaces) }),
        type: "multisig_payload",
      };
    case "script":
      return {
        code: { bytecode: hexOf(payload.code), abi: null },
        type_arguments: payload.typeArguments.map(printTypeTag),
        arguments: payload.arguments.map(scriptArgumentJson),
        type: "script_payload",
      };
  }
}

function entryFunctionJson(
  { id, typeArguments, arguments: list }: EntryFunction,
  interfaces: ModuleInterfaces,
): JsonObject {
  return {
    function: printEntryFunctionId(id),
    type_arguments: typeArguments.map(printTypeTag),
    arguments: argumentsToJson(id, typeArguments, list, interfaces),
    type: "entry_function_payload",
  };
}

function scriptArgumentJson(argument: ScriptArgument): unknown {
  if (typeof argument.value === "bigint") return String(argument.value);
  return argument.value instanceof Uint8Array ? hexOf(argument.value) : argument.value;
}

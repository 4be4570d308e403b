import { hexOf } from "../../src/chain/hex.ts";
import { printTypeTag } from "../../src/chain/type-tag.ts";
import { argumentsToJson, type Published } from "./call-arguments.ts";
import { printEntryFunctionId } from "./entry-function-id.ts";
import { signatureJson } from "./signature-json.ts";
import { decodeSignedTransaction, type EntryFunction, type Payload, type ScriptArgument } from "./transaction.ts";

type Json = Readonly<Record<string, unknown>>;

/** A signed transaction's fields as a request has them. The octets are a transaction's own, or this throws. */
export function requestJson(signedBytes: Uint8Array, published: Published): Json {
  const decoded = decodeSignedTransaction(signedBytes);
  if (decoded.kind === "malformed") throw new Error(`the ledger holds a malformed transaction: ${decoded.message}`);
  const { raw, authenticator } = decoded.value;
  return {
    sender: raw.sender,
    sequence_number: String(raw.sequenceNumber),
    max_gas_amount: String(raw.maxGasAmount),
    gas_unit_price: String(raw.gasUnitPrice),
    expiration_timestamp_secs: String(raw.expirationTimestampSecs),
    payload: payloadJson(raw.payload, published),
    signature: signatureJson(authenticator),
  };
}

function payloadJson(payload: Payload, published: Published): Json {
  switch (payload.kind) {
    case "entry_function":
      return entryFunctionJson(payload.entryFunction, published);
    case "multisig":
      return {
        multisig_address: payload.multisigAddress,
        ...(payload.entryFunction === null
          ? {}
          : { transaction_payload: entryFunctionJson(payload.entryFunction, published) }),
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

function entryFunctionJson({ id, typeArguments, arguments: list }: EntryFunction, published: Published): Json {
  return {
    function: printEntryFunctionId(id),
    type_arguments: typeArguments.map(printTypeTag),
    arguments: argumentsToJson(id, typeArguments, list, published),
    type: "entry_function_payload",
  };
}

function scriptArgumentJson(argument: ScriptArgument): unknown {
  if (typeof argument.value === "bigint") return String(argument.value);
  return argument.value instanceof Uint8Array ? hexOf(argument.value) : argument.value;
}

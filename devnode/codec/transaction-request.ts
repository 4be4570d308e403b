import { parseHex } from "../../src/chain/hex.ts";
import { parseU64 } from "../../src/chain/integer.ts";
import { parseTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { decodeBcs } from "./bcs.ts";
import { argumentsFromJson, type Published } from "./call-arguments.ts";
import { parseEntryFunctionId } from "./entry-function-id.ts";
import { addressOf, field, Misfit, objectOf, reading, textOf } from "./json-request.ts";
import { shown } from "./preview.ts";
import { readSignature } from "./signature-request.ts";
import { signingMessage } from "./signing.ts";
import {
  type EntryFunction,
  encodeSignedTransaction,
  type Payload,
  type RawTransaction,
  readSignedTransaction,
} from "./transaction.ts";

export type Encoded =
  | { readonly kind: "encoded"; readonly bytes: Uint8Array }
  /** The JSON is not of the documented shape. */
  | { readonly kind: "misshapen"; readonly message: string }
  /** It is, but a value in it is none. */
  | { readonly kind: "unfit"; readonly message: string };

/** BCS of a request in JSON that carries its signature, a zeroed one included. */
export function signedOfJson(value: unknown, chainId: number, published: Published): Encoded {
  return reading(() => {
    const request = objectOf(value, "SubmitTransactionRequest");
    const raw = readRaw(request, chainId, published);
    return encodeSignedTransaction({ raw, authenticator: readSignature(field(request, "signature")) });
  });
}

/** The octets to sign for a request in JSON; `secondary_signers`, even empty, makes it a multi-agent message. */
export function messageOfJson(value: unknown, chainId: number, published: Published): Encoded {
  return reading(() => {
    const request = objectOf(value, "EncodeSubmissionRequest");
    const raw = readRaw(request, chainId, published);
    const signers = request["secondary_signers"];
    if (signers === undefined || signers === null) return signingMessage(raw, { kind: "plain" });
    if (!Array.isArray(signers)) throw new Misfit("misshapen", "`secondary_signers` must be an array");
    return signingMessage(raw, { kind: "multi_agent", secondaryAddresses: signers.map(addressOf) });
  });
}

export type SplitBatch =
  | { readonly kind: "split"; readonly list: readonly Uint8Array[] }
  | { readonly kind: "malformed"; readonly message: string };

/** Takes a BCS list of signed transactions apart, their octets untouched. */
export function splitBatch(bytes: Uint8Array): SplitBatch {
  const decoded = decodeBcs(bytes, (reader) =>
    reader.vector((inner) => {
      const start = inner.offset;
      readSignedTransaction(inner);
      return inner.since(start);
    }),
  );
  return decoded.kind === "decoded" ? { kind: "split", list: decoded.value } : decoded;
}

type Json = Readonly<Record<string, unknown>>;

function readRaw(request: Json, chainId: number, published: Published): RawTransaction {
  return {
    sender: addressOf(field(request, "sender")),
    sequenceNumber: amountOf(request, "sequence_number"),
    maxGasAmount: amountOf(request, "max_gas_amount"),
    gasUnitPrice: amountOf(request, "gas_unit_price"),
    expirationTimestampSecs: amountOf(request, "expiration_timestamp_secs"),
    payload: readPayload(objectOf(field(request, "payload"), "TransactionPayload"), published),
    chainId,
  };
}

function amountOf(request: Json, name: string): bigint {
  const text = textOf(field(request, name), name);
  const value = parseU64(text);
  if (value === undefined) throw new Misfit("misshapen", `\`${name}\` is not a U64: ${shown(text)}`);
  return value;
}

function readPayload(payload: Json, published: Published): Payload {
  const type = textOf(field(payload, "type"), "type");
  switch (type) {
    case "entry_function_payload":
      return { kind: "entry_function", entryFunction: readEntryFunction(payload, published) };
    case "multisig_payload": {
      const inner = payload["transaction_payload"] ?? null;
      return {
        kind: "multisig",
        multisigAddress: addressOf(field(payload, "multisig_address")),
        entryFunction: inner === null ? null : readEntryFunction(objectOf(inner, "transaction_payload"), published),
      };
    }
    case "script_payload": {
      const code = parseHex(textOf(field(objectOf(field(payload, "code"), "code"), "bytecode"), "bytecode"));
      if (code === undefined) throw new Misfit("misshapen", "`bytecode` is not hex");
      if (code.length === 0) throw new Misfit("unfit", "Script payload bytecode must not be empty");
      // Scripts are refused by the chain whatever they are called with; their arguments have types only the code tells.
      return { kind: "script", code, typeArguments: typesOf(field(payload, "type_arguments")), arguments: [] };
    }
    case "module_bundle_payload":
      throw new Misfit("unfit", "Module bundle payload has been removed");
    default:
      throw new Misfit("misshapen", `unknown payload type ${shown(type)}`);
  }
}

function readEntryFunction(payload: Json, published: Published): EntryFunction {
  const text = textOf(field(payload, "function"), "function");
  const id = parseEntryFunctionId(text);
  if (id === undefined) throw new Misfit("misshapen", `invalid entry function id: ${text.slice(0, 200)}`);
  const typeArguments = typesOf(field(payload, "type_arguments"));
  const values = field(payload, "arguments");
  if (!Array.isArray(values)) throw new Misfit("misshapen", "`arguments` must be an array");
  const encoded = argumentsFromJson(id, typeArguments, values, published);
  if (encoded.kind === "unfit") throw new Misfit("unfit", `Failed to parse transaction payload: ${encoded.message}`);
  return { id, typeArguments, arguments: encoded.list };
}

function typesOf(value: unknown): TypeTag[] {
  if (!Array.isArray(value)) throw new Misfit("misshapen", "`type_arguments` must be an array");
  return value.map((text) => {
    const tag = parseTypeTag(textOf(text, "type_arguments"));
    if (tag === undefined) throw new Misfit("unfit", `invalid Move type: ${String(text).slice(0, 200)}`);
    return tag;
  });
}

import { VIEW_FUNCTION_TYPES } from "../../src/chain/media-types.ts";
import { uint64 } from "../../src/chain/parameters.ts";
import { parseTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { bytes, decode, encode, vector } from "../codec/bcs.ts";
import { argumentsFromJson } from "../codec/call-arguments.ts";
import { parseEntryFunctionId } from "../codec/entry-function-id.ts";
import { preview } from "../codec/preview.ts";
import { type EntryFunction, entryFunction } from "../codec/transaction.ts";
import type { ViewOutcome } from "../vm/call-view.ts";
import { callView } from "../vm/call-view.ts";
import { printVmStatus, type VmStatus } from "../vm/effects.ts";
import { GAS_SCHEDULE } from "../vm/gas-schedule.ts";
import { VM_STATUS_CODES } from "../vm/status-codes.ts";
import { type Answer, either, type Outcome, takes } from "./endpoint.ts";
import { type JsonObject, listField, objectBody, textField } from "./json-body.ts";
import { interfaces, toJson } from "./move-json.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError, refuse, refuseEarly } from "./node-error.ts";
import type { Format } from "./response-format.ts";
import { stateAt } from "./state-lookup.ts";

/** The virtual machine's status for any abort. */
const ABORTED = 4016;
const OUT_OF_GAS = 4002;

/** `POST /v1/view`: runs a view function; returns the list of its results. */
export const view = takes(VIEW_FUNCTION_TYPES, {
  path: {},
  query: { ledger_version: uint64 },
  answer: ({ query, body, format }, node: Node): Outcome => {
    const call = body.kind === "json" ? readJsonCall(body.value) : readBcsCall(body.bytes);
    if (isError(call)) return call;
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const outcome = callView(call, at.state, GAS_SCHEDULE);
    return outcome.kind === "returned" ? viewAnswer(outcome, format) : viewError(outcome);
  },
});

function viewAnswer(outcome: ViewOutcome & { kind: "returned" }, format: Format): Answer {
  const answer = either(format, {
    json: () => outcome.values.map(({ type, bytes }) => toJson(type, bytes)),
    bcs: () =>
      encode(
        vector(bytes),
        outcome.values.map((value) => value.bytes),
      ),
  });
  return { ...answer, gasUsed: outcome.gasUsed };
}

/** The error of a view that could not be called, or failed. */
function viewError(outcome: Exclude<ViewOutcome, { kind: "returned" }>): NodeError {
  if (outcome.kind === "refused")
    return refuse("invalid_input", outcome.message, VM_STATUS_CODES[outcome.status] ?? null);
  return refuse("invalid_input", printVmStatus(outcome.status), codeOf(outcome.status));
}

function codeOf(status: VmStatus): number | null {
  switch (status.kind) {
    case "move_abort":
      return ABORTED;
    case "out_of_gas":
      return OUT_OF_GAS;
    case "named":
      return VM_STATUS_CODES[status.name] ?? null;
    case "execution_failure":
      return status.code;
    case "executed":
      return null;
  }
}

function readBcsCall(request: Uint8Array): EntryFunction | NodeError {
  const decoded = decode(entryFunction, request);
  return decoded.kind === "decoded"
    ? decoded.value
    : refuse("invalid_input", `Failed to deserialize input into ViewRequest: ${decoded.message}`);
}

function readJsonCall(value: unknown): EntryFunction | NodeError {
  const body = objectBody(value, "ViewRequest");
  if (isError(body)) return body;
  const name = textField(body, "function", "ViewRequest");
  if (isError(name)) return name;
  const id = parseEntryFunctionId(name);
  if (id === undefined) return refuseEarly("invalid_input", `invalid entry function id: ${name.slice(0, 200)}`);
  const typeArguments = readTypeArguments(body);
  if (isError(typeArguments)) return typeArguments;
  const values = listField(body, "arguments", "ViewRequest");
  if (isError(values)) return values;
  const converted = argumentsFromJson(id, typeArguments, values, interfaces);
  return converted.kind === "encoded"
    ? { id, typeArguments, arguments: converted.list }
    : refuse("invalid_input", converted.message);
}

function readTypeArguments(body: JsonObject): readonly TypeTag[] | NodeError {
  const texts = listField(body, "type_arguments", "ViewRequest");
  if (isError(texts)) return texts;
  const tags: TypeTag[] = [];
  for (const text of texts) {
    const tag = typeof text === "string" ? parseTypeTag(text) : undefined;
    if (tag === undefined)
      return refuseEarly(
        "invalid_input",
        `invalid Move type: ${typeof text === "string" ? text.slice(0, 200) : preview(text)}`,
      );
    tags.push(tag);
  }
  return tags;
}

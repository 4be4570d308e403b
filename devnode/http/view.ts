import { VIEW_FUNCTION_TYPES } from "../../src/chain/media-types.ts";
import { uint64 } from "../../src/chain/parameters.ts";
import { bytes, decode, encode, vector } from "../codec/bcs.ts";
import { readObject, tryRead } from "../codec/json-request.ts";
import { type EntryFunction, entryFunction } from "../codec/transaction.ts";
import { readCall } from "../codec/transaction-request.ts";
import { interfaces } from "../framework/abi.ts";
import { callView, type ViewOutcome } from "../vm/call-view.ts";
import { printVmStatus, type VmStatus } from "../vm/effects.ts";
import { GAS_SCHEDULE } from "../vm/gas-schedule.ts";
import { VM_STATUS_CODES } from "../vm/status-codes.ts";
import { type Answer, either, takes } from "./endpoint.ts";
import { toJson } from "./move-json.ts";
import { isError, type NodeError, refuse } from "./node-error.ts";
import { readOr } from "./request-body.ts";
import type { Format } from "./response-format.ts";
import { stateAt } from "./state-lookup.ts";

/** The virtual machine's numbers of these statuses; an abort has one whatever its reason. */
const CODES = { move_abort: 4016, out_of_gas: 4002, executed: null } as const;

/** `POST /v1/view`: runs a view function; returns the list of its results. */
export const view = takes(VIEW_FUNCTION_TYPES, {
  query: { ledger_version: uint64 },
  answer: ({ query, body, format }, node) => {
    const call =
      body.kind === "json"
        ? readOr(tryRead(() => readCall(readObject(body.value, "ViewRequest"), interfaces, "view")))
        : readBcsCall(body.bytes);
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
  if (status.kind === "named") return VM_STATUS_CODES[status.name] ?? null;
  return status.kind === "execution_failure" ? status.code : CODES[status.kind];
}

function readBcsCall(request: Uint8Array): EntryFunction | NodeError {
  const decoded = decode(entryFunction, request);
  return decoded.kind === "decoded"
    ? decoded.value
    : refuse("invalid_input", `Failed to deserialize input into ViewRequest: ${decoded.message}`);
}

import type { TypeTag } from "../../src/chain/type-tag.ts";
import { printEntryFunctionId } from "../codec/entry-function-id.ts";
import { instantiate } from "../codec/move-layout.ts";
import type { EntryFunction } from "../codec/transaction.ts";
import { findFunction } from "../framework/registry.ts";
import { invoke, unknownStruct } from "./call-function.ts";
import type { VmStatus } from "./effects.ts";
import { attempt } from "./execution-error.ts";
import { Meter } from "./gas-meter.ts";
import type { GasSchedule } from "./gas-schedule.ts";
import { Session } from "./session.ts";
import type { StateReader } from "./state-keys.ts";

export type ViewOutcome =
  | {
      readonly kind: "returned";
      readonly values: readonly { readonly type: TypeTag; readonly bytes: Uint8Array }[];
      readonly gasUsed: bigint;
    }
  /** The function does not exist or is not a view: 400 invalid_input with this message. */
  | { readonly kind: "refused"; readonly message: string; readonly status: string }
  /** The call failed: an abort, arguments that do not match the function, or out of gas. */
  | { readonly kind: "failed"; readonly status: VmStatus };

/** Runs a view function on a version of the state; its writes are discarded. */
export function callView(call: EntryFunction, state: StateReader, gas: GasSchedule): ViewOutcome {
  const id = printEntryFunctionId(call.id);
  const definition = findFunction(id);
  if (definition === undefined) return refused(`Function ${id} does not exist`, "FUNCTION_RESOLUTION_FAILURE");
  if (!definition.isView)
    return refused(`${id}: function not marked as view function`, "INVALID_MAIN_FUNCTION_SIGNATURE");
  const unknown = call.typeArguments.map(unknownStruct).find((name) => name !== undefined);
  if (unknown !== undefined) return refused(`Struct ${unknown} does not exist`, "TYPE_RESOLUTION_FAILURE");
  const meter = new Meter(gas, gas.maximumViewUnits, gas.minimumPrice);
  const session = new Session(state, meter);
  const run = attempt(() => invoke({ session, meter }, definition, call, []));
  if (run.kind === "stopped") return { kind: "failed", status: run.status };
  const types = definition.results.map((type) => typeOf(type, call.typeArguments));
  return {
    kind: "returned",
    values: run.value.map((bytes, index) => ({ type: types[index] ?? { kind: "bool" }, bytes })),
    gasUsed: meter.use().totalUnits,
  };
}

function refused(message: string, status: string): ViewOutcome {
  return { kind: "refused", message, status };
}

function typeOf(type: string, typeArguments: readonly TypeTag[]): TypeTag {
  const tag = instantiate(type, typeArguments);
  if (tag === undefined) throw new RangeError(`${type} is no type`);
  return tag;
}

import type { VmStatus } from "./effects.ts";
import { EXECUTION_FAILURE_CODES } from "./status-codes.ts";

/**
 * Ends a native function from any depth, as an abort unwinds a Move program. Thrown by native functions and by the
 * session; caught by {@link attempt} only.
 */
export class VmError extends Error {
  override readonly name = "Stop";
  readonly status: VmStatus;

  constructor(status: VmStatus) {
    super(status.kind);
    this.status = status;
  }
}

/** Runs `body`; returns its result or the status that ended it. Other exceptions are bugs and propagate. */
export function attempt<T>(
  body: () => T,
): { readonly kind: "done"; readonly value: T } | { readonly kind: "stopped"; readonly status: VmStatus } {
  try {
    return { kind: "done", value: body() };
  } catch (cause) {
    if (cause instanceof VmError) return { kind: "stopped", status: cause.status };
    throw cause;
  }
}

/** A status of the virtual machine without further data. */
export function named(name: string, message: string | null = null): VmError {
  return new VmError({ kind: "named", name, message });
}

/** An error of the virtual machine itself inside a function. */
export function executionFailure(
  failure: keyof typeof EXECUTION_FAILURE_CODES,
  functionId: string,
  codeOffset: number,
  message: string,
): VmError {
  const code = EXECUTION_FAILURE_CODES[failure];
  return new VmError({ kind: "execution_failure", function: functionId, codeOffset, code, message });
}

import type { VmStatus } from "./effects.ts";

/**
 * Ends the run of a native function from any depth, as an abort unwinds a Move program. Thrown by natives and by the
 * session; caught where a run begins (execute.ts, view.ts, multisig execution), nowhere else.
 */
export class Stop extends Error {
  override readonly name = "Stop";
  readonly status: VmStatus;

  constructor(status: VmStatus) {
    super(status.kind);
    this.status = status;
  }
}

/** Runs `body`; what stopped it, or its result. Errors that are not a {@link Stop} are faults of ours and pass on. */
export function attempt<T>(
  body: () => T,
): { readonly kind: "done"; readonly value: T } | { readonly kind: "stopped"; readonly status: VmStatus } {
  try {
    return { kind: "done", value: body() };
  } catch (cause) {
    if (cause instanceof Stop) return { kind: "stopped", status: cause.status };
    throw cause;
  }
}

/** An error of the virtual machine itself inside a function, such as an overflow or a resource that is not there. */
export function executionFailure(functionId: string, codeOffset: number, message: string): Stop {
  return new Stop({ kind: "execution_failure", function: functionId, codeOffset, message });
}

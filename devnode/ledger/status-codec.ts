import { decode, encode, option, string, struct, transform, u32, u64, union, unit } from "../codec/bcs.ts";
import type { VmStatus } from "../vm/effects.ts";

/** How a status is stored. An absent message or reason is null. */
const storedStatus = transform(
  union({
    executed: unit,
    out_of_gas: unit,
    move_abort: struct({ module: string, code: u64, reason: option(struct({ name: string, text: string })) }),
    execution_failure: struct({ function: string, codeOffset: u32, code: u32, message: option(string) }),
    named: struct({ name: string, message: option(string) }),
  }),
  // Cast: without its nulls, the stored value is the status.
  (stored) => Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== null)) as unknown as VmStatus,
  (status) => {
    switch (status.kind) {
      case "executed":
      case "out_of_gas":
        return status;
      case "move_abort":
        return { ...status, reason: status.reason ?? null };
      case "execution_failure":
      case "named":
        return { ...status, message: status.message ?? null };
    }
  },
);

export function encodeStatus(status: VmStatus): Uint8Array {
  return encode(storedStatus, status);
}

export function decodeStatus(stored: Uint8Array): VmStatus {
  const decoded = decode(storedStatus, stored);
  if (decoded.kind === "malformed") throw new Error(`a stored status is malformed: ${decoded.message}`);
  return decoded.value;
}

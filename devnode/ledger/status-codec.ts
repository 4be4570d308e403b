import { encodeBcs, Reader } from "../codec/bcs.ts";
import type { VmStatus } from "../vm/effects.ts";

const KINDS = ["executed", "out_of_gas", "move_abort", "execution_failure", "named"] as const;

/** How a status is kept on disk: variant number, then its fields in the order of the type. */
export function encodeStatus(status: VmStatus): Uint8Array {
  return encodeBcs((writer) => {
    writer.uleb(KINDS.indexOf(status.kind));
    switch (status.kind) {
      case "executed":
      case "out_of_gas":
        return;
      case "move_abort":
        writer
          .string(status.module)
          .u64(status.code)
          .option(status.reason ?? null, (inner, { name, text }) => inner.string(name).string(text));
        return;
      case "execution_failure":
        writer
          .string(status.function)
          .u32(status.codeOffset)
          .option(status.message ?? null, (inner, message) => inner.string(message));
        return;
      case "named":
        writer.string(status.name).option(status.message ?? null, (inner, message) => inner.string(message));
        return;
    }
  });
}

export function decodeStatus(bytes: Uint8Array): VmStatus {
  const reader = new Reader(bytes);
  const kind = KINDS[reader.variant(KINDS.length)] ?? "executed";
  switch (kind) {
    case "executed":
    case "out_of_gas":
      return { kind };
    case "move_abort": {
      const [module, code] = [reader.string(), reader.u64()];
      const reason = reader.option((inner) => ({ name: inner.string(), text: inner.string() }));
      return reason === null ? { kind, module, code } : { kind, module, code, reason };
    }
    case "execution_failure": {
      const [name, codeOffset] = [reader.string(), reader.u32()];
      return { kind, function: name, codeOffset, ...messageOf(reader) };
    }
    case "named":
      return { kind, name: reader.string(), ...messageOf(reader) };
  }
}

function messageOf(reader: Reader): { message?: string } {
  const message = reader.option((inner) => inner.string());
  return message === null ? {} : { message };
}

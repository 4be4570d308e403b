import { VmError } from "../vm/execution-error.ts";

/** The framework's categories of error; an abort code is category << 16 | reason. */
const CATEGORY = {
  invalid_argument: 0x1n,
  out_of_range: 0x2n,
  invalid_state: 0x3n,
  unauthenticated: 0x4n,
  permission_denied: 0x5n,
  not_found: 0x6n,
  already_exists: 0x8n,
  resource_exhausted: 0x9n,
  unavailable: 0xdn,
} as const;

type Category = keyof typeof CATEGORY;

/** A module's reasons to abort: name -> [reason number, sentence], as the public framework numbers them. */
export type Reasons = Readonly<Record<string, readonly [reason: number, text: string]>>;

/** Creates the abort of one module, which is its location. */
export type Abort<R extends Reasons> = (category: Category | "bare", name: keyof R & string) => VmError;

export function aborts<const R extends Reasons>(module: string, reasons: R): Abort<R> {
  return (category, name) => {
    const [reason = 0, text = ""] = reasons[name] ?? [];
    const code = (category === "bare" ? 0n : CATEGORY[category] << 16n) | BigInt(reason);
    return new VmError({ kind: "move_abort", module, code, reason: { name, text } });
  };
}

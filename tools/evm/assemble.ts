/** EVM instructions of our programs, by mnemonic. `PUSHn`, `DUPn` and `SWAPn` are computed. */
const OPCODES: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  SUB: 0x03,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  SHL: 0x1b,
  SHR: 0x1c,
  CALLDATALOAD: 0x35,
  CODESIZE: 0x38,
  CODECOPY: 0x39,
  EXTCODESIZE: 0x3b,
  RETURNDATASIZE: 0x3d,
  CHAINID: 0x46,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  SLOAD: 0x54,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  RETURN: 0xf3,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
};
const RANGES = { PUSH: 0x5f, DUP: 0x7f, SWAP: 0x8f } as const;

type ProgramPart =
  | { readonly kind: "bytes"; readonly bytes: readonly number[] }
  /** Offset of a label, which is pushed in two bytes. */
  | { readonly kind: "place"; readonly label: string };

/**
 * Assembles a program: one instruction a line, `;` begins a comment. `PUSHn 0x..` or `PUSHn 42` pushes n bytes, `PUSH
 * name` the offset of a label. `name:` is a JUMPDEST with that label; `name.` is a label alone, for data behind the
 * code.
 */
export function assemble(listing: string): Uint8Array {
  const places = new Map<string, number>();
  let at = 0;
  const items = listing.split("\n").flatMap((line): ProgramPart[] => {
    const [mnemonic = "", argument] = line.replace(/;.*/, "").trim().split(/\s+/);
    if (mnemonic === "") return [];
    const label = /^(\w+)([:.])$/.exec(mnemonic);
    if (label !== null) places.set(label[1] ?? "", at);
    const item = label?.[2] === "." ? null : itemOf(label === null ? mnemonic : "JUMPDEST", argument);
    at += item === null ? 0 : item.kind === "place" ? 3 : item.bytes.length;
    return item === null ? [] : [item];
  });
  const bytesOf = (item: ProgramPart): readonly number[] => {
    if (item.kind === "bytes") return item.bytes;
    const place = places.get(item.label);
    if (place === undefined) throw new RangeError(`no label ${item.label}`);
    return [RANGES.PUSH + 2, ...bytesIn(BigInt(place), 2)];
  };
  return Uint8Array.from(items.flatMap(bytesOf));
}

function itemOf(mnemonic: string, argument: string | undefined): ProgramPart {
  if (mnemonic === "PUSH" && argument !== undefined) return { kind: "place", label: argument };
  const [, range, count] = /^(PUSH|DUP|SWAP)(\d+)$/.exec(mnemonic) ?? [];
  const base = range === "PUSH" || range === "DUP" || range === "SWAP" ? RANGES[range] + Number(count) : undefined;
  const opcode = base ?? OPCODES[mnemonic];
  if (opcode === undefined) throw new RangeError(`no instruction ${mnemonic}`);
  if ((range === "PUSH") !== (argument !== undefined)) throw new RangeError(`${mnemonic} ${argument}`);
  const pushed = argument === undefined ? [] : bytesIn(BigInt(argument), Number(count));
  return { kind: "bytes", bytes: [opcode, ...pushed] };
}

/** Encodes a value in bytes, the most significant first. Throws RangeError for a value of more bytes. */
function bytesIn(value: bigint, count: number): number[] {
  if (value >> BigInt(8 * count) !== 0n) throw new RangeError(`${value} has more than ${count} bytes`);
  return Array.from({ length: count }, (_, index) => Number((value >> BigInt(8 * (count - 1 - index))) & 255n));
}

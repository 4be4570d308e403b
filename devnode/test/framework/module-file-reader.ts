import type { ModuleAbi } from "../../framework/abi.ts";

type FunctionAbi = ModuleAbi["exposed_functions"][number];
type StructAbi = ModuleAbi["structs"][number];

/**
 * Parses a Move module file (version 6) into an interface. Written from the format alone, and shares no code with
 * the writer, so that both must agree with the format to agree with one another.
 */
export function readModuleFile(file: Uint8Array): ModuleAbi {
  return new ModuleReader(file).abi();
}

const ABILITIES = ["copy", "drop", "store", "key"] as const;
const VISIBILITIES: Readonly<Record<number, FunctionAbi["visibility"]>> = { 0: "private", 1: "public", 3: "friend" };
const SCALARS: Readonly<Record<number, string>> = {
  1: "bool",
  2: "u8",
  3: "u64",
  4: "u128",
  5: "address",
  12: "signer",
  13: "u16",
  14: "u32",
  15: "u256",
};

class Cursor {
  readonly #bytes: Uint8Array;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.offset === this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.offset];
    if (byte === undefined) throw new Error("the file ends too early");
    this.offset += 1;
    return byte;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.byte());
  }

  uleb(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  text(): string {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.bytes(this.uleb()));
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.uleb() }, read);
  }

  all<T>(read: () => T): T[] {
    const list: T[] = [];
    while (!this.done) list.push(read());
    return list;
  }
}

const abilitiesOf = (bits: number) => ABILITIES.filter((_, bit) => (bits & (1 << bit)) !== 0);
const inOrder = (bits: number) => [...abilitiesOf(bits)].sort();

class ModuleReader {
  readonly #tables = new Map<number, Uint8Array>();
  readonly #read = new Map<number, readonly unknown[]>();
  readonly #self: number;

  constructor(file: Uint8Array) {
    const header = new Cursor(file);
    if (header.bytes(4).join() !== "161,28,235,11") throw new Error("no module file");
    if (header.bytes(4).join() !== "6,0,0,0") throw new Error("not version 6");
    const directory = header.list(() => ({ kind: header.byte(), offset: header.uleb(), size: header.uleb() }));
    const start = header.offset;
    let end = 0;
    for (const { kind, offset, size } of directory) {
      if (offset !== end || size === 0 || this.#tables.has(kind)) throw new Error("tables do not follow one another");
      this.#tables.set(kind, file.slice(start + offset, start + offset + size));
      end = offset + size;
    }
    const tail = new Cursor(file.slice(start + end));
    this.#self = tail.uleb();
    if (!tail.done) throw new Error("bytes after the file");
  }

  abi(): ModuleAbi {
    const [address = "", name = ""] = this.#module(this.#self).split("::");
    const attributes = this.#attributes();
    const friends = this.#rows(0xf, (row) => `${this.#address(row.uleb())}::${this.#identifier(row.uleb())}`);
    // Cast: the address was printed in canonical form.
    const typed = address as ModuleAbi["address"];
    return {
      address: typed,
      name,
      friends,
      exposed_functions: this.#functions(attributes.views),
      structs: this.#structs(attributes.events),
    };
  }

  #rows<T>(table: number, read: (row: Cursor) => T): T[] {
    const cursor = new Cursor(this.#tables.get(table) ?? new Uint8Array());
    return cursor.all(() => read(cursor));
  }

  /** Each table is read once. */
  #row<T>(table: number, index: number, read: (row: Cursor) => T): T {
    // Cast: a table is always read with the same function.
    const rows = (this.#read.get(table) as readonly T[] | undefined) ?? this.#rows(table, read);
    this.#read.set(table, rows);
    const row = rows[index];
    if (row === undefined) throw new Error(`table ${table} has no row ${index}`);
    return row;
  }

  #identifier(index: number): string {
    return this.#row(0x7, index, (row) => row.text());
  }

  #address(index: number): string {
    return this.#row(0x8, index, (row) => {
      const digits = [...row.bytes(32)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      return `0x${digits.replace(/^0+(?=.)/, "")}`;
    });
  }

  #module(index: number): string {
    return this.#row(0x1, index, (row) => `${this.#address(row.uleb())}::${this.#identifier(row.uleb())}`);
  }

  #structHandle(index: number) {
    return this.#row(0x2, index, (row) => ({
      module: row.uleb(),
      name: this.#identifier(row.uleb()),
      abilities: row.uleb(),
      typeParameters: row.list(() => ({ constraints: row.uleb(), phantom: row.uleb() })),
    }));
  }

  #functionHandle(index: number) {
    return this.#row(0x3, index, (row) => ({
      module: row.uleb(),
      name: this.#identifier(row.uleb()),
      parameters: this.#signature(row.uleb()),
      results: this.#signature(row.uleb()),
      typeParameters: row.list(() => row.uleb()),
    }));
  }

  #signature(index: number): string[] {
    return this.#row(0x5, index, (row) => row.list(() => this.#type(row)));
  }

  #type(row: Cursor): string {
    const token = row.byte();
    const scalar = SCALARS[token];
    if (scalar !== undefined) return scalar;
    if (token === 6) return `&${this.#type(row)}`;
    if (token === 9) return `T${row.uleb()}`;
    if (token === 10) return `vector<${this.#type(row)}>`;
    if (token !== 8 && token !== 11) throw new Error(`token ${token}`);
    const handle = this.#structHandle(row.uleb());
    const type = `${this.#module(handle.module)}::${handle.name}`;
    return token === 8 ? type : `${type}<${row.list(() => this.#type(row)).join(", ")}>`;
  }

  #structs(events: readonly string[]): StructAbi[] {
    return this.#rows(0xa, (row) => {
      const handle = this.#structHandle(row.uleb());
      if (handle.module !== this.#self || row.byte() !== 2) throw new Error("a struct that is not declared here");
      return {
        name: handle.name,
        is_native: false,
        is_event: events.includes(handle.name),
        abilities: inOrder(handle.abilities),
        generic_type_params: handle.typeParameters.map(({ constraints }) => ({ constraints: inOrder(constraints) })),
        fields: row.list(() => ({ name: this.#identifier(row.uleb()), type: this.#type(row) })),
      };
    });
  }

  #functions(views: readonly string[]): FunctionAbi[] {
    return this.#rows(0xc, (row) => {
      const handle = this.#functionHandle(row.uleb());
      const visibility = VISIBILITIES[row.byte()];
      const flags = row.byte();
      if (visibility === undefined || handle.module !== this.#self || row.uleb() !== 0) throw new Error("a function");
      if (this.#signature(row.uleb()).length > 0) throw new Error("locals in a body that has none");
      // Two instructions: LdU64, whose operand has eight bytes, and Abort.
      const body = [row.uleb(), row.byte(), ...row.bytes(8), row.byte()];
      if (body.join() !== "2,6,0,0,0,0,0,0,0,0,39") throw new Error(`a body of ${body.join()}`);
      return {
        name: handle.name,
        visibility,
        is_entry: (flags & 4) !== 0,
        is_view: views.includes(handle.name),
        generic_type_params: handle.typeParameters.map((constraints) => ({ constraints: inOrder(constraints) })),
        params: handle.parameters,
        return: handle.results,
      };
    });
  }

  #attributes(): { readonly views: readonly string[]; readonly events: readonly string[] } {
    const rows = this.#rows(0x10, (row) => ({ key: row.text(), value: row.bytes(row.uleb()) }));
    const found = rows.find(({ key }) => key === "aptos::metadata_v1");
    if (found === undefined) return { views: [], events: [] };
    const value = new Cursor(found.value);
    if (value.uleb() !== 0) throw new Error("error descriptions");
    const map = () => value.list(() => ({ name: value.text(), kinds: value.list(() => [value.byte(), value.uleb()]) }));
    const [structs, functions] = [map(), map()];
    if (!value.done) throw new Error("bytes after the attributes");
    const having = (list: typeof structs, kind: number) =>
      list.filter(({ kinds }) => kinds.some(([first]) => first === kind)).map(({ name }) => name);
    return { views: having(functions, 1), events: having(structs, 4) };
  }
}

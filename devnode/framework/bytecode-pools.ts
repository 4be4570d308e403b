import type { Address } from "../../src/chain/address.ts";
import { hexOf } from "../../src/chain/hex.ts";
import type { StructTag, TypeTag } from "../../src/chain/type-tag.ts";
import { type BcsWriter, encodeBcs } from "../codec/bcs-writer.ts";
import { instantiate } from "../codec/move-layout.ts";
import type { Ability, StructDeclaration } from "./schema.ts";

/** Distinct entries of one table of a module file, numbered in order of first use. */
export class Pool {
  readonly #numbers = new Map<string, number>();
  readonly #entries: Uint8Array[] = [];

  /** The number of what is written. Equal bytes are one entry. */
  add(write: (writer: BcsWriter) => void): number {
    const entry = encodeBcs(write);
    const key = hexOf(entry);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#entries.length);
    return this.#entries.push(entry) - 1;
  }

  get entries(): readonly Uint8Array[] {
    return this.#entries;
  }
}

const TOKENS = { bool: 1, u8: 2, u64: 3, u128: 4, address: 5, signer: 12, u16: 13, u32: 14, u256: 15 } as const;
const [REFERENCE, STRUCT, TYPE_PARAMETER, VECTOR, STRUCT_INSTANCE] = [6, 8, 9, 10, 11] as const;
const ABILITY_BITS: Readonly<Record<Ability, number>> = { copy: 1, drop: 2, store: 4, key: 8 };

/** The pools that the declarations of a module refer to. */
export class Pools {
  readonly identifiers = new Pool();
  readonly addresses = new Pool();
  readonly moduleHandles = new Pool();
  readonly structHandles = new Pool();
  readonly signatures = new Pool();
  readonly #structOf: (tag: StructTag) => StructDeclaration | undefined;

  constructor(structOf: (tag: StructTag) => StructDeclaration | undefined) {
    this.#structOf = structOf;
  }

  identifier(name: string): number {
    return this.identifiers.add((writer) => writer.string(name));
  }

  moduleHandle(address: Address, name: string): number {
    return this.moduleHandles.add(this.moduleEntry(address, name));
  }

  /** Writes a module handle, or a friend. */
  moduleEntry(address: Address, name: string): (writer: BcsWriter) => void {
    const addressNumber = this.addresses.add((writer) => writer.address(address));
    const nameNumber = this.identifier(name);
    return (writer) => writer.uleb(addressNumber).uleb(nameNumber);
  }

  structHandle(tag: StructTag): number {
    const declaration = this.#structOf(tag);
    const moduleNumber = this.moduleHandle(tag.address, tag.module);
    const nameNumber = this.identifier(tag.name);
    return this.structHandles.add((writer) =>
      writer
        .uleb(moduleNumber)
        .uleb(nameNumber)
        .uleb(abilitySet(declaration?.abilities ?? []))
        .vector(declaration?.typeParameters ?? [], (inner, { constraints, isPhantom }) =>
          inner.uleb(abilitySet(constraints)).uleb(isPhantom ? 1 : 0),
        ),
    );
  }

  signature(types: readonly string[]): number {
    return this.signatures.add((writer) => writer.vector(types, (inner, type) => this.token(inner, type)));
  }

  /** A type as written in declarations: `&signer`, `vector<u8>`, `0x1::object::Object<T0>`. */
  token(writer: BcsWriter, type: string): void {
    const isReference = type.startsWith("&");
    const tag = instantiate(isReference ? type.slice(1) : type, []);
    if (tag === undefined) throw new RangeError(`${type} is no type`);
    if (isReference) writer.u8(REFERENCE);
    this.#tag(writer, tag);
  }

  #tag(writer: BcsWriter, tag: TypeTag): void {
    if (tag.kind === "vector") {
      this.#tag(writer.u8(VECTOR), tag.element);
      return;
    }
    if (tag.kind !== "struct") {
      writer.u8(TOKENS[tag.kind]);
      return;
    }
    const { struct } = tag;
    // Templates write T0 as a struct at an address where no module can be.
    if (struct.module === "type_parameter" && struct.address === "0x0") {
      writer.u8(TYPE_PARAMETER).uleb(Number(struct.name.slice(1)));
      return;
    }
    const handle = this.structHandle(struct);
    writer.u8(struct.typeArguments.length === 0 ? STRUCT : STRUCT_INSTANCE).uleb(handle);
    if (struct.typeArguments.length === 0) return;
    writer.vector(struct.typeArguments, (inner, argument) => this.#tag(inner, argument));
  }
}

export function abilitySet(abilities: readonly Ability[]): number {
  return abilities.reduce((bits, ability) => bits | ABILITY_BITS[ability], 0);
}

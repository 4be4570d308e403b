import { FRAMEWORK } from "./addresses.ts";
import { entry, type ModuleDefinition, signer, view } from "./define.ts";
import { deriveRef, objectCore, objectOwner, owns, transferEvent, transferObject } from "./object-state.ts";
import { address, bool, object, type StructDeclaration } from "./schema.ts";

const objectDeclaration: StructDeclaration = {
  id: "0x1::object::Object",
  abilities: ["copy", "drop", "store"],
  typeParameters: [{ constraints: [], isPhantom: true }],
  isEvent: false,
  fields: [{ name: "inner", type: "address" }],
};

const ofKey = { generics: [["key"]] } as const;

export const objectModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "object",
  friends: ["0x1::coin", "0x1::primary_fungible_store"],
  structs: [deriveRef, { declaration: objectDeclaration }, objectCore, transferEvent],
  functions: [
    view("is_owner", ofKey, [object("T0"), address], [bool], ({ session }, at, owner) => [
      objectOwner(session, at) === owner,
    ]),
    view("owner", ofKey, [object("T0")], [address], ({ session }, at) => [objectOwner(session, at)]),
    view("owns", ofKey, [object("T0"), address], [bool], ({ session }, at, owner) => [owns(session, at, owner)]),
    entry("transfer", ofKey, [signer, object("T0"), address], ({ session }, owner, at, to) =>
      transferObject(session, owner, at, to),
    ),
    entry("transfer_call", {}, [signer, address, address], ({ session }, owner, at, to) =>
      transferObject(session, owner, at, to),
    ),
  ],
};

import { anyObject, defineModule, entry, signer, view } from "./define.ts";
import { deriveRef, objectCore, objectOwner, owns, transferEvent, transferObject } from "./object-state.ts";
import { address, bool } from "./schema.ts";
import { generic } from "./std.ts";

const object = generic("0x1::object::Object", 1, { inner: "address" }, true);

export const objectModule = defineModule("0x1::object", {
  friends: ["coin", "primary_fungible_store"],
  structs: [deriveRef, object, objectCore, transferEvent],
  functions: [
    view("is_owner", [anyObject, address], bool, (session, at, owner) => objectOwner(session, at) === owner),
    view("owner", [anyObject], address, objectOwner),
    view("owns", [anyObject, address], bool, owns),
    entry("transfer", [signer, anyObject, address], transferObject),
    entry("transfer_call", [signer, address, address], transferObject),
  ],
});

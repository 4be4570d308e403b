import { anyObject, defineModule, entry, otherObject, signer, view } from "./define.ts";
import { deriveRef, objectCore, objectOwner, owns, rootOwner, transferEvent, transferObject } from "./object-state.ts";
import { address, bool } from "./schema.ts";
import { generic } from "./std.ts";

const object = generic("0x1::object::Object", 1, { inner: "address" }, true);

export const objectModule = defineModule("0x1::object", {
  friends: ["coin", "primary_fungible_store"],
  structs: [deriveRef, object, objectCore, transferEvent],
  functions: [
    view("is_owner", [anyObject, address], bool, (session, at, owner) => objectOwner(session, at) === owner),
    // Objects become untransferable by the code that creates them, which cannot be published here.
    view("is_untransferable", [anyObject], bool, () => false),
    view("owner", [anyObject], address, objectOwner),
    view("owns", [anyObject, address], bool, owns),
    view("root_owner", [anyObject], address, rootOwner),
    entry("transfer", [signer, anyObject, address], transferObject),
    entry("transfer_call", [signer, address, address], transferObject),
    entry("transfer_to_object", [signer, anyObject, otherObject], transferObject),
  ],
});

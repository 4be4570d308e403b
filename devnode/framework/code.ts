import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { FRAMEWORK } from "./addresses.ts";
import { defineModule, type ModuleDefinition } from "./define.ts";
import { address, bytes, option, string, struct, structsOf, u8, u64, vector } from "./schema.ts";

const storable = ["copy", "drop", "store"] as const;
const declare = structsOf("0x1::code");

const copyableAny = struct("0x1::copyable_any::Any", storable, { type_name: string, data: bytes });
const upgradePolicy = declare("UpgradePolicy", storable, { policy: u8 });
const packageDep = declare("PackageDep", storable, { account: address, package_name: string });
const moduleMetadata = declare("ModuleMetadata", storable, {
  name: string,
  source: bytes,
  source_map: bytes,
  extension: option(copyableAny),
});
const packageMetadata = declare("PackageMetadata", storable, {
  name: string,
  upgrade_policy: upgradePolicy,
  upgrade_number: u64,
  source_digest: string,
  manifest: bytes,
  modules: vector(moduleMetadata),
  deps: vector(packageDep),
  extension: option(copyableAny),
});
const packageRegistry = declare("PackageRegistry", ["drop", "store", "key"], { packages: vector(packageMetadata) });

/** The policy of packages that never change. */
const IMMUTABLE = 2;
const FRAMEWORK_PACKAGE = "AptosFramework";

/** Lists an account's modules as one package; there are no sources to show. */
export function registerPackage(session: Session, owner: Address, modules: readonly string[]): void {
  const nothing = new Uint8Array();
  const inFramework = owner === FRAMEWORK;
  const metadata = {
    name: inFramework ? FRAMEWORK_PACKAGE : "Development",
    upgrade_policy: { policy: IMMUTABLE },
    upgrade_number: 0n,
    source_digest: "",
    manifest: nothing,
    modules: modules.map((name) => ({ name, source: nothing, source_map: nothing, extension: null })),
    deps: inFramework ? [] : [{ account: FRAMEWORK, package_name: FRAMEWORK_PACKAGE }],
    extension: null,
  };
  session.put(packageRegistry, owner, { packages: [metadata] });
}

export const codeModules: readonly ModuleDefinition[] = [
  defineModule("0x1::copyable_any", { structs: [copyableAny] }),
  defineModule("0x1::code", {
    friends: ["object_code_deployment"],
    structs: [moduleMetadata, packageDep, packageMetadata, packageRegistry, upgradePolicy],
  }),
];

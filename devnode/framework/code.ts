import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { FRAMEWORK } from "./addresses.ts";
import type { ModuleDefinition } from "./define.ts";
import { address, bytes, option, type Schema, string, struct, u8, u64, vector } from "./schema.ts";

interface CopyableAny {
  readonly type_name: string;
  readonly data: Uint8Array;
}

interface ModuleMetadata {
  readonly name: string;
  readonly source: Uint8Array;
  readonly source_map: Uint8Array;
  readonly extension: CopyableAny | null;
}

interface PackageMetadata {
  readonly name: string;
  readonly upgrade_policy: { readonly policy: number };
  readonly upgrade_number: bigint;
  readonly source_digest: string;
  readonly manifest: Uint8Array;
  readonly modules: readonly ModuleMetadata[];
  readonly deps: readonly { readonly account: Address; readonly package_name: string }[];
  readonly extension: CopyableAny | null;
}

const storable = ["copy", "drop", "store"] as const;
const declare = <T extends object>(id: string, fields: { readonly [K in keyof T]: Schema<T[K]> }) =>
  struct<T>(id, { abilities: storable }, fields);

const copyableAny = declare<CopyableAny>("0x1::copyable_any::Any", { type_name: string, data: bytes });
const upgradePolicy = declare<{ readonly policy: number }>("0x1::code::UpgradePolicy", { policy: u8 });
const packageDep = declare<PackageMetadata["deps"][number]>("0x1::code::PackageDep", {
  account: address,
  package_name: string,
});
const moduleMetadata = declare<ModuleMetadata>("0x1::code::ModuleMetadata", {
  name: string,
  source: bytes,
  source_map: bytes,
  extension: option(copyableAny),
});
const packageMetadata = declare<PackageMetadata>("0x1::code::PackageMetadata", {
  name: string,
  upgrade_policy: upgradePolicy,
  upgrade_number: u64,
  source_digest: string,
  manifest: bytes,
  modules: vector(moduleMetadata),
  deps: vector(packageDep),
  extension: option(copyableAny),
});
const packageRegistry = struct<{ readonly packages: readonly PackageMetadata[] }>(
  "0x1::code::PackageRegistry",
  { abilities: ["drop", "store", "key"] },
  { packages: vector(packageMetadata) },
);

/** The policy of packages that never change. */
const IMMUTABLE = 2;
const FRAMEWORK_PACKAGE = "AptosFramework";

/** Lists an account's modules as one package; there are no sources to show. */
export function registerPackage(session: Session, owner: Address, name: string, modules: readonly string[]): void {
  const nothing = new Uint8Array();
  const listed = modules.map((module) => ({ name: module, source: nothing, source_map: nothing, extension: null }));
  const deps = owner === FRAMEWORK ? [] : [{ account: FRAMEWORK, package_name: FRAMEWORK_PACKAGE }];
  session.put(packageRegistry, owner, {
    packages: [
      {
        name,
        upgrade_policy: { policy: IMMUTABLE },
        upgrade_number: 0n,
        source_digest: "",
        manifest: nothing,
        modules: listed,
        deps,
        extension: null,
      },
    ],
  });
}

export function packageNameOf(owner: Address): string {
  return owner === FRAMEWORK ? FRAMEWORK_PACKAGE : "Development";
}

export const codeModules: readonly ModuleDefinition[] = [
  { address: FRAMEWORK, name: "copyable_any", friends: [], structs: [copyableAny], functions: [] },
  {
    address: FRAMEWORK,
    name: "code",
    friends: ["0x1::object_code_deployment"],
    structs: [moduleMetadata, packageDep, packageMetadata, packageRegistry, upgradePolicy],
    functions: [],
  },
];

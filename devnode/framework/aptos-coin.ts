import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { FRAMEWORK, NATIVE_COIN } from "./addresses.ts";
import { mint, mintCapability } from "./coin.ts";
import { entry, type ModuleDefinition, signer } from "./define.ts";
import { address, bool, struct, u64 } from "./schema.ts";

const aptosCoin = struct<{ readonly dummy_field: boolean }>(NATIVE_COIN, { abilities: ["key"] }, { dummy_field: bool });

export const mintCapStore = struct<{ readonly mint_cap: { readonly dummy_field: boolean } }>(
  "0x1::aptos_coin::MintCapStore",
  { abilities: ["key"] },
  { mint_cap: mintCapability.of(NATIVE_COIN) },
);

const abort = aborts("0x1::aptos_coin", {
  ENO_CAPABILITIES: [1, "Account does not have mint capability"],
});

function assertMinter(session: Session, minter: Address): void {
  if (!session.has(mintCapStore, minter)) throw abort("not_found", "ENO_CAPABILITIES");
}

export const aptosCoinModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "aptos_coin",
  friends: ["0x1::genesis"],
  structs: [aptosCoin, mintCapStore],
  functions: [
    entry("mint", {}, [signer, address, u64], ({ session }, minter, to, amount) => {
      assertMinter(session, minter);
      mint(session, NATIVE_COIN, to, amount);
    }),
  ],
};

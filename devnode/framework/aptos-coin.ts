import { aborts } from "./abort.ts";
import { NATIVE_COIN } from "./addresses.ts";
import { mint, mintCapability } from "./coin.ts";
import { defineModule, entry, signer } from "./define.ts";
import { address, bool, struct, u64 } from "./schema.ts";

const aptosCoin = struct(NATIVE_COIN, ["key"], { dummy_field: bool });

export const mintCapStore = struct("0x1::aptos_coin::MintCapStore", ["key"], {
  mint_cap: mintCapability.of(NATIVE_COIN),
});

const abort = aborts("0x1::aptos_coin", {
  ENO_CAPABILITIES: [1, "Account does not have mint capability"],
});

export const aptosCoinModule = defineModule("0x1::aptos_coin", {
  friends: ["genesis"],
  structs: [aptosCoin, mintCapStore],
  functions: [
    entry("mint", [signer, address, u64], (session, minter, to, amount) => {
      if (!session.has(mintCapStore, minter)) throw abort("not_found", "ENO_CAPABILITIES");
      mint(session, NATIVE_COIN, to, amount);
    }),
  ],
});

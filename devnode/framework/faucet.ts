import { account } from "./account.ts";
import { DEVELOPMENT, NATIVE_COIN } from "./addresses.ts";
import { createNativeAccount } from "./aptos-account.ts";
import { assertMinter } from "./aptos-coin.ts";
import { mint } from "./coin.ts";
import { register } from "./coin-state.ts";
import { entry, type ModuleDefinition, signer } from "./define.ts";
import { address, u64 } from "./schema.ts";

/** Creates the recipient if need be and mints the native coin to it, in one transaction. */
export const faucetModule: ModuleDefinition = {
  address: DEVELOPMENT,
  name: "faucet",
  friends: [],
  structs: [],
  functions: [
    entry("fund", {}, [signer, address, u64], ({ session }, minter, to, amount) => {
      assertMinter(session, minter);
      if (!session.has(account, to)) createNativeAccount(session, to);
      register(session, NATIVE_COIN, to);
      mint(session, NATIVE_COIN, to, amount);
    }),
  ],
};

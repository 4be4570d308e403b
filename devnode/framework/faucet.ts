import { aborts } from "./abort.ts";
import { account } from "./account.ts";
import { DEVELOPMENT, NATIVE_COIN } from "./addresses.ts";
import { createNativeAccount } from "./aptos-account.ts";
import { coinBalance, register, transfer } from "./coin-state.ts";
import { entry, type ModuleDefinition, signer } from "./define.ts";
import { address, u64 } from "./schema.ts";

const abort = aborts("0xde5::faucet", {
  ERESERVE_EXHAUSTED: [1, "The faucet's reserve holds less than this amount."],
});

/** Creates the recipient if necessary and pays it from the signer's balance; the coin's supply does not change. */
export const faucetModule: ModuleDefinition = {
  address: DEVELOPMENT,
  name: "faucet",
  friends: [],
  structs: [],
  functions: [
    entry("fund", {}, [signer, address, u64], ({ session }, reserve, to, amount) => {
      if (coinBalance(session, NATIVE_COIN, reserve) < amount) throw abort("resource_exhausted", "ERESERVE_EXHAUSTED");
      if (!session.has(account, to)) createNativeAccount(session, to);
      register(session, NATIVE_COIN, to);
      transfer(session, NATIVE_COIN, reserve, to, amount);
    }),
  ],
};

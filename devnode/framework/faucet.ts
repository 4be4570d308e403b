import { aborts } from "./abort.ts";
import { NATIVE_COIN } from "./addresses.ts";
import { transferNative } from "./aptos-account.ts";
import { coinBalance } from "./coin-state.ts";
import { defineModule, entry, signer } from "./define.ts";
import { address, u64 } from "./schema.ts";

const abort = aborts("0xde5::faucet", {
  ERESERVE_EXHAUSTED: [1, "The faucet's reserve holds less than this amount."],
});

/** Creates the recipient if necessary and pays it from the signer's balance; the coin's supply does not change. */
export const faucetModule = defineModule("0xde5::faucet", {
  functions: [
    entry("fund", [signer, address, u64], (session, reserve, to, amount) => {
      if (coinBalance(session, NATIVE_COIN, reserve) < amount) throw abort("resource_exhausted", "ERESERVE_EXHAUSTED");
      transferNative(session, reserve, to, amount);
    }),
  ],
});

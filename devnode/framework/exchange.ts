import { transferNative } from "./aptos-account.ts";
import { defineModule, entry, signer } from "./define.ts";
import { u64 } from "./schema.ts";

/** A trade signed by both sides, an example of multi-agent transactions. */
export const exchangeModule = defineModule("0xde5::exchange", {
  functions: [
    entry("swap", [signer, signer, u64, u64], (session, first, second, paid, returned) => {
      transferNative(session, first, second, paid);
      transferNative(session, second, first, returned);
    }),
  ],
});

import { DEVELOPMENT } from "./addresses.ts";
import { transferNative } from "./aptos-account.ts";
import { entry, type ModuleDefinition, signer } from "./define.ts";
import { u64 } from "./schema.ts";

/** A trade signed by both sides, an example of multi-agent transactions. */
export const exchangeModule: ModuleDefinition = {
  address: DEVELOPMENT,
  name: "exchange",
  friends: [],
  structs: [],
  functions: [
    entry("swap", {}, [signer, signer, u64, u64], ({ session }, first, second, paid, returned) => {
      transferNative(session, first, second, paid);
      transferNative(session, second, first, returned);
    }),
  ],
};

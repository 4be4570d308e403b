import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { DEVELOPMENT } from "./addresses.ts";
import { mint } from "./coin.ts";
import { coinInfo } from "./coin-state.ts";
import { defineModule, entry, signer } from "./define.ts";
import { address, bool, struct, u64 } from "./schema.ts";
import { newCounter } from "./supply-counter.ts";

/** A coin that accounts do not own at genesis, for testing registration and refusal of coins. */
export const DEMO_COIN = "0xde5::demo_coin::DemoCoin";

const demoCoin = struct(DEMO_COIN, [], { dummy_field: bool });
const minter = struct("0xde5::demo_coin::Minter", ["key"], { owner: address });
const abort = aborts("0xde5::demo_coin", { ENOT_MINTER: [1, "Only the coin's minter may mint."] });

export function initializeDemoCoin(session: Session, owner: Address): void {
  session.put(minter, DEVELOPMENT, { owner });
  session.put(coinInfo.of(DEMO_COIN), DEVELOPMENT, {
    name: "Demo Coin",
    symbol: "DEMO",
    decimals: 6,
    supply: newCounter(2n ** 64n - 1n),
  });
}

export const demoCoinModule = defineModule("0xde5::demo_coin", {
  structs: [demoCoin, minter],
  functions: [
    entry("mint", [signer, address, u64], (session, owner, to, amount) => {
      if (session.get(minter, DEVELOPMENT).owner !== owner) throw abort("permission_denied", "ENOT_MINTER");
      mint(session, DEMO_COIN, to, amount);
    }),
  ],
});

import { economyOf } from "./economy.ts";
import { account } from "./framework/account.ts";
import { FRAMEWORK, NATIVE_COIN } from "./framework/addresses.ts";
import { configuration } from "./framework/chain.ts";
import { coinBalance } from "./framework/coin-state.ts";
import { executeGenesis, GENESIS_SUPPLY, type GenesisOptions } from "./genesis.ts";
import type { Machine } from "./ledger/ports.ts";
import { executeBlockMetadata } from "./vm/block-metadata.ts";
import { intrinsicUnits, validatePrologue } from "./vm/prologue.ts";
import { executeUserTransaction } from "./vm/run-user-transaction.ts";
import { Session } from "./vm/session.ts";

/** Implements the ledger's `Machine` port with the built-in modules. */
export function nativeMachine(genesis: GenesisOptions): Machine {
  const { gasSchedule } = economyOf(genesis.genesisSupply ?? GENESIS_SUPPLY);
  return {
    minGasUnitPrice: gasSchedule.minimumPrice,
    maxGasUnits: gasSchedule.maximumUnits,
    maxTransactionBytes: gasSchedule.maximumTransactionBytes,
    minGasUnits: (sizeBytes) => intrinsicUnits(sizeBytes, gasSchedule),
    genesis: () => executeGenesis(genesis),
    beginBlock: executeBlockMetadata,
    validate: (transaction, state) => validatePrologue(transaction, state, gasSchedule),
    execute: (transaction, state) => executeUserTransaction(transaction, state, gasSchedule),
    simulate: (transaction, state) => executeUserTransaction(transaction, state, gasSchedule, true),
    epoch: (state) => new Session(state, null).get(configuration, FRAMEWORK).epoch,
    sequenceNumber: (state, address) => new Session(state, null).find(account, address)?.sequence_number,
    gasBalance: (state, address) => coinBalance(new Session(state, null), NATIVE_COIN, address),
  };
}

import { account } from "./framework/account.ts";
import { FRAMEWORK, NATIVE_COIN } from "./framework/addresses.ts";
import { configuration } from "./framework/chain.ts";
import { coinBalance } from "./framework/coin-state.ts";
import { executeGenesis, type GenesisOptions } from "./genesis.ts";
import type { Machine } from "./ledger/ports.ts";
import { executeBlockMetadata } from "./vm/block-metadata.ts";
import { GAS_SCHEDULE } from "./vm/gas-schedule.ts";
import { intrinsicUnits, validatePrologue } from "./vm/prologue.ts";
import { executeUserTransaction } from "./vm/run-user-transaction.ts";
import { Session } from "./vm/session.ts";

/** Implements the ledger's `Machine` port with the built-in modules. */
export function nativeMachine(genesis: GenesisOptions): Machine {
  return {
    minGasUnitPrice: GAS_SCHEDULE.minimumPrice,
    maxGasUnits: GAS_SCHEDULE.maximumUnits,
    maxTransactionBytes: GAS_SCHEDULE.maximumTransactionBytes,
    minGasUnits: (sizeBytes) => intrinsicUnits(sizeBytes, GAS_SCHEDULE),
    genesis: () => executeGenesis(genesis),
    beginBlock: executeBlockMetadata,
    validate: (transaction, state) => validatePrologue(transaction, state, GAS_SCHEDULE),
    execute: (transaction, state) => executeUserTransaction(transaction, state, GAS_SCHEDULE),
    simulate: (transaction, state) => executeUserTransaction(transaction, state, GAS_SCHEDULE, true),
    epoch: (state) => new Session(state, null).get(configuration, FRAMEWORK).epoch,
    sequenceNumber: (state, address) => new Session(state, null).find(account, address)?.sequence_number,
    gasBalance: (state, address) => coinBalance(new Session(state, null), NATIVE_COIN, address),
  };
}

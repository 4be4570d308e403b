import { executeGenesis, type GenesisOptions } from "./genesis.ts";
import type { Machine } from "./ledger/ports.ts";
import { executeBlockMetadata, readChainHead } from "./vm/block-metadata.ts";
import {
  executeUserTransaction,
  gasBalanceOf,
  sequenceNumberOf,
  simulateUserTransaction,
  validatePrologue,
} from "./vm/execute.ts";
import { GAS_SCHEDULE } from "./vm/gas-schedule.ts";
import { intrinsicUnits } from "./vm/prologue.ts";

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
    simulate: (transaction, state) => simulateUserTransaction(transaction, state, GAS_SCHEDULE),
    headOf: readChainHead,
    sequenceNumber: sequenceNumberOf,
    gasBalance: gasBalanceOf,
  };
}

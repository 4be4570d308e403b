import type { Address } from "../../src/chain/address.ts";
import type { StructTag } from "../../src/chain/type-tag.ts";
import { accountModule } from "./account-module.ts";
import { aptosAccountModule } from "./aptos-account.ts";
import { aptosCoinModule } from "./aptos-coin.ts";
import { chainModules } from "./chain.ts";
import { coinModule, managedCoinModule } from "./coin.ts";
import type { FunctionDefinition, ModuleDefinition } from "./define.ts";
import { delegationPoolModule } from "./delegation-pool.ts";
import { demoCoinModule } from "./demo-coin.ts";
import { exchangeModule } from "./exchange.ts";
import { faucetModule } from "./faucet.ts";
import { dispatchableFungibleAssetModule, fungibleAssetModule } from "./fungible-asset.ts";
import { multisigAccountModule } from "./multisig-account.ts";
import { objectModule } from "./object.ts";
import { primaryFungibleStoreModule } from "./primary-fungible-store.ts";
import type { StructDeclaration } from "./schema.ts";
import { stableTokenModule } from "./stable-token.ts";
import { stakeModule } from "./stake.ts";
import { stakingConfigModules } from "./staking-config.ts";
import { stakingContractModule } from "./staking-contract.ts";
import { stdModules } from "./std.ts";
import { tableDemoModule } from "./table-demo.ts";
import { transactionFeeModule } from "./transaction-fee.ts";
import { vestingModules } from "./vesting.ts";

/** Every module of the chain. Genesis publishes them; nothing adds to them. */
export const MODULES: readonly ModuleDefinition[] = [
  ...stdModules,
  accountModule,
  coinModule,
  managedCoinModule,
  aptosCoinModule,
  aptosAccountModule,
  objectModule,
  fungibleAssetModule,
  dispatchableFungibleAssetModule,
  primaryFungibleStoreModule,
  multisigAccountModule,
  transactionFeeModule,
  ...stakingConfigModules,
  stakeModule,
  delegationPoolModule,
  stakingContractModule,
  ...vestingModules,
  ...chainModules,
  demoCoinModule,
  exchangeModule,
  faucetModule,
  stableTokenModule,
  tableDemoModule,
];

const byId = new Map(MODULES.map((module) => [`${module.address}::${module.name}`, module]));

const functionsById = new Map(
  MODULES.flatMap((module) =>
    module.functions.map((definition) => [`${module.address}::${module.name}::${definition.name}`, definition]),
  ),
);

const structsById = new Map(
  MODULES.flatMap(({ structs }) => structs.map(({ declaration }) => [declaration.id, declaration])),
);

export function findModule(address: Address, name: string): ModuleDefinition | undefined {
  return byId.get(`${address}::${name}`);
}

/** By canonical id, `0x1::coin::transfer`. */
export function findFunction(id: string): FunctionDefinition | undefined {
  return functionsById.get(id);
}

/** The declaration of a struct type, whatever its type arguments. */
export function findStruct({ address, module, name }: StructTag): StructDeclaration | undefined {
  return structsById.get(`${address}::${module}::${name}`);
}

import type { NodeConfig } from "./config.ts";

/**
 * Name of the Durable Object of a chain. Genesis and every hash depend on these settings, so changing one creates a
 * separate chain. The wallets' amounts are left out: they follow the calendar, and the chain continues when a month has
 * passed.
 */
export function chainName(config: NodeConfig): string {
  const { chainId, transactionHash, genesisSupply, genesisSymbol, genesisName, genesisDecimals, genesisWallets } =
    config;
  const wallets = genesisWallets.map(({ holds, address }) => `${holds}:${address}`).join();
  return `chain ${chainId} ${transactionHash} ${genesisSupply} ${genesisSymbol} ${genesisName} ${genesisDecimals} ${wallets}`;
}

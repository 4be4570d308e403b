import type { Config } from "../../src/config.ts";
import { isOtherNetwork, statedFirst, type TokenChain } from "../../src/families/token-chain.ts";

/** Notes which network is read when the settings name another one than the schedule, whose chains are `stated`. */
export function networkNotes({ chainSource, chains: [{ chain }] }: Config, stated: readonly TokenChain[]): string[] {
  const first = statedFirst(stated);
  if (
    first === undefined ||
    chainSource !== "configured" ||
    !isOtherNetwork(first, { chainId: chain.chainId ?? undefined })
  )
    return [];
  return [
    `CHAIN_ID is ${chain.chainId}, but the schedule's first chain is ${first.chainId}: the other network is read, as CHAIN_FAMILY (${chain.family}), CHAIN_ID and NATIVE_ASSET (${chain.asset.text}) say`,
  ];
}

import { type Address, parseAddress } from "../../src/chain/address.ts";

/** An address written in this source; throws when it is invalid. */
export function fixedAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new RangeError(`not an address: ${text}`);
  return address;
}

/** The virtual machine's own signer. */
export const VM = fixedAddress("0x0");
/** Where the framework's modules and the chain's own resources are. */
export const FRAMEWORK = fixedAddress("0x1");
/** The account that may mint on a development chain. */
export const CORE_RESOURCES = fixedAddress("0xa550c18");
/** Address of this chain's own modules: the faucet, the stable token, tables for experiments. */
export const DEVELOPMENT = fixedAddress("0xde5");
export const NATIVE_COIN = "0x1::aptos_coin::AptosCoin";
/** The native coin as a fungible asset. */
export const NATIVE_ASSET = fixedAddress("0xa");

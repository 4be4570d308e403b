import { type Address, parseAddress } from "../../src/chain/address.ts";
import { isIdentifier } from "../../src/chain/identifier.ts";

/**
 * A published function, `{address}::{module}::{function}` (specification, EntryFunctionId). Names are case-sensitive.
 */
export interface EntryFunctionId {
  readonly address: Address;
  readonly module: string;
  readonly name: string;
}

/** Accepts the address with or without `0x`; no whitespace anywhere. */
export function parseEntryFunctionId(text: string): EntryFunctionId | undefined {
  const [addressText, module, name, ...more] = text.split("::");
  if (addressText === undefined || module === undefined || name === undefined || more.length > 0) return undefined;
  const address = parseAddress(addressText);
  if (address === undefined || !isIdentifier(module) || !isIdentifier(name)) return undefined;
  return { address, module, name };
}

export function printEntryFunctionId({ address, module, name }: EntryFunctionId): string {
  return `${address}::${module}::${name}`;
}

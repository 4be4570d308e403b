/** A 20-byte address of an EVM chain: `0x` and 40 digits in lower case. */
export type EvmAddress = string & { readonly brand: "EvmAddress" };

/** Exactly 40 hex digits of either case after `0x`: an address is written in full. */
export function parseEvmAddress(text: string): EvmAddress | undefined {
  // Cast: the brand's own constructor.
  return /^0x[\da-f]{40}$/i.test(text) ? (text.toLowerCase() as EvmAddress) : undefined;
}

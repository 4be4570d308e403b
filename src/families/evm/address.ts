/** Address of 20 bytes on an EVM chain: `0x` and 40 digits in lower case. */
export type EvmAddress = string & { readonly brand: "EvmAddress" };

/** Parses `0x` and exactly 40 hex digits of either case; shorter forms are not addresses. */
export function parseEvmAddress(text: string): EvmAddress | undefined {
  // Cast: the brand's own constructor.
  return /^0x[\da-f]{40}$/i.test(text) ? (text.toLowerCase() as EvmAddress) : undefined;
}

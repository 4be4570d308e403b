/** Whether this bundle reads EVM chains. The build replaces it by `false` for a deployment that reads a Move chain. */
export const HAS_EVM: boolean = true;

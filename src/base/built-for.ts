/** Whether this bundle reads EVM chains. The build replaces it by `false` for a deployment that reads Move chains. */
export const HAS_EVM: boolean = true;
/** Whether the token may be on several chains. The build replaces it by `false` where its schedule names one. */
export const HAS_LEGS: boolean = true;

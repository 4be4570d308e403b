/** Paths that the sample lacks: its token is on one chain, staking mints it, and its phases count months. */
export const NOT_OF_THE_SAMPLE: readonly string[] = [
  "/api/escrow-shortfall",
  "/api/burned-by-contract",
  "/api/circulating-supply-daily",
];

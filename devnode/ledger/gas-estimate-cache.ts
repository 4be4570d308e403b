import type { GasEstimate } from "./api.ts";
import type { CommittedChain } from "./committed-chain.ts";
import { estimateGas, HISTORY } from "./gas-estimate.ts";

/** The chain's gas estimate, computed once per block. */
export function cachedGasEstimate(chain: CommittedChain, minimumPrice: bigint): () => GasEstimate {
  let height = -1;
  let estimate = estimateGas([], minimumPrice);
  return () => {
    if (height !== chain.tip.height) {
      estimate = estimateGas(chain.stores.blocks.prices(HISTORY.aggressive), minimumPrice);
      height = chain.tip.height;
    }
    return estimate;
  };
}

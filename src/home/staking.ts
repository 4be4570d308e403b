import { memoByObject } from "../base/memo.ts";
import type { Config } from "../config.ts";
import { chainFigures } from "../onchain/chain-figures.ts";
import type { Reading } from "../onchain/reading.ts";
import { nativeStaking } from "../rates/native-staking.ts";
import type { Product } from "../rates/product.ts";
import type { Schedule } from "../supply/schedule.ts";

/** Makes the product of native staking from a reading; a text is the reason why there is none. */
export type MakeStakingProduct = (reading: Reading) => Product | string;

export function stakingProductReader(schedule: Schedule, { assets, commissionPercent }: Config): MakeStakingProduct {
  const { symbol, decimals } = schedule.token;
  const asset = { symbol, decimals, address: assets.native.text };
  return memoByObject((reading: Reading) => {
    const { good = null, unreadable } = reading.staking ?? { unreadable: "it is not read" };
    if (good === null) return unreadable ?? "it was never read";
    const { total_supply: total } = chainFigures(schedule)(reading);
    // A product has one age, so the total must come from the same reading as the terms.
    const isOfReading = unreadable === null && !("reason" in total);
    return nativeStaking({ ...good, total: isOfReading ? total.baseUnits : null }, asset, commissionPercent);
  });
}

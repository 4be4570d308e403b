import { tokenText } from "../../src/chain/amount.ts";
import { instantText } from "../../src/utc.ts";
import { FRAMEWORK, NATIVE_COIN } from "../framework/addresses.ts";
import { blockResource } from "../framework/chain.ts";
import { coinInfo } from "../framework/coin-state.ts";
import { stakingConfig } from "../framework/staking-config.ts";
import { Session } from "../vm/session.ts";
import { json, reads } from "./endpoint.ts";
import { isError } from "./node-error.ts";
import { samplesOf } from "./sample-products.ts";
import { stateAt } from "./state-lookup.ts";

const YEAR_SECONDS = 31_536_000;
const CURRENT_SECONDS = 3_600;

/** `GET /rates`: yield products. Staking rates come from the ledger's configuration; the rest is sample data. */
export const rates = reads({
  answer: (_call, node) => {
    const at = stateAt(node, undefined);
    if (isError(at)) return at;
    const staking = stakingTerms(new Session(at.state, null));
    const asOfMs = Number(at.timestampMicros / 1000n);
    const shared = { as_of: instantText(asOfMs), stale_after: instantText(asOfMs + CURRENT_SECONDS * 1000) };
    const data = [
      stakingProduct(staking, shared),
      ...samplesOf(staking.coin).map((sample, index) => ({
        ...sample,
        provider: "Sample",
        url: "https://example.org/",
        apr: null,
        compounds_per_year: null,
        rate_type: "variable",
        window: "7d",
        apy_mean_30d: null,
        min_deposit: null,
        status: "active",
        ...shared,
        source: "sample",
        featured: false,
        order: index + 2,
      })),
    ];
    return json({ as_of: shared.as_of, count: data.length, data });
  },
});

type Instants = { readonly as_of: string; readonly stale_after: string };

/** The reward of one epoch on every staked coin, and the number of epochs in a year. */
function stakingTerms(session: Session) {
  const staking = session.get(stakingConfig, FRAMEWORK);
  const { epoch_interval } = session.get(blockResource, FRAMEWORK);
  const { symbol, decimals } = session.get(coinInfo.of(NATIVE_COIN), FRAMEWORK);
  const epochsPerYear = Math.floor((YEAR_SECONDS * 1_000_000) / Number(epoch_interval));
  const perEpoch = Number(staking.rewards_rate) / Number(staking.rewards_rate_denominator);
  return {
    /** Percent per year, not compounded. */
    apr: percent(perEpoch * epochsPerYear),
    epochsPerYear,
    lockupSeconds: Number(staking.recurring_lockup_duration_secs),
    /** Base units of the native coin. */
    minimumStake: staking.minimum_stake,
    coin: { symbol, decimals },
  };
}

/** Rewards are added to the stake at each epoch's end, so they compound once an epoch. */
function stakingProduct(terms: ReturnType<typeof stakingTerms>, shared: Instants): unknown {
  const { apr, epochsPerYear, lockupSeconds, minimumStake, coin } = terms;
  const apy = percent((1 + apr / 100 / epochsPerYear) ** epochsPerYear - 1);
  return {
    id: "native-staking",
    name: "Native staking",
    kind: "staking",
    provider: "Protocol",
    url: null,
    asset: { symbol: coin.symbol, address: NATIVE_COIN, decimals: coin.decimals },
    apy,
    apy_base: apy,
    apy_reward: 0,
    apr,
    compounds_per_year: epochsPerYear,
    rate_type: "variable",
    window: "spot",
    apy_mean_30d: null,
    tvl: null,
    tvl_usd: null,
    min_deposit: tokenText(minimumStake, coin.decimals),
    lockup_seconds: lockupSeconds,
    cooldown_seconds: 0,
    status: "active",
    ...shared,
    source: "ledger",
    featured: true,
    order: 1,
  };
}

/** A fraction as percent with at most five decimals. */
function percent(fraction: number): number {
  return Number((fraction * 100).toFixed(5));
}

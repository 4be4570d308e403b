import { parseU64 } from "../../src/chain/integer.ts";
import { parseStructTag, type StructTag } from "../../src/chain/type-tag.ts";
import { instantText } from "../../src/utc.ts";
import { FRAMEWORK, NATIVE_COIN } from "../framework/addresses.ts";
import { resourceKey, type StateReader } from "../vm/state-keys.ts";
import { json, type Outcome, reads } from "./endpoint.ts";
import { isObject, type JsonObject } from "./json-body.ts";
import { toJson } from "./move-json.ts";
import type { Node } from "./node-context.ts";
import { isError, refuse } from "./node-error.ts";
import { samplesOf } from "./sample-products.ts";
import { stateAt } from "./state-lookup.ts";

const STAKING: StructTag = { address: FRAMEWORK, module: "staking_config", name: "StakingConfig", typeArguments: [] };
const BLOCKS: StructTag = { address: FRAMEWORK, module: "block", name: "BlockResource", typeArguments: [] };
const COIN: StructTag = {
  address: FRAMEWORK,
  module: "coin",
  name: "CoinInfo",
  typeArguments: typeArgumentsOf(NATIVE_COIN),
};
const YEAR_SECONDS = 31_536_000;
const CURRENT_SECONDS = 3_600;

/** `GET /rates`: yield products. Staking rates come from the ledger's configuration; the rest is sample data. */
export const rates = reads({
  path: {},
  query: {},
  answer: (_call, node: Node): Outcome => {
    const at = stateAt(node, undefined);
    if (isError(at)) return at;
    const staking = stakingTerms(at.state);
    if (staking === undefined) return refuse("internal_error", "The ledger has no staking configuration.");
    const asOfMs = Number(at.timestampMicros / 1000n);
    const shared = { as_of: instantText(asOfMs), stale_after: instantText(asOfMs + CURRENT_SECONDS * 1000) };
    const data = [
      stakingProduct(staking, shared),
      ...samplesOf(staking.coin.symbol).map((sample, index) => ({
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

interface StakingTerms {
  /** Percent per year, not compounded. */
  readonly apr: number;
  readonly epochsPerYear: number;
  readonly lockupSeconds: number;
  /** Base units of the native coin. */
  readonly minimumStake: bigint;
  readonly coin: { readonly symbol: string; readonly decimals: number };
}

type Instants = { readonly as_of: string; readonly stale_after: string };

/** The reward of one epoch on every staked coin, and the number of epochs in a year. */
function stakingTerms(state: StateReader): StakingTerms | undefined {
  const staking = read(state, STAKING);
  const blocks = read(state, BLOCKS);
  const coin = read(state, COIN);
  const epochMicros = amount(blocks, "epoch_interval");
  const denominator = amount(staking, "rewards_rate_denominator");
  if (epochMicros === 0n || denominator === 0n) return undefined;
  const epochsPerYear = Math.floor((YEAR_SECONDS * 1_000_000) / Number(epochMicros));
  const perEpoch = Number(amount(staking, "rewards_rate")) / Number(denominator);
  return {
    apr: percent(perEpoch * epochsPerYear),
    epochsPerYear,
    lockupSeconds: Number(amount(staking, "recurring_lockup_duration_secs")),
    minimumStake: amount(staking, "minimum_stake"),
    coin: { symbol: String(coin?.["symbol"] ?? ""), decimals: Number(amount(coin, "decimals")) },
  };
}

/** Rewards are added to the stake at each epoch's end, so they compound once an epoch. */
function stakingProduct(terms: StakingTerms, shared: Instants): unknown {
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
    min_deposit: tokens(minimumStake, coin.decimals),
    lockup_seconds: lockupSeconds,
    cooldown_seconds: 0,
    status: "active",
    ...shared,
    source: "ledger",
    featured: true,
    order: 1,
  };
}

function read(state: StateReader, tag: StructTag): JsonObject | undefined {
  const bytes = state.get(resourceKey(FRAMEWORK, tag));
  const value = bytes === undefined ? undefined : toJson({ kind: "struct", struct: tag }, bytes);
  return isObject(value) ? value : undefined;
}

function typeArgumentsOf(printed: string): StructTag["typeArguments"] {
  const struct = parseStructTag(printed);
  return struct === undefined ? [] : [{ kind: "struct", struct }];
}

function amount(object: JsonObject | undefined, field: string): bigint {
  return parseU64(String(object?.[field])) ?? 0n;
}

/** A fraction as percent with at most five decimals. */
function percent(fraction: number): number {
  return Number((fraction * 100).toFixed(5));
}

/** Base units as a canonical decimal of whole tokens. */
function tokens(units: bigint, decimals: number): string {
  if (decimals === 0) return String(units);
  const text = String(units).padStart(decimals + 1, "0");
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`.replace(/\.?0+$/, "");
}

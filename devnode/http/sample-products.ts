import { STABLE_TOKEN } from "../genesis.ts";

/**
 * Invented, and marked as samples in every response: examples of each kind of product without a network. Only the
 * fields that differ between them; rates are percent.
 */
export const samplesOf = (native: { readonly symbol: string; readonly decimals: number }) => [
  {
    id: "sample-liquid-staking",
    name: "Liquid staking (sample)",
    kind: "liquid_staking",
    asset: { symbol: `st${native.symbol}`, address: null, decimals: native.decimals },
    apy: 6.75,
    apy_base: 6.5,
    apy_reward: 0.25,
    tvl: "1250000",
    tvl_usd: 6_250_000,
    lockup_seconds: 0,
    cooldown_seconds: 259_200,
  },
  {
    id: "sample-lending-stable",
    name: "Stable lending (sample)",
    kind: "lending",
    asset: { symbol: "DUSD", address: STABLE_TOKEN, decimals: 6 },
    apy: 4.2,
    apy_base: 4.2,
    apy_reward: 0,
    tvl: "3400000",
    tvl_usd: 3_400_000,
    lockup_seconds: 0,
    cooldown_seconds: 0,
  },
  {
    id: "sample-savings-stable",
    name: "Stable savings (sample)",
    kind: "savings",
    asset: { symbol: "DUSD", address: STABLE_TOKEN, decimals: 6 },
    apy: 3.75,
    apy_base: 3.75,
    apy_reward: 0,
    tvl: "900000",
    tvl_usd: 900_000,
    lockup_seconds: 2_592_000,
    cooldown_seconds: 0,
  },
];

import { parseAddress } from "../../chain/address.ts";
import { NATIVE_COIN, parseMoveAsset } from "../../chain/asset.ts";
import type { Holding, HoldingKind } from "../../chain/holding.ts";
import { UNSIGNED_MAX } from "../../chain/integer.ts";
import type { FamilyDefinition } from "../definition.ts";

/** Calls that one wallet costs at a node (move-node.ts), by its kind. */
const CALLS_PER_WALLET: Readonly<Record<HoldingKind, number>> = {
  account: 1,
  stake_pool: 1,
  delegation: 1,
  vesting: 2,
  staking_contract: 3,
  lock: 0,
};
/** Calls for the node's state, the supply and its decimals. */
const TOKEN_CALLS = 3;
const STAKING_CALLS = 3;

/** Family of chains whose nodes have the interface that `/v1` passes on. */
export const MOVE: FamilyDefinition = {
  chain: "a Move chain",
  address: { parse: parseAddress, form: "an address of 1 to 64 hex digits after 0x" },
  asset: { parse: parseMoveAsset, form: "a type tag or an address" },
  assetWords: { coin: "coin type", fungible_asset: "fungible asset" },
  defaultAsset: NATIVE_COIN,
  maxChainId: 255,
  holds: ["account", "stake_pool", "vesting", "delegation", "staking_contract"],
  lockViews: {},
  circulatingViews: [],
  priceViews: [],
  // A reading takes up to three views per wallet.
  maxWallets: 256,
  versionWord: "ledger version",
  // Healthy nodes are a second or two apart.
  mostBehindMs: 10_000,
  impossibleSupply: UNSIGNED_MAX.u128,
  urlEnd: "/v1",
  explorerEnd: null,
  hasStaking: true,
  calls: { probe: 1, reading: callsOfReading, readsWalletsTogether: false },
  protocol: null,
};

function callsOfReading(holdings: readonly Holding[], hasStaking: boolean): number {
  const reads = holdings.reduce((sum, { holds }) => sum + CALLS_PER_WALLET[holds], 0);
  return TOKEN_CALLS + (hasStaking ? STAKING_CALLS : 0) + reads;
}

import type { Holding } from "../../chain/holding.ts";
import type { FamilyDefinition } from "../definition.ts";
import { parseEvmAddress } from "./address.ts";
import { parseContract } from "./asset.ts";
import { CIRCULATING_VIEWS } from "./circulating-views.ts";
import { LOCK_VIEWS } from "./lock-views.ts";
import { PRICE_VIEWS } from "./price-views.ts";
import { MAX_LOCK_QUESTIONS, MAX_QUESTIONS } from "./program.ts";
import { probe } from "./protocol.ts";

/** Calls for the chain id, the newest block and the block of the reading. */
const BLOCK_CALLS = 3;

/** Counts the calls that ask about holdings and a view: a lock is asked for its balance too. */
function callsAbout(holdings: readonly Holding[], hasView: boolean): number {
  const views = holdings.filter(({ holds }) => holds === "lock").length + (hasView ? 1 : 0);
  const most = views > 0 ? MAX_LOCK_QUESTIONS : MAX_QUESTIONS;
  return Math.max(1, Math.ceil((holdings.length + views) / most));
}

/** Chains whose nodes speak Ethereum's JSON-RPC. */
export const EVM: FamilyDefinition = {
  chain: "an EVM chain",
  address: { parse: parseEvmAddress, form: "an address of exactly 40 hex digits after 0x" },
  asset: { parse: parseContract, form: "a contract's address, 0x and 40 hex digits" },
  assetWords: { contract: "contract" },
  defaultAsset: null,
  maxChainId: Number.MAX_SAFE_INTEGER,
  holds: ["account", "lock"],
  lockViews: LOCK_VIEWS,
  circulatingViews: Object.keys(CIRCULATING_VIEWS),
  priceViews: Object.keys(PRICE_VIEWS),
  // Four calls at one block, or 29 if every wallet is a lock.
  maxWallets: 4 * MAX_QUESTIONS,
  versionWord: "block",
  // Healthy nodes are a few blocks apart.
  mostBehindMs: 60_000,
  impossibleSupply: null,
  urlEnd: "",
  // EIP-3091.
  explorerEnd: "/address/{address}",
  hasStaking: false,
  calls: {
    probe: 2,
    // All share prices are read by one more call.
    reading: (holdings, _hasStaking, hasView, sharePrices) =>
      BLOCK_CALLS + callsAbout(holdings, hasView) + Math.min(1, sharePrices),
    readsWalletsTogether: true,
  },
  protocol: { probe },
};

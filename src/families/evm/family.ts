import type { FamilyDefinition } from "../definition.ts";
import { parseEvmAddress } from "./address.ts";
import { parseContract } from "./asset.ts";
import { MAX_OWNERS } from "./program.ts";
import { probe } from "./protocol.ts";

/** Calls for the chain id, the newest block and the block of the reading. */
const BLOCK_CALLS = 3;

/** Chains whose nodes speak Ethereum's JSON-RPC. */
export const EVM: FamilyDefinition = {
  chain: "an EVM chain",
  address: { parse: parseEvmAddress, form: "an address of exactly 40 hex digits after 0x" },
  asset: { parse: parseContract, form: "a contract's address, 0x and 40 hex digits" },
  assetWords: { contract: "contract" },
  defaultAsset: null,
  maxChainId: Number.MAX_SAFE_INTEGER,
  holds: ["account"],
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
    reading: ({ length }) => BLOCK_CALLS + Math.max(1, Math.ceil(length / MAX_OWNERS)),
    readsWalletsTogether: true,
  },
  protocol: { probe },
};

import {
  type Asset,
  type ChainFamily,
  NATIVE_COIN,
  parseAsset,
  parseContract,
  VERSION_WORDS,
} from "../../src/chain/asset.ts";
import { chainFamily, settingInFile } from "../chain-family.ts";
import { evmNodeAt, rpcAt } from "./evm.ts";
import type { GivenNode } from "./given-node.ts";
import { moveNodeAt } from "./move.ts";

/** What the commands that read a node must know of a chain family. */
interface FamilyTerms {
  /** `keySetting`: the environment variable with its key. */
  readonly nodeAt: (url: string, keySetting?: string) => GivenNode;
  readonly url: { readonly pattern: RegExp; readonly what: string };
  readonly asset: {
    readonly parse: (text: string) => Asset | undefined;
    readonly what: string;
    /** Without an option for it; "" where nothing says it. */
    readonly fallback: () => string;
  };
  readonly version: string;
}

const TERMS: Readonly<Record<ChainFamily, FamilyTerms>> = {
  move: {
    nodeAt: (url) => moveNodeAt(url),
    url: { pattern: /^https?:\/\/.+\/v1$/, what: "the base URL of a chain node, ending in /v1" },
    asset: { parse: parseAsset, what: "a type tag or an address", fallback: () => NATIVE_COIN },
    version: VERSION_WORDS.move,
  },
  evm: {
    nodeAt: (url, keySetting = "NODE_API_KEY") => evmNodeAt(rpcAt(url, process.env[keySetting] ?? "")),
    url: { pattern: /^https?:\/\/.+$/, what: "the address of a JSON-RPC node" },
    asset: {
      parse: parseContract,
      what: "a contract's address, 0x and 40 hex digits, here or as NATIVE_ASSET in wrangler.toml",
      fallback: () => settingInFile("NATIVE_ASSET"),
    },
    version: VERSION_WORDS.evm,
  },
};

export function termsOf(family: ChainFamily = chainFamily()): FamilyTerms {
  return TERMS[family];
}

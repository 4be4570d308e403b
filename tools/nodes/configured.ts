import { nodeAccess } from "../../src/chain/node-key.ts";
import { nodeSettings } from "../../src/chain/token-chain.ts";
import { parseConfig } from "../../src/config.ts";
import { NATIVE_CHAIN, type Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "../lib/command-line.ts";
import { evmNodeAt, rpcAt } from "./evm.ts";
import { termsOf } from "./families.ts";
import type { GivenChain } from "./given-chains.ts";
import { moveNodeAt } from "./move.ts";

type Settings = Readonly<Record<string, unknown>>;

/** The first node of each chain of the token by a deployment's settings; or why there is none. */
export function configuredChains(settings: Settings, { chains = [] }: Schedule): readonly GivenChain[] | string {
  const missing = ["NODE_URLS", ...chains.map(({ id }) => nodeSettings(id)[0])].filter((name) => !settings[name]);
  if (missing.length > 0) return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not given here`;
  // Whatever else a deployment must have, the chain is read the same.
  const read = parseConfig({ ...settings, RATES_URL: "none" }, chains);
  if (read.kind === "problems") return read.problems.join("; ");
  const { chain, chainFamily: family, chainId, assets, nodeUrls, nodeKeys, legs } = read.config;
  if (chain === "none") return "NODE_URLS is none";
  const first = { id: NATIVE_CHAIN, family, chainId, asset: assets.native, nodeUrls, nodeKeys };
  return [first, ...legs.map((leg) => ({ ...leg.chain, nodeUrls: leg.nodeUrls, nodeKeys: leg.nodeKeys }))].map(
    ({ id, family: its, chainId: wanted, asset, nodeUrls: [url = ""], nodeKeys: [key = ""] }) => ({
      id,
      asset,
      version: null,
      chainId: wanted,
      versionWord: termsOf(its).version,
      node: its === "evm" ? evmNodeAt(rpcAt(url, key)) : moveNodeAt(moveUrl(url, key)),
    }),
  );
}

/** The commands read a Move node without header fields of its own. */
function moveUrl(address: string, key: string): string {
  const { url, headers } = nodeAccess(address, key);
  if (Object.keys(headers).length > 0) throw new Refusal(["the node takes its key in a header field"]);
  return url;
}

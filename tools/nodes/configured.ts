import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import { parseConfig } from "../../src/config.ts";
import { furtherChains, nodeSettings } from "../../src/families/token-chain.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { toolsOf } from "./families.ts";
import type { GivenChain } from "./given-chains.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Returns the first node of each chain of the token by a deployment's settings; or the reason why there is none. */
export function configuredChains(settings: Settings, { chains }: Schedule): readonly GivenChain[] | string {
  const ids = [NATIVE_CHAIN, ...furtherChains(chains).map(({ id }) => id)];
  const missing = ids.map((id) => nodeSettings(id)[0]).filter((name) => !settings[name]);
  if (missing.length > 0) return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not given here`;
  // Reading a chain needs no yield listing, so a missing RATES_URL is no problem here.
  const read = parseConfig({ ...settings, RATES_URL: "none" }, chains);
  if (read.kind === "problems") return read.problems.join("; ");
  if (read.config.chainSource === "none") return "NODE_URLS is none";
  return read.config.chains.map(({ chain, nodeUrls: [url = ""], nodeKeys: [key = ""] }) => ({
    chain,
    chainId: chain.chainId,
    version: null,
    node: toolsOf(chain.family).nodeAt(url, key),
  }));
}

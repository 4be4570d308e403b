import { isRecord } from "../../src/base/json.ts";
import { type Asset, assetText, type ChainFamily } from "../../src/chain/asset.ts";
import { nodeAccess } from "../../src/chain/node-key.ts";
import type { Config, LegSettings } from "../../src/config.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { decimalsProblem, evmNodesFinding } from "./evm-finding.ts";
import { type Cannot, type NodesFinding, no, nodesFinding, otherChain, silent } from "./finding.ts";
import { nodeAt } from "./move-views.ts";

const DEADLINE_MS = 10_000;

/** A chain of the token with the nodes that the settings name. */
interface ChainNodes extends Pick<Config, "nodeUrls" | "nodeKeys"> {
  /** In the labels of its nodes. */
  readonly name: string;
  readonly family: ChainFamily;
  /** null: any, for the first chain. */
  readonly chainId: number | null;
  readonly asset: Asset;
  /** The schedule's, of the first chain; a further one may have others. */
  readonly decimals?: number;
}

/** Whether the nodes of the first chain can be read. */
export function firstChainFinding(
  { chainFamily: family, chainId, assets, nodeUrls, nodeKeys }: Config,
  schedule: Pick<Schedule, "token"> | null,
): Promise<NodesFinding> {
  const decimals = schedule === null ? {} : { decimals: schedule.token.decimals };
  return chainFinding({ name: "upstream", family, chainId, asset: assets.native, ...decimals, nodeUrls, nodeKeys });
}

/** Whether the nodes of a further chain can be read, by their names in health. */
export function legFinding({ chain: { id, family, chainId, asset }, ...nodes }: LegSettings): Promise<NodesFinding> {
  return chainFinding({ name: id, family, chainId, asset, ...nodes });
}

/** How the nodes of each family are tried. */
const TRIED: Readonly<Record<ChainFamily, (chain: ChainNodes) => Promise<NodesFinding>>> = {
  move: (chain) => {
    const said = chain.chainId === null ? "" : ` on chain ${chain.chainId}`;
    const named = { chain: chain.name, nodeUrls: chain.nodeUrls, nodeKeys: chain.nodeKeys };
    return nodesFinding(named, `said the supply${said}`, (url, key) => whyNot(url, key, chain));
  },
  evm: ({ asset, ...chain }) => evmNodesFinding({ ...chain, assets: { native: asset } }),
};

const chainFinding = (chain: ChainNodes): Promise<NodesFinding> => TRIED[chain.family](chain);

/** What a Move node does instead; null: it is of that chain, and says what exists of the asset there. */
async function whyNot(
  address: string,
  key: string,
  { name, chainId: wanted, asset, decimals }: ChainNodes,
): Promise<Cannot | null> {
  const { url, headers } = nodeAccess(address, key);
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) }).catch(() => undefined);
  if (response === undefined) return silent("does not answer");
  const ledger: unknown = await response.json().catch(() => undefined);
  const { chain_id: chainId, ledger_version: newest } = isRecord(ledger) ? ledger : {};
  if (typeof chainId !== "number" || typeof newest !== "string" || !/^\d+$/.test(newest))
    return silent(`does not answer as a chain node (status ${response.status})`);
  if (wanted !== null && chainId !== wanted)
    return otherChain(
      `is of chain ${chainId}, and ${name === "upstream" ? "CHAIN_ID" : "its chain_id in the schedule"} is ${wanted}`,
    );
  const version = BigInt(newest);
  const said = await nodeAt(url, version, headers).supply(asset, version, null);
  if (!("why" in said)) return decimalsProblem(said.decimals, decimals);
  const text = `says of ${assetText(asset)}: ${said.reason}`;
  return said.why === "refused" && !OF_A_PROXY.test(said.reason) ? no(text) : silent(text);
}

/** A view that fails is 400; any other status is of the node, or of what is in front of it. */
const OF_A_PROXY = /answers (?!400)\d{3} to /;

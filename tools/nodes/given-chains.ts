import type { Asset, ChainFamily } from "../../src/chain/asset.ts";
import { nodeSettings } from "../../src/chain/token-chain.ts";
import type { ChainNode } from "../../src/onchain/chain-node.ts";
import { NATIVE_CHAIN, type Schedule } from "../../src/supply/schedule.ts";
import { holdingsOn } from "../../src/supply/wallets.ts";
import { Refusal } from "../command-line.ts";
import { termsOf } from "./families.ts";
import type { GivenNode, Point } from "./given-node.ts";

/** A chain of the token with the node that a command is given for it. */
export interface GivenChain {
  readonly id: string;
  readonly node: GivenNode;
  readonly asset: Asset;
  /** What the chain's versions are called. */
  readonly versionWord: string;
  /** null: the newest. */
  readonly version: bigint | null;
  /** What the schedule says that the node must be of; null: the first chain, which the settings name. */
  readonly chainId: number | null;
}

/** One chain at one version. */
export interface ChainAt extends Pick<GivenChain, "id" | "asset" | "versionWord"> {
  readonly point: Point;
  readonly node: ChainNode;
}

export const NODE_USAGE = `--node             base URL of a chain node, ending in /v1 (of an EVM chain, which CHAIN_FAMILY in wrangler.toml says: any JSON-RPC address);
                     for a further chain of the schedule once more, as ID=URL`;

/** `URL`, or `ID=URL` of a further chain. */
function namedIn(values: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    values.map((value) => {
      const [, id, rest] = /^([a-z][a-z0-9-]*)=(.*)$/s.exec(value) ?? [];
      return id === undefined || rest === undefined ? [NATIVE_CHAIN, value] : [id, rest];
    }),
  );
}

interface Words {
  readonly nodes: readonly string[];
  readonly versions: readonly string[];
  /** Of the first chain. */
  readonly asset: string | undefined;
  /** Of the first chain; absent: the settings'. */
  readonly family?: ChainFamily | undefined;
}

/** A node for each chain of the token, the first one first; or everything that is wrong with the options. */
export function givenChains(
  { nodes, versions, asset, family }: Words,
  { chains = [] }: Schedule,
): { readonly chains: readonly GivenChain[] } | { readonly problems: readonly string[] } {
  const [urls, at] = [namedIn(nodes), namedIn(versions)];
  const ids = [NATIVE_CHAIN, ...chains.map(({ id }) => id)];
  const known =
    chains.length === 0 ? "the schedule names no further chain" : `the schedule has ${ids.slice(1).join(", ")}`;
  const problems = [...new Set([...urls.keys(), ...at.keys()])]
    .filter((id) => !ids.includes(id))
    .map((id) => `--node: ${id}= is no chain of the token: ${known}`);
  const given = ids.flatMap((id): GivenChain[] => {
    const chain = chains.find((each) => each.id === id);
    const [terms, option] = [termsOf(chain?.family ?? family), chain === undefined ? "--node" : `--node ${id}=`];
    const [url, version] = [urls.get(id), at.get(id)];
    const named = chain?.asset ?? terms.asset.parse(asset ?? terms.asset.fallback());
    if (url === undefined && chain !== undefined)
      problems.push(`--node: the token is on ${id} too: give its node as ${id}=URL`);
    else if (!terms.url.pattern.test(url ?? "")) problems.push(`${option}: must be ${terms.url.what}`);
    if (version !== undefined && !/^(0|[1-9]\d{0,19})$/.test(version))
      problems.push("--ledger-version: must be digits");
    if (named === undefined) problems.push(`--asset: must be ${terms.asset.what}`);
    if (url === undefined || named === undefined) return [];
    const node = terms.nodeAt(url, chain === undefined ? "NODE_API_KEY" : nodeSettings(id)[1]);
    return [
      {
        ...{ id, node, asset: named, versionWord: terms.version },
        version: version === undefined || !/^\d+$/.test(version) ? null : BigInt(version),
        chainId: chain?.chainId ?? null,
      },
    ];
  });
  return problems.length > 0 ? { problems } : { chains: given };
}

/** Where a chain is read; a refusal of a further chain's node names the chain. */
export async function chainAt(
  { id, node, version, chainId, ...rest }: GivenChain,
  schedule: Schedule,
): Promise<ChainAt> {
  try {
    const point = await node.pointAt(version);
    if (chainId !== null && point.chainId !== chainId)
      throw new Refusal([`--node: is of chain ${point.chainId}, and its chain_id in the schedule is ${chainId}`]);
    return { id, ...rest, point, node: await node.at(point.version, holdingsOn(schedule, id)) };
  } catch (cause) {
    if (!(cause instanceof Refusal) || id === NATIVE_CHAIN) throw cause;
    throw new Refusal(cause.lines.map((line) => `${id}: ${line}`));
  }
}

export function versionText({
  id,
  versionWord,
  point,
}: Pick<ChainAt, "id" | "versionWord"> & { readonly point: Pick<Point, "version"> }): string {
  return `${id === NATIVE_CHAIN ? "" : `${id} `}${versionWord} ${point.version}`;
}

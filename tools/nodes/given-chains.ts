import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import { KEY_IN_URL } from "../../src/chain/node-key.ts";
import type { ChainNode } from "../../src/families/chain-node.ts";
import { familyOf } from "../../src/families/family.ts";
import {
  chainsOf,
  type FirstChainSettings,
  isFirst,
  nodeSettings,
  statedFirst,
  type TokenChain,
} from "../../src/families/token-chain.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingsOn } from "../../src/supply/wallets.ts";
import { firstInFile } from "../first-chain.ts";
import { Refusal } from "../lib/command-line.ts";
import { toolsOf } from "./families.ts";
import type { GivenNode, Point } from "./given-node.ts";

/** Chain of the token with the node that a command is given for it. */
export interface GivenChain {
  readonly chain: TokenChain;
  readonly node: GivenNode;
  /** Version to read; null: the newest. */
  readonly version: bigint | null;
  /** Chain id that the node must have; null: any. */
  readonly chainId: number | null;
}

/** Chain at one version. */
export interface ChainAt {
  readonly chain: TokenChain;
  readonly point: Point;
  readonly node: ChainNode;
}

/**
 * Parses an option that has a value per chain: `VALUE` for the first chain, `ID=VALUE` for a further one. Returns the
 * problems too.
 */
function valuesByChain(option: string, values: readonly string[], ids: readonly string[]) {
  const pairs = values.map((value): readonly [id: string, value: string] => {
    const [, id, rest] = /^([a-z][a-z0-9-]*)=(.*)$/s.exec(value) ?? [];
    return id === undefined || rest === undefined ? [NATIVE_CHAIN, value] : [id, rest];
  });
  const [, ...further] = ids;
  const known = further.length === 0 ? "the schedule names no further chain" : `the schedule has ${further.join(", ")}`;
  const problems = pairs.flatMap(([id], at) => {
    if (!ids.includes(id)) return [`${option}: ${id}= is not a chain of the token: ${known}`];
    const isSecond = pairs.findIndex(([other]) => other === id) < at;
    return isSecond ? [`${option}: is given twice for ${id === NATIVE_CHAIN ? "the first chain" : id}`] : [];
  });
  return { of: new Map(pairs), problems };
}

interface ChainOptions {
  readonly nodes: readonly string[];
  readonly versions: readonly string[];
  /** Value of `--asset`, for the first chain. */
  readonly asset: string | undefined;
  /** First chain's settings; by default those of wrangler.toml. */
  readonly first?: FirstChainSettings | undefined;
}

/** Returns a node for each chain of the token, the first chain first; or every problem of the options. */
export function givenChains(
  { nodes: urls, versions: points, asset, first = firstInFile() }: ChainOptions,
  schedule: Schedule,
): { readonly chains: readonly GivenChain[] } | { readonly problems: readonly string[] } {
  const all = chainsOf(schedule, { ...first, ...(asset === undefined ? {} : { asset }) });
  const ids = all.map(({ id }) => id);
  const nodes = valuesByChain("--node", urls, ids);
  const versions = valuesByChain("--ledger-version", points, ids);
  const read = all.map((chain) => {
    // A node on the command line must match the schedule, not the settings.
    const chainId = isFirst(chain) && statedFirst(schedule.chains) === undefined ? null : chain.chainId;
    return givenChain({ chain, chainId }, nodes.of.get(chain.id), versions.of.get(chain.id));
  });
  const problems = [...nodes.problems, ...versions.problems, ...read.flatMap((each) => each.problems ?? [])];
  return problems.length > 0 ? { problems } : { chains: read.flatMap(({ given }) => given ?? []) };
}

function givenChain(
  { chain, chainId }: Pick<GivenChain, "chain" | "chainId">,
  url: string | undefined,
  version: string | undefined,
): { readonly given?: GivenChain; readonly problems?: readonly string[] } {
  const { id, family } = chain;
  const { asset, urlEnd } = familyOf(family);
  const isMissing = url === undefined && !isFirst(chain);
  const what = urlEnd === "" ? "the address of a JSON-RPC node" : `the base URL of a chain node, ending in ${urlEnd}`;
  const problems = [
    ...(isMissing ? [`--node: the token is on ${id} too: give its node as ${id}=URL`] : []),
    ...(isMissing || (/^https?:\/\/./.test(url ?? "") && url?.endsWith(urlEnd))
      ? []
      : [`--node${isFirst(chain) ? "" : ` ${id}=`}: must be ${what}`]),
    ...(version === undefined || /^(0|[1-9]\d{0,19})$/.test(version) ? [] : ["--ledger-version: must be digits"]),
    ...(chain.asset.text === ""
      ? [`--asset: must be ${asset.form}, here, as NATIVE_ASSET in wrangler.toml or in the schedule's chains`]
      : []),
  ];
  if (problems.length > 0 || url === undefined) return { problems };
  const key = url.includes(KEY_IN_URL) ? (process.env[nodeSettings(id)[1]] ?? "") : "";
  return {
    given: {
      chain,
      chainId,
      node: toolsOf(family).nodeAt(url, key),
      version: version === undefined ? null : BigInt(version),
    },
  };
}

/** Finds the point at which a chain is read. A refusal from a further chain's node names the chain. */
export async function chainAt({ chain, chainId, node, version }: GivenChain, schedule: Schedule): Promise<ChainAt> {
  const { id } = chain;
  try {
    const point = await node.pointAt(version);
    if (chainId !== null && point.chainId !== chainId)
      throw new Refusal([`--node: is of chain ${point.chainId}, but its chain_id in the schedule is ${chainId}`]);
    return { chain, point, node: await node.at(point.version, holdingsOn(schedule, id), chain.circulatingView) };
  } catch (cause) {
    if (!(cause instanceof Refusal) || isFirst(chain)) throw cause;
    throw new Refusal(cause.lines.map((line) => `${id}: ${line}`));
  }
}

export function versionText({
  chain,
  point,
}: Pick<ChainAt, "chain"> & { readonly point: Pick<Point, "version"> }): string {
  return `${isFirst(chain) ? "" : `${chain.id} `}${familyOf(chain.family).versionWord} ${point.version}`;
}

import type { Asset, ChainFamily } from "../../src/chain/asset.ts";
import { nodeSettings, type TokenChain } from "../../src/chain/token-chain.ts";
import type { ChainNode } from "../../src/onchain/chain-node.ts";
import { NATIVE_CHAIN, type Schedule } from "../../src/supply/schedule.ts";
import { holdingsOn } from "../../src/supply/wallets.ts";
import { Refusal } from "../lib/command-line.ts";
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

/** Of each chain what an option says: `VALUE`, or `ID=VALUE` of a further chain; with what is wrong with it. */
function namedIn(option: string, values: readonly string[], ids: readonly string[]) {
  const pairs = values.map((value): readonly [id: string, value: string] => {
    const [, id, rest] = /^([a-z][a-z0-9-]*)=(.*)$/s.exec(value) ?? [];
    return id === undefined || rest === undefined ? [NATIVE_CHAIN, value] : [id, rest];
  });
  const [, ...further] = ids;
  const known = further.length === 0 ? "the schedule names no further chain" : `the schedule has ${further.join(", ")}`;
  const problems = pairs.flatMap(([id], at) => {
    if (!ids.includes(id)) return [`${option}: ${id}= is no chain of the token: ${known}`];
    const isSecond = pairs.findIndex(([other]) => other === id) < at;
    return isSecond ? [`${option}: is given twice for ${id === NATIVE_CHAIN ? "the first chain" : id}`] : [];
  });
  return { of: new Map(pairs), problems };
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
  words: Words,
  { chains = [] }: Schedule,
): { readonly chains: readonly GivenChain[] } | { readonly problems: readonly string[] } {
  const ids = [NATIVE_CHAIN, ...chains.map(({ id }) => id)];
  const nodes = namedIn("--node", words.nodes, ids);
  const versions = namedIn("--ledger-version", words.versions, ids);
  const read = [
    chainOf(words, null, nodes.of.get(NATIVE_CHAIN), versions.of.get(NATIVE_CHAIN)),
    ...chains.map((chain) => chainOf(words, chain, nodes.of.get(chain.id), versions.of.get(chain.id))),
  ];
  const problems = [...nodes.problems, ...versions.problems, ...read.flatMap((each) => each.problems ?? [])];
  return problems.length > 0 ? { problems } : { chains: read.flatMap(({ chain }) => chain ?? []) };
}

/** `chain`: null is the first one. */
function chainOf(
  { asset: named, family }: Words,
  chain: TokenChain | null,
  url: string | undefined,
  version: string | undefined,
): { readonly chain?: GivenChain; readonly problems?: readonly string[] } {
  const terms = termsOf(chain?.family ?? family);
  const asset = chain?.asset ?? terms.asset.parse(named ?? terms.asset.fallback());
  const isMissing = url === undefined && chain !== null;
  const problems = [
    ...(isMissing ? [`--node: the token is on ${chain.id} too: give its node as ${chain.id}=URL`] : []),
    ...(isMissing || terms.url.pattern.test(url ?? "")
      ? []
      : [`--node${chain === null ? "" : ` ${chain.id}=`}: must be ${terms.url.what}`]),
    ...(version === undefined || /^(0|[1-9]\d{0,19})$/.test(version) ? [] : ["--ledger-version: must be digits"]),
    ...(asset === undefined ? [`--asset: must be ${terms.asset.what}`] : []),
  ];
  if (problems.length > 0 || url === undefined || asset === undefined) return { problems };
  return {
    chain: {
      id: chain?.id ?? NATIVE_CHAIN,
      node: terms.nodeAt(url, chain === null ? "NODE_API_KEY" : nodeSettings(chain.id)[1]),
      asset,
      versionWord: terms.version,
      version: version === undefined ? null : BigInt(version),
      chainId: chain?.chainId ?? null,
    },
  };
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

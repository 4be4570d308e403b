import { machineOf } from "../base/host.ts";
import { httpUrlProblem, type SettingsReader, type SourceKind } from "../base/settings.ts";
import { KEY_IN_URL, keyProblem } from "../chain/node-key.ts";
import type { FamilyDefinition } from "./definition.ts";
import { DEFAULT_FAMILY, FAMILY_NAMES, familyOf } from "./family.ts";
import { firstChain, isOtherNetwork, nodeSettings, type TokenChain } from "./token-chain.ts";

/** A chain of the token with its nodes. A chain without nodes is not read, unless the embedded node is the first chain. */
export interface ChainSettings extends NodeSettings {
  readonly chain: TokenChain;
}

interface NodeSettings {
  /** Base URLs of the nodes in order of preference; those of Move nodes end in /v1. */
  readonly nodeUrls: string[];
  /** Keys of the nodes in the order of `nodeUrls`, "" for a node without a key (node-key.ts). Secrets. */
  readonly nodeKeys: string[];
}

/** Reads the settings of a chain's nodes. */
export function chainSettings(read: SettingsReader, chain: TokenChain): ChainSettings {
  const [urls, keys] = nodeSettings(chain.id);
  const problemOf = (text: string) => nodeUrlProblem(text, keys, familyOf(chain.family));
  const isRead = read.source(urls) === "configured";
  return { chain, nodeUrls: isRead ? read.list(urls, problemOf) : [], nodeKeys: nodeKeysOf(read, keys) };
}

/** Whether the embedded node is the first chain. */
export function isFirstChainEmbedded(source: SourceKind, { protocol }: FamilyDefinition): boolean {
  return source === "embedded" && protocol === null;
}

/**
 * Reads the token's first chain. A setting that contradicts the schedule is a problem, unless `CHAIN_ID` names another
 * network: then only the settings are used. The embedded node is another network too.
 */
export function readFirstChain(read: SettingsReader, stated: TokenChain | undefined, source: SourceKind): TokenChain {
  const family = read.oneOf("CHAIN_FAMILY", FAMILY_NAMES, stated?.family ?? DEFAULT_FAMILY);
  const { maxChainId } = familyOf(family);
  const settings = {
    family,
    chainId: read.has("CHAIN_ID") ? read.integer("CHAIN_ID", 1, 1, maxChainId) : undefined,
    asset: read.optional("NATIVE_ASSET") ?? undefined,
  };
  const base = source === "embedded" ? undefined : stated;
  const isOther = isOtherNetwork(base, settings);
  const chain = firstChain(base, settings);
  if (settings.asset !== undefined && chain.asset.text === "")
    read.problem("NATIVE_ASSET", `must be ${familyOf(family).asset.form}, not ${JSON.stringify(settings.asset)}`);
  if (!isOther && source === "configured" && settings.asset === undefined && chain.asset.text === "")
    read.problem("NATIVE_ASSET", `is empty; name the token: ${familyOf(family).asset.form}`);
  if (base === undefined) return chain;
  const { chainId } = base;
  const missing = `is empty; CHAIN_ID names another network than the schedule, whose first chain is ${chainId}: set CHAIN_FAMILY and NATIVE_ASSET of that network too`;
  for (const name of isOther ? ["CHAIN_FAMILY", "NATIVE_ASSET"] : []) if (!read.has(name)) read.problem(name, missing);
  if (!isOther && family !== base.family) read.problem("CHAIN_FAMILY", against(family, base.family));
  else if (!isOther && chain.asset.text !== "" && chain.asset.text !== base.asset.text)
    read.problem("NATIVE_ASSET", against(chain.asset.text, base.asset.text));
  return chain;
}

function against(setting: string, stated: string): string {
  return `is ${setting}, and the schedule states ${stated} for its first chain: delete one of them, or name another network with CHAIN_ID too`;
}

/** Checks that keys belong to nodes, and that no two nodes have one host. */
export function checkNodes(
  read: SettingsReader,
  [urls, keys]: readonly [urls: string, keys: string],
  { nodeUrls, nodeKeys }: NodeSettings,
): void {
  if (nodeUrls.length > 0 && nodeKeys.length > nodeUrls.length)
    read.problem(keys, `has more keys than ${urls} has nodes; each is sent to the node at its place`);
  if (nodeUrls.some((url, index) => url.includes(KEY_IN_URL) && !nodeKeys[index]))
    read.problem(urls, `contains ${KEY_IN_URL} without an entry at its place in ${keys}`);
  if (new Set(nodeUrls.map(machineOf)).size < nodeUrls.length)
    read.problem(urls, "names one host twice; two nodes confirm a figure only if they are different machines");
}

/** Checks a further chain: its nodes must be named, and it must not be the first chain again. */
export function checkFurtherChain(
  read: SettingsReader,
  { id, family, chainId, asset }: TokenChain,
  first: TokenChain,
  areNodesRequired: boolean,
): void {
  const [urls] = nodeSettings(id);
  if (areNodesRequired && read.text(urls, "") === "")
    read.problem(urls, `is empty; name the nodes of ${id}, or none for a deployment that does not read it`);
  if (family === first.family && chainId === first.chainId && asset.text === first.asset.text)
    read.problem(
      urls,
      `is for the chain and asset that CHAIN_ID and NATIVE_ASSET name; take ${id} out of the schedule's chains`,
    );
}

/** Form of the keys that providers issue: 20 or more letters and digits, or a UUID. */
const KEY_FORM = /^(?=.*\d)(?=.*[a-z])[a-z\d]{20,}$|^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** States what is wrong with a node's URL. `keys`: the setting that a key belongs in. */
function nodeUrlProblem(text: string, keys: string, { urlEnd }: FamilyDefinition): string | null {
  const advice = `put it into ${keys}, as KEY or as Header: KEY, or write ${KEY_IN_URL} where it stands in the path`;
  const problem = httpUrlProblem(text, `; ${advice}`);
  if (problem !== null) return problem;
  const { pathname, search } = new URL(text);
  if (search !== "" || pathname.split("/").some((segment) => KEY_FORM.test(segment)))
    return `contains a URL with a key or a query; a key is a secret: ${advice}`;
  return urlEnd === "" || (pathname.endsWith(urlEnd) && !/[?#]/.test(text))
    ? null
    : `contains a URL that does not end in ${urlEnd}`;
}

/** Reads the keys of nodes; an empty entry stands for a node without a key. */
function nodeKeysOf(read: SettingsReader, name: string): string[] {
  const keys = read
    .text(name, "")
    .split(",")
    .map((key) => key.trim());
  const problems = new Set(keys.flatMap((key) => keyProblem(key) ?? []));
  for (const problem of problems) read.problem(name, problem);
  return keys;
}

import { machineOf } from "./base/host.ts";
import { type Environment, integerIn, SettingsReader } from "./base/settings.ts";
import type { Asset } from "./chain/asset.ts";
import { KEY_IN_URL, keyProblem } from "./chain/node-key.ts";
import type { FamilyDefinition } from "./families/definition.ts";
import { DEFAULT_FAMILY, FAMILY_NAMES, familyOf } from "./families/family.ts";
import {
  firstChain,
  furtherChains,
  isOtherNetwork,
  nodeSettings,
  statedFirst,
  type TokenChain,
} from "./families/token-chain.ts";

/** A chain of the token with its nodes. Without nodes its figures are not read, unless the first one's node is the embedded one. */
export interface ChainSettings extends NodeSettings {
  readonly chain: TokenChain;
}

interface NodeSettings {
  /** Base URLs, of Move nodes ending in /v1, in order of preference. */
  readonly nodeUrls: string[];
  /** Keys of the nodes in the order of `nodeUrls`, "" for none: see {@link nodeAccess}. Secrets. */
  readonly nodeKeys: string[];
}

/** A rate limit: at most `quota` admissions in any `windowSeconds`. */
export interface Policy {
  /** The policy's name in the RateLimit header fields. */
  readonly name: "default" | "node" | "page";
  readonly quota: number;
  readonly windowSeconds: number;
}

/** Rate limits of a deployment whose settings name none. The manual takes its numbers from here. */
export const DEFAULT_POLICIES: Readonly<Record<"default" | "node", Policy>> = {
  default: { name: "default", quota: 60, windowSeconds: 60 },
  node: { name: "node", quota: 300, windowSeconds: 60 },
};

/**
 * Of what the page and the embeds read: thousands of readers behind one address, and no setting, because each isolate
 * counts it alone.
 */
export const PAGE_POLICY: Policy = { name: "page", quota: 6_000, windowSeconds: 60 };

/** The platform's location hints that host objects; `sam`, `afr` and `me` host none. */
export const LOCATION_HINTS = ["wnam", "enam", "weur", "eeur", "apac", "apac-ne", "apac-se", "oc"] as const;
export type LocationHint = (typeof LOCATION_HINTS)[number];

/** All settings, parsed and validated. Built by {@link parseConfig} only. */
export interface Config extends Readonly<ReturnType<typeof settingsOf>> {
  readonly policies: { readonly default: Policy; readonly node: Policy };
}

/** The build and the deployed version that something runs. */
export type Revision = Pick<Config, "buildRevision" | "versionId">;

export type ConfigResult =
  | { readonly kind: "config"; readonly config: Config }
  | {
      readonly kind: "problems";
      readonly problems: readonly string[];
      /** The rate limits of a deployment that must not serve; null where the limit itself is invalid. */
      readonly policies: AdvertisedPolicies;
    };
export type AdvertisedPolicies = Readonly<Record<keyof Config["policies"], Policy | null>>;

const MAX = { quota: 10_000, windowSeconds: 3_600, shards: 64, staleSeconds: 3_600 } as const;

/** The default of that setting. */
export const PLAN_TOLERANCE_PERCENT = "0.5";

/** The embedded node's stable token. */
export const EMBEDDED_STABLE_ASSET = "0x739e8e65915e27e4288fe548a5aa33ebfe29e313cc921f81f65b50923eaeb451";

function settingsOf(read: SettingsReader, env: Environment, stated: readonly TokenChain[]) {
  const [chain, listing] = [sourceOf(read, "NODE_URLS"), sourceOf(read, "RATES_URL")];
  const first = readFirstChain(read, statedFirst(stated), chain);
  const family = familyOf(first.family);
  const versionId = deployedVersion(env);
  const commission = percentageOf(read, "COMMISSION_PERCENT", "");
  return {
    /** The plan of the platform's account, which decides what is deployed: tools/free-plan.ts. */
    plan: read.oneOf("PLAN", ["paid", "free"], "paid"),
    environment: read.oneOf("ENVIRONMENT", ["local", "staging", "production"], "local"),
    /** The Worker's name, which notices of its health carry. */
    deployment: read.text("DEPLOYMENT", "edge-api"),
    buildRevision: read.text("BUILD_REVISION", versionId ?? "local"),
    /** The identity of a deployment. */
    versionId,
    /** Where the chain is read: at the nodes of `nodeUrls`, at the embedded node, or nowhere. */
    chain,
    /** Every chain of the token, the first one first. */
    chains: [
      chainSettings(read, first),
      ...furtherChains(stated).map((each) => chainSettings(read, each)),
    ] as const satisfies readonly ChainSettings[],
    /** Where yield products are listed: at `ratesUrl`, in the embedded node's feed, or nowhere. */
    listing,
    /** null unless `listing` is `configured`. */
    ratesUrl: listing === "none" ? null : read.optional("RATES_URL", httpUrlProblem),
    /** Whether native staking is read from the chain. */
    staking: switchOf(read, "STAKING", family, family.hasStaking) && chain !== "none",
    /** What an operator of a stake pool takes of its rewards, for net yields; null: only gross ones are published. */
    commissionPercent: commission === "" ? null : Number(commission),
    ratesChain: read.optional("RATES_CHAIN"),
    ratesProjects: read.list("RATES_PROJECTS"),
    nodeHeaderPrefix: read.headerPrefix(),
    /** Limiter objects per region. */
    limiterShards: read.integer("LIMITER_SHARDS", 1, 1, MAX.shards),
    /** Determines which callers share a limiter object, and keys their hashes there. A secret; changing it forgets callers. */
    limiterSalt: read.text("LIMITER_SALT", ""),
    /** Part of the names of objects: another number creates new ones, placed anew. */
    objectGeneration: read.integer("OBJECT_GENERATION", 1, 1, 999),
    /** Location of objects without a region: near the upstreams. */
    homeRegion: read.oneOf("HOME_REGION", LOCATION_HINTS, "enam"),
    clientIpHeader: read.matching("CLIENT_IP_HEADER", "CF-Connecting-IP", /^[A-Za-z0-9-]{1,64}$/, "a header name"),
    /** The tokens whose supply is read; `stable` is null where there is none. */
    assets: {
      native: first.asset,
      stable: assetOf(read, "STABLE_ASSET", family, hasEmbedded(chain, family) ? EMBEDDED_STABLE_ASSET : ""),
    } satisfies Record<string, Asset | null>,
    /** Share of requests recorded as data points, when a dataset is bound. */
    metricsSampleRate: Number(
      read.matching("METRICS_SAMPLE_RATE", "1", /^(0|1|0?\.\d{1,6}|1\.0*)$/, "a number from 0 to 1, such as 0.01"),
    ),
    /** What one node says alone counts within this part of the maximum, or of a supply that has none. */
    supplyStepPercent: read.integer("SUPPLY_STEP_PERCENT", 1, 0, 100),
    /** A rate that grows or shrinks by more than this factor is doubtful. */
    stepFactor: read.integer("STEP_FACTOR", 5, 1, 1_000_000),
    /** How far above the maximum a total on chain may be and still be served. */
    aboveMaxPercent: read.integer("TOTAL_ABOVE_MAX_PERCENT", 1, 0, 1_000_000),
    /** How much more than the schedule allows may circulate on chain before health names it, of the schedule's figure. */
    planToleranceBasisPoints: basisPoints(percentageOf(read, "PLAN_TOLERANCE_PERCENT", PLAN_TOLERANCE_PERCENT)),
    /** What is beyond the step, or doubtful, counts when a reading at least this much later repeats it. */
    confirmSeconds: read.integer("CONFIRM_SECONDS", 60, 0, MAX.staleSeconds),
    staleIfErrorSeconds: read.integer("STALE_IF_ERROR_SECONDS", 30, 0, MAX.staleSeconds),
    /** Whether `/v1` is served. The figures read the chain either way. */
    servesNode: switchOf(read, "NODE_GATEWAY", family, family.protocol === null) && chain !== "none",
    /** A page about this deployment, which upstreams see in `User-Agent`; null: none. */
    contactUrl: read.optional("CONTACT_URL", httpUrlProblem),
    /** Receives one POST per change of health; null: none. A secret: never logged, never in a response. */
    alertWebhook: read.optional("ALERT_WEBHOOK", httpUrlProblem),
    /** Receives one POST per scheduled check of which no part failed; null: none. A secret, as above. */
    heartbeatUrl: read.optional("HEARTBEAT_URL", httpUrlProblem),
  };
}

function chainSettings(read: SettingsReader, chain: TokenChain): ChainSettings {
  const [urls, keys] = nodeSettings(chain.id);
  const problemOf = (text: string) => nodeUrlProblem(text, keys, familyOf(chain.family));
  const isRead = sourceOf(read, urls) === "configured";
  return { chain, nodeUrls: isRead ? read.list(urls, problemOf) : [], nodeKeys: nodeKeysOf(read, keys) };
}

/** Whether the embedded node is the chain. */
function hasEmbedded(source: Source, { protocol }: FamilyDefinition): boolean {
  return source === "embedded" && protocol === null;
}

/**
 * The token's first chain. Settings against the schedule's statement are problems, unless `CHAIN_ID` names another
 * network: then they alone count. The embedded node is a network of its own, too.
 */
function readFirstChain(read: SettingsReader, stated: TokenChain | undefined, source: Source): TokenChain {
  const family = read.oneOf("CHAIN_FAMILY", FAMILY_NAMES, stated?.family ?? DEFAULT_FAMILY);
  const { maxChainId } = familyOf(family);
  const given = {
    family,
    chainId: read.has("CHAIN_ID") ? read.integer("CHAIN_ID", 1, 1, maxChainId) : undefined,
    asset: read.optional("NATIVE_ASSET") ?? undefined,
  };
  const base = source === "embedded" ? undefined : stated;
  const isOther = isOtherNetwork(base, given);
  const chain = firstChain(base, given);
  if (given.asset !== undefined && chain.asset.text === "")
    read.problem("NATIVE_ASSET", `must be ${familyOf(family).asset.form}, not ${JSON.stringify(given.asset)}`);
  if (!isOther && source === "configured" && given.asset === undefined && chain.asset.text === "")
    read.problem("NATIVE_ASSET", `is empty; name the token: ${familyOf(family).asset.form}`);
  if (stated === undefined) return chain;
  const { chainId } = stated;
  const missing = `is empty; CHAIN_ID names another network than the schedule, whose first chain is ${chainId}: say CHAIN_FAMILY and NATIVE_ASSET of it too`;
  for (const name of isOther ? ["CHAIN_FAMILY", "NATIVE_ASSET"] : []) if (!read.has(name)) read.problem(name, missing);
  if (!isOther && family !== stated.family) read.problem("CHAIN_FAMILY", against(family, stated.family));
  else if (!isOther && base !== undefined && chain.asset.text !== "" && chain.asset.text !== base.asset.text)
    read.problem("NATIVE_ASSET", against(chain.asset.text, base.asset.text));
  return chain;
}

function against(given: string, stated: string): string {
  return `is ${given}, and the schedule's first chain says ${stated}: delete one of them, or name another network with CHAIN_ID too`;
}

/** null when there is none, or an invalid one. */
function assetOf(
  read: SettingsReader,
  name: string,
  { asset: { parse, form } }: FamilyDefinition,
  fallback: string,
): Asset | null {
  return read.parsed(name, fallback, form, (text) => (text === "" ? null : parse(text))) ?? null;
}

/** A part of the product that only some families have: there it is on by default. */
function switchOf(read: SettingsReader, name: string, { chain }: FamilyDefinition, has: boolean): boolean {
  const isOn = read.oneOf(name, ["on", "off"], has ? "on" : "off") === "on";
  if (!has && isOn) read.problem(name, `cannot be on: ${chain} has no such part (CHAIN_FAMILY)`);
  return isOn;
}

/** Of a percentage with at most two decimals. */
export function basisPoints(percentage: string): bigint {
  return BigInt(Math.round(Number(percentage) * 100));
}

function percentageOf(read: SettingsReader, name: string, fallback: string): string {
  const what = "a percentage from 0 to 100 with at most two decimals, such as 0.5";
  return read.matching(name, fallback, /^(|100|\d{1,2}(\.\d{1,2})?)$/, what);
}

/** Parses the environment of a token whose schedule states these chains. Reports all problems, not only the first. */
export function parseConfig(
  env: Environment,
  stated: readonly TokenChain[] = [],
  read = new SettingsReader(env),
): ConfigResult {
  const policies = {
    default: rateLimit(read, DEFAULT_POLICIES.default, "RATE_LIMIT_DEFAULT"),
    node: rateLimit(read, DEFAULT_POLICIES.node, "RATE_LIMIT_NODE"),
  };
  const settings = settingsOf(read, env, stated);
  const [{ chain: first, nodeUrls }, ...further] = settings.chains;
  const family = familyOf(first.family);
  if (settings.chain === "embedded" && family.protocol !== null)
    read.problem("NODE_URLS", `is empty; the embedded node is a Move node. Name the nodes of ${family.chain}`);
  if (settings.environment !== "local") {
    if (hasEmbedded(settings.chain, family))
      read.problem(
        "NODE_URLS",
        "is empty; this environment has no embedded node. Name the chain nodes, or none for a deployment that reads no chain",
      );
    if (settings.chain !== "none" && first.chainId === null)
      read.problem("CHAIN_ID", "is empty; nothing else tells a wrong chain from a new one");
    if (settings.listing === "embedded")
      read.problem(
        "RATES_URL",
        "is empty; this environment has no embedded feed. Name the listing, or none for a deployment without yield products",
      );
  }
  if (settings.chain === "configured" && nodeUrls.length === 0)
    read.problem("NODE_URLS", "names no node; leave it empty for the embedded one, or say none");
  for (const each of settings.chains) checkNodes(read, nodeSettings(each.chain.id), each);
  for (const { chain } of further) checkFurther(read, chain, settings);
  const { problems } = read;
  if (problems.length > 0 || policies.default === null || policies.node === null)
    return { kind: "problems", problems, policies };
  return { kind: "config", config: { ...settings, policies: { default: policies.default, node: policies.node } } };
}

function checkNodes(
  read: SettingsReader,
  [urls, keys]: readonly [urls: string, keys: string],
  { nodeUrls, nodeKeys }: NodeSettings,
): void {
  if (nodeUrls.length > 0 && nodeKeys.length > nodeUrls.length)
    read.problem(keys, `has more keys than ${urls} has nodes; each is sent to the node at its place`);
  if (nodeUrls.some((url, index) => url.includes(KEY_IN_URL) && !nodeKeys[index]))
    read.problem(urls, `contains ${KEY_IN_URL} without an entry at its place in ${keys}`);
  if (new Set(nodeUrls.map(machineOf)).size < nodeUrls.length)
    read.problem(urls, "names one host twice; a figure counts on the word of two nodes of different operators");
}

function checkFurther(
  read: SettingsReader,
  { id, family, chainId, asset }: TokenChain,
  { environment, chain: source, chains: [{ chain: first }] }: ReturnType<typeof settingsOf>,
): void {
  const [urls] = nodeSettings(id);
  if (environment !== "local" && source !== "none" && read.text(urls, "") === "")
    read.problem(urls, `is empty; name the nodes of ${id}, or none for a deployment that does not read it`);
  if (family === first.family && chainId === first.chainId && asset.text === first.asset.text)
    read.problem(
      urls,
      `is of the chain and asset that CHAIN_ID and NATIVE_ASSET name; take ${id} out of the schedule's chains`,
    );
}

type Source = "configured" | "embedded" | "none";

/** Empty is the embedded node, which only a local deployment has: forgotten is not the same as none. */
function sourceOf(read: SettingsReader, name: string): Source {
  const text = read.text(name, "");
  return text === "" ? "embedded" : text.toLowerCase() === "none" ? "none" : "configured";
}

/** The platform's id of the deployed version; null locally. */
function deployedVersion(env: Environment): string | null {
  const metadata = env["VERSION_METADATA"];
  if (typeof metadata !== "object" || metadata === null || !("id" in metadata)) return null;
  return typeof metadata.id === "string" && metadata.id !== "" ? metadata.id : null;
}

/** `quota/seconds`; null when it is invalid. */
function rateLimit(read: SettingsReader, { name, ...fallback }: Policy, setting: string): Policy | null {
  const what = `quota/seconds with a quota from 1 to ${MAX.quota} and a window from 1 to ${MAX.windowSeconds} seconds`;
  const policyOf = (text: string): Policy | undefined => {
    const [quotaText = "", windowText = "", ...more] = text.split("/");
    const [quota, windowSeconds] = [integerIn(quotaText, 1, MAX.quota), integerIn(windowText, 1, MAX.windowSeconds)];
    if (quota === undefined || windowSeconds === undefined || more.length > 0) return undefined;
    return { name, quota, windowSeconds };
  };
  return read.parsed(setting, `${fallback.quota}/${fallback.windowSeconds}`, what, policyOf) ?? null;
}

/** `instead`: of credentials in the URL. */
function httpUrlProblem(text: string, instead = ""): string | null {
  const url = URL.parse(text);
  if (url === null) return "contains something that is not a URL";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "contains a URL that is neither http nor https";
  return url.username === "" && url.password === "" ? null : `contains a URL with credentials${instead}`;
}

/** What providers issue as keys: long, of letters and digits, or a UUID. */
const KEY_FORM = /^(?=.*\d)(?=.*[a-z])[a-z\d]{20,}$|^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `keys`: the setting that a key belongs into. */
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

function nodeKeysOf(read: SettingsReader, name: string): string[] {
  const keys = read
    .text(name, "")
    .split(",")
    .map((key) => key.trim());
  const problems = new Set(keys.flatMap((key) => keyProblem(key) ?? []));
  for (const problem of problems) read.problem(name, problem);
  return keys;
}

/** The `User-Agent` sent to upstreams: name, revision and the page about this deployment. */
export function userAgentOf({ buildRevision, contactUrl }: Pick<Config, "buildRevision" | "contactUrl">): string {
  const product = `edge-api/${buildRevision.replace(/[^\w.-]/g, "")}`;
  if (contactUrl === null) return product;
  // A comment of the field ends at its parenthesis (RFC 9110 section 5.6.5).
  return `${product} (+${new URL(contactUrl).href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

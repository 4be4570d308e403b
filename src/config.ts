import { type Environment, httpUrlProblem, integerIn, SettingsReader } from "./base/settings.ts";
import type { Asset } from "./chain/asset.ts";
import {
  type ChainSettings,
  chainSettings,
  checkFurtherChain,
  checkNodes,
  isFirstChainEmbedded,
  readFirstChain,
} from "./families/chain-settings.ts";
import type { FamilyDefinition } from "./families/definition.ts";
import { familyOf } from "./families/family.ts";
import { furtherChains, nodeSettings, statedFirst, type TokenChain } from "./families/token-chain.ts";

/** A rate limit: at most `quota` admissions in any `windowSeconds`. */
export interface Policy {
  /** Name of the policy in the RateLimit header fields. */
  readonly name: "default" | "node" | "page";
  readonly quota: number;
  readonly windowSeconds: number;
}

/** Rate limits of a deployment whose settings state none. The manual takes its numbers from here. */
export const DEFAULT_POLICIES: Readonly<Record<"default" | "node", Policy>> = {
  default: { name: "default", quota: 60, windowSeconds: 60 },
  node: { name: "node", quota: 300, windowSeconds: 60 },
};

/**
 * Rate limit of the paths that the page and the embeds read. It allows thousands of readers behind one address, and is
 * not a setting, because each isolate counts it alone.
 */
export const PAGE_POLICY: Policy = { name: "page", quota: 6_000, windowSeconds: 60 };

/** Location hints of the platform that can host Durable Objects; `sam`, `afr` and `me` cannot. */
export const LOCATION_HINTS = ["wnam", "enam", "weur", "eeur", "apac", "apac-ne", "apac-se", "oc"] as const;
export type LocationHint = (typeof LOCATION_HINTS)[number];

/** All settings, parsed and validated. Built by {@link parseConfig} only. */
export interface Config extends Readonly<ReturnType<typeof settingsOf>> {
  readonly policies: { readonly default: Policy; readonly node: Policy };
}

/** Build and deployed version of a running instance. */
export type Revision = Pick<Config, "buildRevision" | "versionId">;

export type ConfigResult =
  | { readonly kind: "config"; readonly config: Config }
  | {
      readonly kind: "problems";
      readonly problems: readonly string[];
      /** Rate limits of a deployment that must not serve; null where the limit itself is invalid. */
      readonly policies: AdvertisedPolicies;
    };
export type AdvertisedPolicies = Readonly<Record<keyof Config["policies"], Policy | null>>;

const MAX = { quota: 10_000, windowSeconds: 3_600, shards: 64, staleSeconds: 3_600 } as const;

/** Default of `PLAN_TOLERANCE_PERCENT`. */
export const PLAN_TOLERANCE_PERCENT = "0.5";

/** Asset address of the embedded node's stable token. */
export const EMBEDDED_STABLE_ASSET = "0x739e8e65915e27e4288fe548a5aa33ebfe29e313cc921f81f65b50923eaeb451";

function settingsOf(read: SettingsReader, env: Environment, stated: readonly TokenChain[]) {
  const [chainSource, listingSource] = [read.source("NODE_URLS"), read.source("RATES_URL")];
  const first = readFirstChain(read, statedFirst(stated), chainSource);
  const family = familyOf(first.family);
  const versionId = deployedVersion(env);
  const commission = percentageOf(read, "COMMISSION_PERCENT", "");
  return {
    /** Plan of the platform's account, which decides what can be deployed (tools/free-plan.ts). */
    plan: read.oneOf("PLAN", ["paid", "free"], "paid"),
    environment: read.oneOf("ENVIRONMENT", ["local", "staging", "production"], "local"),
    /** Name of the Worker, which notices of its health contain. */
    deployment: read.text("DEPLOYMENT", "edge-api"),
    buildRevision: read.text("BUILD_REVISION", versionId ?? "local"),
    /** Id of the deployed version; null locally. */
    versionId,
    /** Source of the chain: the nodes of `nodeUrls`, the embedded node, or none. */
    chainSource,
    /** Every chain of the token, the first chain first. */
    chains: [
      chainSettings(read, first),
      ...furtherChains(stated).map((each) => chainSettings(read, each)),
    ] as const satisfies readonly ChainSettings[],
    /** Source of yield products: the listing at `ratesUrl`, the embedded node's feed, or none. */
    listingSource,
    /** null unless `listingSource` is `configured`. */
    ratesUrl: listingSource === "none" ? null : read.optional("RATES_URL", httpUrlProblem),
    /** Whether native staking is read from the chain. */
    staking: switchOf(read, "STAKING", family, family.hasStaking) && chainSource !== "none",
    /** Share of rewards that a stake pool's operator takes, for net yields; null: only gross yields are published. */
    commissionPercent: commission === "" ? null : Number(commission),
    ratesChain: read.optional("RATES_CHAIN"),
    ratesProjects: read.list("RATES_PROJECTS"),
    nodeHeaderPrefix: read.headerPrefix(),
    /** Limiter objects per region. */
    limiterShards: read.integer("LIMITER_SHARDS", 1, 1, MAX.shards),
    /** Secret that assigns callers to limiter objects and keys their hashes there. A new value forgets all callers. */
    limiterSalt: read.text("LIMITER_SALT", ""),
    /** Part of the names of Durable Objects: another number creates new objects, whose location is chosen anew. */
    objectGeneration: read.integer("OBJECT_GENERATION", 1, 1, 999),
    /** Location of the objects that have no region: near the upstreams. */
    homeRegion: read.oneOf("HOME_REGION", LOCATION_HINTS, "enam"),
    clientIpHeader: read.matching("CLIENT_IP_HEADER", "CF-Connecting-IP", /^[A-Za-z0-9-]{1,64}$/, "a header name"),
    /** Tokens whose supply is read; `stable` is null when there is no stable token. */
    assets: {
      native: first.asset,
      stable: assetOf(
        read,
        "STABLE_ASSET",
        family,
        isFirstChainEmbedded(chainSource, family) ? EMBEDDED_STABLE_ASSET : "",
      ),
    } satisfies Record<string, Asset | null>,
    /** Share of requests recorded as data points, when a dataset is bound. */
    metricsSampleRate: Number(
      read.matching("METRICS_SAMPLE_RATE", "1", /^(0|1|0?\.\d{1,6}|1\.0*)$/, "a number from 0 to 1, such as 0.01"),
    ),
    /** One step: how far an amount that only one node reports may be from the confirmed one, in percent of the maximum. */
    supplyStepPercent: read.integer("SUPPLY_STEP_PERCENT", 1, 0, 100),
    /** Factor by which a rate may grow or shrink at once; beyond it the rate must be repeated. */
    stepFactor: read.integer("STEP_FACTOR", 5, 1, 1_000_000),
    /** How far above the maximum a total on chain is still served, in percent. */
    aboveMaxPercent: read.integer("TOTAL_ABOVE_MAX_PERCENT", 1, 0, 1_000_000),
    /** Share of the scheduled supply by which the supply on chain may exceed it before health reports a problem. */
    planToleranceBasisPoints: basisPoints(percentageOf(read, "PLAN_TOLERANCE_PERCENT", PLAN_TOLERANCE_PERCENT)),
    /** How much later a value beyond its step or factor must be repeated to be accepted. */
    confirmSeconds: read.integer("CONFIRM_SECONDS", 60, 0, MAX.staleSeconds),
    staleIfErrorSeconds: read.integer("STALE_IF_ERROR_SECONDS", 30, 0, MAX.staleSeconds),
    /** Whether `/v1` is served. Figures are read from the chain either way. */
    servesNode: switchOf(read, "NODE_GATEWAY", family, family.protocol === null) && chainSource !== "none",
    /** URL of a page about this deployment, sent to upstreams in `User-Agent`; null: no page. */
    contactUrl: read.optional("CONTACT_URL", httpUrlProblem),
    /** URL that receives a POST for each change of health; null: none. A secret: never logged, never in a response. */
    alertWebhook: read.optional("ALERT_WEBHOOK", httpUrlProblem),
    /** URL that receives a POST after each successful scheduled check; null: none. A secret like `alertWebhook`. */
    heartbeatUrl: read.optional("HEARTBEAT_URL", httpUrlProblem),
  };
}

/** Reads an asset; null when the setting is empty or invalid. */
function assetOf(
  read: SettingsReader,
  name: string,
  { asset: { parse, form } }: FamilyDefinition,
  fallback: string,
): Asset | null {
  return read.parsed(name, fallback, form, (text) => (text === "" ? null : parse(text))) ?? null;
}

/** Reads the switch of a part that only some families have, where it is on by default. */
function switchOf(read: SettingsReader, name: string, { chain }: FamilyDefinition, has: boolean): boolean {
  const isOn = read.oneOf(name, ["on", "off"], has ? "on" : "off") === "on";
  if (!has && isOn) read.problem(name, `cannot be on: ${chain} has no such part (CHAIN_FAMILY)`);
  return isOn;
}

/** Converts a percentage with at most two decimals to basis points. */
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
  const { environment, chainSource, chains } = settings;
  const [{ chain: first, nodeUrls }, ...further] = chains;
  const family = familyOf(first.family);
  if (chainSource === "embedded" && family.protocol !== null)
    read.problem("NODE_URLS", `is empty; the embedded node is a Move node. Name the nodes of ${family.chain}`);
  if (environment !== "local") {
    if (isFirstChainEmbedded(chainSource, family))
      read.problem(
        "NODE_URLS",
        "is empty; this environment has no embedded node. Name the chain nodes, or none for a deployment that reads no chain",
      );
    if (chainSource !== "none" && first.chainId === null)
      read.problem("CHAIN_ID", "is empty; nothing else tells a wrong chain from a new one");
    if (settings.listingSource === "embedded")
      read.problem(
        "RATES_URL",
        "is empty; this environment has no embedded feed. Name the listing, or none for a deployment without yield products",
      );
  }
  if (chainSource === "configured" && nodeUrls.length === 0)
    read.problem("NODE_URLS", "names no node; leave it empty for the embedded one, or say none");
  for (const each of chains) checkNodes(read, nodeSettings(each.chain.id), each);
  const areNodesRequired = environment !== "local" && chainSource !== "none";
  for (const { chain: each } of further) checkFurtherChain(read, each, first, areNodesRequired);
  const { problems } = read;
  if (problems.length > 0 || policies.default === null || policies.node === null)
    return { kind: "problems", problems, policies };
  return { kind: "config", config: { ...settings, policies: { default: policies.default, node: policies.node } } };
}

/** Returns the platform's id of the deployed version; null locally. */
function deployedVersion(env: Environment): string | null {
  const metadata = env["VERSION_METADATA"];
  if (typeof metadata !== "object" || metadata === null || !("id" in metadata)) return null;
  return typeof metadata.id === "string" && metadata.id !== "" ? metadata.id : null;
}

/** Reads a rate limit as `quota/seconds`; null when it is invalid. */
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

/** Writes the `User-Agent` sent to upstreams: name, revision and the page about this deployment. */
export function userAgentOf({ buildRevision, contactUrl }: Pick<Config, "buildRevision" | "contactUrl">): string {
  const product = `edge-api/${buildRevision.replace(/[^\w.-]/g, "")}`;
  if (contactUrl === null) return product;
  // A comment in the field ends at a parenthesis (RFC 9110 section 5.6.5), so those of the URL are encoded.
  return `${product} (+${new URL(contactUrl).href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

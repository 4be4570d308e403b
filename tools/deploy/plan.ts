import { createHash } from "node:crypto";
import { join } from "node:path";
import { isRecord } from "../../src/base/json.ts";
import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import { type AdvertisedPolicies, type Config, parseConfig } from "../../src/config.ts";
import {
  firstFamily,
  furtherChains,
  nodeSettings,
  statedFirst,
  type TokenChain,
} from "../../src/families/token-chain.ts";
import { edgeDefaults, isSecret } from "../edge-settings.ts";
import { firstSettings } from "../first-chain.ts";
import { networkNotes } from "../nodes/network-notes.ts";
import { addressProblems } from "../nodes/written-addresses.ts";
import { type CoarseLimit, datasetOf, type WranglerFile, type WranglerSection } from "../wrangler-file.ts";

/** Input of wrangler. */
export interface Plan {
  /** Settings as the edge will read them. */
  readonly settings: Config;
  /** Configuration of one environment, without sections of other environments. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export type PlanResult =
  | { readonly kind: "plan"; readonly plan: Plan /** Notes for the operator. */; readonly notes: readonly string[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

interface Circumstances {
  readonly revision: string;
  readonly isDeployed: boolean;
  /** Chains that the schedule states. */
  readonly chains?: readonly TokenChain[];
}

/** Top-level keys that wrangler does not pass on to an environment; all others are inherited. */
const NOT_INHERITED = ["env", "dev", "vars", "durable_objects", "services", "secrets", "version_metadata"];
/** Placeholder for a key that is a secret of the deployed Worker; only its form is validated. */
const STORED_KEY = "stored-key";
/** Placeholder for a node whose URL is a secret of the deployed Worker, which validates it. */
const storedNode = (_key: string, index: number) => `https://stored-secret-${index + 1}.example/v1`;

/**
 * Plans the deployment of one environment with the given settings, or returns all reasons against it. A deployed Worker
 * has its nodes stored already, so they need not be given. Secrets are kept out of the settings, because settings are printed.
 */
export function planDeployment(
  file: WranglerFile,
  environment: string,
  given: Readonly<Record<string, string>>,
  { revision, isDeployed, chains = [] }: Circumstances,
): PlanResult {
  const section = file.env?.[environment] ?? {};
  const known = Object.keys(edgeDefaults(chains));
  const unknown = [...Object.keys(section.vars ?? {}), ...Object.keys(given)].filter((name) => !known.includes(name));
  const all = { ...section.vars, ...given };
  const further = furtherChains(chains).map(({ id }) => nodeSettings(id)[0]);
  const stored = {
    ...Object.fromEntries(
      [NATIVE_CHAIN, ...furtherChains(chains).map(({ id }) => id)].flatMap((id) =>
        isDeployed ? storedPlaceholders(id, all) : [],
      ),
    ),
  };
  const read = parseConfig({ ...all, ...stored }, chains);
  const problems = [
    ...[...new Set(unknown)].map((name) => `${name} is not a setting; the settings are ${known.sort().join(", ")}`),
    ...(read.kind === "problems" ? read.problems : []),
    ...addressProblems(all, firstFamily(statedFirst(chains), firstSettings(all))),
    ...floodProblems(section.ratelimits ?? [], (read.kind === "config" ? read.config : read).policies),
    ...noneProblems(section.vars?.["NODE_URLS"], given["NODE_URLS"], environment),
    ...upstreamProblems("NODE_URLS", all["NODE_URLS"]),
    ...further.flatMap((name) => upstreamProblems(name, all[name])),
    ...upstreamProblems("RATES_URL", all["RATES_URL"]),
    ...upstreamProblems("ALERT_WEBHOOK", all["ALERT_WEBHOOK"]),
    ...upstreamProblems("HEARTBEAT_URL", all["HEARTBEAT_URL"]),
  ];
  if (read.kind === "problems" || problems.length > 0)
    return { kind: "problems", problems: problems.map(withSecretHint) };
  const entries = Object.entries(all).map(([name, value]) => [name, String(value)] as const);
  const secrets = Object.fromEntries(entries.filter(([name, value]) => isSecret(name) && value !== ""));
  const settings = Object.fromEntries(entries.filter(([name]) => !isSecret(name)));
  const vars = { ...settings, BUILD_REVISION: revision, DEPLOYMENT: String(section["name"]) };
  const ratelimits = section.ratelimits?.map((limit) => ({ ...limit, namespace_id: namespaceOf(section, limit) }));
  const datasets = section.analytics_engine_datasets?.map((each) => ({ ...each, dataset: datasetOf(section) }));
  const inherited = Object.entries(file).filter(([key]) => !NOT_INHERITED.includes(key));
  const { limits, ...shared } = { ...Object.fromEntries(inherited), ...section };
  const config = {
    ...shared,
    // The platform refuses a processor limit on the free plan (code 100328).
    ...(limits === undefined || settings["PLAN"] === "free" ? {} : { limits }),
    ...withRequired(shared, further),
    vars,
    ...(ratelimits ? { ratelimits } : {}),
    ...(datasets ? { analytics_engine_datasets: datasets } : {}),
  };
  return {
    kind: "plan",
    plan: { config, secrets, settings: read.config },
    notes: [...notesOf(read.config, stored), ...networkNotes(read.config, chains)],
  };
}

/** Placeholders for a chain's secrets that a deployed Worker has stored: a key for each node, a node for each key. */
function storedPlaceholders(id: string, all: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  const [urls, keys] = nodeSettings(id);
  const count = (name: string) => String(all[name] ?? "").split(",");
  return [
    ...(isEmpty(all[urls]) ? [[urls, count(keys).map(storedNode).join()] as const] : []),
    ...(isEmpty(all[keys])
      ? [
          [
            keys,
            count(urls)
              .map(() => STORED_KEY)
              .join(),
          ] as const,
        ]
      : []),
  ];
}

/**
 * Adds the node secrets of further chains to the required secrets. The platform then refuses an upload while a new
 * chain has no nodes stored.
 */
function withRequired({ secrets }: Readonly<Record<string, unknown>>, further: readonly string[]) {
  const required = isRecord(secrets) ? secrets["required"] : undefined;
  if (!Array.isArray(required) || further.length === 0) return {};
  return { secrets: { ...Object(secrets), required: [...required, ...further] } };
}

/** Returns a configuration that uploads a finished build, so wrangler does not build again. */
export function withBuild(config: Plan["config"], folder: string): Plan["config"] {
  const { build: _build, assets, ...others } = config;
  const directory = join(folder, "page");
  return {
    ...others,
    main: join(folder, "worker.js"),
    ...(isRecord(assets) ? { assets: { ...assets, directory } } : {}),
  };
}

/**
 * Requires that `NODE_URLS = "none"` stands in wrangler.toml, not only on the command line: later deployments are not
 * given the nodes again.
 */
function noneProblems(inFile: unknown, given: string | undefined, environment: string): string[] {
  const isNone = (value: unknown): boolean => String(value).toLowerCase() === "none";
  if (isEmpty(given) || isNone(given) === isNone(inFile)) return [];
  return [
    isNone(given)
      ? `NODE_URLS is none for this deployment alone: write NODE_URLS = "none" under [env.${environment}.vars]`
      : `NODE_URLS names nodes, but is none under [env.${environment}.vars]: delete one of them`,
  ];
}

/** Warnings about settings that are allowed. */
function notesOf({ chains }: Config, stored: Readonly<Record<string, string>>): string[] {
  return chains.flatMap(({ chain: { id }, nodeUrls }) => {
    const [name] = nodeSettings(id);
    return stored[name] === undefined && nodeUrls.length === 1
      ? [
          `${name} names one node: figures of the chain then rest on that node alone; name nodes of two operators, an archive last`,
        ]
      : [];
  });
}

/** Derives a rate limiter's id from the deployment's name: equal ids share their counters in the whole account. */
function namespaceOf({ name }: WranglerSection, limit: CoarseLimit): string {
  const hash = createHash("sha256")
    .update(`${String(name)}/${limit.name}`)
    .digest();
  return String((hash.readUInt32BE() >>> 1) + 1);
}

/** Reasons why nobody could reach a deployment: it has no domain, no route and no workers.dev address. */
export function missingAddress(config: Readonly<Record<string, unknown>>, environment: string): readonly string[] {
  const routes = config["routes"] ?? config["route"];
  const isReachable =
    config["workers_dev"] !== false || (Array.isArray(routes) ? routes.length > 0 : routes !== undefined);
  return isReachable
    ? []
    : [
        `[env.${environment}] has no address: add routes = [{ pattern = "api.example.org", custom_domain = true }] to it in wrangler.toml, or give --address if routes are set elsewhere`,
      ];
}

/**
 * Requires that a coarse limit admits whatever the quotas admit: a caller may use both quotas completely in one period.
 */
function floodProblems(limits: readonly CoarseLimit[], policies: AdvertisedPolicies): string[] {
  return limits.flatMap(({ name, simple: { limit, period } }) => {
    const admitted = Object.values(policies).reduce(
      (sum, policy) => sum + (policy === null ? 0 : policy.quota * Math.ceil(period / policy.windowSeconds)),
      0,
    );
    if (limit >= admitted) return [];
    return [
      `the rate limit ${name} allows ${limit} in ${period} s, but RATE_LIMIT_DEFAULT and RATE_LIMIT_NODE admit ${admitted}; raise it`,
    ];
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "";
}

function withSecretHint(problem: string): string {
  return /^NODE_URLS\w* is empty/.test(problem)
    ? `${problem}: give it as an environment variable or in --secrets-file; it is stored as a secret`
    : problem;
}

/** Reports what the edge may use locally but not in a deployment: plain http, and private addresses. */
function upstreamProblems(name: string, value: unknown): string[] {
  const urls = String(value ?? "")
    .split(",")
    .map((url) => url.trim())
    .filter((url) => URL.canParse(url));
  return urls.flatMap((url) => {
    const { protocol, hostname } = new URL(url);
    if (protocol !== "https:")
      return [`${name} has a URL that is not https; a deployment reaches upstreams by https only`];
    return isPrivate(hostname) ? [`${name} has a URL inside a private network, which a deployment cannot reach`] : [];
  });
}

const PRIVATE_NAMES = /^(localhost|.*\.(localhost|local|internal|lan|home\.arpa)|[^.:[\]]+)$/i;
const PRIVATE_IPV4 =
  /^(0|10|127)\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const PRIVATE_IPV6 = /^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|::ffff:.*)\]$/i;

function isPrivate(hostname: string): boolean {
  return PRIVATE_NAMES.test(hostname) || PRIVATE_IPV4.test(hostname) || PRIVATE_IPV6.test(hostname);
}

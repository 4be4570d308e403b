import { createHash } from "node:crypto";
import { edgeProblems } from "../edge-settings.ts";
import { SECRETS } from "../start/settings.ts";

/** The part of wrangler.toml that a plan reads. */
export interface WranglerFile {
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, WranglerSection>>;
  readonly [key: string]: unknown;
}

interface WranglerSection {
  readonly ratelimits?: readonly CoarseLimit[];
  readonly analytics_engine_datasets?: readonly { readonly binding: string; readonly dataset?: string }[];
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly secrets?: { readonly required?: readonly string[] };
  readonly [key: string]: unknown;
}

interface CoarseLimit {
  readonly name: string;
  readonly simple: { readonly limit: number; readonly period: number };
}

/** The input of wrangler. */
export interface Plan {
  /** The configuration of one environment, without anything for other environments. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export type PlanResult =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** Top-level keys that apply to one environment only, as in wrangler; all others are inherited. */
const NOT_INHERITED = ["env", "dev", "vars", "durable_objects", "services", "secrets", "version_metadata"];
/** Known to every deployment, though not listed in any section. */
const ALSO_KNOWN = ["ENVIRONMENT"];
/** Placeholder for a secret already stored in the deployed Worker, which validates it. */
const STORED = { NODE_URLS: "https://stored-secret.example/v1" } as const;

/**
 * The configuration of one environment with the given settings, or all reasons not to deploy it. A deployed Worker has
 * its nodes stored already: the platform refuses an upload without the required secrets. Secrets are removed from the
 * settings, because settings are printed.
 */
export function planDeployment(
  file: WranglerFile,
  environment: string,
  given: Readonly<Record<string, string>>,
  { revision, isDeployed }: { readonly revision: string; readonly isDeployed: boolean },
): PlanResult {
  const section = file.env?.[environment] ?? {};
  const known = [...new Set([...Object.keys(file.vars ?? {}), ...SECRETS, ...ALSO_KNOWN])];
  const unknown = [...Object.keys(section.vars ?? {}), ...Object.keys(given)].filter((name) => !known.includes(name));
  const all = { ...section.vars, ...given };
  const stored = isDeployed && isEmpty(all["NODE_URLS"]) ? STORED : {};
  const problems = [
    ...[...new Set(unknown)].map((name) => `${name} is not a setting; known are ${known.sort().join(", ")}`),
    ...edgeProblems({ ...all, ...stored }),
    ...floodProblems(section.ratelimits ?? [], all),
    ...upstreamProblems("NODE_URLS", all["NODE_URLS"]),
    ...upstreamProblems("RATES_URL", all["RATES_URL"]),
    ...upstreamProblems("ALERT_WEBHOOK", all["ALERT_WEBHOOK"]),
    ...upstreamProblems("HEARTBEAT_URL", all["HEARTBEAT_URL"]),
  ];
  if (problems.length > 0) return { kind: "problems", problems: problems.map(withRemedy) };
  const isSecret = ([name]: readonly [string, unknown]) => SECRETS.includes(name);
  const entries = Object.entries(all).map(([name, value]) => [name, String(value)] as const);
  const secrets = Object.fromEntries(entries.filter((entry) => isSecret(entry) && entry[1] !== ""));
  const vars = { ...Object.fromEntries(entries.filter((entry) => !isSecret(entry))), BUILD_REVISION: revision };
  const ratelimits = section.ratelimits?.map((limit) => ({ ...limit, namespace_id: namespaceOf(section, limit) }));
  const datasets = section.analytics_engine_datasets?.map((each) => ({ ...each, dataset: datasetOf(section) }));
  const inherited = Object.entries(file).filter(([key]) => !NOT_INHERITED.includes(key));
  const config = {
    ...Object.fromEntries(inherited),
    ...section,
    vars,
    ...(ratelimits ? { ratelimits } : {}),
    ...(datasets ? { analytics_engine_datasets: datasets } : {}),
  };
  return { kind: "plan", plan: { config, secrets } };
}

/** Equal ids share their counters in the whole account, so each deployment has its own, derived from its name. */
function namespaceOf({ name }: WranglerSection, limit: CoarseLimit): string {
  const hash = createHash("sha256")
    .update(`${String(name)}/${limit.name}`)
    .digest();
  return String((hash.readUInt32BE() >>> 1) + 1);
}

/** The name as an SQL table's: `edge-api-production` writes into `edge_api_production`. */
function datasetOf({ name }: WranglerSection): string {
  return String(name).replaceAll("-", "_");
}

/** Why nobody could reach a deployment: it has no domain, no route and no workers.dev address. */
export function withoutAddress(config: Readonly<Record<string, unknown>>, environment: string): readonly string[] {
  const routes = config["routes"] ?? config["route"];
  const isReachable =
    config["workers_dev"] !== false || (Array.isArray(routes) ? routes.length > 0 : routes !== undefined);
  return isReachable
    ? []
    : [
        `[env.${environment}] has no address: add routes = [{ pattern = "api.example.org", custom_domain = true }] to it in wrangler.toml, or give --address if routes are set elsewhere`,
      ];
}

/** A coarse limit must never refuse what the quotas admit: a caller may use all of both in one period. */
function floodProblems(limits: readonly CoarseLimit[], vars: Readonly<Record<string, unknown>>): string[] {
  return limits.flatMap(({ name, simple: { limit, period } }) => {
    const admitted = ["RATE_LIMIT_DEFAULT", "RATE_LIMIT_NODE"].reduce((sum, setting) => {
      const [quota = 0, windowSeconds = 1] = String(vars[setting] ?? "0/1")
        .split("/")
        .map(Number);
      return sum + quota * Math.ceil(period / windowSeconds);
    }, 0);
    if (limit >= admitted) return [];
    return [
      `the rate limit ${name} allows ${limit} in ${period} s, but RATE_LIMIT_DEFAULT and RATE_LIMIT_NODE admit ${admitted}; raise it`,
    ];
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "";
}

function withRemedy(problem: string): string {
  return problem.startsWith("NODE_URLS is empty")
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

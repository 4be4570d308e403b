/** A rate limit: at most `quota` admissions in any `windowSeconds`. */
export interface Policy {
  /** The policy's name in the RateLimit header fields. */
  readonly name: "default" | "node";
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The platform's location hints that host objects; `sam`, `afr` and `me` host none. */
export const LOCATION_HINTS = ["wnam", "enam", "weur", "eeur", "apac", "apac-ne", "apac-se", "oc"] as const;
export type LocationHint = (typeof LOCATION_HINTS)[number];

/** All settings, parsed and validated. Built by {@link parseConfig} only. */
export interface Config {
  readonly environment: "local" | "staging" | "production";
  readonly buildRevision: string;
  /** Base URLs ending in /v1, in order of preference; empty: the embedded node. */
  readonly nodeUrls: readonly string[];
  /** null: the embedded node's feed. */
  readonly ratesUrl: string | null;
  readonly ratesChain: string | null;
  readonly ratesProjects: readonly string[];
  /** null: learned from the first upstream that responds. */
  readonly chainId: number | null;
  readonly nodeHeaderPrefix: string;
  readonly policies: { readonly default: Policy; readonly node: Policy };
  /** Limiter objects per region. */
  readonly limiterShards: number;
  /** Determines which callers share a limiter object. A secret; changing it moves callers to other objects. */
  readonly limiterSalt: string;
  /** Location of objects without a region: near the upstreams. */
  readonly homeRegion: LocationHint;
  readonly clientIpHeader: string;
  readonly nativeAsset: string;
  /** null: the embedded node's stable token. */
  readonly stableAsset: string | null;
  readonly staleIfErrorSeconds: number;
  /** Whether `/v1` is served. The figures read the chain either way. */
  readonly servesNode: boolean;
  /** A page about this deployment, which upstreams see in `User-Agent`; null: none. */
  readonly contactUrl: string | null;
  /** Receives one POST per change of health; null: none. A secret: never logged, never in a response. */
  readonly alertWebhook: string | null;
}

export type Environment = Readonly<Record<string, unknown>>;
export type ConfigResult =
  | { readonly kind: "config"; readonly config: Config }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const RATE_LIMITS: Readonly<Record<Policy["name"], { readonly name: string; readonly fallback: string }>> = {
  default: { name: "RATE_LIMIT_DEFAULT", fallback: "60/60" },
  node: { name: "RATE_LIMIT_NODE", fallback: "300/60" },
};
const LIMITS = { quota: 10_000, windowSeconds: 3_600, shards: 64, staleSeconds: 3_600 } as const;

/** Catches typing errors early; the full type tag grammar is applied when the asset is used. */
const ASSET = /^(0x)?[0-9a-f]{1,64}(::\w+::\w+(<.+>)?)?$/i;

/** Parses the environment. Reports all problems, not only the first. */
export function parseConfig(env: Environment): ConfigResult {
  const read = new Reader(env);
  const environment = read.oneOf("ENVIRONMENT", ["local", "staging", "production"] as const, "local");
  const config: Config = {
    environment,
    buildRevision: read.text("BUILD_REVISION", deployedVersion(env) ?? "local"),
    nodeUrls: read.list("NODE_URLS", (text) => nodeUrlProblem(text)),
    ratesUrl: read.optional("RATES_URL", (text) => httpUrlProblem(text)),
    ratesChain: read.optional("RATES_CHAIN"),
    ratesProjects: read.list("RATES_PROJECTS"),
    chainId: read.optionalInteger("CHAIN_ID", 1, 255),
    nodeHeaderPrefix: read.matching(
      "NODE_HEADER_PREFIX",
      "X-NODE-",
      /^[A-Za-z][A-Za-z0-9-]{0,30}-$/,
      "a header prefix ending in a dash",
    ),
    policies: {
      default: read.rateLimit("default"),
      node: read.rateLimit("node"),
    },
    limiterShards: read.integer("LIMITER_SHARDS", 1, 1, LIMITS.shards),
    limiterSalt: read.text("LIMITER_SALT", ""),
    homeRegion: read.oneOf("HOME_REGION", LOCATION_HINTS, "enam"),
    clientIpHeader: read.matching("CLIENT_IP_HEADER", "CF-Connecting-IP", /^[A-Za-z0-9-]{1,64}$/, "a header name"),
    nativeAsset: read.matching("NATIVE_ASSET", "0x1::aptos_coin::AptosCoin", ASSET, "a type tag or an address"),
    stableAsset: read.optional("STABLE_ASSET", (text) =>
      ASSET.test(text) ? null : `must be a type tag or an address, not ${JSON.stringify(text)}`,
    ),
    staleIfErrorSeconds: read.integer("STALE_IF_ERROR_SECONDS", 30, 0, LIMITS.staleSeconds),
    servesNode: read.oneOf("NODE_GATEWAY", ["on", "off"] as const, "on") === "on",
    contactUrl: read.optional("CONTACT_URL", (text) => httpUrlProblem(text)),
    alertWebhook: read.optional("ALERT_WEBHOOK", (text) => httpUrlProblem(text)),
  };
  if (metricsSampleRate(env) === null)
    read.problem("METRICS_SAMPLE_RATE", "must be a number from 0 to 1, such as 0.01");
  if (environment !== "local") {
    if (config.nodeUrls.length === 0) read.problem("NODE_URLS", "is empty; this environment has no embedded node");
    if (config.ratesUrl === null) read.problem("RATES_URL", "is empty; this environment has no embedded feed");
  }
  return read.problems.length === 0 ? { kind: "config", config } : { kind: "problems", problems: read.problems };
}

/** The rate limit of each surface when other settings are invalid; null where the limit itself is invalid. */
export function readPolicies(env: Environment): Readonly<Record<Policy["name"], Policy | null>> {
  const policyOf = (name: Policy["name"]): Policy | null => {
    const read = new Reader(env);
    const policy = read.rateLimit(name);
    return read.problems.length === 0 ? policy : null;
  };
  return { default: policyOf("default"), node: policyOf("node") };
}

/** The share of requests recorded as data points, from 0 to 1; null when invalid. */
export function metricsSampleRate(env: Environment): number | null {
  const text = env["METRICS_SAMPLE_RATE"] ?? "";
  if (text === "") return 1;
  const rate = typeof text === "string" && /^(0|1|0?\.\d{1,6}|1\.0*)$/.test(text.trim()) ? Number(text) : Number.NaN;
  return rate >= 0 && rate <= 1 ? rate : null;
}

/** The platform's id of the deployed version, used when BUILD_REVISION is empty; null locally. */
function deployedVersion(env: Environment): string | null {
  const metadata = env["VERSION_METADATA"];
  if (typeof metadata !== "object" || metadata === null || !("id" in metadata)) return null;
  return typeof metadata.id === "string" && metadata.id !== "" ? metadata.id : null;
}

/** Reads one variable at a time and collects all problems, so that an operator can fix them together. */
class Reader {
  readonly problems: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  problem(name: string, what: string): void {
    this.problems.push(`${name} ${what}`);
  }

  #mismatch(name: string, what: string, text: string): void {
    this.problem(name, `must be ${what}, not ${JSON.stringify(text)}`);
  }

  text(name: string, fallback: string): string {
    const value = this.#env[name];
    if (value === undefined || value === "") return fallback;
    if (typeof value === "string") return value.trim();
    this.problem(name, "must be a string");
    return fallback;
  }

  optional(name: string, problemOf?: (text: string) => string | null): string | null {
    const text = this.text(name, "");
    const problem = text === "" ? null : (problemOf?.(text) ?? null);
    if (problem !== null) this.problem(name, problem);
    return text === "" ? null : text;
  }

  list(name: string, problemOf?: (text: string) => string | null): string[] {
    const items = this.text(name, "")
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
    for (const item of items) {
      const problem = problemOf?.(item) ?? null;
      if (problem !== null) this.problem(name, problem);
    }
    return items;
  }

  matching(name: string, fallback: string, pattern: RegExp, what: string): string {
    const text = this.text(name, fallback);
    if (!pattern.test(text)) this.#mismatch(name, what, text);
    return text;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name, fallback);
    const found = allowed.find((candidate) => candidate === text);
    if (found === undefined) this.#mismatch(name, `one of ${allowed.join(", ")}`, text);
    return found ?? fallback;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name, String(fallback));
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.#mismatch(name, `a whole number from ${min} to ${max}`, text);
    return fallback;
  }

  optionalInteger(name: string, min: number, max: number): number | null {
    return this.text(name, "") === "" ? null : this.integer(name, min, min, max);
  }

  rateLimit(policyName: Policy["name"]): Policy {
    const { name, fallback } = RATE_LIMITS[policyName];
    const text = this.text(name, fallback);
    const [, quotaText = "0", windowText = "0"] = /^(\d{1,5})\/(\d{1,4})$/.exec(text) ?? [];
    const [quota, windowSeconds] = [Number(quotaText), Number(windowText)];
    const isValid = quota >= 1 && quota <= LIMITS.quota && windowSeconds >= 1 && windowSeconds <= LIMITS.windowSeconds;
    if (!isValid)
      this.#mismatch(
        name,
        `quota/seconds with a quota from 1 to ${LIMITS.quota} and a window from 1 to ${LIMITS.windowSeconds} seconds`,
        text,
      );
    return { name: policyName, quota, windowSeconds };
  }
}

function httpUrlProblem(text: string): string | null {
  if (!URL.canParse(text)) return "holds something that is not a URL";
  const { protocol, username, password } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "holds a URL that is neither http nor https";
  return username === "" && password === "" ? null : "holds a URL with credentials; use the NODE_API_KEY secret";
}

function nodeUrlProblem(text: string): string | null {
  return (
    httpUrlProblem(text) ??
    (/\/v1$/.test(new URL(text).pathname) && !/[?#]/.test(text) ? null : "holds a URL that does not end in /v1")
  );
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson } from "../../src/base/json.ts";
import { edgeDefaults } from "../edge-settings.ts";
import { FREE_PLAN } from "../free-plan.ts";
import type { Finding } from "../lib/finding.ts";
import type { WranglerFile } from "../wrangler-file.ts";
import { addressOf, datasetOf } from "../wrangler-file.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PLATFORM = "https://api.cloudflare.com/client/v4";
const QUERY_MS = 20_000;
/** Share of the plan's daily requests above which the doctor warns. */
const WARN_SHARE = 0.8;

/** Dataset of a deployment's metrics, and the account's plan. */
export interface MetricsSource {
  readonly dataset: string;
  readonly plan: string;
}

/**
 * Reads the requests of the last day and the plan's limit. null: the variables that wrangler also reads are not set.
 */
export async function trafficFinding(
  { dataset, plan }: MetricsSource,
  variables: Readonly<Record<string, string | undefined>>,
  fetch: typeof globalThis.fetch,
): Promise<Finding | null> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account } = variables;
  if (!token || !account) return null;
  const sql = readFileSync(join(ROOT, "docs", "queries", "requests-a-day.sql"), "utf8");
  const response = await fetch(
    `${variables["CLOUDFLARE_API_BASE_URL"] ?? PLATFORM}/accounts/${account}/analytics_engine/sql`,
    {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: sql.replace("DATASET", dataset),
      signal: AbortSignal.timeout(QUERY_MS),
    },
  ).catch(() => null);
  const body = parseJson((await response?.text()) ?? "");
  const row: unknown = isRecord(body) && Array.isArray(body["data"]) ? body["data"][0] : undefined;
  if (response?.ok !== true || !isRecord(row)) {
    const why = `the metrics answer ${response?.status ?? "nothing"}: the token needs Account Analytics / Read`;
    return { is: "not known", problems: [], warnings: [why] };
  }
  return planFinding(Math.round(Number(row["requests"] ?? 0)), plan);
}

export function planFinding(requests: number, plan: string): Finding {
  const counted = `${requests} requests in the last day`;
  if (plan !== "free") return { is: `${counted}, on the paid plan`, problems: [] };
  const { requestsPerDay } = FREE_PLAN;
  const share = `${counted}, ${Math.round((100 * requests) / requestsPerDay)} % of the free plan's ${requestsPerDay}`;
  const remedy = `above the limit, callers get the platform's error 1027 until 00:00 UTC; deploy with PLAN = "paid"`;
  return {
    is: share,
    problems: [],
    ...(requests > WARN_SHARE * requestsPerDay ? { warnings: [`${share}: ${remedy}`] } : {}),
  };
}

/** Finds the environment that has this custom domain or workers.dev address; null: none. */
export function metricsSourceAt(url: URL, file: WranglerFile): MetricsSource | null {
  for (const section of Object.values(file.env ?? {})) {
    if (addressOf(section, []) !== url.origin && !url.hostname.startsWith(`${String(section["name"])}.`)) continue;
    return { dataset: datasetOf(section), plan: String(section.vars?.["PLAN"] ?? edgeDefaults()["PLAN"]) };
  }
  return null;
}

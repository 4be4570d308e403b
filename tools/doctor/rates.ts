import { setTimeout as later } from "node:timers";
import { isRecord } from "../../src/base/json.ts";
import { NATIVE_STAKING } from "../../src/chain/staking.ts";
import { listingDownloader } from "../../src/rates/fetch-listing.ts";
import type { RatesMappingFile } from "../../src/rates/mapping.ts";
import { counted } from "../lib/counted.ts";
import type { Finding } from "../lib/finding.ts";
import { productsBy } from "../schedule/rates.ts";
import { parseObject } from "./probe.ts";

/**
 * Reads the listing at `url` by the mapping of this checkout, as the deployment at `origin` does, and compares the
 * products; null without a mapping or a listing.
 */
export async function ratesFinding(
  origin: string,
  url: unknown,
  file: RatesMappingFile | null,
  fetchSource: typeof fetch,
): Promise<Finding | null> {
  if (file === null || typeof url !== "string" || !/^https?:/.test(url)) return null;
  const { status, answer } = await answerOf(url, fetchSource);
  const source = `RATES_URL (${new URL(url).host})`;
  if (status !== 200)
    return { is: "", problems: [`${source} ${status === undefined ? "does not answer" : `answers ${status}`}`] };
  const { products, dropped, problem } = productsBy(file.mapping, answer, await chainProductIds(origin, fetchSource));
  if (problem !== null)
    return { is: "", problems: [`${source} does not fit rates.json: ${[problem, ...dropped].join("; ")}; ${REMEDY}`] };
  const warnings = dropped.map((line) => `of the listing ${line}`);
  const served = await servedIds(origin, fetchSource);
  if (typeof served === "string") {
    const what = `/api/rates ${served}, so products are not compared; see the health problems`;
    return { is: "", problems: [what], warnings };
  }
  const absent = products.filter((id) => !served.includes(id));
  return {
    is: `${counted(products.length, "product")} by rates.json, ${products.length - absent.length} served`,
    problems: [],
    warnings: [
      ...warnings,
      ...absent.map((id) => `${id} is not served: deploy this checkout, or wait an hour for the next reading`),
    ],
  };
}

const REMEDY = "record the answer in rates-recorded.json and correct rates.json";

async function answerOf(url: string, fetchSource: typeof fetch) {
  const chunks: Uint8Array[] = [];
  const download = listingDownloader({
    fetchSource: (address, init) => fetchSource(address ?? url, init),
    later: (run, delayMs) => later(run, delayMs).unref(),
    userAgent: "doctor",
    url,
  });
  const status = await download((chunk) => {
    chunks.push(chunk);
    return true;
  });
  return { status, answer: Buffer.concat(chunks) };
}

/** Ids of the served products; a text: why they are not known. */
async function servedIds(origin: string, fetchSource: typeof fetch): Promise<readonly unknown[] | string> {
  const response = await askDeployment(`${origin}/api/rates`, fetchSource);
  if (response?.status !== 200) return response === null ? "does not answer" : `answers ${response.status}`;
  const rows = response.body?.["data"];
  return Array.isArray(rows) ? rows.map((row) => (isRecord(row) ? row["id"] : undefined)) : "answers no products";
}

/** Ids of the products that the deployment reads from a chain. */
async function chainProductIds(origin: string, fetchSource: typeof fetch): Promise<readonly string[]> {
  const [health, rates] = await Promise.all(
    ["health", "rates"].map((path) => askDeployment(`${origin}/api/${path}`, fetchSource)),
  );
  const staking = health?.body?.["native_staking"];
  const rows = rates?.body?.["data"];
  const priced = (Array.isArray(rows) ? rows : []).flatMap((row) =>
    isRecord(row) && isRecord(row["share_price"]) && typeof row["id"] === "string" ? [row["id"]] : [],
  );
  return isRecord(staking) && staking["source"] === "chain" ? [NATIVE_STAKING, ...priced] : priced;
}

const ASK_MS = 20_000;

/** Asks the deployment; null when no complete response arrives in time. */
async function askDeployment(url: string, fetchSource: typeof fetch) {
  try {
    const response = await fetchSource(url, { signal: AbortSignal.timeout(ASK_MS) });
    return { status: response.status, body: parseObject(await response.text()) };
  } catch {
    return null;
  }
}

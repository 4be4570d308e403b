import { setTimeout as later } from "node:timers";
import { isRecord } from "../../src/base/json.ts";
import { listingDownloader } from "../../src/rates/fetch-listing.ts";
import type { RatesMappingFile } from "../../src/rates/mapping.ts";
import type { Finding } from "../lib/finding.ts";
import { productsBy } from "../schedule/rates.ts";

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
  const { products, dropped, problem } = productsBy(file.mapping, answer);
  if (problem !== null)
    return { is: "", problems: [`${source} does not fit rates.json: ${[problem, ...dropped].join("; ")}; ${REMEDY}`] };
  const served = await servedIds(origin, fetchSource);
  const absent = products.filter((id) => !served.includes(id));
  const count = `${products.length} ${products.length === 1 ? "product" : "products"}`;
  return {
    is: `${count} by rates.json, ${products.length - absent.length} served`,
    problems: [],
    warnings: [
      ...dropped.map((line) => `of the listing ${line}`),
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

async function servedIds(origin: string, fetchSource: typeof fetch): Promise<readonly unknown[]> {
  const body: unknown = await fetchSource(`${origin}/api/rates`).then(
    (response) => response.json(),
    () => null,
  );
  const rows = isRecord(body) && Array.isArray(body["data"]) ? body["data"] : [];
  return rows.map((row) => (isRecord(row) ? row["id"] : undefined));
}

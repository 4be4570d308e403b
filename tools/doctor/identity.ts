import { isRecord } from "../../src/base/json.ts";
import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import { furtherChains, statedFirst } from "../../src/families/token-chain.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingKey, walletsOf } from "../../src/supply/wallets.ts";
import type { Baseline } from "./finding.ts";
import { type Answers, parseObject } from "./probe.ts";

const REMEDY = "deploy this checkout, or use the one that was deployed";

/**
 * Finds differences between the served files and this checkout's: hashes of the schedule and of the listing's mapping,
 * wallets, chains. Wallets and chains are compared where the deployment serves them.
 */
export function identityProblems(
  { health, breakdown }: Pick<Answers, "health" | "breakdown">,
  schedule: Schedule,
  { asset, ratesMapping = null }: Pick<Baseline, "asset" | "ratesMapping">,
): readonly string[] {
  const { schedule_sha256: hash, rates_mapping_sha256: mapping = null } = parseObject(health.body) ?? {};
  const view = parseObject(breakdown.body);
  return [
    ...(schedule.sha256 === undefined || hash === schedule.sha256 ? [] : [hashProblem(hash, schedule.sha256)]),
    ...(mapping === (ratesMapping?.sha256 ?? null) ? [] : [mappingProblem(mapping, ratesMapping?.sha256)]),
    ...differences("wallet", servedWallets(view), walletsOf(schedule).map(walletText)),
    ...differences("chain", servedChains(view), expectedChains(schedule, view, asset)),
  ];
}

function hashProblem(served: unknown, wanted: string): string {
  return typeof served === "string"
    ? `the served schedule file (SHA-256 ${served.slice(0, 16)}) is not the one here (${wanted.slice(0, 16)}); ${REMEDY}`
    : `/api/health does not state the hash of the served schedule file; ${REMEDY}`;
}

function mappingProblem(served: unknown, wanted: string | undefined): string {
  const [theirs, ours] = [served, wanted].map((hash) => (typeof hash === "string" ? hash.slice(0, 16) : "none"));
  return `the served rates.json has the SHA-256 ${theirs}, the one here ${ours}; ${REMEDY}`;
}

/** Served entries; null: the deployment does not serve them, or not at the moment. */
type ServedEntries = readonly string[] | null;

function differences(what: string, served: ServedEntries, wanted: readonly string[]): string[] {
  if (served === null) return [];
  return [
    ...served
      .filter((each) => !wanted.includes(each))
      .map((each) => `the ${what} ${each} is served, but is not in this checkout`),
    ...wanted
      .filter((each) => !served.includes(each))
      .map((each) => `the ${what} ${each} is in this checkout, but is not served`),
  ].map((problem) => `${problem}; ${REMEDY}`);
}

const walletText = (wallet: ReturnType<typeof walletsOf>[number]): string =>
  `${holdingKey(wallet)} (${wallet.bucket ?? wallet.category})`;

function servedWallets(view: ReturnType<typeof parseObject>): ServedEntries {
  return (
    rowsOf(view, "non_circulating_wallets")?.map(
      ({ chain, address, holds, pool, operator, view = null, contract = null, bucket, category }) => {
        const parts = [chain, address, holds, pool, operator, view, contract];
        return `${parts.filter((part) => part !== null).join(" ")} (${bucket || category})`;
      },
    ) ?? null
  );
}

function servedChains(view: ReturnType<typeof parseObject>): ServedEntries {
  return rowsOf(view, "chains")?.map(({ chain, asset }) => `${chain} of ${asset}`) ?? null;
}

/**
 * Lists the chains to expect. The first chain's token is the one of the settings, or of the schedule. If neither is
 * known, or another network is served, the served token is accepted.
 */
function expectedChains(
  { chains }: Schedule,
  view: ReturnType<typeof parseObject>,
  asset: Baseline["asset"],
): string[] {
  const served = rowsOf(view, "chains")?.find(({ chain }) => chain === NATIVE_CHAIN);
  const stated = statedFirst(chains);
  const wanted = asset ?? (stated?.chainId === served?.["chain_id"] ? stated?.asset.text : undefined);
  const further = furtherChains(chains).map((chain) => `${chain.id} of ${chain.asset.text}`);
  return [`${NATIVE_CHAIN} of ${wanted ?? served?.["asset"]}`, ...further];
}

function rowsOf(view: ReturnType<typeof parseObject>, name: string) {
  const rows = view?.[name];
  return Array.isArray(rows) ? rows.filter(isRecord) : null;
}

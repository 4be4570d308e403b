import { parseConfig } from "../../src/config.ts";
import { familyOf } from "../../src/families/family.ts";
import {
  firstFamily,
  furtherChains,
  isFirst,
  nodeSettings,
  statedFirst,
  type TokenChain,
} from "../../src/families/token-chain.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { firstInFile, firstSettings } from "../first-chain.ts";
import type { Finding } from "../lib/finding.ts";
import { chainFinding } from "../nodes/chain-finding.ts";
import { unforwardedRoutesFinding } from "../nodes/routes.ts";
import { addressProblems } from "../nodes/written-addresses.ts";

type Settings = Readonly<Record<string, unknown>>;

/**
 * Tries the nodes of the first chain, if their URLs are known here. For Move nodes it compares the routes that they
 * serve with the gateway's.
 */
export async function firstChainNodesFinding(settings: Settings, schedule: Schedule | null): Promise<Finding | null> {
  const stated = (schedule?.chains ?? []).filter(isFirst);
  const family = familyIn(settings, stated);
  const asked = { ...settings, CHAIN_FAMILY: family };
  if (familyOf(family).protocol === null) {
    const read = settings["NODE_URLS"] ? parseConfig(asked, stated) : null;
    const [nodes] = read?.kind === "config" ? read.config.chains : [];
    return nodes !== undefined && nodes.nodeUrls.length > 0 ? unforwardedRoutesFinding(nodes, fetch) : null;
  }
  const read = parseConfig(asked, stated);
  if (read.kind === "problems") return notTried("the nodes", "NODE_URLS");
  const { chainSource: chain, chains } = read.config;
  if (chain === "none") return null;
  const { is, problems } = await chainFinding(chains[0], schedule?.token.decimals, schedule);
  return { is, problems: [...addressProblems(asked, family), ...problems] };
}

function familyIn(settings: Settings, stated: readonly TokenChain[]) {
  const { family = firstInFile().family, ...first } = firstSettings(settings);
  return firstFamily(statedFirst(stated), { ...first, family });
}

/** Tries the nodes of each further chain of the token. Keys are the chains' ids. */
export async function furtherChainFindings(
  settings: Settings,
  schedule: Schedule | null,
): Promise<Readonly<Record<string, Finding>>> {
  const found = furtherChains(schedule?.chains).map(
    async (chain): Promise<[string, Finding]> => [chain.id, await furtherFinding(settings, schedule, chain)],
  );
  return Object.fromEntries(await Promise.all(found));
}

async function furtherFinding(settings: Settings, schedule: Schedule | null, chain: TokenChain): Promise<Finding> {
  const stated = (schedule?.chains ?? []).filter(isFirst);
  const [urls, keys] = nodeSettings(chain.id);
  if (!settings[urls]) return notTried(`the nodes of ${chain.id}`, urls);
  // The first chain's nodes may be stored secrets, and a further chain does not need them.
  const asked = { ...settings, CHAIN_FAMILY: familyIn(settings, stated), NODE_URLS: settings["NODE_URLS"] || "none" };
  const read = parseConfig(asked, [...stated, chain]);
  if (read.kind === "problems") {
    const problems = read.problems.filter(
      (problem) => problem.startsWith(`${urls} `) || problem.startsWith(`${keys} `),
    );
    const warnings = problems.length > 0 ? [] : [`not tried, because of other settings: ${read.problems.join("; ")}`];
    return { is: "not tried", problems, warnings };
  }
  const [, further] = read.config.chains;
  if (further !== undefined && further.nodeUrls.length > 0) return chainFinding(further, undefined, schedule);
  return { is: "not read", problems: [], warnings: [`${urls} is none, so no figure over all chains is served`] };
}

function notTried(nodes: string, setting: string): Finding {
  const why = `${nodes} are not known here and were not tried: set ${setting} as for a deployment`;
  return { is: "not known", problems: [], warnings: [why] };
}

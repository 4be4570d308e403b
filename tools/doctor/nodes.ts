import { nodeSettings, type TokenChain } from "../../src/chain/token-chain.ts";
import { parseConfig } from "../../src/config.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { chainFamily } from "../chain-family.ts";
import type { Finding } from "../lib/finding.ts";
import { checksumProblems } from "../nodes/checksum.ts";
import { firstChainFinding, legFinding } from "../nodes/legs.ts";
import { routesFinding } from "../nodes/routes.ts";

type Settings = Readonly<Record<string, unknown>>;

/** What the nodes of the first chain can do, where they are known here; of a Move chain which routes they serve besides. */
export async function firstFinding(settings: Settings, schedule: Schedule | null): Promise<Finding | null> {
  if (chainFamily() !== "evm") {
    const read = settings["NODE_URLS"] ? parseConfig(settings) : null;
    return read?.kind === "config" && read.config.nodeUrls.length > 0 ? routesFinding(read.config, fetch) : null;
  }
  const asked = { ...settings, CHAIN_FAMILY: "evm" };
  const read = parseConfig(asked);
  if (read.kind === "problems") return notTried("the nodes", "NODE_URLS");
  if (read.config.chain === "none") return null;
  const { is, problems } = await firstChainFinding(read.config, schedule);
  return { is, problems: [...checksumProblems(asked), ...problems] };
}

/** The same of each further chain of the token, by its id. */
export async function furtherFindings(
  settings: Settings,
  chains: readonly TokenChain[],
): Promise<Readonly<Record<string, Finding>>> {
  const found = chains.map(
    async (chain): Promise<[string, Finding]> => [chain.id, await furtherFinding(settings, chain)],
  );
  return Object.fromEntries(await Promise.all(found));
}

async function furtherFinding(settings: Settings, chain: TokenChain): Promise<Finding> {
  const [urls, keys] = nodeSettings(chain.id);
  if (!settings[urls]) return notTried(`the nodes of ${chain.id}`, urls);
  // The first chain's nodes may be stored, and say nothing of this one's.
  const asked = { ...settings, CHAIN_FAMILY: chainFamily(), NODE_URLS: settings["NODE_URLS"] || "none" };
  const read = parseConfig(asked, [chain]);
  if (read.kind === "problems") {
    const problems = read.problems.filter(
      (problem) => problem.startsWith(`${urls} `) || problem.startsWith(`${keys} `),
    );
    const warnings = problems.length > 0 ? [] : [`not tried, because of other settings: ${read.problems.join("; ")}`];
    return { is: "not tried", problems, warnings };
  }
  const [leg] = read.config.legs;
  if (leg !== undefined && leg.nodeUrls.length > 0) return legFinding(leg);
  return { is: "not read", problems: [], warnings: [`${urls} is none: there is no figure over all chains`] };
}

function notTried(nodes: string, setting: string): Finding {
  const why = `${nodes} are not known here, and were not tried: give ${setting} as in a deployment`;
  return { is: "not known", problems: [], warnings: [why] };
}

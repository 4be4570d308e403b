import { join } from "node:path";
import { parseNodeConfig } from "../../devnode/config.ts";
import { parseConfig } from "../../src/config.ts";
import { familyOf } from "../../src/families/family.ts";
import { firstFamily, statedFirst } from "../../src/families/token-chain.ts";
import { firstSettings } from "../first-chain.ts";
import { partsOf } from "../lib/parts.ts";
import { networkNotes } from "../nodes/network-notes.ts";
import { addressProblems } from "../nodes/written-addresses.ts";
import { readAddresses, withAddressesRouted } from "../schedule/addresses.ts";
import { REPOSITORY_FOLDER, scheduleChains } from "../schedule/files.ts";
import { readWranglerFile } from "../wrangler-file.ts";
import { routeSettings } from "./settings.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Makes both Workers' configurations with the settings of a command line, or lists every problem. */
export function workerConfigs(vars: Readonly<Record<string, string>>) {
  const edge = readWranglerFile();
  const node = readWranglerFile(join(ROOT, "devnode", "wrangler.toml"));
  const first = firstSettings({ ...edge.vars, ...vars });
  const chains = scheduleChains(first);
  const settings = routeSettings(vars, chains);
  const edgeVars = { ...edge.vars, ...settings.edge };
  const { CHAIN_ID: chainId, ...ofNode } = settings.node;
  const family = firstFamily(statedFirst(chains), first);
  // The embedded node does not speak the protocol of such a chain, so it keeps its own chain id.
  const isShared = chainId !== undefined && familyOf(family).protocol === null;
  const nodeVars = { ...node.vars, ...ofNode, ...(isShared ? { CHAIN_ID: chainId } : {}) };
  const edgeConfig = parseConfig(edgeVars, chains);
  const nodeConfig = parseNodeConfig(nodeVars);
  // A setting used by both Workers is invalid in both, but reported once.
  const problems = new Set([
    ...settings.problems,
    ...addressProblems(edgeVars, family),
    ...(edgeConfig.kind === "problems" ? edgeConfig.problems : []),
    ...(nodeConfig.kind === "problems" ? nodeConfig.problems : []),
  ]);
  if (problems.size > 0 || edgeConfig.kind === "problems")
    return { kind: "problems", problems: [...problems] } as const;
  return {
    kind: "configs",
    /** Settings of the first chain. */
    first,
    notes: networkNotes(edgeConfig.config, chains),
    /** Parts of this start. */
    parts: partsOf(edgeConfig.config),
    edge: withAddressesRouted({ ...edge, vars: edgeVars }, readAddresses(REPOSITORY_FOLDER)?.entries ?? []),
    node: { ...node, vars: nodeVars },
    /** Edge settings of the command line alone. */
    edgeSettings: settings.edge,
  } as const;
}

import { parseNodeConfig } from "../../devnode/config.ts";
import type { TokenChain } from "../../src/families/token-chain.ts";
import { defaultsIn, edgeDefaults } from "../edge-settings.ts";

/** Settings of both Workers, including those of the command line. */
export interface Settings {
  readonly edge: Readonly<Record<string, string>>;
  readonly node: Readonly<Record<string, string>>;
  /** Names on the command line that neither Worker knows. */
  readonly problems: readonly string[];
}

/** Every setting of the embedded node with its default. */
export const nodeDefaults = (): Readonly<Record<string, string>> => defaultsIn(parseNodeConfig, {});

/** Assigns each command-line setting to the Worker that uses it; a shared one goes to both. */
export function routeSettings(given: Readonly<Record<string, string>>, chains: readonly TokenChain[] = []): Settings {
  const [edgeNames, nodeNames] = [Object.keys(edgeDefaults(chains)), Object.keys(nodeDefaults())];
  const known = [...new Set([...edgeNames, ...nodeNames])];
  const only = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  return {
    edge: only(edgeNames),
    node: only(nodeNames),
    problems: Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => `${name} is not a setting; the settings are ${known.sort().join(", ")}`),
  };
}

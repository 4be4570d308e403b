/** Settings of both Workers, including those of the command line. */
export interface Settings {
  readonly edge: Readonly<Record<string, string>>;
  readonly node: Readonly<Record<string, string>>;
  /** Names on the command line that neither Worker knows. */
  readonly problems: readonly string[];
}

/** Secrets are not in a deployed environment's `[vars]`, but may be given on the command line. */
export const SECRETS: readonly string[] = [
  "NODE_URLS",
  "NODE_API_KEY",
  "ALERT_WEBHOOK",
  "HEARTBEAT_URL",
  "LIMITER_SALT",
];

/** Assigns each command-line setting to the Worker that uses it; a shared one goes to both. */
export function routeSettings(
  given: Readonly<Record<string, string>>,
  edgeVars: Readonly<Record<string, unknown>>,
  nodeVars: Readonly<Record<string, unknown>>,
): Settings {
  const edgeNames = [...new Set([...Object.keys(edgeVars), ...SECRETS])];
  const nodeNames = Object.keys(nodeVars);
  const known = [...new Set([...edgeNames, ...nodeNames])];
  const only = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  return {
    edge: only(edgeNames),
    node: only(nodeNames),
    problems: Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => `${name} is not a setting; known are ${known.sort().join(", ")}`),
  };
}

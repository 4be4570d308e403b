import { parseArgs } from "node:util";

export const ENVIRONMENTS = ["staging", "production"] as const;

/** The command line of `npm run deploy`. */
export interface DeployOptions {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly dryRun: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** The deployment's address; null: the environment's custom domain, or the address reported by wrangler. */
  readonly address: string | null;
  readonly rollbackOnFailure: boolean;
}

export type DeployArguments =
  | { readonly kind: "options"; readonly options: DeployOptions }
  | { readonly kind: "help" }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

export const USAGE =
  "usage: npm run deploy -- --env staging|production [--dry-run] [--var NAME:VALUE]... [--address URL] [--rollback-on-failure]";
export const HELP = `${USAGE}
  --env                   which section of wrangler.toml
  --dry-run               check and build, deploy nothing
  --var NAME:VALUE        a setting, or a secret (NODE_URLS, NODE_API_KEY, ALERT_WEBHOOK, LIMITER_SALT), for this deployment
  --address URL           where it answers; by default the custom domain, or what wrangler reports
  --rollback-on-failure   go back to the version before when the checks after the deployment fail`;

/** Parses the command line; reports all problems. */
export function parseArguments(words: readonly string[]): DeployArguments {
  if (words.includes("--help") || words.includes("-h")) return { kind: "help" };
  const problem = (...problems: string[]): DeployArguments => ({ kind: "problems", problems });
  let values: ReturnType<typeof parsed>;
  try {
    values = parsed(words);
  } catch (cause) {
    return problem(`${cause instanceof Error ? cause.message.split(". ")[0] : "wrong arguments"}; ${USAGE}`);
  }
  const environment = ENVIRONMENTS.find((name) => name === values.env);
  if (environment === undefined) return problem(`--env must be one of ${ENVIRONMENTS.join(", ")}; ${USAGE}`);
  const malformed = values.var.filter((pair) => !/^[A-Z_]+:/.test(pair));
  if (malformed.length > 0)
    return problem(...malformed.map((pair) => `--var takes NAME:VALUE, not ${JSON.stringify(pair.split(":", 1)[0])}`));
  const { address = null } = values;
  if (address !== null && !/^https:\/\/[^/]+\/?$/.test(address))
    return problem(`--address takes an https:// address without a path, not ${JSON.stringify(address)}`);
  const settings = Object.fromEntries(values.var.map((pair) => split(pair)));
  const { "dry-run": dryRun, "rollback-on-failure": rollbackOnFailure } = values;
  return { kind: "options", options: { environment, dryRun, settings, address, rollbackOnFailure } };
}

function parsed(words: readonly string[]) {
  return parseArgs({
    args: [...words],
    options: {
      env: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      var: { type: "string", multiple: true, default: [] },
      address: { type: "string" },
      "rollback-on-failure": { type: "boolean", default: false },
    },
  }).values;
}

function split(pair: string): [string, string] {
  const at = pair.indexOf(":");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

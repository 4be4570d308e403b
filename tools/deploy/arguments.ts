import { parseSettings, parseWords, Refusal } from "../command-line.ts";

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

const USAGE =
  "usage: npm run deploy -- --env staging|production [--dry-run] [--var NAME:VALUE]... [--address URL] [--rollback-on-failure]";
export const HELP = `${USAGE}
  --env                   which section of wrangler.toml
  --dry-run               check and build, deploy nothing
  --var NAME:VALUE        a setting, or a secret (NODE_URLS, NODE_API_KEY, ALERT_WEBHOOK, LIMITER_SALT), for this deployment
  --address URL           where it answers; by default the custom domain, or what wrangler reports
  --rollback-on-failure   go back to the version before when the checks after the deployment fail`;

const OPTIONS = {
  env: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  var: { type: "string", multiple: true },
  address: { type: "string" },
  "rollback-on-failure": { type: "boolean", default: false },
} as const;

/** Parses the command line; throws a Refusal. */
export function parseArguments(args: string[]): DeployOptions {
  const { values } = parseWords(HELP, { args, options: OPTIONS });
  const environment = ENVIRONMENTS.find((name) => name === values.env);
  if (environment === undefined) throw new Refusal([`--env must be one of ${ENVIRONMENTS.join(", ")}; ${USAGE}`]);
  const { settings, problems } = parseSettings(values.var ?? []);
  const { address = null, "dry-run": dryRun, "rollback-on-failure": rollbackOnFailure } = values;
  if (address !== null && !/^https:\/\/[^/]+\/?$/.test(address))
    problems.push(`--address takes an https:// address without a path, not ${JSON.stringify(address)}`);
  if (problems.length > 0) throw new Refusal(problems);
  return { environment, dryRun, settings, address, rollbackOnFailure };
}

import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { EXIT, parseSettings, parseWords, Refusal } from "../command-line.ts";
import { SECRETS } from "../start/settings.ts";

export const ENVIRONMENTS = ["staging", "production"] as const;

const PLANS = ["paid", "free"] as const;

/** The command line of `npm run deploy`. */
export interface DeployOptions {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly dryRun: boolean;
  /** Settings and secrets. */
  readonly settings: Readonly<Record<string, string>>;
  /** The deployment's address; null: the environment's custom domain, or the address reported by wrangler. */
  readonly address: string | null;
  readonly rollbackOnFailure: boolean;
  /** The new version's share of the requests, step by step, in percent; the last is 100. */
  readonly shares: readonly number[];
  readonly pauseMinutes: number;
  readonly skipTrial: boolean;
  readonly overwrites: boolean;
  /** The account's plan from now on; null: that of the environment's settings. */
  readonly plan: (typeof PLANS)[number] | null;
  /** Objects take the new code at once, not when they are idle. */
  readonly isImmediate: boolean;
}

const USAGE = "usage: npm run deploy -- --env staging|production [--dry-run] [--var NAME:VALUE]... [OPTION]...";
export const HELP = `${USAGE}
  --env                   which section of wrangler.toml
  --dry-run               check and build, deploy nothing
  --var NAME:VALUE        a setting for this deployment
  --secrets-file FILE     secrets, as lines NAME=value: ${SECRETS.join(", ")};
                          without it, environment variables of these names; a stored secret need not be given again
  --plan free|paid        the account's plan; remembered in wrangler.toml
  --address URL           where it answers; by default the custom domain, or what wrangler reports
  --rollback-on-failure   go back to the version before, if the new one fails a check while it serves
  --gradual 5,25,100      the new version's share of the requests in percent, step by step, each checked
  --pause MINUTES         between these steps; 5 by default
  --skip-trial            let it serve first and check it then, as a change of the declared objects needs
  --immediate             objects take the new code at once, for a security fix
  --overwrite             also over changes that were made on the dashboard or by the API`;

const OPTIONS = {
  env: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  var: { type: "string", multiple: true },
  "secrets-file": { type: "string" },
  plan: { type: "string" },
  address: { type: "string" },
  "rollback-on-failure": { type: "boolean", default: false },
  gradual: { type: "string", default: "100" },
  pause: { type: "string", default: "5" },
  "skip-trial": { type: "boolean", default: false },
  immediate: { type: "boolean", default: false },
  overwrite: { type: "boolean", default: false },
} as const;

type Texts = Readonly<Record<string, string | undefined>>;

/** Parses the command line; throws a Refusal. Secrets come from a file or `variables`, never from the command line. */
export function parseArguments(args: string[], variables: Texts = {}): DeployOptions {
  const { values } = parseWords(HELP, { args, options: OPTIONS });
  const environment = ENVIRONMENTS.find((name) => name === values.env);
  if (environment === undefined)
    throw new Refusal([`--env must be one of ${ENVIRONMENTS.join(", ")}; ${USAGE}`], EXIT.unusable);
  const { settings, problems } = parseSettings(values.var ?? []);
  const { address = null } = values;
  const plan = PLANS.find((name) => name === values.plan) ?? null;
  const secrets = secretsOf(values["secrets-file"], variables);
  const shares = values.gradual.split(",").map(Number);
  const pauseMinutes = Number(values.pause);
  problems.push(
    ...Object.keys(settings)
      .filter((name) => SECRETS.includes(name))
      .map((name) => `${name} is a secret: give it as an environment variable or in --secrets-file, not with --var`),
    ...Object.keys(secrets)
      .filter((name) => !SECRETS.includes(name))
      .map((name) => `--secrets-file has ${name}, which is no secret; known are ${SECRETS.join(", ")}`),
  );
  if (values.plan !== undefined && plan === null) problems.push(`--plan must be one of ${PLANS.join(", ")}`);
  if (address !== null && !/^(https:\/\/[^/?#@]+|http:\/\/127\.0\.0\.1:\d+)\/?$/.test(address))
    problems.push(`--address takes an https:// address without a path, not ${JSON.stringify(address)}`);
  if (shares.some((share, index) => !(share > (shares[index - 1] ?? 0))) || shares.at(-1) !== 100)
    problems.push("--gradual takes rising percentages that end in 100, such as 5,25,100");
  if (!(pauseMinutes >= 0 && pauseMinutes <= 1_440)) problems.push("--pause takes minutes, from 0 to 1440");
  if (problems.length > 0) throw new Refusal(problems, EXIT.unusable);
  return {
    environment,
    dryRun: values["dry-run"],
    settings: { ...settings, ...secrets, ...(plan === null ? {} : { PLAN: plan }) },
    address: address === null ? null : address.replace(/\/$/, ""),
    rollbackOnFailure: values["rollback-on-failure"],
    shares,
    pauseMinutes,
    skipTrial: values["skip-trial"],
    overwrites: values.overwrite,
    plan,
    isImmediate: values.immediate,
  };
}

function secretsOf(file: string | undefined, variables: Texts): Record<string, string> {
  if (file === undefined)
    return Object.fromEntries(SECRETS.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])));
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    throw new Refusal([`--secrets-file ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`]);
  }
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line));
  const names = lines.map((line) => /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1]);
  // The parser skips a line of another form and keeps the last of two values. Nothing of it is printed: it is a secret.
  if (names.length === 0 || names.includes(undefined) || new Set(names).size < names.length)
    throw new Refusal([`--secrets-file ${file} must have lines NAME=value, and only these, each name once`]);
  return { ...parseEnv(text) } as Record<string, string>;
}

import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseEnv } from "node:util";
import { isSecret, SECRETS } from "../edge-settings.ts";
import { EXIT, parseCommandLine, parseSettings, Refusal } from "../lib/command-line.ts";

export const ENVIRONMENTS = ["staging", "production"] as const;

/** Options of `npm run deploy`. */
export interface DeployOptions {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly dryRun: boolean;
  /** Settings and secrets by their names. */
  readonly settings: Readonly<Record<string, string>>;
  /** Address of the deployment; null: the environment's custom domain, or the address that wrangler reports. */
  readonly address: string | null;
  readonly rollbackOnFailure: boolean;
  /** Whether published figures may change by more than SUPPLY_STEP_PERCENT. */
  readonly acceptsChange: boolean;
  /** Whether wallets alone may take the place of an unlock schedule, or the other way round. */
  readonly changesKind: boolean;
  /** Whether Durable Objects take the new code at once instead of when they are idle. */
  readonly isImmediate: boolean;
  /** Whether to show everything that wrangler prints. */
  readonly isVerbose: boolean;
}

const USAGE = "usage: npm run deploy -- --env staging|production [--dry-run] [--var NAME:VALUE]... [OPTION]...";
export const HELP = `${USAGE}
  --env                   which section of wrangler.toml
  --dry-run               check and build, deploy nothing
  --var NAME:VALUE        a setting for this deployment
  --secrets-file FILE     secrets, as lines NAME=value: ${SECRETS.join(", ")}, and of each
                          further chain of the token NODE_URLS_ID and NODE_API_KEY_ID;
                          without it, environment variables of these names; a stored secret need not be given again
  --address URL           address of the deployment; by default the custom domain, or the address that wrangler reports
  --accept-change         published figures may change by more than SUPPLY_STEP_PERCENT
  --change-kind           wallets alone may replace an unlock schedule, or be replaced by one;
                          also needed where the live or the new version does not tell which it has
  --rollback-on-failure   go back to the previous version if the new one fails a check while it serves
  --immediate             objects take the new code at once, for a security fix
  --verbose               show everything that wrangler prints, not only its errors
  --json                  the result as one JSON object on standard output`;

const OPTIONS = {
  env: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  var: { type: "string", multiple: true },
  "secrets-file": { type: "string" },
  address: { type: "string" },
  "accept-change": { type: "boolean", default: false },
  "change-kind": { type: "boolean", default: false },
  "rollback-on-failure": { type: "boolean", default: false },
  immediate: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
} as const;

type Texts = Readonly<Record<string, string | undefined>>;

/** Parses the command line; throws a Refusal. Secrets come from a file or `variables`, never from the command line. */
export function parseArguments(args: string[], variables: Texts = {}): DeployOptions {
  const { values } = parseCommandLine(HELP, { args, options: OPTIONS });
  const environment = ENVIRONMENTS.find((name) => name === values.env);
  if (environment === undefined)
    throw new Refusal([`--env must be one of ${ENVIRONMENTS.join(", ")}; ${USAGE}`], EXIT.unusable);
  const { settings, problems } = parseSettings(values.var ?? []);
  const { address = null } = values;
  const secrets = secretsOf(values["secrets-file"], variables);
  problems.push(
    ...Object.keys(settings)
      .filter(isSecret)
      .map((name) => `${name} is a secret: give it as an environment variable or in --secrets-file, not with --var`),
    ...Object.keys(secrets)
      .filter((name) => !isSecret(name))
      .map((name) => `--secrets-file has ${name}, which is not a secret; secrets are ${SECRETS.join(", ")}`),
  );
  if (address !== null && !/^(https:\/\/[^/?#@]+|http:\/\/127\.0\.0\.1:\d+)\/?$/.test(address))
    problems.push(`--address takes an https:// address without a path, not ${JSON.stringify(address)}`);
  if (problems.length > 0) throw new Refusal(problems, EXIT.unusable);
  return {
    environment,
    dryRun: values["dry-run"],
    settings: { ...settings, ...secrets },
    address: address === null ? null : address.replace(/\/$/, ""),
    acceptsChange: values["accept-change"],
    changesKind: values["change-kind"],
    rollbackOnFailure: values["rollback-on-failure"],
    isImmediate: values.immediate,
    isVerbose: values.verbose,
  };
}

/** Refuses a file of secrets that other users can read, or that the next `git add` would publish. */
function refuseExposed(file: string): void {
  const path = resolve(file);
  const problems = [];
  const status = statSync(path);
  // Only the command that writes a pipe can read it, so its mode is not checked.
  if (process.platform !== "win32" && status.isFile() && (status.mode & 0o077) !== 0)
    problems.push(`--secrets-file ${file} can be read by other users; run: chmod 600 ${file}`);
  // 0: git would add it; 1: it is ignored; 128: it is outside of every work tree.
  const git = (...words: string[]) => spawnSync("git", words, { cwd: dirname(path) }).status;
  if (git("rev-parse", "--is-inside-work-tree") === 0 && git("check-ignore", "--quiet", path) === 1)
    problems.push(`--secrets-file ${file} is in a work tree, and git does not ignore it; move it outside`);
  if (problems.length > 0) throw new Refusal(problems);
}

function secretsOf(file: string | undefined, variables: Texts): Record<string, string> {
  if (file === undefined)
    return Object.fromEntries(
      Object.entries(variables).flatMap(([name, text]) => (text && isSecret(name) ? [[name, text]] : [])),
    );
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    throw new Refusal([`--secrets-file ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`]);
  }
  refuseExposed(file);
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line));
  const names = lines.map((line) => /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1]);
  // The parser skips malformed lines and keeps the last of two values, so both are refused. The message quotes no line,
  // because it may contain a secret.
  if (names.length === 0 || names.includes(undefined) || new Set(names).size < names.length)
    throw new Refusal([`--secrets-file ${file} must have lines NAME=value, and only these, each name once`]);
  return { ...parseEnv(text) } as Record<string, string>;
}

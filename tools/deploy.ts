import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { unstable_readConfig as readConfig } from "wrangler";
import { edgeProblems } from "./edge-settings.ts";

const ROOT = join(import.meta.dirname, "..");
const ENVIRONMENTS = ["staging", "production"] as const;
const USAGE = "usage: npm run deploy -- --env staging|production [--dry-run] [--var NAME:VALUE]...";

interface Options {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly dryRun: boolean;
  readonly vars: readonly string[];
}

/** Checks everything that can be checked before the world sees it, then deploys. Stops at the first room with a fault. */
function deploy({ environment, dryRun, vars }: Options): void {
  const overrides = Object.fromEntries(vars.map((pair) => [pair.split(":", 1)[0], pair.slice(pair.indexOf(":") + 1)]));
  const { vars: settings } = readConfig({ config: join(ROOT, "wrangler.toml"), env: environment });
  const problems = edgeProblems({ ...settings, ...overrides });
  if (problems.length > 0) refuse(problems.map((problem) => `[env.${environment}] ${problem}`));

  if (!dryRun) run("schedule", ["node", "tools/schedule.ts", "publish"]);
  run("schedule", ["node", "tools/schedule.ts", "check"]);
  if (!dryRun) run("tests", ["npm", "test"]);
  const given = [...vars, `BUILD_REVISION:${revision()}`].flatMap((pair) => ["--var", pair]);
  const mode = dryRun ? ["--dry-run", "--outdir", join(ROOT, "dist", environment)] : [];
  run("deploy", ["wrangler", "deploy", "--env", environment, ...given, ...mode]);
  if (!dryRun)
    console.log("deployed; now `npm run smoke -- https://the-address`, and commit schedule/published.csv if it grew");
}

function revision(): string {
  const { stdout } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  return stdout.trim() || "unknown";
}

function run(step: string, [command = "", ...words]: readonly string[]): void {
  const { status } = spawnSync(command, words, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
  });
  if (status !== 0) refuse([`${step} failed; nothing was deployed`]);
}

function refuse(problems: readonly string[]): never {
  for (const problem of problems) console.error(`deploy: ${problem}`);
  process.exit(1);
}

function parse(words: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        env: { type: "string" },
        "dry-run": { type: "boolean", default: false },
        var: { type: "string", multiple: true, default: [] },
      },
    });
    const environment = ENVIRONMENTS.find((name) => name === values.env);
    const malformed = values.var.filter((pair) => !/^[A-Z_]+:/.test(pair));
    if (environment === undefined) return refuse([`--env must be one of ${ENVIRONMENTS.join(", ")}; ${USAGE}`]);
    if (malformed.length > 0)
      return refuse(malformed.map((pair) => `--var takes NAME:VALUE, not ${JSON.stringify(pair)}`));
    return { environment, dryRun: values["dry-run"], vars: values.var };
  } catch {
    return refuse([USAGE]);
  }
}

deploy(parse(process.argv.slice(2)));

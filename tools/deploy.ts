import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal, runTool } from "./command-line.ts";
import { addressOf } from "./deploy/address.ts";
import { type DeployOptions, HELP, parseArguments } from "./deploy/arguments.ts";
import { type Plan, planDeployment, type WranglerFile } from "./deploy/plan.ts";
import { verify } from "./deploy/verify.ts";
import { check, publish, recordPaths } from "./schedule/check.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule } from "./schedule/files.ts";

const ROOT = join(import.meta.dirname, "..");
const SAMPLE = "schedule/native.json is marked as sample data";

/** Validates the settings, deploys, and verifies the deployment. */
async function deploy(options: DeployOptions): Promise<void> {
  const { environment, dryRun } = options;
  // Loaded only here: it takes a second, in which a mistyped command line is refused.
  const { experimental_readRawConfig: readRawConfig } = await import("wrangler");
  const file = readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig as WranglerFile;
  const name = String(file.env?.[environment]?.["name"]);
  const stored = dryRun ? [] : storedSecrets(name);
  const planned = planDeployment(file, environment, options.settings, stored);
  if (planned.kind === "problems")
    throw new Refusal(planned.problems.map((problem) => `[env.${environment}] ${problem}`));
  const revision = gitRevision();
  const { report, reported } = restoredOnFailure(recordPaths(SCHEDULE_CONTEXT), () => ({
    report: checkSchedule(dryRun),
    reported: runWrangler(planned.plan, options, revision),
  }));
  if (report !== null) console.log(report);
  if (dryRun) {
    if (isSample()) console.log(`deploy: note: ${SAMPLE}; a deployment, unlike this dry run, refuses it`);
    return;
  }
  const address = options.address ?? addressOf(planned.plan.config, reported);
  if (address === null)
    return console.log("deployed; it has no address yet: add `routes` or give --address to check it");
  const failure = await verify(address, revision);
  if (failure === null)
    return console.log(
      `deployed and checked: ${address}, revision ${revision}; commit schedule/published.csv if it grew`,
    );
  if (options.rollbackOnFailure) {
    const rollback = wrangler(["rollback", "--name", name, "--yes", "--message", `checks failed after ${revision}`]);
    throw new Refusal([
      `${failure}; ${rollback.status === 0 ? "rolled back to the version before" : "and the rollback failed"}`,
    ]);
  }
  throw new Refusal([
    `${failure}; the new revision is live: \`npx wrangler rollback --name ${name}\` returns to the version before`,
  ]);
}

const SCHEDULE_CONTEXT = { folder: REPOSITORY_FOLDER, nowMs: Date.now() };

/**
 * The schedule must be valid and not a sample; steps that have passed are recorded before they are served. Returns the
 * report of what was recorded; null: nothing, in a dry run.
 */
function checkSchedule(dryRun: boolean): string | null {
  if (!dryRun && isSample())
    throw new Refusal([`${SAMPLE}: put your own there (npm run schedule -- new), then delete "sample"`]);
  const report = dryRun ? null : publish(SCHEDULE_CONTEXT);
  check(SCHEDULE_CONTEXT, undefined);
  return report;
}

/** When `work` throws, the files are as before: a deployment that failed has published nothing. */
function restoredOnFailure<T>(paths: readonly string[], work: () => T): T {
  const before = paths.map((path) => (existsSync(path) ? readFileSync(path) : null));
  try {
    return work();
  } catch (cause) {
    paths.forEach((path, index) => {
      const content = before[index] ?? null;
      if (content === null) rmSync(path, { force: true });
      else writeFileSync(path, content);
    });
    throw cause;
  }
}

function isSample(): boolean {
  return readSchedule(nativePath(SCHEDULE_CONTEXT)).sample;
}

/** Bundles and uploads, or only bundles. Returns the addresses reported by wrangler. */
function runWrangler({ config, secrets }: Plan, { environment, dryRun }: DeployOptions, revision: string): string[] {
  const folder = join(ROOT, "dist", environment);
  // In the root, because paths in a configuration are relative to its file.
  const [configFile, secretsFile, outputFile] = ["json", "secrets", "output"].map((part) =>
    join(ROOT, `.wrangler-${environment}-${process.pid}.${part}`),
  ) as [string, string, string];
  // Ctrl-C ends wrangler; this process continues, to remove the secrets and restore the record.
  const ignore = (): void => undefined;
  process.on("SIGINT", ignore);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(configFile, JSON.stringify(config));
    writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const words = [
      "deploy",
      "--config",
      configFile,
      "--secrets-file",
      secretsFile,
      "--var",
      `BUILD_REVISION:${revision}`,
    ];
    const { status } = wrangler([...words, ...(dryRun ? ["--dry-run", "--outdir", folder] : [])], outputFile);
    if (status !== 0) throw new Refusal(["wrangler failed, see above; nothing was deployed"]);
    return reportedAddresses(outputFile);
  } finally {
    process.off("SIGINT", ignore);
    for (const path of [configFile, secretsFile, outputFile]) rmSync(path, { force: true });
  }
}

function reportedAddresses(outputFile: string): string[] {
  try {
    const entries = readFileSync(outputFile, "utf8").trim().split("\n");
    return entries.flatMap((line) => (JSON.parse(line) as { readonly targets?: readonly string[] }).targets ?? []);
  } catch {
    return [];
  }
}

/** Names of the deployed Worker's secrets; empty when there is no such Worker yet. */
function storedSecrets(name: string): readonly string[] {
  const { status, stdout } = spawnSync("wrangler", ["secret", "list", "--name", name, "--format", "json"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (status !== 0) return [];
  const start = stdout.indexOf("[");
  return (JSON.parse(stdout.slice(start)) as readonly { readonly name: string }[]).map((secret) => secret.name);
}

function wrangler(words: readonly string[], outputFile?: string) {
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };
  const reported = outputFile === undefined ? {} : { WRANGLER_OUTPUT_FILE_PATH: outputFile };
  return spawnSync("wrangler", [...words], { cwd: ROOT, stdio: "inherit", env: { ...env, ...reported } });
}

function gitRevision(): string {
  const { stdout } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  return stdout?.trim() || "unknown";
}

await runTool(import.meta.url, HELP, (words) => deploy(parseArguments(words)));

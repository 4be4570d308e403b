import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal, runTool } from "./command-line.ts";
import { type DeployOptions, HELP, parseArguments } from "./deploy/arguments.ts";
import { type Plan, planDeployment, type WranglerFile, withoutAddress } from "./deploy/plan.ts";
import { deploymentOf, type Platform, withPlatform } from "./deploy/platform.ts";
import { type RollOut, rollOut, textOf } from "./deploy/roll-out.ts";
import { isServing, serving, stateText } from "./deploy/state.ts";
import { realPorts } from "./deploy/verify.ts";
import { ROOT } from "./deploy/wrangler.ts";
import { check, publish, recordPaths } from "./schedule/check.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule } from "./schedule/files.ts";
import { scheduleErrorText } from "./schedule/schedule-result.ts";
import { placeholderSources } from "./schedule/warnings.ts";
import { lockFolder } from "./start/lock.ts";

const SAMPLE = "schedule/native.json is marked as sample data";
const SCHEDULE_CONTEXT = { folder: REPOSITORY_FOLDER, nowMs: Date.now() };

/** Validates the settings, deploys, and verifies the deployment. */
async function deploy(options: DeployOptions): Promise<string | undefined> {
  const { environment, dryRun } = options;
  const lock = lockFolder(join(ROOT, ".wrangler"), "deploy", { pid: process.pid });
  if (lock.kind === "in_use") {
    const who = `another deployment${lock.holder === null ? "" : ` (process ${lock.holder.pid})`}`;
    throw new Refusal([`${who} runs in this checkout; wait until it has ended, then run the same command again`]);
  }
  if (!dryRun && isSample())
    throw new Refusal([`${SAMPLE}: put your own there (npm run schedule -- new), then delete "sample"`]);
  // Loaded only here: it takes a second, in which a mistyped command line is refused.
  const { experimental_readRawConfig: readRawConfig } = await import("wrangler");
  const file = readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig as WranglerFile;
  const name = String(file.env?.[environment]?.["name"]);
  const before = dryRun ? null : await versionBefore(name);
  const revision = gitRevision();
  const planned = planDeployment(file, environment, options.settings, { revision, isDeployed: before !== null });
  if (planned.kind === "problems")
    throw new Refusal(planned.problems.map((problem) => `[env.${environment}] ${problem}`));
  const unreachable = options.address === null ? withoutAddress(planned.plan.config, environment) : [];
  if (!dryRun && unreachable.length > 0) throw new Refusal(unreachable);
  const signal = interruption();
  const context = { ...options, revision, signal };
  return withPlatform(planned.plan, context, (platform) =>
    dryRun
      ? rehearse(platform, environment, unreachable)
      : carryOut({ platform, plan: planned.plan, options, before, signal }),
  );
}

/** The version that serves; null: none. Two at once are a deployment that somebody has not finished. */
async function versionBefore(name: string): Promise<string | null> {
  const deployment = await deploymentOf(name).catch((cause: unknown) => {
    if (!(cause instanceof Refusal)) throw cause;
    throw new Refusal([
      `${cause.message}. Nothing was uploaded, nothing was recorded. Next: log in again (\`npx wrangler login\`, or another CLOUDFLARE_API_TOKEN), or wait until the platform is up, then run the same command again.`,
    ]);
  });
  const shares = serving(deployment);
  if (shares.length < 2) return shares[0]?.id ?? null;
  throw new Refusal([
    `a gradual deployment of ${name} is open: ${textOf(shares)}. Nothing was changed. Next: \`npx wrangler versions deploy ID@100% --name ${name}\` with the version that is to stay, then run the same command again.`,
  ]);
}

/** Checks and bundles only. */
async function rehearse(platform: Platform, environment: string, unreachable: readonly string[]): Promise<undefined> {
  check(SCHEDULE_CONTEXT, undefined);
  const folder = join(ROOT, "dist", environment);
  mkdirSync(folder, { recursive: true });
  await platform.dryRun(folder);
  const schedule = readSchedule(nativePath(SCHEDULE_CONTEXT));
  const refused = [
    ...(schedule.sample ? [SAMPLE] : placeholderSources(schedule).map((error) => scheduleErrorText("schedule", error))),
    ...unreachable,
  ];
  for (const reason of refused) console.log(`deploy: note: ${reason}; a deployment, unlike this dry run, refuses it`);
}

interface Deploying {
  readonly platform: Platform;
  readonly plan: Plan;
  readonly options: DeployOptions;
  readonly before: string | null;
  readonly signal: AbortSignal;
}

async function carryOut({ platform, plan, options, before, signal }: Deploying): Promise<string> {
  const record = publishedRecord();
  const state: RollOut = { platform, config: plan.config, options, before, uploaded: null };
  try {
    console.log(publishSchedule());
    const address = await rollOut(state, realPorts(signal));
    const unchecked = "deployed; it has no address yet: add `routes` or give --address to check it";
    return `${address === null ? unchecked : `deployed and checked: ${address}`}: version ${state.uploaded}, before it ${before ?? "none"}; ${record.isChanged() ? "commit schedule/published.csv and published.json" : "nothing new was recorded"}`;
  } catch (cause) {
    const failure: unknown = signal.aborted ? signal.reason : cause;
    if (!(failure instanceof Refusal)) console.error(failure);
    const reason = failure instanceof Refusal ? failure.lines.join("; ") : "an error in this tool, printed above";
    const { now, uploaded, wentBack } = await settle(state, signal.aborted);
    const isChanged = record.isChanged();
    const isKept = isChanged && (now === "unknown" || isServing({ uploaded, now }));
    if (!isKept) record.restore();
    const recorded = isKept ? "kept" : isChanged ? "restored" : "unchanged";
    const known = { name: platform.name, before, uploaded, now, record: recorded } as const;
    throw new Refusal([`${reason.replace(/\.$/, "")}${wentBack}. ${stateText(known)}`]);
  }
}

/** After a failure: what is deployed, and whether this deployment was taken back. */
async function settle(state: RollOut, isInterrupted: boolean) {
  const { platform, before, options } = state;
  const ask = () => deploymentOf(platform.name).catch(() => "unknown" as const);
  const now = await ask();
  const shares = now === "unknown" ? [] : (now ?? []);
  // wrangler may have failed, or have been ended, after an upload that it did not report.
  const unreported = shares.find(({ id }) => id !== before)?.id;
  const isOurs = unreported !== undefined && (await platform.isOurs(unreported).catch(() => false));
  const uploaded = state.uploaded ?? (isOurs ? (unreported ?? null) : null);
  const left = { now, uploaded, wentBack: "" };
  const isAlone = shares.every(({ id }) => id === before || id === uploaded);
  const isIn = shares.some(({ id }) => id === uploaded);
  if (isInterrupted || before === null || !isAlone || !isIn) return left;
  // Taking back a version that serves nobody changes nothing for callers.
  if (isServing({ uploaded, now }) && !options.rollbackOnFailure) return left;
  try {
    await platform.rollBack(before, `${uploaded} failed its checks`);
    return { now: await ask(), uploaded, wentBack: "; it was taken back" };
  } catch {
    return { now: await ask(), uploaded, wentBack: "; taking it back failed (wrangler's reason is above)" };
  }
}

/** Aborted, with a {@link Refusal} as its reason, by the first signal that asks this process to end. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(name, () => controller.abort(new Refusal([`interrupted by ${name}`])));
  // A closed terminal must not end this process before it has put the record right.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return controller.signal;
}

/** The schedule must be valid; steps that have passed are recorded before they are served. Returns the report. */
function publishSchedule(): string {
  const report = publish(SCHEDULE_CONTEXT);
  check(SCHEDULE_CONTEXT, undefined);
  return report;
}

/** The record of the published past, as it is now. */
function publishedRecord() {
  const paths = recordPaths(SCHEDULE_CONTEXT);
  const read = () => paths.map((path) => (existsSync(path) ? readFileSync(path, "utf8") : null));
  const before = read();
  return {
    isChanged: () => read().some((content, index) => content !== before[index]),
    restore: () => {
      paths.forEach((path, index) => {
        const content = before[index] ?? null;
        if (content === null) rmSync(path, { force: true });
        else writeFileSync(path, content);
      });
    },
  };
}

function isSample(): boolean {
  return readSchedule(nativePath(SCHEDULE_CONTEXT)).sample;
}

/** The commit, with `-dirty` when files differ from it. */
function gitRevision(): string {
  const git = (...words: string[]) => spawnSync("git", words, { cwd: ROOT, encoding: "utf8" }).stdout?.trim() ?? "";
  const commit = git("rev-parse", "--short=12", "HEAD");
  if (commit === "") return "unknown";
  return git("status", "--porcelain") === "" ? commit : `${commit}-dirty`;
}

await runTool(import.meta.url, HELP, (words) => deploy(parseArguments(words, process.env)));

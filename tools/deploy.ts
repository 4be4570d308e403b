import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { isFirst, nodeSettings } from "../src/families/token-chain.ts";
import { scheduleErrorText } from "../src/supply/file/schedule-result.ts";
import type { Schedule } from "../src/supply/schedule.ts";
import { brandNotes } from "./build/brand-notes.ts";
import { build } from "./build.ts";
import { type DeployOptions, HELP, parseArguments } from "./deploy/arguments.ts";
import { carryOut, type DeployResult } from "./deploy/carry-out.ts";
import { missingAddress, type Plan, planDeployment, withBuild } from "./deploy/plan.ts";
import { deploymentOf, messageOf, type Platform, removeStaleConfigurations, withPlatform } from "./deploy/platform.ts";
import { type PublishedRecord, publishedRecord, settleKilledDeployment } from "./deploy/record.ts";
import { gitRevision } from "./deploy/revision.ts";
import { sharesText } from "./deploy/roll-out.ts";
import { serving } from "./deploy/state.ts";
import { realPorts } from "./deploy/verify.ts";
import { ROOT } from "./deploy/wrangler.ts";
import type { Baseline } from "./doctor/finding.ts";
import { firstSettings } from "./first-chain.ts";
import { cappedListingLength, freePlanProblems } from "./free-plan.ts";
import { type CommandResult, Refusal, runTool } from "./lib/command-line.ts";
import { lockFolder } from "./lib/lock.ts";
import { partsOf } from "./lib/parts.ts";
import { chainFinding } from "./nodes/chain-finding.ts";
import type { NodesFinding } from "./nodes/finding.ts";
import { readAddresses, withAddressesRouted } from "./schedule/addresses.ts";
import { checkFiles, intentPath, preparePublication } from "./schedule/check.ts";
import {
  nativePath,
  REPOSITORY_FOLDER,
  readPublishedSchedule,
  readSchedule,
  type ScheduleContext,
  scheduleChains,
} from "./schedule/files.ts";
import { readRatesMapping } from "./schedule/rates.ts";
import { placeholderSources } from "./schedule/warnings.ts";
import { readWranglerFile } from "./wrangler-file.ts";

const SAMPLE = "schedule/native.json is marked as sample data";

/** Context of this checkout's schedule with the settings of a deployment. */
function contextOf({ environment, settings }: DeployOptions): ScheduleContext {
  const vars = readWranglerFile().env?.[environment]?.vars;
  return { folder: REPOSITORY_FOLDER, nowMs: Date.now(), first: firstSettings({ ...vars, ...settings }) };
}

/** Validates the settings, deploys, and verifies the deployment. */
async function deploy(options: DeployOptions): Promise<CommandResult> {
  const signal = interruption();
  const context = contextOf(options);
  const { plan, revision, before, unreachable } = await prepare(options, context, signal).finally(() => {
    const { reason } = signal as { readonly reason?: Refusal };
    if (reason === undefined) return;
    throw new Refusal([
      `${reason.message}. Nothing was uploaded, nothing was recorded. Next: run the same command again.`,
    ]);
  });
  return withPlatform(plan, { ...options, revision, signal }, (platform) =>
    options.dryRun
      ? dryRun(platform, context, options.environment, unreachable)
      : carryOut({
          platform,
          config: plan.config,
          options,
          before,
          stepPercent: plan.settings.supplyStepPercent,
          signal,
          record: pastRecord(context),
          ports: realPorts(signal, expectedOf(plan, context)),
        }),
  );
}

/** Checks everything that can be refused before the platform is asked to change anything. */
async function prepare(options: DeployOptions, context: ScheduleContext, signal: AbortSignal) {
  const { environment } = options;
  const lock = lockFolder(join(ROOT, ".wrangler"), "deploy", { pid: process.pid });
  if (lock.kind === "in_use") {
    const who = `another deployment${lock.holder === null ? "" : ` (process ${lock.holder.pid})`}`;
    throw new Refusal([`${who} runs in this checkout; wait until it has ended, then run the same command again`]);
  }
  removeStaleConfigurations();
  const file = readWranglerFile();
  if (!options.dryRun && scheduleIn(context).sample)
    throw new Refusal([`${SAMPLE}: put your own there (npm run schedule -- new), then delete "sample"`]);
  const name = String(file.env?.[environment]?.["name"]);
  const before = options.dryRun ? null : await versionBefore(name, signal);
  if (!options.dryRun) await settleRecord(context, signal);
  const revision = gitRevision(ROOT);
  // A dry run does not ask the platform. It counts the Worker as deployed, because the nodes may be stored there as
  // secrets.
  const isDeployed = options.dryRun || before !== null;
  const planned = planDeployment(file, environment, options.settings, {
    revision,
    isDeployed,
    chains: scheduleChains(context.first),
  });
  const tried = planned.kind === "problems" ? NO_FINDINGS : await nodeFindings(planned.plan, context);
  const problems =
    planned.kind === "problems"
      ? planned.problems
      : [...tried.problems, ...(await planProblems(planned.plan, context))];
  if (planned.kind === "problems" || problems.length > 0)
    throw new Refusal(problems.map((problem) => `[env.${environment}] ${problem}`));
  const unreachable = options.address === null ? missingAddress(planned.plan.config, environment) : [];
  if (!options.dryRun && unreachable.length > 0) throw new Refusal(unreachable);
  const notes = [
    ...planned.notes,
    ...brandNotes(scheduleIn(context).token, planned.plan.settings.chains[0].chain.family),
    ...tried.notes,
  ];
  for (const note of notes) console.log(`deploy: note: ${note}`);
  return { plan: await withFinishedBuild(planned.plan, signal), revision, before, unreachable };
}

/** Baseline that the deployment must match. */
function expectedOf({ settings: { chainSource: chain, assets } }: Plan, context: ScheduleContext): Baseline {
  const schedule = readPublishedSchedule(nativePath(context), context.first);
  return {
    schedule,
    addresses: readAddresses(REPOSITORY_FOLDER),
    ratesMapping: readRatesMapping(REPOSITORY_FOLDER),
    isLocal: false,
    ...(chain === "none" ? {} : { asset: assets.native.text }),
  };
}

/** Adds a finished build to the plan; an interruption stops the build at once. */
async function withFinishedBuild(plan: Plan, signal: AbortSignal): Promise<Plan> {
  const making = build(partsOf(plan.settings), () => console.log("deploy: building the Worker and its page"));
  const { folder } = await Promise.race([making, once(signal, "abort").then(() => Promise.reject(signal.reason))]);
  const { entries = [] } = readAddresses(REPOSITORY_FOLDER) ?? {};
  return { ...plan, config: withAddressesRouted(withBuild(plan.config, relative(ROOT, folder)), entries) };
}

const NO_FINDINGS = { problems: [], notes: [] } as const;

/**
 * Tries the nodes. Settings with which no node can ever report a figure are problems. Other findings are notes, because
 * they may be gone tomorrow.
 */
async function nodeFindings({ settings, secrets }: Plan, context: ScheduleContext) {
  if (settings.chainSource === "none") return NO_FINDINGS;
  const schedule = scheduleIn(context);
  const read = settings.chains.filter(({ nodeUrls }) => nodeUrls.length > 0);
  const found = await Promise.all(
    read.map(async (each) => {
      const [name] = nodeSettings(each.chain.id);
      if (secrets[name] === undefined)
        return {
          ...NO_FINDINGS,
          notes: [`the nodes are stored secrets, so they were not tried: npm run doctor tries them if ${name} is set`],
        };
      const decimals = isFirst(each.chain) ? schedule.token.decimals : undefined;
      return splitFinding(await chainFinding(each, decimals, schedule));
    }),
  );
  return { problems: found.flatMap(({ problems }) => problems), notes: found.flatMap(({ notes }) => notes) };
}

function splitFinding({ problems, isRefused }: NodesFinding) {
  return isRefused ? { problems, notes: [] } : { problems: [], notes: problems };
}

/** Problems of a deployment that needs more than the account's plan allows. */
async function planProblems({ settings }: Plan, context: ScheduleContext): Promise<readonly string[]> {
  if (settings.plan !== "free") return [];
  const { ratesUrl, servesNode, chainSource: chain } = settings;
  const listingBytes = ratesUrl === null ? null : await cappedListingLength(ratesUrl, fetch);
  const read = settings.chains.filter(({ nodeUrls }) => nodeUrls.length > 0);
  return freePlanProblems({
    schedule: scheduleIn(context),
    chains: read.map((each) => each.chain),
    nodes: Object.fromEntries(read.map((each) => [each.chain.id, each.nodeUrls.length])),
    servesNode,
    readsChain: chain !== "none",
    listingBytes,
  });
}

/** Completes or undoes the record of a deployment that was killed: the record must match what serves. */
async function settleRecord(context: ScheduleContext, signal: AbortSignal): Promise<void> {
  const settled = await settleKilledDeployment(intentPath(context), {
    deployment: (worker) => deploymentOf(worker, signal),
    messageOf: (worker, version) => messageOf(worker, version, signal),
  });
  if (settled !== null) console.log(`deploy: ${settled}`);
}

/**
 * Finds the version that serves; null: none. Refuses while two versions serve, because somebody has not finished a
 * gradual deployment.
 */
async function versionBefore(name: string, signal: AbortSignal): Promise<string | null> {
  const deployment = await deploymentOf(name, signal).catch((cause: unknown) => {
    if (!(cause instanceof Refusal)) throw cause;
    throw new Refusal([
      `${cause.message}. Nothing was uploaded, nothing was recorded. Next: log in again (\`npx wrangler login\`, or another CLOUDFLARE_API_TOKEN), or wait until the platform is up, then run the same command again.`,
    ]);
  });
  const shares = serving(deployment);
  if (shares.length < 2) return shares[0]?.id ?? null;
  throw new Refusal([
    `a gradual deployment of ${name} is open: ${sharesText(shares)}. Nothing was changed. Next: \`npx wrangler versions deploy ID@100% --name ${name}\` with the version that is to stay, then run the same command again.`,
  ]);
}

/** Checks and bundles without deploying. */
async function dryRun(
  platform: Platform,
  context: ScheduleContext,
  environment: string,
  unreachable: readonly string[],
): Promise<DeployResult> {
  checkFiles(context, undefined);
  const folder = join(ROOT, "dist", environment);
  mkdirSync(folder, { recursive: true });
  await platform.dryRun(folder);
  const schedule = scheduleIn(context);
  const refused = [
    ...(schedule.sample ? [SAMPLE] : placeholderSources(schedule).map((error) => scheduleErrorText("schedule", error))),
    ...unreachable,
  ];
  for (const reason of refused) console.log(`deploy: note: ${reason}; a deployment, unlike this dry run, refuses it`);
  const next =
    refused.length === 0 ? "the same command without --dry-run" : "repair what the notes above name, then deploy";
  return { text: `deploy: the dry run has passed. Next: ${next}`, exitCode: 0, members: { refused, next } };
}

/** Signal that is aborted, with a {@link Refusal} as its reason, by the first signal that asks this process to end. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(name, () => controller.abort(new Refusal([`interrupted by ${name}`])));
  // A closed terminal must not end this process before it has corrected the record.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return controller.signal;
}

/** Record of the passed steps, as it will be once this schedule is served. */
function pastRecord(context: ScheduleContext): PublishedRecord {
  return publishedRecord(intentPath(context), () => preparePublication(context, { isServed: true }).files);
}

function scheduleIn(context: ScheduleContext): Schedule {
  return readSchedule(nativePath(context), context.first);
}

await runTool(import.meta.url, HELP, (words) => deploy(parseArguments(words, process.env)), { hasJson: true });

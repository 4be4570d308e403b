import { Refusal } from "../lib/command-line.ts";
import { addressOf } from "../wrangler-file.ts";
import type { DeployOptions } from "./arguments.ts";
import type { Deployment, Platform, VersionShare } from "./platform.ts";
import { serving } from "./state.ts";
import {
  checkVersion,
  compareFigures,
  printLatencies,
  ROLLOUT_LIMIT_MS,
  type VerifyPorts,
  waitForVersion,
} from "./verify.ts";

/** Deployment in progress. Its fields stay correct if it fails, so the failure can be reported from them. */
export interface DeploymentInProgress {
  readonly platform: Platform;
  readonly config: Readonly<Record<string, unknown>>;
  readonly options: DeployOptions;
  /** Version that serves before this deployment; null: none. */
  readonly before: string | null;
  /** Version that was uploaded; null: none yet. */
  uploaded: string | null;
  /** Largest change of a live figure, in percent, that needs no --accept-change. */
  readonly stepPercent: number;
  /** Called as soon as the version serves. */
  readonly onServing: () => void;
}

/** Result of a rollout. */
export interface RolloutResult {
  /** Address of the deployment; null: it has none, so it was not checked. */
  readonly address: string | null;
  /** Sentence about checks that fail because of nodes, time or zone; null: all pass. */
  readonly failed: string | null;
}

/**
 * Uploads a version, checks it before it serves anybody, then lets it serve. The check comes after the switch where the
 * platform cannot hold a second version: at the first deployment, and when the declared objects change.
 */
export async function rollOut(state: DeploymentInProgress, ports: VerifyPorts): Promise<RolloutResult> {
  const { before } = state;
  const changesObjects = before !== null && !(await hasSameClasses(state, before));
  if (before !== null && !changesObjects) return serveAfterTrial(state, before, ports);
  if (changesObjects) ports.print("the declared objects change: the new version serves at once, and is checked then");
  return serveAtOnce(state, ports);
}

async function hasSameClasses({ platform, config }: DeploymentInProgress, before: string): Promise<boolean> {
  const declared = Object.keys((config["exports"] as object | undefined) ?? {});
  return [...(await platform.classesOf(before))].sort().join() === declared.sort().join();
}

async function serveAtOnce(state: DeploymentInProgress, ports: VerifyPorts): Promise<RolloutResult> {
  const { platform, before } = state;
  const known = state.options.address ?? addressOf(state.config, []);
  const live = before === null || known === null ? null : await ports.figures({ address: known, override: null });
  await expectServing(platform, before === null ? null : [{ id: before, percentage: 100 }]);
  const { id, failure } = await platform.deploy();
  state.uploaded = id;
  if (failure !== null) throw new Refusal([failure]);
  state.onServing();
  const address = await applyTriggers(state);
  if (id === null || address === null) return { address, failed: null };
  const target = { address, versionId: id, override: null };
  await waitForVersion(target, before === null ? ROLLOUT_LIMIT_MS.first : ROLLOUT_LIMIT_MS.known, ports);
  await printLatencies(address, ports);
  const failed = await checkVersion(target, ports);
  if (live !== null) await compareFigures(live, target, acceptedOf(state), ports);
  return { address, failed };
}

async function serveAfterTrial(
  state: DeploymentInProgress,
  before: string,
  ports: VerifyPorts,
): Promise<RolloutResult> {
  const { platform } = state;
  const { id, failure } = await platform.upload();
  state.uploaded = id;
  if (failure !== null || id === null) throw new Refusal([failure ?? "nothing was uploaded"]);
  await expectServing(platform, [{ id: before, percentage: 100 }]);
  ports.print(`version ${id} is checked before it serves; version ${before} serves meanwhile`);
  const trial: readonly VersionShare[] = [
    { id: before, percentage: 100 },
    { id, percentage: 0 },
  ];
  await platform.split(trial);
  const address = await applyTriggers(state);
  let failed: string | null = null;
  if (address !== null) {
    // The header's form is the platform's: a dictionary of Worker names and version ids (RFC 9651).
    const target = { address, versionId: id, override: `${platform.name}="${id}"` };
    await waitForVersion(target, ROLLOUT_LIMIT_MS.known, ports);
    failed = await checkVersion(target, ports);
    const live = await ports.figures({ address, override: null });
    await compareFigures(live, target, acceptedOf(state), ports);
  }
  await expectExactly(platform, trial);
  await platform.split([{ id, percentage: 100 }]);
  state.onServing();
  ports.print(`version ${id} serves`);
  if (address !== null) {
    await waitForVersion({ address, versionId: id, override: null }, ROLLOUT_LIMIT_MS.known, ports);
    await printLatencies(address, ports);
  }
  return { address, failed };
}

function acceptedOf({ stepPercent: percent, options }: DeploymentInProgress) {
  return { percent, isAccepted: options.acceptsChange, isKindAccepted: options.changesKind };
}

async function applyTriggers({ platform, options, config }: DeploymentInProgress): Promise<string | null> {
  const known = options.address ?? addressOf(config, []);
  // Capture wrangler's output only when the address is unknown. wrangler asks before it takes over a domain only if it
  // writes to a terminal.
  const reported = await platform.applyTriggers(known === null);
  return known ?? addressOf(config, reported);
}

/** Refuses to continue when somebody else has deployed since: each step changes only what the previous step left. */
async function expectServing(platform: Platform, expected: Deployment): Promise<void> {
  const now = await platform.deployment();
  if (sharesText(serving(now)) !== sharesText(serving(expected))) throw new Refusal([interference(now)]);
}

async function expectExactly(platform: Platform, expected: Deployment & object): Promise<void> {
  const now = await platform.deployment();
  if (sharesText(now ?? []) !== sharesText(expected)) throw new Refusal([interference(now)]);
}

function interference(now: Deployment): string {
  return `another deployment has begun meanwhile (${sharesText(now ?? [])}), so this one stops`;
}

export function sharesText(shares: readonly VersionShare[]): string {
  return shares
    .map(({ id, percentage }) => `${id} at ${percentage} %`)
    .sort()
    .join(", ");
}

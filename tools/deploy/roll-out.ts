import { Refusal } from "../lib/command-line.ts";
import { addressOf } from "../wrangler-file.ts";
import type { DeployOptions } from "./arguments.ts";
import type { Deployment, Platform, Share } from "./platform.ts";
import { serving } from "./state.ts";
import {
  checkVersion,
  compareFigures,
  printLatencies,
  ROLLOUT_MS,
  type VerifyPorts,
  waitForVersion,
} from "./verify.ts";

/** One deployment on its way; what is known of it is still right when it fails. */
export interface RollOut {
  readonly platform: Platform;
  readonly config: Readonly<Record<string, unknown>>;
  readonly options: DeployOptions;
  /** The version that serves; null: none. */
  readonly before: string | null;
  /** The version that was uploaded; null: none yet. */
  uploaded: string | null;
  /** Beyond which share of what is live a figure may change only if that is accepted. */
  readonly stepPercent: number;
  /** Called as soon as the version serves. */
  readonly onServing: () => void;
}

/** What serves in the end. */
export interface RolledOut {
  /** null: it has none, and was not checked. */
  readonly address: string | null;
  /** A sentence with the checks that fail for reasons of nodes, time or zone; null: none does. */
  readonly failed: string | null;
}

/**
 * Uploads a version, checks it before it serves anybody, then lets it serve. Where the platform does not allow a version beside the one that serves (there is none, or the declared objects
 * change), the check comes after.
 */
export async function rollOut(state: RollOut, ports: VerifyPorts): Promise<RolledOut> {
  const { before } = state;
  const changesObjects = before !== null && !(await hasSameClasses(state, before));
  if (before !== null && !changesObjects) return serveAfterTrial(state, before, ports);
  if (changesObjects) ports.print("the declared objects change: the new version serves at once, and is checked then");
  return serveAtOnce(state, ports);
}

async function hasSameClasses({ platform, config }: RollOut, before: string): Promise<boolean> {
  const declared = Object.keys((config["exports"] as object | undefined) ?? {});
  return [...(await platform.classesOf(before))].sort().join() === declared.sort().join();
}

async function serveAtOnce(state: RollOut, ports: VerifyPorts): Promise<RolledOut> {
  const { platform, before } = state;
  await expectServing(platform, before === null ? null : [{ id: before, percentage: 100 }]);
  const known = state.options.address ?? addressOf(state.config, []);
  const live = before === null || known === null ? null : await ports.figures({ address: known, override: null });
  const { id, failure } = await platform.deploy();
  state.uploaded = id;
  if (failure !== null) throw new Refusal([failure]);
  state.onServing();
  const address = await applyTriggers(state);
  if (id === null || address === null) return { address, failed: null };
  const target = { address, versionId: id, override: null };
  await waitForVersion(target, before === null ? ROLLOUT_MS.first : ROLLOUT_MS.known, ports);
  await printLatencies(address, ports);
  const failed = await checkVersion(target, ports);
  if (live !== null) await compareFigures(live, target, acceptedOf(state), ports);
  return { address, failed };
}

async function serveAfterTrial(state: RollOut, before: string, ports: VerifyPorts): Promise<RolledOut> {
  const { platform } = state;
  const { id, failure } = await platform.upload();
  state.uploaded = id;
  if (failure !== null || id === null) throw new Refusal([failure ?? "nothing was uploaded"]);
  await expectServing(platform, [{ id: before, percentage: 100 }]);
  ports.print(`version ${id} is checked before it serves; version ${before} serves meanwhile`);
  const trial: readonly Share[] = [
    { id: before, percentage: 100 },
    { id, percentage: 0 },
  ];
  await platform.split(trial);
  const address = await applyTriggers(state);
  let failed: string | null = null;
  if (address !== null) {
    // The platform's own form: a dictionary of Worker names and version ids (RFC 9651).
    const target = { address, versionId: id, override: `${platform.name}="${id}"` };
    await waitForVersion(target, ROLLOUT_MS.known, ports);
    failed = await checkVersion(target, ports);
    const live = await ports.figures({ address, override: null });
    await compareFigures(live, target, acceptedOf(state), ports);
  }
  await expectExactly(platform, trial);
  await platform.split([{ id, percentage: 100 }]);
  state.onServing();
  ports.print(`version ${id} serves`);
  if (address !== null) {
    await waitForVersion({ address, versionId: id, override: null }, ROLLOUT_MS.known, ports);
    await printLatencies(address, ports);
  }
  return { address, failed };
}

function acceptedOf({ stepPercent: percent, options: { acceptsChange: isAccepted } }: RollOut) {
  return { percent, isAccepted };
}

async function applyTriggers({ platform, options, config }: RollOut): Promise<string | null> {
  const known = options.address ?? addressOf(config, []);
  // Read only where the address is needed: with its output on a terminal, wrangler asks before it takes over a domain.
  const reported = await platform.applyTriggers(known === null);
  return known ?? addressOf(config, reported);
}

/** Two people may deploy at once: each step changes only what the step before has left. */
async function expectServing(platform: Platform, expected: Deployment): Promise<void> {
  const now = await platform.deployment();
  if (textOf(serving(now)) !== textOf(serving(expected))) throw new Refusal([interference(now)]);
}

async function expectExactly(platform: Platform, expected: Deployment & object): Promise<void> {
  const now = await platform.deployment();
  if (textOf(now ?? []) !== textOf(expected)) throw new Refusal([interference(now)]);
}

function interference(now: Deployment): string {
  return `another deployment has begun meanwhile (${textOf(now ?? [])}), and this one gives way to it`;
}

export function textOf(shares: readonly Share[]): string {
  return shares
    .map(({ id, percentage }) => `${id} at ${percentage} %`)
    .sort()
    .join(", ");
}

import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../lib/command-line.ts";
import type { Plan } from "./plan.ts";
import { ROOT, type Run, type RunOptions, wrangler } from "./wrangler.ts";

/** A version and its share of the requests, in percent. */
export interface Share {
  readonly id: string;
  readonly percentage: number;
}

/** What the platform serves for one Worker; null: there is no such Worker, or nothing of it was deployed. */
export type Deployment = readonly Share[] | null;

/** The version that a command uploaded, and how the command failed after that. */
export interface Upload {
  readonly id: string | null;
  readonly failure: string | null;
}

/** One Worker on the platform, through wrangler. What fails is a {@link Refusal}. */
export type Platform = ReturnType<typeof platformOf>;

export interface PlatformOptions {
  readonly isImmediate: boolean;
  readonly revision: string;
  /** Show all that wrangler prints, its advice for work by hand too; otherwise its errors. */
  readonly isVerbose: boolean;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

const NO_SUCH_WORKER = 10007;
const LIMITS_NEED_PAID_PLAN = 100328;
const IMMEDIATELY = ["--durable-objects-code-update-mode", "immediate"];

/** `work` with the platform; wrangler's configuration is a file only meanwhile, without secrets. */
export async function withPlatform<T>(
  { config, secrets }: Plan,
  options: PlatformOptions,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  // In the root, because paths in a configuration are relative to its file.
  const file = (part: string) => join(ROOT, `.wrangler-${process.pid}-${part}.json`);
  const files = { all: file("all"), code: file("code") };
  try {
    writeFileSync(files.all, JSON.stringify(config));
    // `deploy` would apply these at once, unasked; an uploaded version has none, but is compared with them.
    writeFileSync(files.code, JSON.stringify({ ...config, routes: [], triggers: {} }));
    return await work(platformOf(String(config["name"]), files, secrets, options));
  } finally {
    for (const path of Object.values(files)) rmSync(path, { force: true });
  }
}

/** Removes what a command that was killed has left. Only while no other one deploys from this checkout. */
export function removeLeftConfigurations(): void {
  for (const name of readdirSync(ROOT)) if (/^\.wrangler-\d+-\w+\.json$/.test(name)) rmSync(join(ROOT, name));
}

/** What is deployed now. An error of the platform, or none until the signal, is no answer: it is a Refusal. */
export async function deploymentOf(name: string, signal: AbortSignal): Promise<Deployment> {
  const words = ["deployments", "status", "--name", name, "--json"];
  const { succeeded, error, output, errorOutput } = await wrangler(words, { shows: "nothing", signal });
  if (succeeded) {
    const { versions } = JSON.parse(output) as { versions: readonly { version_id: string; percentage: number }[] };
    return versions.map(({ version_id: id, percentage }) => ({ id, percentage }));
  }
  if (error?.code === NO_SUCH_WORKER || error?.message.endsWith("has no deployments.") === true) return null;
  process.stderr.write(withoutStacks(output + errorOutput));
  throw new Refusal(["the platform does not say what is live (wrangler's reason is above)"]);
}

/** The message with which a version was uploaded; null: without one. */
export async function messageOf(name: string, id: string, signal: AbortSignal): Promise<string | null> {
  return (await versionOf(name, id, signal)).annotations?.["workers/message"] ?? null;
}

async function versionOf(name: string, id: string, signal: AbortSignal): Promise<Version> {
  const words = ["versions", "view", id, "--name", name, "--json"];
  const { output } = await succeed(`version ${id} cannot be read`, words, { shows: "errors", signal });
  return JSON.parse(output);
}

async function succeed(what: string, words: readonly string[], options: RunOptions = {}): Promise<Run> {
  options.signal?.throwIfAborted();
  const ended = await wrangler(words, options);
  options.signal?.throwIfAborted();
  if (!ended.succeeded) throw new Refusal([`${what} (wrangler's reason is above)`]);
  return ended;
}

function platformOf(
  name: string,
  files: { readonly all: string; readonly code: string },
  secrets: Readonly<Record<string, string>>,
  { isImmediate, revision, isVerbose, signal }: PlatformOptions,
) {
  /** Tells this deployment's version from all others, also when wrangler ends before it reports the id. */
  const message = `revision ${revision}, ${randomUUID()}`;

  const mode = isImmediate ? IMMEDIATELY : [];

  const code = async (command: readonly string[], file: string) => {
    signal.throwIfAborted();
    const words = [...command, "--config", file, "--message", message, "--strict", "--secrets-file", "/dev/stdin"];
    const run = await wrangler(words, { secrets, signal, shows: isVerbose ? "all" : "errors" });
    if (!run.succeeded) process.stdout.write(run.output);
    return run;
  };

  const upload = async (command: readonly string[], file: string): Promise<Upload> => {
    const run = await code(command, file);
    const hasUploaded = run.succeeded && run.versionId !== null;
    return { id: run.versionId, failure: hasUploaded ? null : failureOf(run) };
  };

  return {
    name,
    message,
    /** What is deployed now. */
    deployment: (until = signal) => deploymentOf(name, until),
    /** The object classes that a version binds. */
    classesOf: async (id: string) =>
      (await versionOf(name, id, signal)).resources.bindings.flatMap(({ class_name }) => class_name ?? []),
    /** Uploads a version that serves nobody. */
    upload: () => upload(["versions", "upload"], files.all),
    /** Uploads a version that serves everybody, and applies changes of the declared objects. */
    deploy: () => upload(["deploy", ...mode], files.code),
    /** Whether a version is this deployment's. */
    isOurs: async (id: string, until: AbortSignal) => (await messageOf(name, id, until)) === message,
    split: async (shares: readonly Share[]) => {
      const what = `the platform refused ${shares.map(({ id, percentage }) => `${id} at ${percentage} %`).join(", ")}`;
      const versions = shares.map(({ id, percentage }) => `${id}@${percentage}%`);
      const words = ["versions", "deploy", ...versions, "--config", files.all, "--message", message, "--yes", ...mode];
      await succeed(what, words, { signal, shows: "errors" });
    },
    /** Applies domains, routes and cron triggers. Returns the addresses on workers.dev, if they are read. */
    applyTriggers: async (isRead: boolean) => {
      const what = "domains, routes or cron triggers were not all applied; those that were stay";
      const { output } = await succeed(what, ["triggers", "deploy", "--config", files.all], {
        shows: isRead ? "errors" : "all",
        asks: true,
        signal,
      });
      if (isRead) process.stdout.write(output);
      return output.match(/https:\/\/\S+/g) ?? [];
    },
    /** Serves only this version, with the secrets it had, and resets every object at once. Asks nothing. */
    rollBack: async (id: string, reason: string) => {
      const words = ["rollback", id, "--name", name, "--message", reason.slice(0, 100)];
      await succeed("the rollback failed", [...words, ...IMMEDIATELY], { signal });
    },
    /** Bundles into the folder, and uploads nothing. */
    dryRun: async (folder: string) => {
      const { succeeded } = await code(["deploy", "--dry-run", "--outdir", folder], files.code);
      if (!succeeded) throw new Refusal(["the dry run failed (wrangler's reason is above)"]);
    },
  };
}

export function failureOf({ error, versionId }: Pick<Run, "error" | "versionId">): string {
  if (error?.code === LIMITS_NEED_PAID_PLAN)
    return `the account is on the platform's free plan, which has no processor limit: write PLAN = "free" into this environment's settings in wrangler.toml`;
  // wrangler reports every error but its own refusal to go over what somebody else has changed.
  return error === null && versionId === null
    ? "changes that were made on the dashboard or by the API since stop the upload (they are above): undo them there, or write them into wrangler.toml"
    : "the upload failed (wrangler's reason is above)";
}

/** An error of the platform without the stack of the program that met it. */
function withoutStacks(text: string): string {
  return text.replace(/^.*\n(?:\s+at .*(?:\n|$))+/gm, "");
}

interface Version {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly resources: { readonly bindings: readonly { readonly class_name?: string }[] };
}

import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../lib/command-line.ts";
import type { Plan } from "./plan.ts";
import { ROOT, type RunOptions, type RunResult, wrangler } from "./wrangler.ts";

/** Version with its share of the requests, in percent. */
export interface VersionShare {
  readonly id: string;
  readonly percentage: number;
}

/** Versions that the platform serves for one Worker; null: the Worker does not exist, or was never deployed. */
export type Deployment = readonly VersionShare[] | null;

/** Version that a command uploaded, and the reason why the command failed afterwards. */
export interface Upload {
  readonly id: string | null;
  readonly failure: string | null;
}

/** Worker on the platform, managed through wrangler. A failed call throws a {@link Refusal}. */
export type Platform = ReturnType<typeof platformOf>;

export interface PlatformOptions {
  readonly isImmediate: boolean;
  readonly revision: string;
  /**
   * Whether to show everything that wrangler prints, including its advice for manual work; otherwise only its errors.
   */
  readonly isVerbose: boolean;
  /** Ends a running command when aborted. */
  readonly signal: AbortSignal;
}

const NO_SUCH_WORKER = 10007;
const LIMITS_NEED_PAID_PLAN = 100328;
const IMMEDIATELY = ["--durable-objects-code-update-mode", "immediate"];

/** Calls `work` with the platform. Meanwhile wrangler's configuration is in files, without secrets. */
export async function withPlatform<T>(
  { config, secrets }: Plan,
  options: PlatformOptions,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  // wrangler resolves the paths in a configuration relative to its file, so the files are in the root.
  const file = (part: string) => join(ROOT, `.wrangler-${process.pid}-${part}.json`);
  const files = { all: file("all"), code: file("code") };
  try {
    writeFileSync(files.all, JSON.stringify(config));
    // `deploy` would apply routes and triggers at once, unasked, so this file has none. An uploaded version is compared
    // with them.
    writeFileSync(files.code, JSON.stringify({ ...config, routes: [], triggers: {} }));
    return await work(platformOf(String(config["name"]), files, secrets, options));
  } finally {
    for (const path of Object.values(files)) rmSync(path, { force: true });
  }
}

/** Removes the configuration files of a command that was killed. Call it only under the lock of deployments. */
export function removeStaleConfigurations(): void {
  for (const name of readdirSync(ROOT)) if (/^\.wrangler-\d+-\w+\.json$/.test(name)) rmSync(join(ROOT, name));
}

/**
 * Asks the platform what is deployed now; null: there is no such Worker, or it has no deployment. Without an answer, by
 * an error or an abort, it throws a Refusal.
 */
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

/** Message with which a version was uploaded; null: none. */
export async function messageOf(name: string, id: string, signal: AbortSignal): Promise<string | null> {
  return (await versionOf(name, id, signal)).annotations?.["workers/message"] ?? null;
}

async function versionOf(name: string, id: string, signal: AbortSignal): Promise<Version> {
  const words = ["versions", "view", id, "--name", name, "--json"];
  const { output } = await runOrRefuse(`version ${id} cannot be read`, words, { shows: "errors", signal });
  return JSON.parse(output);
}

async function runOrRefuse(what: string, words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
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
  /** Identifies this deployment's version, even if wrangler ends before it reports the id. */
  const message = `revision ${revision}, ${randomUUID()}`;

  const mode = isImmediate ? IMMEDIATELY : [];

  const code = async (command: readonly string[], file: string) => {
    signal.throwIfAborted();
    const words = [...command, "--config", file, "--message", message, "--strict", "--secrets-file", "/dev/stdin"];
    const run = await wrangler(words, { secrets, signal, shows: isVerbose ? "all" : "errors" });
    if (!run.succeeded) process.stderr.write(run.output);
    return run;
  };

  const upload = async (command: readonly string[], file: string): Promise<Upload> => {
    const run = await code(command, file);
    const hasUploaded = run.succeeded && run.versionId !== null;
    return { id: run.versionId, failure: hasUploaded ? null : failureText(run) };
  };

  return {
    name,
    message,
    /** Asks what is deployed now. */
    deployment: (until = signal) => deploymentOf(name, until),
    /** Durable Object classes that a version binds. */
    classesOf: async (id: string) =>
      (await versionOf(name, id, signal)).resources.bindings.flatMap(({ class_name }) => class_name ?? []),
    /** Uploads a version that serves nobody. */
    upload: () => upload(["versions", "upload"], files.all),
    /** Uploads a version that serves everybody, and applies changes of the declared objects. */
    deploy: () => upload(["deploy", ...mode], files.code),
    /** Whether this deployment uploaded the version. */
    isOurs: async (id: string, until: AbortSignal) => (await messageOf(name, id, until)) === message,
    split: async (shares: readonly VersionShare[]) => {
      const what = `the platform refused ${shares.map(({ id, percentage }) => `${id} at ${percentage} %`).join(", ")}`;
      const versions = shares.map(({ id, percentage }) => `${id}@${percentage}%`);
      const words = ["versions", "deploy", ...versions, "--config", files.all, "--message", message, "--yes", ...mode];
      await runOrRefuse(what, words, { signal, shows: "errors" });
    },
    /**
     * Applies domains, routes and cron triggers. Returns the workers.dev addresses in wrangler's output if `isRead` is
     * set.
     */
    applyTriggers: async (isRead: boolean) => {
      const what = "not all domains, routes and cron triggers were applied; the applied ones stay in force";
      const { output } = await runOrRefuse(what, ["triggers", "deploy", "--config", files.all], {
        shows: isRead ? "errors" : "all",
        asks: true,
        signal,
      });
      if (isRead) process.stderr.write(output);
      return output.match(/https:\/\/\S+/g) ?? [];
    },
    /**
     * Serves only this version again, with the secrets that it had, and resets every Durable Object at once. Asks
     * nothing.
     */
    rollBack: async (id: string, reason: string) => {
      const words = ["rollback", id, "--name", name, "--message", reason.slice(0, 100)];
      await runOrRefuse("the rollback failed", [...words, ...IMMEDIATELY], { signal });
    },
    /** Bundles into the folder without uploading. */
    dryRun: async (folder: string) => {
      const { succeeded } = await code(["deploy", "--dry-run", "--outdir", folder], files.code);
      if (!succeeded) throw new Refusal(["the dry run failed (wrangler's reason is above)"]);
    },
  };
}

export function failureText({ error, versionId }: Pick<RunResult, "error" | "versionId">): string {
  if (error?.code === LIMITS_NEED_PAID_PLAN)
    return `the account is on the platform's free plan, which has no processor limit: write PLAN = "free" into this environment's settings in wrangler.toml`;
  // wrangler reports all errors except one: its refusal to overwrite what somebody else has changed.
  return error === null && versionId === null
    ? "the upload is refused, because the Worker was changed on the dashboard or through the API (wrangler lists the changes above): undo them there, or write them into wrangler.toml"
    : "the upload failed (wrangler's reason is above)";
}

/** Removes stack traces from an error of the platform. */
function withoutStacks(text: string): string {
  return text.replace(/^.*\n(?:\s+at .*(?:\n|$))+/gm, "");
}

interface Version {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly resources: { readonly bindings: readonly { readonly class_name?: string }[] };
}

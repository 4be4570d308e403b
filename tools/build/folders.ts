import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../lib/command-line.ts";
import { lockFolder, shareFolder } from "../lib/lock.ts";

const PURPOSE = "builds";
/** Number of unused builds that stay, so that the next command with the same inputs finds its build. */
const UNUSED_BUILDS = 6;
const ATTEMPTS = 3;

/**
 * Returns the folder of a build, named by a hash of its inputs. Its content never changes, so no command serves or
 * uploads what another one built. It stays at least until this process ends. `keyOf` hashes the inputs; `make` fills a
 * folder.
 */
export async function builtFolder(
  root: string,
  keyOf: () => string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  useBuilds(root);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const key = keyOf();
    const folder = join(root, key);
    if (existsSync(folder)) return touched(folder);
    const draft = mkdtempSync(`${folder}.`);
    try {
      await make(draft);
      // If an input changed during the build, the result mixes two states, so it is discarded.
      if (keyOf() !== key) continue;
      return renamed(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  throw new Refusal(["files of this checkout change while they are built; run the same command again"]);
}

/** Makes a folder for this process alone, for a build that changes. It is removed after the process has ended. */
export function draftFolder(root: string, name: string): string {
  useBuilds(root);
  return mkdtempSync(join(root, `${name}.`));
}

/** Keeps all builds of a folder until this process ends, for commands that it runs one after the other. */
export function keepBuilds(root: string): void {
  shareFolder(root, PURPOSE);
}

/** Removes unused builds, unless another command uses one; then prevents others from removing them. */
function useBuilds(root: string): void {
  removeUnused(root);
  keepBuilds(root);
}

function removeUnused(root: string): void {
  const lock = lockIfWritable(root);
  if (lock?.kind !== "locked") return;
  const entries = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const [drafts, builds] = [true, false].map((isDraft) =>
    entries.map(({ name }) => join(root, name)).filter((path) => path.slice(root.length).includes(".") === isDraft),
  );
  const newest = (builds ?? []).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of [...(drafts ?? []), ...newest.slice(UNUSED_BUILDS)])
    rmSync(path, { recursive: true, force: true });
  lock.release();
}

/** Locks the builds; null for a read-only checkout, whose builds can still be used. */
function lockIfWritable(root: string) {
  try {
    return lockFolder(root, PURPOSE, { pid: process.pid });
  } catch (cause) {
    if (cause instanceof Refusal) return null;
    throw cause;
  }
}

/** Sets the folder's time to now: the builds that were used last stay. */
function touched(folder: string): string {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // A read-only checkout removes no builds, so the time does not matter.
  }
  return folder;
}

function renamed(draft: string, folder: string): string {
  try {
    renameSync(draft, folder);
  } catch (cause) {
    // Another command has made the same build meanwhile.
    if (!existsSync(folder)) throw cause;
  }
  return folder;
}

import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../lib/command-line.ts";
import { lockFolder, shareFolder } from "../lib/lock.ts";

const PURPOSE = "builds";
/** Number of builds that nobody uses and that stay, so that the next command with the same inputs finds its own. */
const UNUSED_BUILDS = 6;
const ATTEMPTS = 3;

/**
 * The folder of a build, named by its inputs: nothing in it changes any more, so no command ever carries what another
 * one built. It stays at least until this process ends. `keyOf` hashes the inputs; `make` fills a folder.
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
    if (existsSync(folder)) return used(folder);
    const draft = mkdtempSync(`${folder}.`);
    try {
      await make(draft);
      // What was read before and after an edit is the build of neither.
      if (keyOf() !== key) continue;
      return renamed(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  throw new Refusal(["files of this checkout change while they are built; run the same command again"]);
}

/** A folder of this process alone, for a build that changes. It is removed after the process has ended. */
export function draftFolder(root: string, name: string): string {
  useBuilds(root);
  return mkdtempSync(join(root, `${name}.`));
}

/** Removes what nobody uses, unless another command uses a build; then keeps the others from doing so. */
function useBuilds(root: string): void {
  removeUnused(root);
  shareFolder(root, PURPOSE);
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

/** null: a checkout that cannot be written. What is built in it can be used. */
function lockIfWritable(root: string) {
  try {
    return lockFolder(root, PURPOSE, { pid: process.pid });
  } catch (cause) {
    if (cause instanceof Refusal) return null;
    throw cause;
  }
}

/** Its time is that of its last use. */
function used(folder: string): string {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // A checkout that cannot be written removes none.
  }
  return folder;
}

function renamed(draft: string, folder: string): string {
  try {
    renameSync(draft, folder);
  } catch (cause) {
    // Another command has made the same from the same inputs.
    if (!existsSync(folder)) throw cause;
  }
  return folder;
}

import { existsSync, readFileSync, rmSync } from "node:fs";
import { isRecord, parseJson } from "../../src/base/json.ts";
import { Refusal } from "../lib/command-line.ts";
import { replaceFile, replaceFilesIfUnchanged } from "../lib/replace-file.ts";
import type { Deployment, VersionShare } from "./platform.ts";
import { serving } from "./state.ts";

/**
 * File of the record of the published past, with its texts before the deployment and once the version serves. null: no
 * file.
 */
interface RecordFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Deployment that the intent belongs to. If its command is killed, the next one finds its version on the platform. */
export interface IntendedDeployment {
  /** Name of the Worker. */
  readonly worker: string;
  /** Message of the upload, which no other version has. */
  readonly message: string;
  /** Version that served before; null: none. */
  readonly before: string | null;
}

/** Texts to record only if the version serves in the end. */
interface Intent extends IntendedDeployment {
  readonly files: readonly RecordFile[];
}

/** Record of the published past during one deployment. */
export interface PublishedRecord {
  /** Writes the intent beside the record: the texts to record once the version serves. Throws a {@link Refusal}. */
  readonly intend: (which: IntendedDeployment) => void;
  /**
   * Writes the intended texts. Returns false if they cannot be written, or if another command has changed the record
   * since.
   */
  readonly complete: () => boolean;
  /** Writes the previous texts back; false for the same reasons. */
  readonly restore: () => boolean;
  /** Whether the deployment adds anything to the record. */
  readonly isChanged: () => boolean;
  /** Deletes the intent, because the record is final. */
  readonly end: () => void;
}

/** Texts that the record gets, by path; null: no file. */
export type Publication = readonly { readonly path: string; readonly text: string | null }[];

/** Makes the record of a deployment. `publication` returns the texts that follow from the schedule. */
export function publishedRecord(intentPath: string, publication: () => Publication): PublishedRecord {
  let files: readonly RecordFile[] = [];
  return {
    intend: (which) => {
      files = publication().map(({ path, text }) => ({ path, before: textAt(path), after: text }));
      replaceFile(intentPath, JSON.stringify({ ...which, files } satisfies Intent));
    },
    complete: () => writeTexts(files, "after"),
    restore: () => writeTexts(files, "before"),
    isChanged: () => files.some(({ before, after }) => before !== after),
    end: () => rmSync(intentPath, { force: true }),
  };
}

function textAt(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** Writes one set of texts. Accepts that an earlier attempt has written some of the files. */
function writeTexts(files: readonly RecordFile[], wanted: "before" | "after"): boolean {
  const present = files.map(({ path }) => textAt(path));
  const isOurs = files.every((file, index) => [file.before, file.after].includes(present[index] ?? null));
  if (!isOurs) return false;
  try {
    replaceFilesIfUnchanged(
      files.map((file, index) => ({
        path: file.path,
        read: present[index] ?? undefined,
        text: file[wanted] ?? undefined,
      })),
    );
    return true;
  } catch (cause) {
    if (cause instanceof Refusal) return false;
    throw cause;
  }
}

/** Questions to the platform about a Worker. */
export interface PlatformQueries {
  readonly deployment: (worker: string) => Promise<Deployment>;
  readonly messageOf: (worker: string, version: string) => Promise<string | null>;
}

/**
 * Completes or undoes the record of a deployment that was killed, by what the platform serves. It completes the record
 * if that deployment's version serves, and restores it if the previous one does. Returns a sentence about it; null: no
 * deployment was killed.
 */
export async function settleKilledDeployment(intentPath: string, asked: PlatformQueries): Promise<string | null> {
  const intent = intentIn(intentPath);
  if (intent === null) return null;
  const shares = serving(await asked.deployment(intent.worker));
  const found = await intendedVersionIn(shares, intent, asked);
  const sentence = settledText(intent, shares, found);
  rmSync(intentPath, { force: true });
  return `a deployment of ${intent.worker} stopped before it recorded its result: ${sentence}`;
}

async function intendedVersionIn(
  shares: readonly VersionShare[],
  { worker, message, before }: Intent,
  { messageOf }: PlatformQueries,
) {
  for (const { id } of shares) if (id !== before && (await messageOf(worker, id)) === message) return id;
  return null;
}

function settledText({ before, files }: Intent, shares: readonly VersionShare[], found: string | null): string {
  const look = "look at schedule/published.* with `git diff schedule`";
  const changed = `another command has changed schedule/published.* meanwhile: ${look}`;
  if (found !== null)
    return `its version ${found} serves, and ${writeTexts(files, "after") ? "schedule/published.* record it: commit them" : changed}`;
  const live = shares.map(({ id }) => id).join(" and ") || "nothing";
  if (shares.every(({ id }) => id === before))
    return `its version serves nobody (${live} serves), and ${writeTexts(files, "before") ? "nothing of it is recorded" : changed}`;
  const isRecorded = files.some(({ path, before: text }) => textAt(path) !== text);
  return `${live} serves now, deployed by somebody else, and ${isRecorded ? `what it served is recorded: ${look}` : "nothing of it is recorded"}`;
}

/** Reads the intent; null: no deployment was killed. */
function intentIn(path: string): Intent | null {
  const parsed = parseJson(textAt(path) ?? "");
  // Only `intend` writes this file.
  return isRecord(parsed) ? (parsed as unknown as Intent) : null;
}

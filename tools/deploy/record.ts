import { existsSync, readFileSync, rmSync } from "node:fs";
import { isRecord, parseJson } from "../../src/base/json.ts";
import { Refusal } from "../lib/command-line.ts";
import { replaceFile, replaceReads } from "../lib/replace-file.ts";
import type { Deployment, Share } from "./platform.ts";
import { serving } from "./state.ts";

/** A file of the record of the published past: its text before a deployment, and once the version serves. null: none. */
interface RecordFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Which deployment is meant: whatever ends its command, the next one finds its version on the platform. */
export interface Intended {
  /** The Worker's name. */
  readonly worker: string;
  /** Of the upload; no other version has it. */
  readonly message: string;
  /** The version that served before; null: none. */
  readonly before: string | null;
}

/** What is true only if the version serves in the end. */
interface Intent extends Intended {
  readonly files: readonly RecordFile[];
}

/** What a deployment records of the published past. */
export interface PublishedRecord {
  /** Writes beside the record what is to be recorded once the version serves. Throws a {@link Refusal}. */
  readonly intend: (which: Intended) => void;
  /** Records it; false: the record cannot be written, or another command has changed it since. */
  readonly complete: () => boolean;
  /** Puts the record back; false likewise. */
  readonly restore: () => boolean;
  /** Whether there is anything to record. */
  readonly isChanged: () => boolean;
  /** Forgets the intent: the record is as it stays. */
  readonly end: () => void;
}

/** The texts that the record is to have, by path; null: no file. */
export type Publication = readonly { readonly path: string; readonly text: string | null }[];

/** The record of a deployment. `publication` says what the schedule adds to it. */
export function publishedRecord(intentPath: string, publication: () => Publication): PublishedRecord {
  let files: readonly RecordFile[] = [];
  return {
    intend: (which) => {
      files = publication().map(({ path, text }) => ({ path, before: textOf(path), after: text }));
      replaceFile(intentPath, JSON.stringify({ ...which, files } satisfies Intent));
    },
    complete: () => put(files, "after"),
    restore: () => put(files, "before"),
    isChanged: () => files.some(({ before, after }) => before !== after),
    end: () => rmSync(intentPath, { force: true }),
  };
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** Of files that were written in part, too. */
function put(files: readonly RecordFile[], wanted: "before" | "after"): boolean {
  const present = files.map(({ path }) => textOf(path));
  const isOurs = files.every((file, index) => [file.before, file.after].includes(present[index] ?? null));
  if (!isOurs) return false;
  try {
    replaceReads(
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

/** What the platform says of a Worker. */
export interface Asked {
  readonly deployment: (worker: string) => Promise<Deployment>;
  readonly messageOf: (worker: string, version: string) => Promise<string | null>;
}

/**
 * Settles against the platform what a deployment that was killed has left: its record is completed if its version
 * serves, and put back if the version before does. Returns a sentence about it; null: none was killed.
 */
export async function settleLeft(intentPath: string, asked: Asked): Promise<string | null> {
  const intent = intentIn(intentPath);
  if (intent === null) return null;
  const shares = serving(await asked.deployment(intent.worker));
  const found = await intendedIn(shares, intent, asked);
  const sentence = settledText(intent, shares, found);
  rmSync(intentPath, { force: true });
  return `a deployment of ${intent.worker} was ended before its last word: ${sentence}`;
}

async function intendedIn(shares: readonly Share[], { worker, message, before }: Intent, { messageOf }: Asked) {
  for (const { id } of shares) if (id !== before && (await messageOf(worker, id)) === message) return id;
  return null;
}

function settledText({ before, files }: Intent, shares: readonly Share[], found: string | null): string {
  const look = "look at schedule/published.* with `git diff schedule`";
  const changed = `another command has changed schedule/published.* since: ${look}`;
  if (found !== null)
    return `its version ${found} serves, and ${put(files, "after") ? "schedule/published.* record it: commit them" : changed}`;
  const live = shares.map(({ id }) => id).join(" and ") || "nothing";
  if (shares.every(({ id }) => id === before))
    return `its version serves nobody (${live} does), and ${put(files, "before") ? "nothing of it is recorded" : changed}`;
  const isRecorded = files.some(({ path, before: text }) => textOf(path) !== text);
  return `${live}, which others have deployed, serves now, and ${isRecorded ? `what it served is recorded: ${look}` : "nothing of it is recorded"}`;
}

/** null: no deployment was ended before its last word. */
function intentIn(path: string): Intent | null {
  const parsed = parseJson(textOf(path) ?? "");
  // As it was written here.
  return isRecord(parsed) ? (parsed as unknown as Intent) : null;
}

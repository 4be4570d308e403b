import { existsSync, readFileSync } from "node:fs";
import { Refusal } from "../command-line.ts";
import { replaceReads } from "../replace-file.ts";

/** The record of the published past, as it was before the deployment. */
export interface PublishedRecord {
  /** Records the steps that have passed; the schedule must be valid. Returns the report. */
  readonly publish: () => string;
  /** Whether this deployment has recorded anything. */
  readonly isChanged: () => boolean;
  /** Puts the record back; false: it cannot be written, or another command has changed it since, and it stays. */
  readonly restore: () => boolean;
}

/** The record in these files, which `write` writes. */
export function publishedRecord(paths: readonly string[], write: () => string): PublishedRecord {
  const read = () => paths.map((path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined));
  const before = read();
  let written = before;
  return {
    publish: () => {
      try {
        return write();
      } finally {
        written = read();
      }
    },
    isChanged: () => written.some((text, index) => text !== before[index]),
    restore: () => {
      try {
        replaceReads(paths.map((path, index) => ({ path, read: written[index], text: before[index] })));
        return true;
      } catch (cause) {
        if (cause instanceof Refusal) return false;
        throw cause;
      }
    },
  };
}

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FirstChainSettings, TokenChain } from "../../src/families/token-chain.ts";
import { type ScheduleResult, scheduleErrorText } from "../../src/supply/file/schedule-result.ts";
import { hasUnlocks, type Schedule, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { firstInFile } from "../first-chain.ts";
import { Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";
import { parseScheduleText } from "./parse-schedule.ts";

/** Environment of the schedule commands; tests replace it. */
export interface ScheduleContext {
  /** Folder with native.json, published.csv, schema.json and examples/. */
  readonly folder: string;
  readonly nowMs: number;
  /** Settings of the token's first chain; absent: those of wrangler.toml. */
  readonly first?: FirstChainSettings | undefined;
}

/**
 * Folder `schedule/`, or the one that `SCHEDULE_FOLDER` names: to try a schedule before it replaces the current one.
 */
export const REPOSITORY_FOLDER = resolve(
  process.env["SCHEDULE_FOLDER"] ?? join(dirname(fileURLToPath(import.meta.url)), "../../schedule"),
);

export function nativePath(context: ScheduleContext): string {
  return join(context.folder, "native.json");
}

const EXAMPLES = "examples";

export function examplePaths(context: ScheduleContext): string[] {
  const folder = join(context.folder, EXAMPLES);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Refusal([`${displayPath(path)}: cannot be read`]);
  }
}

export function parseFile(path: string, first = firstInFile()): ScheduleResult {
  return parseScheduleText(readText(path), first);
}

/** Reads a schedule file; throws a refusal with all its errors. */
export function readSchedule(path: string, first?: FirstChainSettings): Schedule {
  return scheduleOf(path, readText(path), first);
}

/** Parses the text of a schedule file, which need not be written yet; throws a refusal with all its errors. */
export function scheduleOf(path: string, text: string, first = firstInFile()): Schedule {
  const result = parseScheduleText(text, first);
  if (result.kind === "schedule") return result.schedule;
  throw new Refusal(result.errors.map((error) => scheduleErrorText(displayPath(path), error)));
}

/** Returns a schedule with unlocks, which some commands need; throws a refusal for wallets alone. */
export function unlockScheduleOf(schedule: Schedule): UnlockSchedule {
  if (hasUnlocks(schedule)) return schedule;
  throw new Refusal(["the schedule file lists wallets alone: it has no unlock schedule"]);
}

/** Reads a schedule file together with its hash, which is built in and published. */
export function readPublishedSchedule(path: string, first?: FirstChainSettings): Schedule {
  const schedule = readSchedule(path, first);
  return { ...schedule, sha256: createHash("sha256").update(readFileSync(path)).digest("hex") };
}

/** Chains that this checkout's schedule states; none while it is invalid: the build then refuses it. */
export function scheduleChains(first?: FirstChainSettings): readonly TokenChain[] {
  const result = parseFile(join(REPOSITORY_FOLDER, "native.json"), first);
  return (result.kind === "schedule" ? result.schedule.chains : undefined) ?? [];
}

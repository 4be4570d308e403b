import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChainFamily } from "../../src/chain/asset.ts";
import type { TokenChain } from "../../src/chain/token-chain.ts";
import { type ScheduleResult, scheduleErrorText } from "../../src/supply/file/schedule-result.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { chainFamily } from "../chain-family.ts";
import { Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";
import { parseScheduleText } from "./parse-schedule.ts";

/** What the commands need of their environment, replaceable in tests. */
export interface ScheduleContext {
  /** The folder of native.json, published.csv, schema.json and examples/. */
  readonly folder: string;
  readonly nowMs: number;
}

/** `schedule/`, unless `SCHEDULE_FOLDER` names another one: to try a schedule before it replaces the current one. */
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

export function parseFile(path: string, family = familyOf(path)): ScheduleResult {
  return parseScheduleText(readText(path), family);
}

/** The examples are of Move chains, whatever the deployment's own is. */
function familyOf(path: string): ChainFamily {
  return basename(dirname(path)) === EXAMPLES ? "move" : chainFamily();
}

/** The schedule of a file; throws a refusal with all its errors. */
export function readSchedule(path: string, family?: ChainFamily): Schedule {
  return scheduleOf(path, readText(path), family);
}

/** The same of what is the text of a file, or is to be. */
export function scheduleOf(path: string, text: string, family = familyOf(path)): Schedule {
  const result = parseScheduleText(text, family);
  if (result.kind === "schedule") return result.schedule;
  throw new Refusal(result.errors.map((error) => scheduleErrorText(displayPath(path), error)));
}

/** The same with the hash of the file, as it is built and published. */
export function readPublishedSchedule(path: string, family?: ChainFamily): Schedule {
  const schedule = readSchedule(path, family);
  return { ...schedule, sha256: createHash("sha256").update(readFileSync(path)).digest("hex") };
}

/** The further chains of the token of this checkout's schedule; none while it is invalid, which a build refuses. */
export function scheduleChains(): readonly TokenChain[] {
  const result = parseFile(join(REPOSITORY_FOLDER, "native.json"));
  return (result.kind === "schedule" ? result.schedule.chains : undefined) ?? [];
}

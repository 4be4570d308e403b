import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseScheduleText, type ScheduleResult } from "../../src/supply/parse.ts";
import { type Schedule, scheduleErrorText } from "../../src/supply/schedule.ts";

/** What the commands need of the world, so that tests can give them another. */
export interface Desk {
  /** The folder of native.json, published.csv, schema.json and examples/. */
  readonly folder: string;
  readonly nowMs: number;
}

export const REPOSITORY_FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../../schedule");

/** What stops a command, one line each. The only thing that commands throw on purpose. */
export class Refusal extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

export function nativePath(desk: Desk): string {
  return join(desk.folder, "native.json");
}

export function examplePaths(desk: Desk): string[] {
  const folder = join(desk.folder, "examples");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

/** As a person would type it: relative to where they are, unless it lies elsewhere. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), resolve(path));
  return short === "" || short.startsWith("..") ? path : short;
}

export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Refusal([`${shownPath(path)}: cannot be read`]);
  }
}

export function parseFile(path: string): ScheduleResult {
  return parseScheduleText(readText(path));
}

/** The schedule of a file, or a refusal that names every fault in it. */
export function readSchedule(path: string): Schedule {
  const result = parseFile(path);
  if (result.kind === "schedule") return result.schedule;
  throw new Refusal(result.faults.map((fault) => scheduleErrorText(shownPath(path), fault)));
}

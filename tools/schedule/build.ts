import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Schedule } from "../../src/supply/schedule.ts";
import { REPOSITORY_FOLDER, readSchedule } from "./files.ts";

/** What the Worker imports. */
const MODULE_PATH = join(import.meta.dirname, "../../dist/schedule.js");

/**
 * Validates a schedule file and writes it, normalized, as the module that the Worker imports. Throws a Refusal with one
 * line per error and writes nothing when the file is not valid: a Worker with an invalid schedule cannot be built.
 */
export function buildSchedule(file = join(REPOSITORY_FOLDER, "native.json"), out = MODULE_PATH): Schedule {
  const schedule = readSchedule(file);
  const text = `// Generated from schedule/native.json by the build.\nexport const schedule = ${literal(schedule)};\n`;
  // An unchanged file is not rewritten, so that watchers do not reload; a changed one is replaced atomically.
  if (existsSync(out) && readFileSync(out, "utf8") === text) return schedule;
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(`${out}.${process.pid}`, text);
  renameSync(`${out}.${process.pid}`, out);
  return schedule;
}

/** A value as a JavaScript literal; amounts stay integers of any size. */
function literal(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`)
      .join(", ")} }`;
  return JSON.stringify(value);
}

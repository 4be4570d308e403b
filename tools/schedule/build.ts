import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FirstChainSettings } from "../../src/families/token-chain.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { replaceFile } from "../lib/replace-file.ts";
import { readAddresses } from "./addresses.ts";
import { REPOSITORY_FOLDER, readPublishedSchedule } from "./files.ts";
import { readRatesMapping } from "./rates.ts";

/** Path of the generated module that the Worker imports. */
const MODULE_PATH = join(import.meta.dirname, "../../dist/schedule.js");

/**
 * Validates a schedule file and writes it, normalized, as the module that the Worker imports, with the registered
 * addresses and the mapping of the listing. For an invalid file it throws a Refusal with one line per error and writes nothing, so no Worker can be
 * built from it.
 */
export function buildSchedule(
  file = join(REPOSITORY_FOLDER, "native.json"),
  out = MODULE_PATH,
  first?: FirstChainSettings,
  addresses = readAddresses(dirname(file)),
): Schedule {
  const schedule = readPublishedSchedule(file, first);
  const checked = readRatesMapping(dirname(file));
  const ratesMapping = checked && { mapping: checked.mapping, sha256: checked.sha256 };
  const text = Object.entries({ schedule, addresses, ratesMapping })
    .map(([name, value]) => `export const ${name} = ${literal(value)};\n`)
    .join("");
  mkdirSync(dirname(out), { recursive: true });
  replaceFile(out, `// Generated from the files of schedule/ by the build.\n${text}`);
  return schedule;
}

/** Writes a value as a JavaScript literal. Amounts become BigInt literals, so no digit is lost. */
function literal(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`)
      .join(", ")} }`;
  return JSON.stringify(value);
}

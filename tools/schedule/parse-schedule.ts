import schema from "../../schedule/schema.json" with { type: "json" };
import { repeatedKeys } from "../../src/base/json.ts";
import type { FirstChainSettings } from "../../src/families/token-chain.ts";
import type { ScheduleFile } from "../../src/supply/file/schedule-file.ts";
import { errorResult, firstFamilyOf, scheduleOfFile } from "../../src/supply/file/schedule-of-file.ts";
import type { ScheduleResult } from "../../src/supply/file/schedule-result.ts";
import { compileSchema } from "../lib/json-schema.ts";
import { addressErrors } from "../nodes/written-addresses.ts";

/** Limit of the file's length, because the Worker contains the whole file: a hundred times the largest file known. */
const MAX_CHARACTERS = 1_048_576;

const scheduleShapeErrors = compileSchema(schema);

/** Parses a schedule from the text of its file. `first`: what the settings say of its first chain. */
export function parseScheduleText(text: string, first: FirstChainSettings = {}): ScheduleResult {
  if (text.length > MAX_CHARACTERS)
    return fileError(`has ${text.length} characters; a schedule has at most ${MAX_CHARACTERS}`);
  if (text.startsWith("\uFEFF")) return fileError("begins with a byte order mark; save it as UTF-8 without one");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    return fileError(`is not JSON: ${jsonProblem(text, cause)}`);
  }
  // JSON keeps the last of two equal keys, so an edit of the first would have no effect.
  const repeated = [...repeatedKeys(text)].map((path) => ({ path, message: "is duplicate" }));
  return errorResult(repeated) ?? parseSchedule(json, first);
}

function fileError(message: string): ScheduleResult {
  return { kind: "errors", errors: [{ path: "", message }] };
}

/** Explains two frequent mistakes; for all others it returns the parser's message. */
function jsonProblem(text: string, cause: unknown): string {
  // Decoding turns the byte order mark of UTF-16 into U+FFFD.
  if (text.includes("\0") || text.startsWith("\uFFFD")) return "it looks like UTF-16; save it as UTF-8";
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "unreadable";
  const line = text.split("\n").findIndex((each) => /^\s*(\/\/|\/\*|#)|[,{[\]}"\d]\s*\/[/*]/.test(each));
  return line === -1 ? reason : `line ${line + 1} has a comment, which JSON does not allow: remove it`;
}

/**
 * Parses a schedule from JSON, or returns its errors. They are found in this order: shape by `schedule/schema.json`,
 * values that a schema cannot check, then sums, order and bounds.
 */
export function parseSchedule(json: unknown, first: FirstChainSettings = {}): ScheduleResult {
  const misshapen = errorResult(scheduleShapeErrors(json));
  if (misshapen !== undefined) return misshapen;
  const file = json as ScheduleFile; // its schema has no errors
  return errorResult(addressErrors(file, firstFamilyOf(file, first))) ?? scheduleOfFile(file, first);
}

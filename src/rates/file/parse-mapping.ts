import { type FileError, keysOf, oneOf, onlyMembers, type Refuse } from "../../base/file/file-errors.ts";
import { isRecord, parseJson, repeatedKeys } from "../../base/json.ts";
import {
  MAPPED_MEMBERS,
  type MappedMemberName,
  type MappedValue,
  pathText,
  RATES,
  type RatesMapping,
  type Segment,
  UNITS_OF,
} from "../mapping.ts";

export type MappingResult =
  | { readonly kind: "mapping"; readonly mapping: RatesMapping }
  | { readonly kind: "errors"; readonly errors: readonly FileError[] };

/** Members without which no product is published. */
const REQUIRED = ["id", "name", "kind", "provider", "asset.symbol"] as const satisfies readonly MappedMemberName[];

/** Parses `rates.json`. Returns the mapping, or every refusal with its place. */
export function parseMapping(text: string): MappingResult {
  const errors: FileError[] = [];
  const refuse: Refuse = (path, message) => {
    errors.push({ path, message });
  };
  const file = parseJson(text);
  const mapping = isRecord(file) ? mappingOf(text, file, refuse) : refuse("", "must be a JSON object with members");
  return mapping === undefined || errors.length > 0 ? { kind: "errors", errors } : { kind: "mapping", mapping };
}

function mappingOf(text: string, file: Readonly<Record<string, unknown>>, refuse: Refuse): RatesMapping | undefined {
  for (const path of repeatedKeys(text)) refuse(path, "is given more than once");
  onlyMembers(file, ["$schema", "current_seconds", "members"], "", refuse);
  const { members } = file;
  if (!isRecord(members)) return refuse("members", "must be an object with a member for each of the product's");
  onlyMembers(members, keysOf(MAPPED_MEMBERS), "members", refuse);
  for (const name of REQUIRED.filter((each) => !(each in members))) refuse(`members.${name}`, "is missing");
  if (!RATES.some((name) => name in members)) refuse("members", `must have one of ${RATES.join(", ")}`);
  const lists = new Map<string, readonly Segment[]>();
  const read = keysOf(MAPPED_MEMBERS).flatMap((name): RatesMapping["members"] => {
    if (!(name in members)) return [];
    const value = mappedValue(name, members[name], `members.${name}`, lists, refuse);
    return value === undefined ? [] : [{ name, value }];
  });
  const [list = null, ...others] = lists.values();
  if (others.length > 0)
    refuse("members", `must have [*] at one place, and has it at ${[...lists.keys()].join(" and ")}`);
  return { list, currentSeconds: currentSecondsOf(file["current_seconds"], members, refuse), members: read };
}

const MAX_CURRENT_SECONDS = 31 * 86_400;

function currentSecondsOf(seconds: unknown, members: Readonly<Record<string, unknown>>, refuse: Refuse): number | null {
  if (seconds === undefined) return null;
  const isValid = Number.isInteger(seconds) && Number(seconds) > 0 && Number(seconds) <= MAX_CURRENT_SECONDS;
  if (!isValid) refuse("current_seconds", `must be a whole number of 1 to ${MAX_CURRENT_SECONDS} seconds`);
  else if (!("as_of" in members) || "stale_after" in members)
    refuse("current_seconds", "counts from as_of: it needs a member as_of, and none of stale_after");
  return isValid ? Number(seconds) : null;
}

function mappedValue(
  name: MappedMemberName,
  value: unknown,
  at: string,
  lists: Map<string, readonly Segment[]>,
  refuse: Refuse,
): MappedValue | undefined {
  if (!isRecord(value)) return refuse(at, 'must be {"value": ...} or {"path": "$..."}');
  if ("value" in value) {
    onlyMembers(value, ["value"], at, refuse);
    const constant = value["value"];
    if (typeof constant === "string" || typeof constant === "number" || typeof constant === "boolean")
      return { from: "constant", value: constant };
    return refuse(`${at}.value`, "must be a text, a number, true or false");
  }
  const type = MAPPED_MEMBERS[name];
  const units = type === "rate" || type === "instant" ? UNITS_OF[type] : null;
  onlyMembers(value, units === null ? ["path"] : ["path", "unit"], at, refuse);
  const unit = units === null ? null : oneOf<(typeof units)[number]>(units, value["unit"], `${at}.unit`, refuse);
  const path = pathOf(value["path"], `${at}.path`, refuse);
  if (path === undefined || unit === undefined) return undefined;
  const { before, after } = path;
  if (after === null) return { from: "answer", path: before, unit };
  lists.set(pathText(before), before);
  return { from: "row", path: after, unit };
}

/** One segment: `.name`, `['name']`, `["name"]`, `[index]`, `[*]` or `.*`. */
const SEGMENT =
  /^(?:\.([A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*)|\['([^'\\]*)'\]|\["([^"\\]*)"\]|\[(0|-?[1-9]\d{0,8})\]|(\[\*\]|\.\*))/u;

/** Segments before `[*]` and after it; null: the path has no `[*]`. */
interface ParsedPath {
  readonly before: readonly Segment[];
  readonly after: readonly Segment[] | null;
}

const PATH_FORM = "$, then .name, ['name'] or [index], with [*] at most once, for the list of rows";

function pathOf(path: unknown, at: string, refuse: Refuse): ParsedPath | undefined {
  if (typeof path !== "string" || !path.startsWith("$")) return refuse(at, `must be a text of the form ${PATH_FORM}`);
  const before: Segment[] = [];
  let after: Segment[] | null = null;
  for (let rest = path.slice(1); rest !== ""; ) {
    const found = SEGMENT.exec(rest);
    if (found === null)
      return refuse(at, `is not understood from ${JSON.stringify(rest.slice(0, 40))} on; a path is ${PATH_FORM}`);
    const [read, name, single, double, index, wildcard] = found;
    rest = rest.slice(read.length);
    if (wildcard === undefined)
      (after ?? before).push(index === undefined ? (name ?? single ?? double ?? "") : Number(index));
    else if (after === null) after = [];
    else return refuse(at, "has more than one [*], and a mapping has one list of rows");
  }
  return { before, after };
}

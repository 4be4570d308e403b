import { type FileError, keysOf, oneOf, onlyMembers, type Refuse } from "../../base/file/file-errors.ts";
import { isRecord, parseJson, repeatedKeys } from "../../base/json.ts";
import { FIGURES, unitOf } from "../../figures.ts";
import {
  type AddressBody,
  type AddressMember,
  type AddressUnits,
  FORMS,
  MEMBER_TYPES,
  type RegisteredAddress,
  type RegisteredFigure,
  type RegisteredPath,
  UNITS,
} from "../registered-address.ts";

export type AddressesResult =
  | { readonly kind: "addresses"; readonly entries: readonly RegisteredAddress[] }
  | { readonly kind: "errors"; readonly errors: readonly FileError[] };

const MAX_PATH_BYTES = 100;
/** Form of a path: the characters of RFC 3986 section 3.3, without escapes, `*` and `:`. */
const PATH = /^\/[A-Za-z0-9\-._~!$&'()+,;=@/]*$/;
const DOT_SEGMENT = /\/\.{1,2}(\/|$)/;
/** Names that JSON readers move to the front of an object, so that the file's order would be lost. */
const INDEX = /^(0|[1-9]\d*)$/;
const MAX_TEXT = 1_000;

/** Parses `addresses.json`. Returns its entries, or every refusal with its place. */
export function parseAddresses(text: string): AddressesResult {
  const errors: FileError[] = [];
  const refuse: Refuse = (path, message) => {
    errors.push({ path, message });
  };
  const file = parseJson(text);
  if (!isRecord(file)) refuse("", "must be a JSON object with the member addresses");
  else for (const path of repeatedKeys(text)) refuse(path, "is given more than once");
  const entries = isRecord(file) ? entriesOf(file, refuse) : [];
  for (const { path, message } of pathErrors(entries)) refuse(path, message);
  return errors.length > 0
    ? { kind: "errors", errors }
    : { kind: "addresses", entries: entries.flatMap((entry) => entry ?? []) };
}

type Entries = readonly (RegisteredAddress | undefined)[];

function entriesOf(file: Readonly<Record<string, unknown>>, refuse: Refuse): Entries {
  onlyMembers(file, ["$schema", "addresses"], "", refuse);
  const { addresses } = file;
  if (Array.isArray(addresses)) return addresses.map((entry, index) => entryOf(entry, `addresses[${index}]`, refuse));
  refuse("addresses", "must be a list of entries");
  return [];
}

function entryOf(entry: unknown, at: string, refuse: Refuse): RegisteredAddress | undefined {
  if (!isRecord(entry)) return refuse(at, "must be an object with path, form and figure or members");
  const isObject = entry["form"] === "object";
  onlyMembers(entry, ["path", "query", "form", isObject ? "members" : "figure"], at, refuse);
  const path = pathOf(entry["path"], `${at}.path`, refuse);
  const query = entry["query"] === undefined ? null : queryOf(entry["query"], `${at}.query`, refuse);
  const body = isObject ? objectOf(entry["members"], `${at}.members`, refuse) : figureBodyOf(entry, at, refuse);
  return path === undefined || query === undefined || body === undefined ? undefined : { path, query, body };
}

function pathOf(path: unknown, at: string, refuse: Refuse): RegisteredPath | undefined {
  if (typeof path !== "string" || !path.startsWith("/")) return refuse(at, "must be a text that begins with /");
  if (path.length > MAX_PATH_BYTES)
    return refuse(at, `must have at most ${MAX_PATH_BYTES} bytes, and has ${path.length}`);
  if (!PATH.test(path))
    return refuse(
      at,
      "must be of ASCII letters, digits and -._~!$&'()+,;=@/ (paths are compared as sent, so % * : ? # are not allowed)",
    );
  if (path.includes("//") || DOT_SEGMENT.test(path))
    return refuse(at, "must have no empty segment and none of dots alone, which clients take out before they send it");
  // Cast: the brand's own constructor.
  return path as RegisteredPath;
}

function queryOf(query: unknown, at: string, refuse: Refuse): RegisteredAddress["query"] | undefined {
  const [pair, ...others] = isRecord(query) ? Object.entries(query) : [];
  const [name, value] = pair ?? [];
  if (!name || typeof value !== "string" || others.length > 0)
    return refuse(at, 'must be an object with one parameter and its value as text, such as {"q": "totalcoins"}');
  return { name, value };
}

function figureBodyOf(entry: Readonly<Record<string, unknown>>, at: string, refuse: Refuse): AddressBody | undefined {
  const form = oneOf([...keysOf(FORMS), "object"], entry["form"], `${at}.form`, refuse);
  const figure = figureOf(entry["figure"], `${at}.figure`, refuse);
  if (form === undefined || form === "object" || figure === undefined) return undefined;
  if (!hasUnits(figure, FORMS[form].units, `${at}.form`, refuse)) return undefined;
  return { kind: "figure", figure, form };
}

function objectOf(members: unknown, at: string, refuse: Refuse): AddressBody | undefined {
  if (!isRecord(members)) return refuse(at, "must be an object with a member for each of the body's");
  const read = Object.entries(members).map(([name, member]) => memberOf(name, member, `${at}.${name}`, refuse));
  const known = read.flatMap((member) => member ?? []);
  if (known.length < read.length) return undefined;
  if (known.every((member) => "text" in member)) return refuse(at, "must have a member with a figure");
  return { kind: "object", members: known };
}

function memberOf(name: string, member: unknown, at: string, refuse: Refuse): AddressMember | undefined {
  if (INDEX.test(name)) return refuse(at, "must not be named by a number, which JSON readers put out of order");
  if (!isRecord(member)) return refuse(at, 'must be {"text": ...} or an object with figure, as and units');
  const { text } = member;
  if (text !== undefined) {
    onlyMembers(member, ["text"], at, refuse);
    if (typeof text === "string" && text.length <= MAX_TEXT) return { name, text };
    return refuse(`${at}.text`, `must be a text of at most ${MAX_TEXT} characters`);
  }
  onlyMembers(member, ["figure", "as", "units"], at, refuse);
  const figure = figureOf(member["figure"], `${at}.figure`, refuse);
  const as = oneOf(keysOf(MEMBER_TYPES), member["as"], `${at}.as`, refuse);
  const units = oneOf(keysOf(UNITS), member["units"], `${at}.units`, refuse);
  if (figure === undefined || as === undefined || units === undefined) return undefined;
  return hasUnits(figure, units, `${at}.units`, refuse) ? { name, figure, as, units } : undefined;
}

/** Figures that have a bare number. */
const REGISTERED = FIGURES.flatMap((row): RegisteredFigure[] => (row.badge === null ? [] : [row.name]));

function figureOf(figure: unknown, at: string, refuse: Refuse): RegisteredFigure | undefined {
  return oneOf(REGISTERED, figure, at, refuse);
}

function hasUnits(figure: RegisteredFigure, units: AddressUnits, at: string, refuse: Refuse): boolean {
  if (units !== "base_units" || unitOf({ name: figure }) === undefined) return true;
  refuse(at, `must not be base_units, because ${figure} counts no tokens`);
  return false;
}

/** Finds entries of one path that contradict each other. */
function pathErrors(entries: Entries): FileError[] {
  return entries.flatMap((entry, index): FileError[] => {
    const before = entries.slice(0, index).filter((each) => each !== undefined && each.path === entry?.path);
    if (entry === undefined || before.length === 0) return [];
    const at = `addresses[${index}].query`;
    const name = before.flatMap((each) => each?.query?.name ?? [])[0];
    if (name !== undefined && entry.query !== null && entry.query.name !== name)
      return [{ path: at, message: `must use the parameter ${name}, as the other entries of ${entry.path} do` }];
    if (before.some((each) => each?.query?.value === entry.query?.value))
      return [{ path: at, message: `selects what an entry of ${entry.path} before it selects` }];
    return [];
  });
}

import { type JsonObject, listOf, objectOf, sameJson } from "./json.ts";

/** Two documents under comparison, with the sentences found so far. */
export interface Comparison {
  readonly released: JsonObject;
  readonly current: JsonObject;
  /** Pairs of references being compared, so that recursive schemas terminate. */
  readonly open: Set<string>;
  readonly found: string[];
}

/**
 * Writer of the value: a caller, whose values the service must continue to accept, or the service, whose values callers
 * must continue to understand.
 */
export type Direction = "request" | "response";

/** Keywords without a promise. */
const PROSE = new Set([
  "description",
  "title",
  "summary",
  "example",
  "examples",
  "deprecated",
  "externalDocs",
  "$comment",
]);
/** Keywords with a rule below; all others must not change. */
const RULED = new Set(["$ref", "type", "enum", "const", "required", "properties", "items", "additionalProperties"]);
const VARIANTS = ["oneOf", "anyOf", "allOf"];
/** Bounds that a request's value may lose or relax: +1 where larger is wider, -1 where smaller is. */
const BOUNDS: Readonly<Record<string, 1 | -1>> = {
  maximum: 1,
  exclusiveMaximum: 1,
  maxLength: 1,
  maxItems: 1,
  maxProperties: 1,
  minimum: -1,
  exclusiveMinimum: -1,
  minLength: -1,
  minItems: -1,
  minProperties: -1,
};

/** Adds one sentence: place, change and remedy. */
export function report({ found, released }: Comparison, place: string, what: string, remedy: string): void {
  const version = String(objectOf(released["info"])["version"]);
  found.push(`${place}: ${what}. Version ${version} is released: ${remedy}, or ship this under a new version number.`);
}

function changed(comparison: Comparison, place: string, what: string, before: unknown, after: unknown): void {
  report(comparison, place, `${what}changed from ${summary(before)} to ${summary(after)}`, "change it back");
}

/**
 * Follows local references (`#/components/...`); members beside the reference are kept (JSON Schema 2020-12, 8.2.3).
 */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  let object = objectOf(value);
  for (let hops = 0; typeof object["$ref"] === "string"; hops++) {
    const { $ref, ...beside } = object;
    if (hops > 20) throw new Error(`${$ref} refers to itself`);
    const names = String($ref).replace(/^#\//, "").split("/");
    const target = names.reduce(
      (node, name) => objectOf(node[name.replaceAll("~1", "/").replaceAll("~0", "~")]),
      document,
    );
    object = { ...target, ...beside };
  }
  return object;
}

/**
 * Reports what a schema takes away: in a request, values that are no longer accepted; in a response, promises that no
 * longer hold. A response's object may gain members, an enumeration may gain values.
 */
export function schemaChanges(
  comparison: Comparison,
  place: string,
  direction: Direction,
  released: unknown,
  current: unknown,
): void {
  if (
    typeof released === "boolean" ||
    typeof current === "boolean" ||
    released === undefined ||
    current === undefined
  ) {
    const looser = direction === "request" && (current === true || (current === undefined && released === false));
    if (!sameJson(released, current) && !looser) changed(comparison, place, "", released, current);
    return;
  }
  const references = `${objectOf(released)["$ref"]} ${objectOf(current)["$ref"]}`;
  if (comparison.open.has(references)) return;
  if (!references.includes("undefined")) comparison.open.add(references);
  const before = resolve(comparison.released, released);
  const after = resolve(comparison.current, unlessRequested(before, current));
  compareSchemas({ comparison, place, direction, before, after });
  comparison.open.delete(references);
}

/** Two forms of one schema, references followed. */
interface SchemaPair {
  readonly comparison: Comparison;
  readonly place: string;
  readonly direction: Direction;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function compareSchemas(pair: SchemaPair): void {
  compareTypes(pair);
  compareValues(pair);
  compareProperties(pair);
  for (const keyword of VARIANTS) compareVariants(pair, keyword);
  const { comparison, place, direction, before, after } = pair;
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (PROSE.has(keyword) || RULED.has(keyword) || VARIANTS.includes(keyword) || keyword.startsWith("x-")) continue;
    if (sameJson(before[keyword], after[keyword])) continue;
    if (direction === "request" && isWider(keyword, before[keyword], after[keyword])) continue;
    changed(comparison, place, `${keyword} `, before[keyword], after[keyword]);
  }
}

function compareTypes({ comparison, place, direction, before, after }: SchemaPair): void {
  const [old, now] = [typesOf(before["type"]), typesOf(after["type"])];
  const lost = old.filter((type) => !now.includes(type) && !(type === "integer" && now.includes("number")));
  const narrower = old.length === 0 ? now.length > 0 : now.length > 0 && lost.length > 0;
  if (direction === "request" ? narrower : !sameJson(old, now))
    changed(comparison, place, "type ", before["type"], after["type"]);
}

const typesOf = (type: unknown): string[] => (typeof type === "string" ? [type] : listOf(type).map(String).sort());

function compareValues({ comparison, place, direction, before, after }: SchemaPair): void {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined && now !== undefined)
    report(comparison, place, `is limited to ${summary(now)}`, "leave it open");
  if (direction === "response" && old !== undefined && now === undefined)
    report(comparison, place, `is no longer one of ${summary(old)}`, "list the values again");
  for (const value of old ?? [])
    if (now !== undefined && !now.some((other) => sameJson(value, other)))
      report(comparison, place, `the value ${summary(value)} was removed or renamed`, "put it back");
}

const valuesOf = (schema: JsonObject): readonly unknown[] | undefined =>
  "const" in schema ? [schema["const"]] : "enum" in schema ? listOf(schema["enum"]) : undefined;

function compareProperties({ comparison, place, direction, before, after }: SchemaPair): void {
  const [oldRequired, newRequired] = [listOf(before["required"]), listOf(after["required"])];
  const [old, now] = [objectOf(before["properties"]), objectOf(after["properties"])];
  for (const name of Object.keys(old)) {
    if (name in now) schemaChanges(comparison, `${place}.${name}`, direction, old[name], now[name]);
    else report(comparison, `${place}.${name}`, "was removed or renamed", "put it back");
  }
  for (const name of direction === "response" ? oldRequired : newRequired) {
    if (direction === "response" && !newRequired.includes(name) && String(name) in now)
      report(comparison, `${place}.${name}`, "is no longer always present", "keep it required");
    if (direction === "request" && !oldRequired.includes(name))
      report(comparison, `${place}.${name}`, "became required", "make it optional");
  }
  if ("items" in before || "items" in after)
    schemaChanges(comparison, `${place}[]`, direction, before["items"], after["items"]);
  if ("additionalProperties" in before || "additionalProperties" in after)
    schemaChanges(comparison, `${place}.*`, direction, before["additionalProperties"], after["additionalProperties"]);
}

/**
 * Compares `oneOf`, `anyOf` and `allOf`. No variant may be removed, and none may be added to a response. Variants of
 * `oneOf` and `anyOf` may be added to a request, but not of `allOf`.
 */
function compareVariants({ comparison, place, direction, ...pair }: SchemaPair, keyword: string): void {
  const [before, after] = [listOf(pair.before[keyword]), listOf(pair.after[keyword])];
  const matches = (old: unknown, now: unknown): boolean => {
    const trial = { ...comparison, found: [] };
    schemaChanges(trial, place, direction, old, now);
    return trial.found.length === 0;
  };
  before.forEach((old, index) => {
    if (after.some((now) => matches(old, now))) return;
    const at = `${place} ${keyword}[${index}]`;
    if (after[index] === undefined) report(comparison, at, "was removed", "put it back");
    else schemaChanges(comparison, at, direction, old, after[index]);
  });
  if (direction === "request" && keyword !== "allOf" && before.length > 0) return;
  after.forEach((now, index) => {
    if (index >= before.length && !isRequested(now) && !before.some((old) => matches(old, now)))
      report(comparison, `${place} ${keyword}[${index}]`, "is a new variant", "leave the variants as they are");
  });
}

/** Whether only callers who send a certain parameter get the variant (`x-only-with`); such a variant may be added. */
const isRequested = (variant: unknown): boolean => "x-only-with" in objectOf(variant);

/**
 * Returns the only variant that callers get without asking for it, if the released schema had no variants. Otherwise it
 * returns `current` unchanged.
 */
function unlessRequested(released: JsonObject, current: unknown): unknown {
  const variants = listOf(objectOf(current)["oneOf"]);
  const [always, ...others] = variants.filter((variant) => !isRequested(variant));
  return released["oneOf"] === undefined && others.length === 0 && variants.length > 1 ? always : current;
}

function isWider(keyword: string, before: unknown, after: unknown): boolean {
  const sign = BOUNDS[keyword];
  if (after === undefined) return sign !== undefined || keyword === "pattern" || keyword === "format";
  return sign !== undefined && typeof before === "number" && typeof after === "number" && (after - before) * sign > 0;
}

const summary = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value).slice(0, 80));

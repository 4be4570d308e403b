import { type JsonObject, listOf, objectOf, sameJson } from "./json.ts";
import { type Comparison, type Direction, report, resolve, schemaChanges } from "./schema-changes.ts";

/**
 * Lists what a changed API document takes away from callers of the released one: one sentence per change, with place,
 * change and remedy. Additions and prose (descriptions, summaries, examples) are allowed. Both are OpenAPI 3.1
 * documents; local `$ref`s are followed. Any change not known to be harmless fails.
 */
export function breakingChanges(released: unknown, current: unknown): string[] {
  const comparison: Comparison = {
    released: objectOf(released),
    current: objectOf(current),
    open: new Set(),
    found: [],
  };
  const before = comparison.released;
  const after = comparison.current;
  equal(comparison, "info.version", objectOf(before["info"])["version"], objectOf(after["info"])["version"]);
  equal(comparison, "security", before["security"], after["security"]);
  stored(comparison, "servers", urls(before), urls(after));
  stored(comparison, "tags", names(before["tags"]), names(after["tags"]));
  const schemas = (document: JsonObject) => Object.keys(objectOf(objectOf(document["components"])["schemas"]));
  stored(comparison, "components.schemas", schemas(before), schemas(after));
  each(comparison, "paths", before["paths"], after["paths"], (path, oldItem, newItem) => {
    each(comparison, path, operations(oldItem), operations(newItem), (method, oldOperation, newOperation) =>
      operation(comparison, `${method.toUpperCase()} ${path}`, oldOperation, newOperation),
    );
  });
  return comparison.found;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const urls = (document: JsonObject) => listOf(document["servers"]).map((server) => String(objectOf(server)["url"]));
const names = (tags: unknown) => listOf(tags).map((tag) => String(objectOf(tag)["name"]));

/** The operations of a path item, with the item's own parameters added to each. */
function operations(item: JsonObject): JsonObject {
  return Object.fromEntries(
    METHODS.filter((method) => method in item).map((method) => {
      const own = objectOf(item[method]);
      return [method, { ...own, parameters: [...listOf(item["parameters"]), ...listOf(own["parameters"])] }];
    }),
  );
}

function operation(comparison: Comparison, place: string, before: JsonObject, after: JsonObject): void {
  equal(comparison, `${place} operationId`, before["operationId"], after["operationId"]);
  equal(comparison, `${place} security`, before["security"], after["security"]);
  stored(comparison, `${place} tags`, listOf(before["tags"]).map(String), listOf(after["tags"]).map(String));
  parameters(comparison, place, before, after);
  requestBody(comparison, `${place} requestBody`, before["requestBody"], after["requestBody"]);
  each(
    comparison,
    `${place} responses`,
    before["responses"],
    after["responses"],
    (status, oldResponse, newResponse) => {
      const at = `${place} response ${status}`;
      each(
        comparison,
        `${at} headers`,
        oldResponse["headers"],
        newResponse["headers"],
        (name, oldHeader, newHeader) => {
          const header = `${at} header ${name}`;
          if (oldHeader["required"] === true && newHeader["required"] !== true)
            report(comparison, header, "is no longer always sent", "keep it required");
          schemaChanges(comparison, header, "response", oldHeader["schema"], newHeader["schema"]);
        },
      );
      content(comparison, at, "response", oldResponse["content"], newResponse["content"]);
    },
  );
}

/** Parameters match when location and name are equal; header names are case-insensitive. */
function parameters(comparison: Comparison, place: string, before: JsonObject, after: JsonObject): void {
  const released = byKey(comparison, "released", before["parameters"]);
  const current = byKey(comparison, "current", after["parameters"]);
  each(comparison, `${place} parameters`, released, current, (key, oldParameter, newParameter) => {
    const at = `${place} parameter ${key}`;
    if (oldParameter["required"] !== true && newParameter["required"] === true)
      report(comparison, at, "became required", "keep it optional");
    for (const keyword of ["style", "explode", "allowReserved", "allowEmptyValue"])
      equal(comparison, `${at} ${keyword}`, oldParameter[keyword], newParameter[keyword]);
    schemaChanges(comparison, at, "request", oldParameter["schema"], newParameter["schema"]);
    content(comparison, at, "request", oldParameter["content"], newParameter["content"]);
  });
  for (const [key, parameter] of Object.entries(current))
    if (!(key in released) && parameter["required"] === true)
      report(comparison, `${place} parameter ${key}`, "is new and required", "make it optional");
}

function byKey(comparison: Comparison, side: "released" | "current", list: unknown): Record<string, JsonObject> {
  return Object.fromEntries(
    listOf(list).map((entry) => {
      const parameter = resolve(comparison[side], entry);
      const name = String(parameter["name"]);
      return [`${parameter["in"]} ${parameter["in"] === "header" ? name.toLowerCase() : name}`, parameter];
    }),
  );
}

function requestBody(comparison: Comparison, place: string, released: unknown, current: unknown): void {
  const before = resolve(comparison.released, released);
  const after = resolve(comparison.current, current);
  if (before["required"] !== true && after["required"] === true)
    report(comparison, place, "became required", "keep it optional");
  content(comparison, place, "request", before["content"], after["content"]);
}

function content(comparison: Comparison, place: string, direction: Direction, before: unknown, after: unknown): void {
  each(comparison, `${place} content`, before, after, (mediaType, oldMedia, newMedia) =>
    schemaChanges(comparison, `${place} ${mediaType}`, direction, oldMedia["schema"], newMedia["schema"]),
  );
}

/** Calls `compare` for every member of both, and reports removed ones. */
function each(
  comparison: Comparison,
  place: string,
  released: unknown,
  current: unknown,
  compare: (name: string, before: JsonObject, after: JsonObject) => void,
): void {
  const before = objectOf(released);
  const after = objectOf(current);
  stored(comparison, place, Object.keys(before), Object.keys(after));
  for (const name of Object.keys(before))
    if (name in after)
      compare(name, resolve(comparison.released, before[name]), resolve(comparison.current, after[name]));
}

function stored(comparison: Comparison, place: string, before: readonly string[], after: readonly string[]): void {
  for (const name of before)
    if (!after.includes(name)) report(comparison, `${place}: ${name}`, "was removed or renamed", "put it back");
}

function equal(comparison: Comparison, place: string, before: unknown, after: unknown): void {
  if (!sameJson(before, after))
    report(comparison, place, `changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, "change it back");
}

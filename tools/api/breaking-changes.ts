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
  reportChanged(comparison, "info.version", objectOf(before["info"])["version"], objectOf(after["info"])["version"]);
  reportChanged(comparison, "security", before["security"], after["security"]);
  reportRemoved(comparison, "servers", urls(before), urls(after));
  reportRemoved(comparison, "tags", names(before["tags"]), names(after["tags"]));
  const schemas = (document: JsonObject) => Object.keys(objectOf(objectOf(document["components"])["schemas"]));
  reportRemoved(comparison, "components.schemas", schemas(before), schemas(after));
  compareMembers(comparison, "paths", before["paths"], after["paths"], (path, oldItem, newItem) => {
    compareMembers(comparison, path, operations(oldItem), operations(newItem), (method, oldOperation, newOperation) =>
      operation(comparison, `${method.toUpperCase()} ${path}`, oldOperation, newOperation),
    );
  });
  return comparison.found;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const urls = (document: JsonObject) => listOf(document["servers"]).map((server) => String(objectOf(server)["url"]));
const names = (tags: unknown) => listOf(tags).map((tag) => String(objectOf(tag)["name"]));

/** Returns the operations of a path item, each with the item's parameters added. */
function operations(item: JsonObject): JsonObject {
  return Object.fromEntries(
    METHODS.filter((method) => method in item).map((method) => {
      const operationItem = objectOf(item[method]);
      return [
        method,
        { ...operationItem, parameters: [...listOf(item["parameters"]), ...listOf(operationItem["parameters"])] },
      ];
    }),
  );
}

function operation(comparison: Comparison, place: string, before: JsonObject, after: JsonObject): void {
  reportChanged(comparison, `${place} operationId`, before["operationId"], after["operationId"]);
  reportChanged(comparison, `${place} security`, before["security"], after["security"]);
  reportRemoved(comparison, `${place} tags`, listOf(before["tags"]).map(String), listOf(after["tags"]).map(String));
  parameters(comparison, place, before, after);
  requestBody(comparison, `${place} requestBody`, before["requestBody"], after["requestBody"]);
  compareMembers(
    comparison,
    `${place} responses`,
    before["responses"],
    after["responses"],
    (status, oldResponse, newResponse) => {
      const at = `${place} response ${status}`;
      compareMembers(
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
  compareMembers(comparison, `${place} parameters`, released, current, (key, oldParameter, newParameter) => {
    const at = `${place} parameter ${key}`;
    if (oldParameter["required"] !== true && newParameter["required"] === true)
      report(comparison, at, "became required", "keep it optional");
    for (const keyword of ["style", "explode", "allowReserved", "allowEmptyValue"])
      reportChanged(comparison, `${at} ${keyword}`, oldParameter[keyword], newParameter[keyword]);
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
  compareMembers(comparison, `${place} content`, before, after, (mediaType, oldMedia, newMedia) =>
    schemaChanges(comparison, `${place} ${mediaType}`, direction, oldMedia["schema"], newMedia["schema"]),
  );
}

/** Calls `compare` for every member of both, and reports removed ones. */
function compareMembers(
  comparison: Comparison,
  place: string,
  released: unknown,
  current: unknown,
  compare: (name: string, before: JsonObject, after: JsonObject) => void,
): void {
  const before = objectOf(released);
  const after = objectOf(current);
  reportRemoved(comparison, place, Object.keys(before), Object.keys(after));
  for (const name of Object.keys(before))
    if (name in after)
      compare(name, resolve(comparison.released, before[name]), resolve(comparison.current, after[name]));
}

function reportRemoved(
  comparison: Comparison,
  place: string,
  before: readonly string[],
  after: readonly string[],
): void {
  for (const name of before)
    if (!after.includes(name)) report(comparison, `${place}: ${name}`, "was removed or renamed", "put it back");
}

function reportChanged(comparison: Comparison, place: string, before: unknown, after: unknown): void {
  if (!sameJson(before, after))
    report(comparison, place, `changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, "change it back");
}

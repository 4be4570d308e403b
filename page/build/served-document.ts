import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RegisteredAddress } from "../../src/addresses/registered-address.ts";
import { type ChainFamily, DEFAULT_FAMILY } from "../../src/families/family.ts";
import { type Capabilities, FIGURES, pathsNotOffered, whyNotOffered } from "../../src/figures.ts";
import type { Conditions } from "../../tools/lib/parts.ts";
import { withAddressOperations } from "./addresses.ts";
import { type IsServed, ofFamily } from "./conditional.ts";
import type { Node, OpenApi } from "./openapi.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * The public API document without the paths that a deployment does not have, and without the tags and components that
 * only they name. It has the deployment's registered addresses, and the words of its chain.
 */
export function servedDocument(has: Conditions, addresses: readonly RegisteredAddress[] = []): OpenApi {
  const document = wholeDocument(has.family);
  const absent = absentIn(has);
  if (absent.length === 0 && addresses.length === 0) return document;
  const left = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !absent.includes(path)));
  const paths = withAddressOperations(left, document.paths["/api/max-supply"]?.["get"], addresses);
  const named = Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags = [] }) => tags));
  const tags = document.tags.filter(({ name }) => named.includes(name));
  const components = componentsOf({ ...document, paths, components: withPage(document.components, absent) });
  return { ...document, tags, paths, components: withFigures(components, has, absent) };
}

/** A member of `/api/page` that would be the body of an absent path is null. */
function withPage(components: OpenApi["components"], absent: readonly string[]): OpenApi["components"] {
  const { schemas = {} } = components;
  const { Page: page } = schemas;
  const members = Object.entries(page?.properties ?? {}).map(([name, schema]): [string, Node] => {
    return [name, absent.includes(`/api/${name.replaceAll("_", "-")}`) ? { type: "null" } : schema];
  });
  return { ...components, schemas: { ...schemas, Page: { ...page, properties: Object.fromEntries(members) } } };
}

/** The badges and the rows of history that may be asked for are of the figures that a deployment has. */
function withFigures(
  components: OpenApi["components"],
  has: Conditions,
  absent: readonly string[],
): OpenApi["components"] {
  const { parameters = {}, schemas = {} } = components;
  const { BadgeFigure: badge } = parameters;
  const unknown = FIGURES.filter((row) => whyNotOffered(row, has) !== null).map(({ name }) => name);
  const badges = without(badge?.schema, (name) => absent.includes(`/api/${name === "apy" ? "rates" : name}`));
  const recorded = without(schemas["HistoryFigure"], (name) => unknown.some((figure) => figure === name));
  return {
    ...components,
    ...(badges && { parameters: { ...parameters, BadgeFigure: { ...badge, schema: badges } } }),
    ...(recorded && { schemas: { ...schemas, HistoryFigure: recorded } }),
  };
}

/** A schema without some of its values; the whole one where none would be left, which no schema may say. */
function without(schema: Node | undefined, isAbsent: (value: unknown) => boolean): Node | undefined {
  const left = schema?.enum?.filter((value) => !isAbsent(value)) ?? [];
  return left.length === 0 ? schema : { ...schema, enum: left };
}

/** The components that paths name, and those that they name in turn. */
function componentsOf({ paths, components }: OpenApi): OpenApi["components"] {
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, ref = ""] of JSON.stringify(part).matchAll(/"#\/components\/([^"]+)"/g)) {
      const [kind = "", name = ""] = ref.split("/");
      if (used.has(ref)) continue;
      used.add(ref);
      follow(components[kind]?.[name] ?? null);
    }
  };
  follow(paths);
  const kinds = Object.entries(components).map(([kind, parts]) => {
    const left = Object.entries(parts).filter(([name]) => used.has(`${kind}/${name}`));
    return [kind, Object.fromEntries(left)] as const;
  });
  return Object.fromEntries(kinds.filter(([, parts]) => Object.keys(parts).length > 0));
}

/** The paths of both APIs; `/v1` stands for every path of the node's. */
export function isServedIn(has: Conditions): IsServed {
  const [all, absent] = [Object.keys(wholeDocument().paths), absentIn(has)];
  return (path) => {
    if (path === "/v1" || path.startsWith("/v1/")) return has.node;
    return all.includes(path) ? !absent.includes(path) : undefined;
  };
}

function absentIn(capabilities: Capabilities): string[] {
  return [...pathsNotOffered(capabilities).keys()].map((path) => path.replaceAll(/:(\w+)/g, "{$1}"));
}

function wholeDocument(family: ChainFamily = DEFAULT_FAMILY): OpenApi {
  const text = readFileSync(join(ROOT, "openapi", "public.json"), "utf8");
  // As the linter has found it.
  return JSON.parse(ofFamily(text, family)) as OpenApi;
}

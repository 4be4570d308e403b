import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RegisteredAddress } from "../../src/addresses/registered-address.ts";
import { type ChainFamily, DEFAULT_FAMILY } from "../../src/families/family.ts";
import { type Capabilities, FIGURES, pathsNotOffered, whyNotOffered } from "../../src/figures.ts";
import type { Conditions } from "../../tools/lib/parts.ts";
import { withAddressOperations } from "./addresses.ts";
import { type IsServed, inFamilyTerms } from "./conditional.ts";
import type { Node, OpenApi } from "./openapi.ts";
import { documentOfWallets } from "./wallets-document.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * Makes the public API document of a deployment. Paths that it does not serve are left out, with tags and components
 * that only these use. Registered addresses are added, and the text uses the terms of its chain.
 */
export function servedDocument(has: Conditions, addresses: readonly RegisteredAddress[] = []): OpenApi {
  const whole = wholeDocument(has.family);
  const document = has.unlocks ? whole : documentOfWallets(whole, has);
  const absent = absentIn(has);
  if (absent.length === 0 && addresses.length === 0) return document;
  const left = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !absent.includes(path)));
  const paths = withAddressOperations(left, document.paths["/api/max-supply"]?.["get"], addresses);
  const named = Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags = [] }) => tags));
  const tags = document.tags.filter(({ name }) => named.includes(name));
  const components = componentsOf({
    ...document,
    paths,
    components: withAbsentPageMembers(document.components, absent),
  });
  return { ...document, tags, paths, components: withServedFigures(components, has, absent) };
}

/** Makes a member of `/api/page` null if it would be the body of a path that is not served. */
function withAbsentPageMembers(components: OpenApi["components"], absent: readonly string[]): OpenApi["components"] {
  const { schemas = {} } = components;
  const { Page: page } = schemas;
  const members = Object.entries(page?.properties ?? {}).map(([name, schema]): [string, Node] => {
    return [name, absent.includes(`/api/${name.replaceAll("_", "-")}`) ? { type: "null" } : schema];
  });
  return { ...components, schemas: { ...schemas, Page: { ...page, properties: Object.fromEntries(members) } } };
}

/** Limits the figures of badges and history to those that the deployment serves. */
function withServedFigures(
  components: OpenApi["components"],
  has: Conditions,
  absent: readonly string[],
): OpenApi["components"] {
  const { parameters = {}, schemas = {} } = components;
  const { BadgeFigure: badge } = parameters;
  const unknown = FIGURES.filter((row) => whyNotOffered(row, has) !== null).map(({ name }) => name);
  const badges = withoutValues(badge?.schema, (name) => absent.includes(`/api/${name === "apy" ? "rates" : name}`));
  const recorded = withoutValues(schemas["HistoryFigure"], (name) => unknown.some((figure) => figure === name));
  return {
    ...components,
    ...(badges && { parameters: { ...parameters, BadgeFigure: { ...badge, schema: badges } } }),
    ...(recorded && { schemas: { ...schemas, HistoryFigure: recorded } }),
  };
}

/**
 * Removes values of an enumeration. It keeps all of them if none would be left, because no schema may have an empty
 * one.
 */
function withoutValues(schema: Node | undefined, isAbsent: (value: unknown) => boolean): Node | undefined {
  const left = schema?.enum?.filter((value) => !isAbsent(value)) ?? [];
  return left.length === 0 ? schema : { ...schema, enum: left };
}

/** Keeps the components that the paths use, directly or through other components. */
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

/** Tells whether a path of either API is served; `/v1` stands for every path of the node's API. */
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
  // The linter has validated the document.
  return JSON.parse(inFamilyTerms(text, family)) as OpenApi;
}

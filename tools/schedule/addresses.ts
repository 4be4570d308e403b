import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAddresses } from "../../src/addresses/file/parse-addresses.ts";
import { figureErrors, PAGE_FILES, routedPatterns, surroundingErrors } from "../../src/addresses/file/surroundings.ts";
import type { AddressFile, RegisteredAddress } from "../../src/addresses/registered-address.ts";
import type { FileError } from "../../src/base/file/file-errors.ts";
import type { Capabilities } from "../../src/figures.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";
import { readWranglerFile, type WranglerFile } from "../wrangler-file.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Path of the file of registered addresses, which lies beside the schedule. */
export function addressesPath(folder: string): string {
  return join(folder, "addresses.json");
}

/** Reads the registered addresses of a schedule's folder; null when there is no file. Throws a {@link Refusal}. */
export function readAddresses(folder: string): AddressFile | null {
  const path = addressesPath(folder);
  if (!existsSync(path)) return null;
  const bytes = readFileSync(path);
  const result = parseAddresses(bytes.toString());
  const errors = result.kind === "errors" ? result.errors : surroundingErrors(result.entries, surroundings());
  if (result.kind === "errors" || errors.length > 0) throw refusal(path, errors);
  return { entries: result.entries, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** Refuses entries that name a figure which the deployment does not serve. */
export function refuseAbsentFigures(
  folder: string,
  file: AddressFile | null,
  capabilities: Capabilities,
  schedule: Schedule,
): void {
  const errors = figureErrors(file?.entries ?? [], capabilities, schedule);
  if (errors.length > 0) throw refusal(addressesPath(folder), errors);
}

/** Refuses entries whose path is also a file of the built page: the file would be served instead. */
export function refuseShadowedPaths(folder: string, file: AddressFile | null, files: readonly string[]): void {
  const errors = surroundingErrors(file?.entries ?? [], {
    documented: new Map(),
    patterns: [],
    files,
    workerFirst: [],
  });
  if (errors.length > 0) throw refusal(addressesPath(folder), errors);
}

function refusal(path: string, errors: readonly FileError[]): Refusal {
  return new Refusal(
    errors.map(({ path: at, message }) => [displayPath(path), ...(at === "" ? [] : [at]), message].join(": ")),
  );
}

/** Returns the Worker's configuration with requests of the registered paths routed to the Worker. */
export function withAddressesRouted<Config extends Readonly<Record<string, unknown>>>(
  config: Config,
  entries: readonly RegisteredAddress[],
): Config {
  const { assets } = config;
  const patterns = patternsOf(config);
  return patterns === null
    ? config
    : { ...config, assets: { ...Object(assets), run_worker_first: routedPatterns(entries, patterns) } };
}

/** Path patterns whose requests reach the Worker; null when the configuration sends it every request or none. */
function patternsOf({ assets }: Readonly<Record<string, unknown>>): readonly string[] | null {
  const { run_worker_first: patterns } = Object(assets);
  return Array.isArray(patterns) ? patterns : null;
}

function surroundings() {
  const file = readWranglerFile();
  const { documented, patterns } = documentedPaths();
  return { documented, patterns, files: [...PAGE_FILES, ...publicFiles()], workerFirst: listsIn(file) };
}

function listsIn(file: WranglerFile): readonly (readonly string[])[] {
  return [file, ...Object.values(file.env ?? {})].flatMap((section) => {
    const patterns = patternsOf(section);
    return patterns === null ? [] : [patterns];
  });
}

function publicFiles(): readonly string[] {
  return readdirSync(join(ROOT, "page", "public"), { recursive: true, encoding: "utf8" });
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
}

/** The part of the API document that the check reads; the linter validates it. */
interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Paths of the API document: those without a parameter in the path, with their query parameters, and the patterns. */
function documentedPaths() {
  const document = JSON.parse(readFileSync(join(ROOT, "openapi", "public.json"), "utf8")) as Document;
  const nameOf = ({ $ref, name }: Parameter): string =>
    document.components.parameters[$ref?.split("/").at(-1) ?? ""]?.name ?? name ?? "";
  const all = Object.entries(document.paths);
  const documented = all.map(([path, { get }]) => [path, (get?.parameters ?? []).map(nameOf)] as const);
  return {
    documented: new Map(documented.filter(([path]) => !path.includes("{"))),
    patterns: all.map(([path]) => path).filter((path) => path.includes("{")),
  };
}

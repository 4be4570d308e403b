import { posix } from "node:path";
import type { Importer, SourceFile } from "./source-file.ts";

/**
 * Modules of the Worker, outermost first. A file may import its own module and any below; modules in one row must not
 * import one another.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ["worker"],
  ["compose"],
  ["app"],
  ["routes"],
  ["home"],
  ["onchain", "rates", "health", "limiter", "gateway", "publish", "addresses"],
  ["supply"],
  ["admission", "swr"],
  ["placement"],
  ["http"],
  ["config"],
  ["families"],
  ["chain"],
  ["figures", "problems"],
  ["base"],
];

/** Modules of the commands, read as {@link LAYERS}. */
export const TOOL_LAYERS: readonly (readonly string[])[] = [
  ["dev", "help"],
  ["start", "deploy"],
  ["build", "doctor", "listing", "trackers", "compare", "api-freeze", "api-types"],
  ["history"],
  ["schedule"],
  ["chain-reading"],
  ["nodes", "free-plan", "deployment-url"],
  ["first-chain", "edge-settings"],
  ["wrangler-file", "evm", "api", "bundle-worker"],
  ["lib"],
];

/** Folders of the page, read as {@link LAYERS}. */
const PAGE_LAYERS: readonly (readonly string[])[] = [["embed"], ["src", "build"], ["view"]];

/** Part of the tools that the page's build may import, and the tools that may import that build. */
const TOOLS_OF_BUILD = "tools/lib/";
const BUILDERS: readonly string[] = ["build", "listing"];
/** Files that parse and check an operator's file: for tools and page, never for a Worker. */
export const OPERATOR_FILE = /^src\/[a-z]+\/file\//;

/**
 * Folders of a module whose imports point one way: each imports itself and those before it; files at the top import
 * all.
 */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  gateway: ["model", "request", "upstream", "cache", "shield", "faucet"],
  home: ["history"],
};

/** Writes the layers as one line, as in docs/architecture.md and tools/README.md. */
export const [LAYER_LINE, TOOL_LAYER_LINE] = [LAYERS, TOOL_LAYERS].map((layers) =>
  layers.map((rooms) => (rooms.length > 1 ? `{ ${rooms.join(" | ")} }` : rooms[0])).join(" -> "),
) as [string, string];

/** Files of the Worker that the embedded node may import: definitions that both must share. */
const SHARED_WITH_NODE = [
  /^src\/chain\//,
  /^src\/base\/(json|memo|settings|utc)\.ts$/,
  /^src\/http\/(content-negotiation|path-pattern)\.ts$/,
];

/**
 * Folder of the start, which composes both Workers: it checks the embedded node's settings, and sets its genesis from
 * the schedule.
 */
const STARTS = "tools/start/";
const CODE = /^(src|devnode|page|tools)\/.*\.ts$/;

/** Files that may use the platform: clock, timers, randomness, network, storage. No other file may. */
const SHELLS = [
  /^src\/worker\.ts$/,
  /^src\/[a-z]+\/[a-z]+-object\.ts$/,
  /^src\/(base\/timers|gateway\/platform)\.ts$/,
  /^devnode\/(worker|durable-object)\.ts$/,
];
/** Files that use the platform's hashing and verification, which are pure functions. */
const PURE_CRYPTO = [/^src\/base\/hash\/sha256\.ts$/, /^devnode\/codec\/signature-schemes\.ts$/];
const NAMELESS_ROOMS = /\/(utils|common|helpers|types)(\.ts|\/)|\/index\.ts$/;

export const ENTRY_POINTS: readonly string[] = ["src/worker.ts", "devnode/worker.ts"];

/** Module of a file: `src/gateway/cache/lru.ts` is in `gateway`; `src/app.ts` is a module by itself. */
export function roomOf(path: string): string {
  return path.split("/")[1]?.replace(/\.ts$/, "") ?? "";
}

export function layerOf(room: string, layers = LAYERS): number {
  return layers.findIndex((rooms) => rooms.includes(room));
}

/**
 * Position of a file's folder in its module, from the inside. Files at the top, and in modules without an order, come
 * last.
 */
function folderOf(path: string): number {
  const place = FOLDERS[roomOf(path)]?.indexOf(path.split("/")[2] ?? "") ?? -1;
  return place === -1 ? Number.POSITIVE_INFINITY : place;
}

export function importViolations({ path, imports }: Importer): string[] {
  return imports.filter(({ from }) => !mayImport(path, from)).map(({ from }) => `${path} may not import ${from}`);
}

/** Describes each rule that a single file of a Worker violates. */
export function fileViolations({ path, imports, platform, mutable }: SourceFile): string[] {
  const found = importViolations({ path, imports });
  const isShell = SHELLS.some((shell) => shell.test(path));
  for (const call of new Set(platform)) {
    const isPure = call === "crypto.subtle" && PURE_CRYPTO.some((file) => file.test(path));
    if (!isShell && !isPure) found.push(`${path} names the platform: ${call}`);
  }
  if (!isShell) for (const name of mutable) found.push(`${path} keeps mutable state at module level: ${name}`);
  if (NAMELESS_ROOMS.test(path)) found.push(`${path} is in a room with a meaningless name`);
  if (path.startsWith("src/") && layerOf(roomOf(path)) === -1) found.push(`${path} belongs to no layer`);
  return found;
}

function mayImport(path: string, target: string): boolean {
  if (/^(devnode\/)?test\//.test(target)) return false;
  if (!CODE.test(target)) return true;
  const [folder, other] = [path, target].map((each) => each.split("/")[0]);
  if (folder === "tools") return mayToolImport(path, target);
  if (folder === "page") return mayPageImport(path, target);
  if (OPERATOR_FILE.test(target) && !OPERATOR_FILE.test(path)) return false;
  if (folder === "devnode") return other === "devnode" || SHARED_WITH_NODE.some((shared) => shared.test(target));
  return other === "src" && isInward(path, target, LAYERS);
}

function mayToolImport(path: string, target: string): boolean {
  if (target.startsWith("tools/")) return isInward(path, target, TOOL_LAYERS);
  if (target.startsWith("page/")) return target.startsWith("page/build/") && BUILDERS.includes(roomOf(path));
  return target.startsWith("src/") || path.startsWith(STARTS);
}

function mayPageImport(path: string, target: string): boolean {
  if (target.startsWith("page/")) return isInward(path, target, PAGE_LAYERS);
  return target.startsWith("src/") || (path.startsWith("page/build/") && target.startsWith(TOOLS_OF_BUILD));
}

function isInward(path: string, target: string, layers: typeof LAYERS): boolean {
  const [from, to] = [roomOf(path), roomOf(target)];
  return from === to ? folderOf(target) <= folderOf(path) : layerOf(to, layers) > layerOf(from, layers);
}

/** Finds import cycles, each once, type imports included. */
export function cycles(files: readonly Importer[]): string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports.map(({ from }) => from)]));
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) found.push([...trail.slice(start), path].join(" -> "));
    if (start !== -1 || done.has(path)) return;
    for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return found;
}

/** Finds import cycles of folders beside one another; a folder and its parent may import each other. */
export function folderCycles(files: readonly Importer[]): string[] {
  const importsOf = new Map<string, Importer["imports"]>();
  for (const { path, imports } of files) {
    const folder = posix.dirname(path);
    const others = imports
      .map(({ from }) => ({ from: posix.dirname(from), names: [] }))
      .filter(({ from }) => !`${from}/`.startsWith(`${folder}/`) && !`${folder}/`.startsWith(`${from}/`));
    importsOf.set(folder, [...(importsOf.get(folder) ?? []), ...others]);
  }
  return cycles([...importsOf].map(([path, imports]) => ({ path, imports })));
}

/** Finds files that no entry point reaches through imports. */
export function unreached(files: readonly Importer[], entryPoints: readonly string[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) return;
    reached.add(path);
    for (const { from } of file.imports) visit(from);
  };
  for (const path of entryPoints) visit(path);
  return files.map(({ path }) => path).filter((path) => !reached.has(path));
}

/**
 * Finds exports that production code does not import. Two are allowed: a value that its own file uses, for a test, and
 * a type that another export's signature names.
 */
export function unusedExports(
  files: readonly SourceFile[],
  tools: readonly Importer[],
  tests: readonly Importer[],
): string[] {
  const inProduction = importedNames([...files, ...tools]);
  const inTests = importedNames(tests);
  const isUsed = (used: ReadonlySet<string>, path: string, name: string) =>
    used.has(`${path} ${name}`) || used.has(`${path} *`);
  return files
    .filter(({ path }) => !ENTRY_POINTS.includes(path))
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ name }) => !isUsed(inProduction, path, name))
        .filter(({ name, isType, isMentioned }) => !(isMentioned && (isType || isUsed(inTests, path, name))))
        .map(({ name }) => `${path} exports ${name}`),
    );
}

function importedNames(files: readonly Importer[]): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ imports }) => imports.flatMap(({ from, names }) => names.map((name) => `${from} ${name}`))),
  );
}

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { chainsOf, settingsOfFirstChain } from "../src/families/token-chain.ts";
import { VERSIONS } from "../src/http/api-version.ts";
import { missingChain } from "../src/supply/capabilities.ts";
import { versionTableErrors } from "./api/version-table.ts";
import { builtFolder, draftFolder } from "./build/folders.ts";
import { firstInFile } from "./first-chain.ts";
import { readHistory } from "./history/files.ts";
import { EXIT, parseCommandLine, parseSettings, Refusal, runTool } from "./lib/command-line.ts";
import { ALL_PARTS, conditionsOf, type Parts, partsWithout } from "./lib/parts.ts";
import { toolsOf } from "./nodes/families.ts";
import { readAddresses, refuseAbsentFigures, refuseShadowedPaths } from "./schedule/addresses.ts";
import { buildSchedule } from "./schedule/build.ts";
import { checkFiles } from "./schedule/check.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule, type ScheduleContext, scheduleChains } from "./schedule/files.ts";

const ROOT = join(import.meta.dirname, "..");
/** Output folder for plain `wrangler`, as wrangler.toml names it. Every other command has its own folder below it. */
const DIST = join(ROOT, "dist");
const KEY_DIGITS = 20;
export const BUILDS = join(DIST, "builds");
const CODE_INPUTS = ["src", "devnode", "tools", "package-lock.json"];
/** Inputs of the edge and its page. */
const EDGE_INPUTS = [
  ...["page", "src", "openapi", "tools", "CHANGELOG.md", "package-lock.json"],
  "schedule/schema.json",
  ...[
    "native.json",
    "addresses.json",
    "rates.json",
    "rates-recorded.json",
    "history.csv",
    "history-prices.csv",
    "history-corrections.json",
  ].map((name) => join(REPOSITORY_FOLDER, name)),
];

/** Finished build, which a command serves or uploads; its files never change. */
export interface Build {
  /** Folder with `worker.js`, its source map, and the folder `page`. */
  readonly folder: string;
  /** Report of the schedule check. */
  readonly report: string;
}

/**
 * Checks the schedule and the API versions, then builds the edge Worker and the page of these parts. The folder is
 * named by its inputs; an existing one is used. Throws a {@link Refusal} with one line per problem. `onMaking` is
 * called before a build, which takes seconds.
 */
export async function build(parts: Parts = ALL_PARTS, onMaking: () => void = () => undefined): Promise<Build> {
  const report = runChecksBeforeBuild(parts);
  const make = (draft: string) => {
    onMaking();
    return makeEdge(parts, draft);
  };
  return { folder: await builtFolder(BUILDS, () => edgeKey(parts), make), report };
}

/** Builds the embedded node's module in the same way, and returns its code. */
export async function buildNode(): Promise<string> {
  const folder = await builtFolder(
    BUILDS,
    () => inputHash("devnode", CODE_INPUTS),
    (draft) => bundle("devnode", draft),
  );
  return readFileSync(join(folder, "devnode.js"), "utf8");
}

/** Builds the edge into a folder whose content changes, for plain `wrangler`, unless it is up to date. */
async function buildInto(folder: string, parts: Parts): Promise<string> {
  const report = runChecksBeforeBuild(parts);
  const stamp = join(folder, "worker.js.stamp");
  const key = edgeKey(parts);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === key) return report;
  const draft = draftFolder(BUILDS, key);
  await makeEdge(parts, draft);
  mkdirSync(folder, { recursive: true });
  rmSync(stamp, { force: true });
  swapIn(join(draft, "page"), join(folder, "page"));
  for (const name of ["worker.js.map", "worker.js"]) renameSync(join(draft, name), join(folder, name));
  writeFileSync(stamp, key);
  rmSync(draft, { recursive: true });
  return report;
}

/** Runs the checks that precede a build, and returns their report. */
function runChecksBeforeBuild(parts: Parts): string {
  const context = contextOf(parts);
  const report = checkFiles(context, undefined);
  const schedule = readSchedule(nativePath(context), context.first);
  const problem = missingChain(schedule, parts);
  if (problem !== null) throw new Refusal([problem]);
  refuseAbsentFigures(context.folder, readAddresses(context.folder), conditionsOf(parts, schedule), schedule);
  const versionErrors = versionTableErrors(VERSIONS);
  if (versionErrors.length > 0) throw new Refusal(versionErrors);
  return report;
}

function contextOf({ chains: [chain] }: Parts): ScheduleContext {
  return { folder: REPOSITORY_FOLDER, nowMs: Date.now(), first: settingsOfFirstChain(chain) };
}

const edgeKey = (parts: Parts): string => inputHash(JSON.stringify(Object.entries(parts).sort()), EDGE_INPUTS);

async function makeEdge(parts: Parts, folder: string): Promise<void> {
  const schedule = join(folder, "schedule.js");
  const context = contextOf(parts);
  const built = buildSchedule(nativePath(context), schedule, context.first);
  // The brand is read here first: an error inside the bundler would be printed as a stack trace.
  const { readBrand } = await import("../page/build/brand.ts");
  readBrand(built.token, parts.chains[0].family);
  const addresses = readAddresses(context.folder)?.entries ?? [];
  const pastDays = readHistory(context, built);
  const vite = await import("vite");
  const { pageConfig } = await import("../page/build/vite-config.ts");
  const scheduleFile = readFileSync(nativePath(context));
  const { family, asset } = parts.chains[0];
  const assetName = toolsOf(family).written(asset.text);
  const published = { parts, assetName, schedule: built, scheduleFile, pastDays, addresses };
  await vite.build(pageConfig(published, join(folder, "page")));
  refuseShadowedPaths(context.folder, readAddresses(context.folder), namesBelow(join(folder, "page")));
  await bundle("worker", folder, schedule);
}

async function bundle(name: "worker" | "devnode", folder: string, schedule?: string): Promise<void> {
  const { bundleWorker, codeBytes, MAX_EDGE_BYTES } = await import("./bundle-worker.ts");
  const { code, map } = await bundleWorker(name === "worker" ? "src" : name, ROOT, schedule);
  const bytes = schedule === undefined ? 0 : codeBytes(code, readFileSync(schedule, "utf8"));
  if (bytes > MAX_EDGE_BYTES)
    throw new Refusal([
      `the edge's code has ${bytes} bytes compressed; at most ${MAX_EDGE_BYTES} are allowed, because more starts slowly`,
    ]);
  writeFileSync(join(folder, `${name}.js.map`), map);
  writeFileSync(join(folder, `${name}.js`), `${code}\n//# sourceMappingURL=${name}.js.map\n`);
}

/** Replaces a folder in two renames, so that a server that reads it never finds it empty. */
function swapIn(fresh: string, folder: string): void {
  const old = `${fresh}-old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

function inputHash(of: string, inputs: readonly string[]): string {
  const hash = createHash("sha256").update(`${of}\0`);
  for (const [index, input] of inputs.map((path) => resolve(ROOT, path)).entries())
    for (const path of filesUnder(input)) {
      // The hash leaves out the folder of an input, so that the same schedule in another folder is not built again.
      hash.update(`${index} ${relative(input, path)}\0`);
      hash.update(readFileSync(path));
    }
  return hash.digest("hex").slice(0, KEY_DIGITS);
}

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/** Lists the files below a path, without the state and settings of a running Worker. */
function filesUnder(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found === undefined ? [] : [path];
  return readdirSync(path)
    .filter((name) => !name.startsWith(".wrangler"))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

const HELP = `usage: npm run build [-- --without PART,...] [--var NAME:VALUE]... [--into FOLDER]
  checks the schedule and builds the page and the edge Worker for plain wrangler; npm start and npm run deploy
  build what they need themselves
  --without   parts that the deployment does not have: ${Object.keys(ALL_PARTS).join(", ")}
  --var       CHAIN_FAMILY, CHAIN_ID or NATIVE_ASSET of the Worker, in place of wrangler.toml's
  --into      the folder below dist where it is written; by default dist itself`;
const OPTIONS = {
  without: { type: "string", default: "" },
  var: { type: "string", multiple: true },
  into: { type: "string", default: DIST },
} as const;

async function main(args: string[]): Promise<string> {
  const { without, var: vars = [], into } = parseCommandLine(HELP, { args, options: OPTIONS }).values;
  const { settings, problems } = parseSettings(vars);
  if (problems.length > 0) throw new Refusal(problems, EXIT.unusable);
  const first = firstInFile(settings);
  const parts = partsWithout(without, chainsOf({ chains: scheduleChains(first) }, first));
  try {
    return await buildInto(into, parts);
  } catch (cause) {
    // wrangler prints a stack for a failed build, so `npm run dev` keeps the last valid build instead.
    if (process.env["DEV_KEEPS_LAST_BUILD"] === undefined) throw cause;
    for (const line of cause instanceof Refusal ? cause.lines : [String(cause)]) console.error(line);
    return "Not built: the last valid build is still served.";
  }
}

await runTool(import.meta.url, HELP, main, { prefix: "" });

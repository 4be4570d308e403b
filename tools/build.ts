import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Asset, assetText, type ChainFamily, parseAsset, parseContract } from "../src/chain/asset.ts";
import { VERSIONS } from "../src/http/api-version.ts";
import { versionTableErrors } from "./api/version-table.ts";
import { chainFamily, FAMILIES, familyNamed, settingInFile, useChainFamily } from "./chain-family.ts";
import { parseWords, Refusal, runTool } from "./command-line.ts";
import { readHistory } from "./history/files.ts";
import { ALL_PARTS, type Parts, pageFolder, partsWithout } from "./parts.ts";
import { replaceFile } from "./replace-file.ts";
import { buildSchedule } from "./schedule/build.ts";
import { check } from "./schedule/check.ts";
import { nativePath, REPOSITORY_FOLDER, type ScheduleContext } from "./schedule/files.ts";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
/** All inputs of what is built. The Workers import the schedule as the module that is written before them. */
const PAGE_INPUTS = [
  ...[
    "page",
    "schedule-format",
    "src",
    "openapi",
    "tools",
    "CHANGELOG.md",
    "package-lock.json",
    "schedule/schema.json",
  ],
  ...["native.json", "history.csv", "history-corrections.json"].map((name) => join(REPOSITORY_FOLDER, name)),
];
const WORKER_INPUTS = ["src", "devnode", "tools", "package-lock.json", join(DIST, "schedule.js")];

/**
 * Checks the schedule and the API versions, writes the schedule as the Worker's module and builds the page of these parts
 * into its {@link pageFolder}, unless that is up to date. The new page is built in another folder and then renamed, so that a running
 * server never reads an empty folder. Returns the report of the schedule check; throws a {@link Refusal} with one line
 * per problem. `onPage` is told before the page is built, which takes seconds.
 */
export async function build(parts: Parts = ALL_PARTS, onPage: () => void = () => undefined): Promise<string> {
  useChainFamily(parts.family);
  const context: ScheduleContext = { folder: REPOSITORY_FOLDER, nowMs: Date.now() };
  const report = check(context, undefined);
  const versionErrors = versionTableErrors(VERSIONS);
  if (versionErrors.length > 0) throw new Refusal(versionErrors);
  const schedule = buildSchedule(nativePath(context));
  const folder = join(ROOT, pageFolder(parts));
  await unlessMade(
    folder,
    { inputs: PAGE_INPUTS, of: [parts.family, parts.asset && assetText(parts.asset)].join() },
    async () => {
      // Inside the bundler it would be a stack trace with the message in the middle.
      const { readBrand } = await import("./page/brand.ts");
      readBrand(schedule.token);
      readHistory(context, schedule);
      onPage();
      const fresh = `${folder}-${process.pid}`;
      const vite = await import("vite");
      const { pageConfig } = await import("./page/vite-config.ts");
      await vite.build(pageConfig(parts, fresh));
      swapIn(fresh, folder);
    },
  );
  return report;
}

/**
 * A Worker's module, which this writes with its source map unless it is up to date; wrangler.toml names the edge's.
 * `family`: of the chain that it reads.
 */
export async function buildWorker(name: "worker" | "devnode", family: ChainFamily = "move"): Promise<string> {
  const path = join(DIST, `${name}.js`);
  const made = { inputs: WORKER_INPUTS, of: family };
  await unlessMade(path, made, async () => {
    const { bundleWorker } = await import("./bundle-worker.ts");
    const { code, map } = await bundleWorker(name === "worker" ? "src" : name, ROOT, { family });
    replaceFile(`${path}.map`, map);
    replaceFile(path, `${code}\n//# sourceMappingURL=${name}.js.map\n`);
  });
  return readFileSync(path, "utf8");
}

/** Makes the target, unless it exists and was made from inputs with the same content, of the same chain. */
async function unlessMade(
  target: string,
  { inputs, of: chain }: { readonly inputs: readonly string[]; readonly of: string },
  make: () => Promise<void>,
): Promise<void> {
  const stampPath = `${target}.stamp`;
  const stamp = chain + contentHash(inputs);
  if (existsSync(target) && existsSync(stampPath) && readFileSync(stampPath, "utf8") === stamp) return;
  rmSync(stampPath, { force: true });
  await make();
  writeFileSync(stampPath, stamp);
}

/** Replaces a folder in two renames. With concurrent builds the later one wins. */
function swapIn(fresh: string, folder: string): void {
  const old = `${fresh}-old`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (existsSync(folder)) renameSync(folder, old);
      renameSync(fresh, folder);
      rmSync(old, { recursive: true, force: true });
      return;
    } catch (cause) {
      rmSync(old, { recursive: true, force: true });
      if (attempt === 3) throw cause;
    }
  }
}

function contentHash(inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const [index, input] of inputs.map((path) => resolve(ROOT, path)).entries())
    for (const path of filesUnder(input)) {
      // Not where the input is: a schedule that is rehearsed again, in another folder, is not built again.
      hash.update(`${index} ${relative(input, path)}\0`);
      hash.update(readFileSync(path));
    }
  return hash.digest("hex");
}

/** Without the state and the settings of a running Worker; none where there is nothing. */
function filesUnder(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found === undefined ? [] : [path];
  return readdirSync(path)
    .filter((name) => !name.startsWith(".wrangler"))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

const HELP = `usage: npm run build [-- --without PART,...] [--family move|evm] [--asset ASSET]
  checks the schedule and writes it, the page and the edge Worker to dist
  --without   what the deployment does not have: ${Object.keys(ALL_PARTS).join(", ")}; by default it is taken from BUILD_WITHOUT
  --family    of the chain that the Worker reads: ${FAMILIES.join(" or ")}; by default CHAIN_FAMILY of the environment, or of wrangler.toml
  --asset     the token on it, which the page names; by default NATIVE_ASSET, likewise, or the Move chain's own coin`;
const OPTIONS = { without: { type: "string" }, family: { type: "string" }, asset: { type: "string" } } as const;

async function main(args: string[]): Promise<string> {
  const { BUILD_WITHOUT = "" } = process.env;
  const { without = BUILD_WITHOUT, family: named, asset } = parseWords(HELP, { args, options: OPTIONS }).values;
  const family = named === undefined ? chainFamily() : familyNamed("--family", named);
  const parts = partsWithout(without, family, assetNamed(asset, family));
  mkdirSync(DIST, { recursive: true });
  try {
    const report = await build(parts);
    await buildWorker("worker", parts.family);
    return report;
  } catch (cause) {
    // wrangler prints a stack for a failed build, so `npm run dev` keeps the last valid build instead.
    if (process.env["DEV_KEEPS_LAST_BUILD"] === undefined) throw cause;
    for (const line of cause instanceof Refusal ? cause.lines : [String(cause)]) console.error(line);
    return "Not built: the last valid build is still served.";
  }
}

/** undefined: nothing names one. Throws a {@link Refusal} for what is none. */
function assetNamed(option: string | undefined, family: ChainFamily): Asset | undefined {
  const text = (option ?? (process.env["NATIVE_ASSET"] || settingInFile("NATIVE_ASSET"))).trim();
  const [parse, what] =
    family === "evm"
      ? [parseContract, "a contract's address, 0x and 40 hex digits"]
      : [parseAsset, "a coin's type tag or a fungible asset's address"];
  const asset = parse(text);
  if (asset === undefined && text !== "") throw new Refusal([`--asset: must be ${what}, not ${text}`]);
  return asset;
}

await runTool(import.meta.url, HELP, main, "");

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { keepBuilds } from "../../tools/build/folders.ts";
import { replaceFile } from "../../tools/lib/replace-file.ts";
import { buildSchedule } from "../../tools/schedule/build.ts";
import { asReleased } from "./released-settings.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FIXTURES = join(ROOT, "test", "fixtures");
/** Names of both Workers, as released. */
const WORKERS: Readonly<Record<string, string>> = { "wrangler.toml": "edge-api", "devnode/wrangler.toml": "devnode" };
/** Files that are not copied: they are generated or too large, or belong to a running Worker and come and go. */
const LEFT_OUT = /^(node_modules|\.git|dist|coverage|\.wrangler.*)$/;

/**
 * Copy of this checkout with schedule, brand and settings of the tests. Every process that a test starts runs here, on
 * its own build. So neither the operator's files nor a running `npm start` affect a test. Tests that change files use
 * {@link copyCheckout}.
 */
export const CHECKOUT = join(ROOT, "dist", "test");

const { SCHEDULE_FOLDER: _schedule, CHAIN_FAMILY: _family, BUILT_FOLDER: _built, ...environment } = process.env;
/** Environment of a process that a test starts, without the variables that this test run has added. */
export const ENVIRONMENT = environment;

/** Updates {@link CHECKOUT} and the module of its schedule; its page is built when it is first started. */
export function prepareCheckout(): void {
  const files = new Map(filesBelow(ROOT).map((file) => [relative(ROOT, file), file]));
  for (const file of [...files.keys()])
    if (file.startsWith("schedule/") && file !== "schedule/schema.json") files.delete(file);
  for (const file of filesBelow(join(FIXTURES, "schedule")))
    files.set(join("schedule", relative(join(FIXTURES, "schedule"), file)), file);
  files.set("page/brand.json", join(FIXTURES, "brand.json"));
  files.set("page/public/favicon.svg", join(FIXTURES, "favicon.svg"));
  for (const file of existsSync(CHECKOUT) ? filesBelow(CHECKOUT) : [])
    if (!files.has(relative(CHECKOUT, file))) rmSync(file);
  for (const [file, from] of files) {
    mkdirSync(dirname(join(CHECKOUT, file)), { recursive: true });
    const text = readFileSync(from, "utf8");
    const worker = WORKERS[file];
    replaceFile(join(CHECKOUT, file), worker === undefined ? text : asReleased(text, worker));
  }
  linkDependencies(CHECKOUT);
  buildSchedule(join(CHECKOUT, "schedule", "native.json"), join(CHECKOUT, "dist", "schedule.js"));
}

const BUILD = `const { build, buildNode } = await import("./tools/build.ts");
const { folder } = await build();
console.log(JSON.stringify({ folder, node: await buildNode() }));`;

/** Places of the built edge and page, and of the embedded node's module. */
interface Built {
  readonly folder: string;
  readonly node: string;
}

/** Builds what every start of {@link CHECKOUT} and of its copies needs, unless it is up to date. */
export function buildCheckout(): Built {
  const words = ["--input-type=module", "--eval", BUILD];
  const options = { cwd: CHECKOUT, env: ENVIRONMENT, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr } = spawnSync("node", words, options);
  if (status !== 0) throw new Error(`the tests' checkout was not built:\n${stderr}`);
  // The commands of the tests make more builds than stay of themselves.
  keepBuilds(join(CHECKOUT, "dist", "builds"));
  const built: Built = JSON.parse(stdout);
  process.env["BUILT_FOLDER"] = built.folder;
  return built;
}

/** Copies {@link CHECKOUT} with its builds for a test that changes files. The folder's name contains a blank. */
export function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), "edge-api checkout "));
  cpSync(CHECKOUT, folder, { recursive: true, filter: (path) => path === CHECKOUT || !isLeftOut(path) });
  const built = process.env["BUILT_FOLDER"];
  if (built !== undefined) cpSync(built, join(folder, relative(CHECKOUT, built)), { recursive: true });
  linkDependencies(folder);
  return folder;
}

function linkDependencies(folder: string): void {
  const link = join(folder, "node_modules");
  if (!existsSync(link)) symlinkSync(join(ROOT, "node_modules"), link);
}

const isLeftOut = (path: string): boolean => LEFT_OUT.test(basename(path));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isLeftOut(path)) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { replaceFile } from "../../tools/lib/replace-file.ts";
import { buildSchedule } from "../../tools/schedule/build.ts";
import { asReleased } from "./released-settings.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FIXTURES = join(ROOT, "test", "fixtures");
/** The names of both Workers, as released. */
const WORKERS: Readonly<Record<string, string>> = { "wrangler.toml": "edge-api", "devnode/wrangler.toml": "devnode" };
/** Generated, too large to copy, or the state and the settings of a running Worker, which come and go. */
const LEFT_OUT = /^(node_modules|\.git|dist|coverage|\.wrangler.*)$/;

/**
 * A copy of this checkout in which everything that an operator edits is the tests' own: the schedule, the brand and the
 * settings. Every process that a test starts runs here, on its own build, so that neither the operator's files nor a
 * running `npm start` make a difference. Tests that change files take {@link copyCheckout}.
 */
export const CHECKOUT = join(ROOT, "dist", "test");

const { SCHEDULE_FOLDER: _schedule, CHAIN_FAMILY: _family, BUILT_FOLDER: _built, ...environment } = process.env;
/** The environment of a process that a test starts: without what this run of the tests has added. */
export const ENVIRONMENT = environment;

/** Brings {@link CHECKOUT} up to date, with the module of its schedule; its page is built when it is first started. */
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

/** Where the edge and its page are built, and the embedded node's module. */
interface Built {
  readonly folder: string;
  readonly node: string;
}

/** Builds what every start of {@link CHECKOUT} and every copy of it needs; what is up to date is not built again. */
export function buildCheckout(): Built {
  const words = ["--input-type=module", "--eval", BUILD];
  const options = { cwd: CHECKOUT, env: ENVIRONMENT, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr } = spawnSync("node", words, options);
  if (status !== 0) throw new Error(`the tests' checkout was not built:\n${stderr}`);
  const built: Built = JSON.parse(stdout);
  process.env["BUILT_FOLDER"] = built.folder;
  return built;
}

/**
 * A copy of {@link CHECKOUT} that a test may change, in a folder with a blank in its name. It has the build of this run,
 * so that it builds only what depends on its changes; other builds come and go with the commands that use them.
 */
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

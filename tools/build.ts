import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSIONS } from "../src/http/api-version.ts";
import { versionTableErrors } from "./api/version-table.ts";
import { commandOptions } from "./command-options.ts";
import { buildSchedule } from "./schedule/build.ts";
import { check } from "./schedule/check.ts";
import { nativePath, REPOSITORY_FOLDER, Refusal, type ScheduleContext } from "./schedule/files.ts";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
/** All inputs of the built page. */
const INPUTS = ["page", "src", "openapi", "tools", "CHANGELOG.md", "package-lock.json"];

/**
 * Checks the schedule and the API versions, writes the schedule as the Worker's module and builds the page into `dist/page`, unless that is up to
 * date. The new page is built in another folder and then renamed, so that a running server never reads an empty folder.
 * Returns the report of the schedule check; throws a {@link Refusal} with one line per problem.
 */
export async function build(): Promise<string> {
  const context: ScheduleContext = { folder: REPOSITORY_FOLDER, nowMs: Date.now() };
  const report = check(context, undefined);
  const versionErrors = versionTableErrors(VERSIONS);
  if (versionErrors.length > 0) throw new Refusal(versionErrors);
  buildSchedule(nativePath(context));
  const stampPath = join(DIST, "page.stamp");
  const stamp = inputsHash();
  const isBuilt = existsSync(join(DIST, "page", "index.html")) && existsSync(stampPath);
  if (isBuilt && readFileSync(stampPath, "utf8") === stamp) return report;
  const fresh = join(DIST, `page-${process.pid}`);
  const vite = await import("vite");
  await vite.build({
    configFile: join(ROOT, "page", "vite.config.ts"),
    logLevel: "error",
    build: { outDir: fresh, emptyOutDir: true },
  });
  swapIn(fresh, join(DIST, "page"));
  writeFileSync(stampPath, stamp);
  return report;
}

/** Writes the edge as wrangler.toml names it: `dist/worker.js` and its source map. */
async function writeWorker(): Promise<void> {
  const { bundleWorker } = await import("./bundle-worker.ts");
  const { code, map } = await bundleWorker("src");
  writeFileSync(join(DIST, "worker.js.map"), map);
  writeFileSync(join(DIST, "worker.js"), `${code}\n//# sourceMappingURL=worker.js.map\n`);
}

/** Replaces a folder in two renames. With concurrent builds the later one wins. */
function swapIn(fresh: string, folder: string): void {
  const old = `${fresh}-old`;
  for (let attempt = 1; ; attempt += 1) {
    if (existsSync(folder)) renameSync(folder, old);
    try {
      renameSync(fresh, folder);
      rmSync(old, { recursive: true, force: true });
      return;
    } catch (cause) {
      rmSync(old, { recursive: true, force: true });
      if (attempt === 3) throw cause;
    }
  }
}

function inputsHash(): string {
  const hash = createHash("sha256");
  for (const path of [...INPUTS, REPOSITORY_FOLDER].flatMap((input) => filesUnder(resolve(ROOT, input)))) {
    hash.update(`${path}\0`);
    hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  commandOptions("usage: npm run build\n  checks the schedule and writes it, the page and the edge Worker to dist", {});
  mkdirSync(DIST, { recursive: true });
  // To wrangler a failed build is a dump of its own stack: `npm run dev` goes on with the last valid build instead.
  const keepsLastBuild = process.env["DEV_KEEPS_LAST_BUILD"] !== undefined;
  try {
    console.log(await build());
    await writeWorker();
  } catch (cause) {
    if (!(cause instanceof Refusal || keepsLastBuild)) throw cause;
    for (const line of cause instanceof Refusal ? cause.lines : [String(cause)]) console.error(line);
    if (keepsLastBuild) console.error("Not built: the last valid build is still served.");
    else process.exitCode = 1;
  }
}

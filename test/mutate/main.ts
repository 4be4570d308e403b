import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createVitest, type Vitest } from "vitest/node";
import { applied, type Mutant, mutantsOf, sampleOf } from "./mutants.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const COPIED = ["src", "devnode", "test", "tools", "openapi", "schedule", "page", "docs", "dist"];
const COPIED_FILES = ["package.json", "vitest.config.ts", "tsconfig.json", "wrangler.toml", "README.md"];
/** Area: the folder that is mutated, and the unit tests that must notice. */
const AREAS: Readonly<Record<string, readonly [source: string, ...tests: string[]]>> = {
  limiter: ["src/limiter", "test/unit/limiter"],
  supply: ["src/supply", "test/unit/supply"],
  gateway: ["src/gateway", "test/unit/gateway"],
  rates: ["src/rates", "test/unit/rates"],
  http: ["src/http", "test/unit/http", "test/unit/app"],
  ledger: ["devnode/ledger", "test/unit/devnode/ledger"],
  vm: ["devnode/vm", "test/unit/devnode/vm"],
  codec: ["devnode/codec", "test/unit/devnode/codec"],
};
/** Objects and platform code run in workerd only: no unit test can reach them. */
const SHELLS = /(durable-object|platform)\.ts$/;
/** A run that takes so much longer than the one without a mutant has an endless loop. */
const DEADLINE_FACTOR = 6;

const { values } = parseArgs({
  options: {
    area: { type: "string", multiple: true, default: Object.keys(AREAS) },
    sample: { type: "string", default: "12" },
    seed: { type: "string", default: "1" },
  },
});

const folder = copyOfRepository();
let vitest = await runner();
try {
  for (const area of values.area) await mutate(area);
} finally {
  await stopped(vitest);
  rmSync(folder, { recursive: true });
}
process.exit();

function runner(): Promise<Vitest> {
  return createVitest("test", {
    root: folder,
    watch: false,
    project: ["unit"],
    pool: "threads",
    isolate: false,
    fileParallelism: false,
    bail: 1,
    testTimeout: 300_000,
    reporters: [{}],
  });
}

function copyOfRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), "mutate-"));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  for (const name of COPIED_FILES) cpSync(join(ROOT, name), join(copy, name));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

async function mutate(area: string): Promise<void> {
  const [room, ...tests] = AREAS[area] ?? [];
  if (room === undefined) throw new Error(`${area} is not an area; allowed: ${Object.keys(AREAS).join(", ")}`);
  const files = readdirSync(join(folder, room), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !SHELLS.test(file))
    .map((file) => `${room}/${file}`)
    .sort();
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(folder, file), "utf8")));
  const sample = sampleOf(all, Number(values.sample), Number(values.seed));
  const startedAtMs = performance.now();
  if (!(await passes(tests, Number.POSITIVE_INFINITY))) {
    console.error(`${area}: its tests fail without any mutant`);
    return;
  }
  const deadlineMs = DEADLINE_FACTOR * (performance.now() - startedAtMs);
  let killed = 0;
  for (const mutant of sample) {
    const isKilled = await isNoticed(tests, mutant, deadlineMs);
    if (isKilled) killed += 1;
    else
      console.log(`${area}: survived ${mutant.file}:${mutant.line} ${short(mutant.before)} -> ${short(mutant.after)}`);
  }
  console.log(`${area}: ${killed} of ${sample.length} killed (of ${all.length} mutants)`);
}

/** Whether a unit test of the area fails, or never ends, with the mutant in place. */
async function isNoticed(tests: string[], mutant: Mutant, deadlineMs: number): Promise<boolean> {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, applied(text, mutant));
  vitest.invalidateFile(path);
  try {
    return !(await passes(tests, deadlineMs));
  } finally {
    writeFileSync(path, text);
    vitest.invalidateFile(path);
  }
}

/** A mutant that makes a test loop for ever blocks its thread: the run is given up, and a new one started. */
async function passes(tests: string[], deadlineMs: number): Promise<boolean> {
  const run = vitest.globTestSpecifications(tests).then((all) => vitest.runTestSpecifications(all, true));
  const result = deadlineMs === Number.POSITIVE_INFINITY ? await run : await Promise.race([run, after(deadlineMs)]);
  if (result === undefined) {
    await stopped(vitest);
    vitest = await runner();
    return false;
  }
  const { testModules, unhandledErrors } = result;
  return unhandledErrors.length === 0 && testModules.length > 0 && testModules.every((module) => module.ok());
}

async function stopped(running: Vitest): Promise<void> {
  await Promise.race([running.close(), after(5_000)]);
}

function after(delayMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, delayMs, undefined).unref());
}

function short(text: string): string {
  return JSON.stringify(text.replaceAll(/\s+/g, " ").slice(0, 60));
}

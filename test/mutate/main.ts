import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandOptions } from "../../tools/command-line.ts";
import { readImporters } from "./importers.ts";
import { applied, type Mutant, mutantsOf, sampleOf } from "./mutants.ts";
import { TestRunner } from "./runner.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const NOT_COPIED = new Set([".git", "node_modules", "bench", "clients"]);
/** Area: the folder that is mutated. Its tests are those that import the mutated file, and those of the same folder. */
const AREAS: Readonly<Record<string, string>> = {
  limiter: "src/limiter",
  supply: "src/supply",
  gateway: "src/gateway",
  rates: "src/rates",
  http: "src/http",
  ledger: "devnode/ledger",
  vm: "devnode/vm",
  codec: "devnode/codec",
};
/** Objects and platform code run in workerd only: unit tests cannot run them. */
const SHELLS = /(durable-object|platform)\.ts$/;

const HELP = `usage: npm run mutate -- [--area NAME]... [--file PART] [--sample N] [--seed N]
  --area NAME    one of ${Object.keys(AREAS).join(", ")} (default: all)
  --file PART    only files whose path has this in it
  --sample N     mutants per area (default 40)
  --seed N       draws another sample (default 1)`;

const values = commandOptions(HELP, {
  area: { type: "string", multiple: true, default: Object.keys(AREAS) },
  file: { type: "string", default: "" },
  sample: { type: "string", default: "40" },
  seed: { type: "string", default: "1" },
});

const copy = copyOfRepository();
const importers = readImporters(copy);
const runner = new TestRunner(copy);
try {
  for (const area of values.area) await mutate(area);
} finally {
  await runner.close();
  rmSync(copy, { recursive: true });
}
process.exit();

function copyOfRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), "mutate-"));
  for (const name of readdirSync(ROOT))
    if (!NOT_COPIED.has(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

async function mutate(area: string): Promise<void> {
  const folder = AREAS[area];
  if (folder === undefined) throw new Error(`${area} is not an area; allowed: ${Object.keys(AREAS).join(", ")}`);
  const files = readdirSync(join(copy, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith(".ts") && !SHELLS.test(file) && file.includes(values.file));
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(copy, file), "utf8")));
  const sample = sampleOf(all, Number(values.sample), Number(values.seed));
  const failures = await runner.failures([...new Set(sample.flatMap(({ file }) => testsOf(file).flat()))]);
  if (failures.length > 0) throw new Error(`${area}: tests fail without any mutant:\n${failures.join("\n")}`);
  let killed = 0;
  for (const mutant of sample) {
    if (await isKilled(mutant)) killed += 1;
    else console.log(`survived ${described(mutant)}`);
  }
  console.log(`${area}: ${killed} of ${sample.length} killed, drawn from ${all.length}`);
}

/** The unit tests that import a file, then those of its area that load it through others. */
function testsOf(file: string): (readonly string[])[] {
  const folder = Object.values(AREAS).find((each) => file.startsWith(`${each}/`)) ?? file;
  const ownTests = `test/unit/${folder.replace("src/", "")}/`;
  const [nearest = [], ...others] = importers(file);
  return [nearest, others.flat().filter((test) => test.startsWith(ownTests))].filter((tests) => tests.length > 0);
}

/**
 * Whether a unit test of the file fails, or never ends, with the mutant. The tests with the fewest imports in between
 * run first.
 */
async function isKilled(mutant: Mutant): Promise<boolean> {
  const path = join(copy, mutant.file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, applied(text, mutant));
  runner.invalidate(path);
  try {
    for (const tests of testsOf(mutant.file)) {
      const result = await runner.result(tests);
      if (result === "endless") console.log(`endless ${described(mutant)}`);
      if (result !== "passed") return true;
    }
    return false;
  } finally {
    writeFileSync(path, text);
    runner.invalidate(path);
  }
}

function described({ file, line, before, after }: Mutant): string {
  return `${file}:${line} ${short(before)} -> ${short(after)}`;
}

function short(text: string): string {
  return JSON.stringify(text.replaceAll(/\s+/g, " ").slice(0, 60));
}

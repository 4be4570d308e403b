import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandOptions } from "../../tools/lib/command-line.ts";
import {
  exampleSchedule,
  type OperatorFile,
  operatorSettings,
  withWallets,
  withWholeTokens,
  writeBrand,
  writeSchedule,
} from "../support/operator-files.ts";
import { startProduct } from "../support/product.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Port of `npm start`, as an operator leaves it running. */
const PORT = 8787;

/** Schedules that replace the sample. */
const SCHEDULES: Readonly<Record<string, (folder: string) => OperatorFile>> = {
  buckets: (folder) => withWallets(exampleSchedule(folder, "celestia")),
  table: (folder) => ({
    ...withWholeTokens(exampleSchedule(folder, "sui")),
    token: { symbol: "PLN", name: "Plain", decimals: 6 },
  }),
};

const HELP = `usage: npm run test:operator -- [--schedule ${Object.keys(SCHEDULES).join("|")}] [--project NAME]...
  runs npm test and npm run test:devnode in clones of this commit with an operator's schedule, brand, names, routes and
  settings, beside an npm start of each on port ${PORT}
  --schedule NAME   only with this schedule
  --project NAME    only this project of tests, and neither types nor lint`;

const { schedule: only, project: projects = [] } = commandOptions(HELP, {
  schedule: { type: "string" },
  project: { type: "string", multiple: true },
});
const TESTS =
  projects.length === 0
    ? ["npm test", "npm run test:devnode"]
    : [["npx vitest run", ...projects.map((name) => `--project ${name}`)].join(" ")];
const chosen = Object.entries(SCHEDULES).filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) throw new Error(`--schedule ${only}: must be one of ${Object.keys(SCHEDULES).join(", ")}`);
for (const [name, schedule] of chosen) await check(name, schedule);

async function check(name: string, schedule: (folder: string) => OperatorFile): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "operator-"));
  try {
    run("git", ["clone", "--quiet", ROOT, folder], ROOT);
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    writeSchedule(folder, schedule(folder));
    writeBrand(folder, { name: "An operator", url: "https://figures.example.org", footer: "Run by an operator." });
    const settings = join(folder, "wrangler.toml");
    writeFileSync(settings, operatorSettings(readFileSync(settings, "utf8")));
    run("npm", ["run", "--silent", "schedule", "--", "publish"], folder);
    const product = await startProduct({}, { cwd: folder, port: PORT });
    const before = await served(product.url);
    for (const command of TESTS) {
      console.log(`operator: ${command} with the schedule "${name}", beside npm start on port ${PORT}`);
      if ((await runTests(command, folder)) !== 0) process.exitCode = 1;
    }
    const after = await served(product.url);
    await product.stop();
    rmSync(product.state, { recursive: true });
    if (after !== before) throw new Error(`the running product served\n${before}\nbefore the tests, and now\n${after}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads what distinguishes one deployment from another: its figures' token, and the page. */
async function served(url: string): Promise<string> {
  const texts = await Promise.all(["/api/unlock-schedule", "/"].map(async (path) => (await fetch(url + path)).text()));
  return texts.join("\n");
}

function runTests(line: string, cwd: string): Promise<number | null> {
  const [command = "", ...words] = line.split(" ");
  const child = spawn(command, words, { cwd, stdio: "inherit" });
  return new Promise((resolve) => child.once("close", resolve));
}

function run(command: string, words: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${[command, ...words].join(" ")} failed:\n${stdout}${stderr}`);
}

import { spawn } from "node:child_process";
import { join } from "node:path";
import { skippedTests } from "./support/machine-tools.ts";

/**
 * Runs `npm test`: types, lint and the API documents beside the tests, which use only one core at first. Its options
 * are vitest's. Prints a check that fails after the tests, and names tests that were skipped for a missing program.
 * Ends with 1 when anything failed.
 */
const ROOT = join(import.meta.dirname, "..");

interface Ended {
  readonly code: number;
  readonly output: string;
}

function run(command: string, words: readonly string[], isShown: boolean): Promise<Ended> {
  const child = spawn(command, words, { cwd: ROOT, stdio: isShown ? "inherit" : ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

const checks = ["types", "lint"].map((name) => run("npm", ["run", "--silent", name], false));
const vitest = join(ROOT, "node_modules", ".bin", "vitest");
const tests = await run(vitest, ["run", "--project", "!devnode*", ...process.argv.slice(2)], true);
const failed = (await Promise.all(checks)).filter(({ code }) => code !== 0);
for (const { output } of failed) process.stderr.write(output);
for (const line of skippedTests()) process.stdout.write(`${line}\n`);
process.exitCode = tests.code !== 0 || failed.length > 0 ? 1 : 0;

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
/** Scripts that pass their arguments to other programs, which have their own help. */
const OTHERS = ["test", "types", "lint", "format", "test:devnode", "test:unit"];
/** Other names of `doctor`, with its help. */
const DOCTOR = ["rehearse", "smoke"];
const OURS = Object.keys(scripts).filter((name) => ![...OTHERS, ...DOCTOR].includes(name));

function run(name: string, ...words: string[]) {
  const [, file = "", ...rest] = (scripts[name]?.split(" && ").at(-1) ?? "").split(" ");
  const { status, stdout, stderr } = spawnSync("node", [file, ...rest, ...words], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the scripts were found", () => {
  expect(OURS).toEqual(expect.arrayContaining(["start", "deploy", "schedule", "bench", "api:freeze"]));
});

test.each(OURS)("npm run %s -- --help prints the usage, and does nothing else", (name) => {
  const { status, stdout, stderr } = run(name, "--help");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(new RegExp(`^usage: npm (run ${name}|${name})\\b`));
});

// `dev` passes unknown options to wrangler.
test.each(OURS.filter((name) => name !== "dev"))("npm run %s refuses an unknown option with its usage", (name) => {
  const { status, stdout, stderr } = run(name, "--colour");
  expect(status).toBeGreaterThan(0);
  expect(stdout + stderr).toContain("usage: npm ");
  expect(stdout + stderr).not.toMatch(/^ {4}at /m);
});

test("npm run help lists the commands of the first month on one screen, and each exists", () => {
  const { status, stdout } = run("help");
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110);
  const named = lines.flatMap((line) => /^ {2}npm (?:run )?([\w:]+)/.exec(line)?.[1] ?? []);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  for (const name of ["start", "schedule", "rehearse", "deploy", "doctor", "listing", "trackers"])
    expect(named).toContain(name);
});

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXIT } from "../../tools/lib/command-line.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
/** Scripts that pass their arguments to other programs, which have their own help. */
const OTHERS = ["test", "types", "lint", "format", "test:devnode", "test:unit"];
/** Commands that run `doctor` and print its help. */
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
  expect(status).toBe(EXIT.unusable);
  expect(stdout + stderr).toContain("usage: npm ");
  expect(stdout + stderr).not.toMatch(/^ {4}at /m);
});

/** Command lines that lack what the command needs, or ask for what it does not have. */
test.each([
  ["schedule", "chek"],
  ["schedule", "at"],
  ["schedule", "new"],
  ["schedule", "verify"],
  ["schedule", "import", "FILE"],
  ["schedule", "revise", "delays", "community"],
  ["schedule", "revise", "delay", "community"],
  ["schedule", "publish", "--because", ""],
  ["schedule", "export", "--to", "nobody"],
  ["history", "refill"],
  ["history", "backfill"],
  ["history", "correct"],
  ["listing"],
  ["trackers"],
  ["deploy"],
  ["doctor", "127.0.0.1:8787"],
  ["start", "--port", "none"],
])("npm run %s %s %s: wrong use has an exit code of its own", (name, ...words) => {
  const { status, stderr } = run(name, ...words);
  expect(status, stderr).toBe(EXIT.unusable);
  expect(stderr).not.toMatch(/^ {4}at /m);
});

test("the exit codes are those of the table in operations.md", () => {
  const [, section = ""] = /^### Exit codes\n(.*?)^### /ms.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
  const codes = [...section.matchAll(/^\| (\d) /gm)].map(([, code]) => Number(code));
  expect(codes).toEqual([0, ...Object.values(EXIT)]);
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

test.each([
  [
    "schedule revise burn --help",
    ["revise burn BUCKET --amount TOKENS --month", "revise burn BUCKET --amount TOKENS --locked", "--dry-run"],
    "revise delay",
  ],
  ["schedule verify --help", ["verify --node"], "revise"],
  ["schedule new --help", ["new --csv FILE", "--columns FILE"], "revise"],
  ["history correct --help", ["correct"], "npm run deploy"],
])("the help of %s is that of the command alone", (line, shown, hidden) => {
  const [name = "", ...words] = line.split(" ");
  const { status, stdout } = run(name, ...words);
  for (const text of shown) expect(stdout).toContain(text);
  expect(stdout).not.toContain(hidden);
  expect(status).toBe(0);
});

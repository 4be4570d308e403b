import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import { SECRETS } from "../../../tools/start/settings.ts";

const FOLDER = ".github/workflows";
const text = (name: string) => readFileSync(join(FOLDER, name), "utf8");

describe.each(readdirSync(FOLDER))("the workflow %s", (name) => {
  const lines = text(name).split("\n");

  test("hands values to commands as variables, never inside their text", () => {
    // Everything that is deeper than its `run:` belongs to the command.
    const commands = lines.filter((line, index) => {
      const run = lines.slice(0, index + 1).findLast((each) => /^\s*(- )?\w[\w-]*:/.test(each)) ?? "";
      return /^\s*(- )?run:/.test(run) && line.trim() !== "";
    });
    expect(commands.filter((line) => line.includes("${{"))).toEqual([]);
  });

  test("names the actions of others by commit", () => {
    const used = lines.flatMap((line) => /uses: (\S+)/.exec(line)?.[1] ?? []);
    for (const action of used) expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
  });
});

test("a deployment has every secret of its environment, and no other", () => {
  const named = [...text("deploy.yml").matchAll(/^ +(\w+): \$\{\{ secrets\.\1 \}\}$/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(["CLOUDFLARE_API_TOKEN", ...SECRETS].sort());
});

test("the embedded node's tests run for every file of the edge that it imports", () => {
  const paths = [...text("devnode.yml").matchAll(/^ +"(.+)",$/gm)].map(([, path = ""]) => path);
  const sources = readdirSync("devnode", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const imported = sources.flatMap((path) =>
    [...readFileSync(join("devnode", path), "utf8").matchAll(/from "(?:\.\.\/)+(src\/[^"]+)"/g)].map(
      ([, file]) => file,
    ),
  );
  expect(imported.length).toBeGreaterThan(100);
  const unwatched = imported.filter((file = "") => !paths.some((pattern) => matchesGlob(file, pattern)));
  expect([...new Set(unwatched)]).toEqual([]);
});

/** The commands of a workflow's `run: |` steps, in order. */
function commandsOf(name: string): string[] {
  return text(name)
    .split(/^\s+(?:- )?run: \|\n/m)
    .slice(1)
    .map((after) => /^(?: {10}.*\n)+/.exec(after)?.[0].replace(/^ {10}/gm, "") ?? "");
}

/** Runs the steps of `trackers.yml` as the platform does, with a comparison that ends with `code`. */
function watched(code: number, openIssue: string) {
  const folder = mkdtempSync(join(tmpdir(), "workflow-"));
  const program = (name: string, lines: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  program("npm", 'echo "$@" > "$RUNNER_TEMP/asked-npm"; echo "the comparison"; exit "$STUB_CODE"');
  program("gh", 'echo "$@" >> "$RUNNER_TEMP/asked-gh"; if [ "$2" = list ]; then echo "$STUB_ISSUE"; fi');
  const env: NodeJS.ProcessEnv = {
    PATH: `${folder}:${process.env["PATH"]}`,
    RUNNER_TEMP: folder,
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    STUB_CODE: String(code),
    STUB_ISSUE: openIssue,
    ADDRESS: "https://api.example.org",
    COINGECKO_ID: "our-token",
    CMC_ID: "",
    TITLE: "Title",
  };
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
  const [compare = "", report = ""] = commandsOf("trackers.yml");
  const compared = spawnSync("bash", ["-e", "-c", compare], { env, encoding: "utf8" });
  const CODE = /^code=(\d)$/m.exec(read("output"))?.[1];
  const reported = spawnSync("bash", ["-e", "-c", report], { env: { ...env, CODE }, encoding: "utf8" });
  const [, ...issues] = read("asked-gh").trim().replaceAll(folder, "").split("\n");
  const printed = { npm: read("asked-npm").trim(), issues, body: read("report.md") };
  return { compared: compared.status, reported: reported.status, ...printed };
}

describe("the comparison with trackers", () => {
  test("is run with the ids that are set, and is the issue's text", () => {
    const { npm, body } = watched(1, "");
    expect(npm).toBe("run --silent trackers -- --url https://api.example.org --tolerance 0.5% --coingecko our-token");
    expect(body).toBe("```\nthe comparison\n```\n");
  });

  test.each([
    ["right figures, no issue", 0, "", 0, []],
    ["right figures close the issue", 0, "17", 0, ["issue close 17 --comment All figures are right again."]],
    ["wrong figures open an issue", 1, "", 0, ["issue create --title Title --body-file /report.md"]],
    ["wrong figures again edit it", 1, "17", 0, ["issue edit 17 --body-file /report.md"]],
    ["unknown figures fail the run and leave the issue", 2, "17", 1, []],
  ])("%s", (_what, code, openIssue, status, issues) => {
    expect(watched(code, openIssue)).toMatchObject({ compared: 0, reported: status, issues });
  });

  test("may read the contents and write issues, and nothing else", () => {
    expect(text("trackers.yml")).toMatch(/^permissions:\n {2}contents: read\n {2}issues: write\njobs:/m);
  });
});

/** A repository whose main has a revision that production does not serve yet, and its programs. */
function recording() {
  const folder = mkdtempSync(join(tmpdir(), "record-"));
  const at = (name: string) => join(folder, name);
  const git = (...words: string[]) => {
    const { stdout, status, stderr } = spawnSync("git", words, { cwd: at("main"), encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const commit = (revision: string) => {
    writeFileSync(join(at("main"), "schedule", "native.json"), revision);
    git("add", "-A");
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", revision);
    return git("rev-parse", "--short=12", "HEAD");
  };
  for (const name of ["bin", "main/schedule", "runner"]) mkdirSync(at(name), { recursive: true });
  spawnSync("git", ["init", "-q", "--bare", at("origin")]);
  git("init", "-q");
  git("remote", "add", "origin", at("origin"));
  for (const name of ["published.csv", "published.json"]) writeFileSync(join(at("main"), "schedule", name), "before\n");
  const served = commit("revision 1");
  commit("revision 2");
  const program = (name: string, line: string) =>
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  program("curl", `echo '{"build_revision":"${served}"}'`);
  program("jq", `echo ${served}`);
  program("npm", 'if [ "$1" = run ]; then cat schedule/native.json >> schedule/published.csv; fi');
  program("gh", `echo "$1 $2 $3" >> ${at("asked-gh")}`);
  const env = {
    PATH: `${at("bin")}:${process.env["PATH"]}`,
    RUNNER_TEMP: at("runner"),
    ADDRESS: "https://x",
    HOME: folder,
  };
  const results = commandsOf("record.yml").map((command) => {
    const { status, stderr } = spawnSync("bash", ["-e", "-c", command], { cwd: at("main"), env, encoding: "utf8" });
    return { status, stderr };
  });
  const recorded = spawnSync("git", ["show", "record-published:schedule/published.csv"], {
    cwd: at("origin"),
    encoding: "utf8",
  });
  return { results, recorded: recorded.stdout, gh: readFileSync(at("asked-gh"), "utf8").trim().split("\n") };
}

test("what is recorded as served is the schedule of the commit that production serves, and it is checked", () => {
  const { results, recorded, gh } = recording();
  expect(
    results.map(({ status }) => status),
    JSON.stringify(results),
  ).toEqual([0, 0]);
  expect(recorded).toBe("before\nrevision 1");
  expect(gh).toEqual(["pr list --head", "pr create --head", "workflow run check.yml"]);
  expect(text("check.yml")).toContain("\n  workflow_dispatch:\n");
});

test("only a deployment of production is recorded", () => {
  expect(text("deploy.yml")).toMatch(/record:\n {4}needs: deploy\n {4}if: github.ref_type == 'tag'/);
  expect(text("record.yml")).toContain("if: vars.PRODUCTION_URL != ''");
});

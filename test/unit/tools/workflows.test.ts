import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import { SECRETS } from "../../../tools/edge-settings.ts";

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
    expect(used.length).toBe(lines.filter((line) => line.includes("uses:")).length);
    expect(used).not.toEqual([]);
    for (const action of used) expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
  });
});

/** The text of each job of all workflows, with the rights that it has. */
const JOBS = readdirSync(FOLDER).flatMap((name) => {
  const [head = "", ...jobs] = text(name).split(/^(?= {2}[\w-]+:\n {4})/m);
  const rights = (of: string) => /^ *permissions:\n((?: +[\w-]+: (?:read|write)\n)+)/m.exec(of)?.[1];
  const [outer, inJobs = ""] = head.split(/^jobs:\n/m);
  return [inJobs, ...jobs]
    .filter((job) => job.includes("steps:"))
    .map((job) => ({
      name: `${name} ${job.trim().split(":")[0]}`,
      job,
      rights: rights(job) ?? rights(outer ?? "") ?? "",
    }));
});

describe("a token that may write is out of reach of code that a workflow runs", () => {
  const pushes = ({ job }: (typeof JOBS)[number]) => job.includes("git push");

  test("every checkout drops it, but of the one job that pushes", () => {
    const checkouts = JOBS.flatMap((job) =>
      job.job
        .split(/^ {6}- /m)
        .filter((step) => step.startsWith("uses: actions/checkout@"))
        .map((step) => [job.name, pushes(job) || step.includes("\n          persist-credentials: false\n")]),
    );
    expect(JOBS.filter(pushes).map(({ name }) => name)).toEqual(["record.yml record"]);
    expect(checkouts.length).toBe(readdirSync(FOLDER).length + 1);
    expect(checkouts.filter(([, isDropped]) => !isDropped)).toEqual([]);
  });

  test("a job that may write contents installs and runs nothing of a checkout", () => {
    const writing = JOBS.filter(({ rights }) => rights.includes("contents: write"));
    expect(writing.map(({ name }) => name)).toEqual(["record.yml record"]);
    for (const { job } of writing)
      expect(job).not.toMatch(/^[\s(]*(?:npm|npx|node|bash|sh|\.)|git (?:worktree|checkout)|setup-node/m);
  });

  test("what an address says of itself is read by one program, which checks it", () => {
    const naming = JOBS.filter(({ job }) => job.includes("served-commit")).map(({ name }) => name);
    expect(naming).toEqual(["doctor.yml doctor", "record.yml publish"]);
    for (const { job } of JOBS) expect(job).not.toContain("/api/health");
  });
});

test("every job that runs has a limit, far below the platform's six hours", () => {
  expect(JOBS.length).toBeGreaterThan(readdirSync(FOLDER).length);
  const limits = JOBS.map(({ name, job }) => [name, Number(/^ {4}timeout-minutes: (\d+)$/m.exec(job)?.[1])] as const);
  expect(limits.filter(([, minutes]) => !(minutes >= 20 && minutes <= 60))).toEqual([]);
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

/** A repository whose main has a revision that production does not serve yet, its branches and tags, and its programs. */
function recording(served: (commits: Readonly<Record<"main" | "tagged" | "topic", string>>) => string) {
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
    return git("rev-parse", "HEAD");
  };
  for (const name of ["bin", "main/schedule", "main/.ci", "runner"]) mkdirSync(at(name), { recursive: true });
  copyFileSync(".ci/served-commit", at("main/.ci/served-commit"));
  spawnSync("git", ["init", "-q", "--bare", at("origin")]);
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", at("origin"));
  for (const name of ["published.csv", "published.json"]) writeFileSync(join(at("main"), "schedule", name), "before\n");
  const main = commit("revision 1");
  git("checkout", "-q", "-b", "topic");
  const topic = commit("a topic");
  git("tag", "w1");
  git("checkout", "-q", "--detach", main);
  const tagged = commit("a release");
  git("tag", "v1.0.1");
  git("checkout", "-q", "main");
  commit("revision 2");
  git("push", "-q", "origin", "main", "topic", "--tags");
  const program = (name: string, line: string) =>
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const revision = served({ main, tagged, topic });
  program("curl", `cat ${at("health")}`);
  writeFileSync(at("health"), JSON.stringify({ build_revision: revision }));
  program("jq", `node -e 'console.log(JSON.parse(fs.readFileSync(0)).build_revision)'`);
  program(
    "npm",
    `echo "$1" >> ${at("ran-npm")}; if [ "$1" = run ]; then cat schedule/native.json >> schedule/published.csv; fi`,
  );
  program("gh", `echo "$1 $2 $3" >> ${at("asked-gh")}`);
  const env = {
    PATH: `${at("bin")}:${process.env["PATH"]}`,
    RUNNER_TEMP: at("runner"),
    ADDRESS: "https://x",
    HOME: folder,
  };
  const run = (command: string) => spawnSync("bash", ["-e", "-c", command], { cwd: at("main"), env, encoding: "utf8" });
  const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8").trim().split("\n") : []);
  return { at, revision, run, read };
}

/** Runs both jobs of `record.yml`; the second has of the first what the artifact has. */
function recorded(...given: Parameters<typeof recording>) {
  const { at, run, read } = recording(...given);
  const [publish = "", record = ""] = commandsOf("record.yml").filter((command) => !command.startsWith("$"));
  const results = [run(publish)];
  if (results[0]?.status === 0) {
    mkdirSync(at("runner/published"));
    for (const name of ["published.csv", "published.json"])
      copyFileSync(at(`runner/served/schedule/${name}`), at(`runner/published/${name}`));
    // The jobs share nothing else: the second has a checkout of its own.
    spawnSync("git", ["checkout", "-q", "--", "."], { cwd: at("main") });
    results.push(run(record));
  }
  const pushed = spawnSync("git", ["show", "record-published:schedule/published.csv"], {
    cwd: at("origin"),
    encoding: "utf8",
  });
  return { results, pushed: pushed.stdout, gh: read("asked-gh"), npm: read("ran-npm") };
}

test.each([
  ["of main", "main", "revision 1"],
  ["of a release tag that is not on main", "tagged", "a release"],
] as const)("what is recorded is the schedule of the commit that production serves, %s", (_what, name, schedule) => {
  const { results, pushed, gh } = recorded((commits) => commits[name]);
  expect(
    results.map(({ status }) => status),
    JSON.stringify(results),
  ).toEqual([0, 0]);
  expect(pushed).toBe(`before\n${schedule}`);
  expect(gh).toEqual(["pr list --head", "pr create --head", "workflow run check.yml"]);
  expect(text("check.yml")).toContain("\n  workflow_dispatch:\n");
});

const REFUSED: readonly (readonly [string, Parameters<typeof recording>[0]])[] = [
  ["a branch's name", () => "origin/topic"],
  ["a tag's name", () => "v1.0.1"],
  ["the commit of another branch", ({ topic }) => topic],
  ["a part of a commit's id", ({ main }) => main.slice(0, 12)],
  ["a commit that was changed", ({ main }) => `${main}-dirty`],
  ["an expression", ({ main }) => `${main}^{commit}`],
  ["a second line", ({ main }) => `${main}\n${main}`],
  ["an option", () => "--orphan"],
  ["nothing", () => ""],
  ["a commit that is not here", () => "0123456789abcdef0123456789abcdef01234567"],
];

test.each(REFUSED)("an address that says it serves %s makes nothing run", (_what, served) => {
  const { results, pushed, gh, npm } = recorded(served);
  expect(results.map(({ status }) => status)).toEqual([1]);
  expect(results[0]?.stderr).toContain("::error::https://x does not say which commit of main or of a tag v* it serves");
  expect([pushed, gh, npm]).toEqual(["", [], []]);
});

test("the doctor checks out the commit that production serves, or stays where it is with a warning", () => {
  const [command = ""] = commandsOf("doctor.yml");
  const head = (served: Parameters<typeof recording>[0]) => {
    const { at, run, revision } = recording(served);
    const { status, stdout } = run(command);
    const now = spawnSync("git", ["rev-parse", "HEAD"], { cwd: at("main"), encoding: "utf8" }).stdout.trim();
    return { status, isServed: now === revision, isWarned: stdout.includes("::warning::") };
  };
  expect(head(({ main }) => main)).toEqual({ status: 0, isServed: true, isWarned: false });
  for (const [, served] of REFUSED.slice(0, 3))
    expect(head(served)).toEqual({ status: 0, isServed: false, isWarned: true });
});

test("only a deployment of production is recorded", () => {
  expect(text("deploy.yml")).toMatch(/record:\n {4}needs: deploy\n {4}if: github.ref_type == 'tag'/);
  expect(text("record.yml")).toContain("if: vars.PRODUCTION_URL != ''");
});

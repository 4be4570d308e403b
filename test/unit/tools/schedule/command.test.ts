import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { schedule } from "../../../../tools/schedule.ts";
import { refusalOf } from "../../../support/refusal.ts";

const REPOSITORY = `${join(import.meta.dirname, "../../../..")}/`;
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "schedule-"));
  cpSync(join(REPOSITORY, "test/fixtures/schedule"), folder, { recursive: true });
  rmSync(join(folder, "published.json"));
});

const run = (...args: string[]) => schedule(args, { folder, nowMs: Date.parse("2026-11-21T00:00:00Z") });

const refusal = (...args: string[]) => refusalOf(() => run(...args));

const nativePath = () => join(folder, "native.json");
const edit = (from: string, to: string) => {
  writeFileSync(nativePath(), readFileSync(nativePath(), "utf8").replace(from, to));
};

test("check reports a valid schedule", () => {
  const lines = run("check").split("\n");
  expect(lines.filter((line) => line.includes(": valid, "))).toHaveLength(4);
  // An example's oddities are its network's own, and named when it is asked for.
  expect(lines.filter((line) => line.startsWith("warning: "))).toEqual([]);
  for (const example of ["arbitrum", "celestia", "sui"])
    for (const line of run("check", join(folder, `examples/${example}.json`))
      .split("\n")
      .slice(1, -1))
      expect(line).toMatch(
        /^warning: .*: (wallets: .+ have unlocked .+ and no wallets are listed: trackers will not count|buckets: .+ lists? no wallet)/,
      );
  expect(run("check", nativePath())).toBe(
    `${nativePath()}: valid, APT revision 1, 121 rows from 2022-10-12 to 2032-10-12\nNext: npm run rehearse -- ${nativePath()}`,
  );
});

test.each([
  [
    "sample data, which no deployment takes",
    true,
    /^Next: npm run schedule -- new, because a deployment refuses sample/,
  ],
  ["a schedule that can be deployed", false, /^Next: npm run deploy$/],
])("after a check of %s the next command is one that is not refused", (_what, sample, next) => {
  const file = JSON.parse(readFileSync(nativePath(), "utf8"));
  writeFileSync(nativePath(), JSON.stringify({ ...file, sample }));
  expect(run("check").split("\n").at(-1)).toMatch(next);
});

test("check warns of a wallet on another chain", () => {
  edit('"chain": "native"', '"chain": "ethereum"');
  expect(run("check", nativePath()).split("\n").slice(1, -1)).toEqual([
    expect.stringContaining("is on ethereum, so /api/circulating-supply-on-chain is not served"),
  ]);
});

test("check names file, place and rule", () => {
  edit('"510217359.767"', '"510217359.768"');
  expect(refusal("check")).toEqual([
    `${nativePath()}: buckets[0].allocation: 510217359.768 is not genesis + phases, 510217359.767`,
    `${nativePath()}: buckets: allocations add up to 1000000000.001, not to max_supply 1000000000`,
  ]);
});

test("check refuses an invalid example, too", () => {
  const path = join(folder, "examples/sui.json");
  writeFileSync(path, readFileSync(path, "utf8").replace("582598087.8974359", "275796287."));
  expect(refusal("check")).toEqual([
    expect.stringContaining(`${path}: table[1].circulating: must be a decimal string`),
  ]);
});

test("a folder with nothing but a schedule is valid; publish begins its record", () => {
  rmSync(join(folder, "published.csv"));
  expect(refusal("check")).toEqual([]);
  expect(run("publish")).toContain("50 more published");
  expect(refusal("check")).toEqual([]);
  expect(run("publish")).toContain("nothing new has passed");
});

test("publish refuses a schedule that contradicts the published past", () => {
  edit('"start": "2022-10-12"', '"start": "2022-10-11"');
  const before = readFileSync(join(folder, "published.csv"), "utf8");
  expect(refusal("publish").length).toBeGreaterThan(0);
  expect(readFileSync(join(folder, "published.csv"), "utf8")).toBe(before);
});

test.each([
  ["2022-10-12", "130000000\t13000000000000000"],
  ["2022-11-11T23:59:59.999Z", "130000000\t13000000000000000"],
  ["2022-11-12T00:00:00Z", "134543477\t13454347799805833"],
  ["2050-01-01", "1000000000\t100000000000000000"],
  ["now", "677413062\t67741306213785833"],
])("at %s", (instant, line) => {
  expect(run("at", instant)).toBe(line);
});

test.each([
  ["2022-10-11", "2022-10-11 is before the schedule's start"],
  ["2023-02-29", "2023-02-29 is not an instant"],
  ["2023-02-28T24:00:00Z", "is not an instant"],
  ["2023-02-28T10:00:00", "is not an instant"],
  ["yesterday", "yesterday is not an instant"],
])("at %s is refused", (instant, message) => {
  expect(refusal("at", instant)).toEqual([expect.stringContaining(message)]);
});

test("a burn past the last step is one change, though the file then has a row for every month before it", () => {
  const changed = join(folder, "changed.json");
  cpSync(nativePath(), changed);
  const burn = [
    "burn",
    "community",
    "--amount",
    "1250.5",
    "--month",
    "2040-03",
    "--source",
    "https://example.org/burn",
  ];
  const said = run("revise", ...burn, "--file", changed).split("\n");
  const figures = (lines: readonly string[]) =>
    lines.filter((line) => /^\d{4}-/.test(line)).map((line) => line.split(/ +/));
  const change = ["2040-03-12", "changed", "1000000000", "999998749.5", "-1250.5"];
  expect(figures(said)).toEqual([change]);
  expect(figures(run("diff", nativePath(), changed).split("\n"))).toEqual([change]);
  expect(figures(run("diff", changed, nativePath()).split("\n"))).toEqual([
    ["2040-03-12", "changed", "999998749.5", "1000000000", "+1250.5"],
  ]);
});

test("diff prints the changes by month, and the next steps", () => {
  const changed = join(folder, "changed.json");
  cpSync(nativePath(), changed);
  expect(run("diff", nativePath(), changed)).toBe("No figure changes.\n\nNext: nothing to do.");
  const burn = `"adjustments": [{ "month": "2026-10", "bucket": "community", "delta": "-1250.5", "kind": "burn", "source": "https://example.org/" }]`;
  writeFileSync(changed, readFileSync(changed, "utf8").replace('"buckets"', `${burn}, "buckets"`));
  const lines = run("diff", nativePath(), changed).split("\n");
  expect(lines.find((line) => line.startsWith("2026"))?.split(/ +/)).toEqual([
    "2026-10-12",
    "changed",
    "672869584.1398",
    "672868333.6398",
    "-1250.5",
  ]);
  expect(lines[0]).toBe("adjustments: - -> community -1250.5 burn <https://example.org/>");
  expect(lines).toHaveLength(1 + 1 + 73 + 1 + 6);
  expect(lines.slice(-5)).toEqual([
    "Next:",
    "  1. raise revision above 1 and set published_at",
    "  2. 2 of these changes are in the past: each needs an entry in adjustments with its source",
    "  3. npm run schedule -- check",
    "  4. commit, then npm run deploy",
  ]);
});

test("check explains a byte order mark, and that rules and figures exclude each other", () => {
  const text = readFileSync(nativePath(), "utf8");
  writeFileSync(nativePath(), `\uFEFF${text}`);
  expect(refusal("check")).toEqual([`${nativePath()}: begins with a byte order mark; save it as UTF-8 without one`]);
  writeFileSync(
    nativePath(),
    text.replace('"buckets"', '"table": [{ "month": "2022-10", "circulating": "1" }],\n"buckets"'),
  );
  expect(refusal("check")[0]).toContain("buckets: must not be given together with table");
});

test.each([
  [["check", "/nowhere.json"], "/nowhere.json: cannot be read"],
  [["diff", "one.json"], "usage:"],
  [["check", "--fast"], "usage:"],
  [["frobnicate"], "frobnicate is not a command"],
  [[], "usage:"],
  [["check", "a", "b"], "; usage: npm run schedule -- check [FILE] [--json]"],
  [["at"], "; usage: npm run schedule -- at INSTANT [FILE] [--json]"],
  [["diff", "a"], "; usage: npm run schedule -- diff OLD NEW [--json]"],
  [["print", "--bogus"], "; usage: npm run schedule -- print [FILE] [--format table|csv|json] [--json]"],
  [["publish", "--bogus"], "; usage: npm run schedule -- publish [--because REASON] [--served] [--json]"],
  [["export", "a", "b"], "; usage: npm run schedule -- export --to defillama [FILE] [--json]"],
])("%o is refused: %s", (args, message) => {
  const lines = refusal(...args);
  expect(lines.join("\n")).toContain(message);
  expect(existsSync(join(folder, "new.json"))).toBe(false);
});

test("as a program: errors go to standard error and the exit code is 1", () => {
  const wrong = join(folder, "wrong.json");
  writeFileSync(wrong, "{");
  const tool = (...args: string[]) =>
    spawnSync(process.execPath, [join(REPOSITORY, "tools/schedule.ts"), ...args], { encoding: "utf8" });
  expect(tool("check")).toMatchObject({ status: 0, stderr: "" });
  expect(tool("check", wrong)).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining(`${wrong}: is not JSON`),
  });
  expect(tool("print", "--bogus")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining("'--bogus'"),
  });
});

test("check reports a changed column of the published past", () => {
  const path = join(folder, "published.csv");
  writeFileSync(path, readFileSync(path, "utf8").replace(",134543477,", ",999,"));
  expect(refusal("check")).toEqual([
    `${path}: line 3: circulating 999 is not the whole tokens of 13454347799805833 base units`,
    `${path}: 2022-11-12T00:00:00Z: was published, but published.csv has no row for it any more`,
  ]);
});

test("the published past of another token is one line with the remedy", () => {
  cpSync(join(folder, "examples/celestia.json"), nativePath());
  expect(refusal("check")).toEqual([
    `${join(folder, "published.csv")}: records another schedule (50 rows to 2026-11-12, max_supply 1000000000, 8 decimals): restore the schedule that was served. If its figures were never served: npm run schedule -- publish --because REASON`,
  ]);
});

describe("the record of the published past", () => {
  const [rows, revision] = ["published.csv", "published.json"].map((name) => () => join(folder, name)) as [
    () => string,
    () => string,
  ];
  const recorded = (): unknown => JSON.parse(readFileSync(revision(), "utf8"));
  const git = (...words: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...words], { cwd: folder });
  const own = () => edit('"sample": true,', "");

  test("that of the sample is replaced by the operator's, which check says in one line", () => {
    run("publish", "--served");
    own();
    edit('"decimals": 8', '"decimals": 9');
    expect(refusal("check")).toEqual([
      `${rows()}: records the sample data, not this schedule. Replace it: npm run schedule -- publish`,
    ]);
    expect(run("publish", "--served")).toContain("the sample's record is replaced, 50 published");
    expect(run("check", nativePath())).toContain("valid");
    expect(recorded()).not.toHaveProperty("sample");
  });

  test("refuses changed content under the same revision, even of future figures", () => {
    own();
    run("publish", "--served");
    edit('"Core contributors"', '"Contributors"');
    const expected = `${revision()}: revision: revision 1 was published with other content: raise revision above 1 and set published_at`;
    expect(refusal("check")).toEqual([expected]);
    expect(refusal("publish", "--because", "a typing error")).toEqual([expected]);
    // The refusal also lists each month that differs, and advises a reason.
    edit('"decimals": 8', '"decimals": 9');
    expect(refusal("publish", "--because", "never served")).toEqual([expected]);
    edit('"decimals": 9', '"decimals": 8');
    edit('"revision": 1', '"revision": 2');
    // A mistake is corrected on the day of its publication.
    expect(refusal("check")).toEqual([]);
    edit('"published_at": "2022-10-18"', '"published_at": "2022-10-17"');
    expect(refusal("check")).toEqual([
      `${revision()}: published_at: 2022-10-17 is before 2022-10-18, the day of revision 1: set that of 2`,
    ]);
    edit('"published_at": "2022-10-17"', '"published_at": "2026-11-20"');
    expect(refusal("check")).toEqual([]);
    run("publish", "--served");
    edit('"revision": 2', '"revision": 1');
    expect(refusal("check")).toEqual([`${revision()}: revision: 2 was published, but the schedule says 1`]);
  });

  test("binds nobody until a deployment serves it: changes need no revision, and replace it", () => {
    own();
    rmSync(rows());
    expect(run("publish")).toContain(
      "50 more published; it may still change freely until a deployment serves it; commit it",
    );
    expect(recorded()).toMatchObject({ revision: 1, served: false });
    edit('"genesis": "125000000"', '"genesis": "125000001"');
    edit('"amount": "385217359.767"', '"amount": "385217358.767"');
    expect(refusal("check")).toEqual([]);
    expect(run("revise", "delay", "foundation", "--months", "1")).not.toContain("revision:");
    expect(run("publish")).toContain("written anew, 50 published; it may still change freely");
    expect(readFileSync(rows(), "utf8")).toContain("2022-10-12T00:00:00Z,130000001,");
    run("publish", "--served");
    expect(recorded()).not.toHaveProperty("served");
    // Served months stay, whoever records the next ones.
    expect(run("publish")).toContain("nothing new has passed");
    expect(recorded()).not.toHaveProperty("served");
    // A revision after it is not, so it takes further changes under its number.
    expect(run("revise", "delay", "foundation", "--months", "1")).toContain("revision: 1 -> 2");
    expect(run("publish")).toContain("revision 2 is recorded by the deployment that serves it");
    expect(recorded()).toMatchObject({ revision: 1 });
    expect(run("revise", "delay", "foundation", "--months", "1")).not.toContain("revision:");
    edit('"genesis": "125000001"', '"genesis": "125000000"');
    edit('"amount": "385217358.767"', '"amount": "385217359.767"');
    expect(refusal("check").length).toBeGreaterThan(10);
  });

  test("refuses another token with the same dates and decimals in one line with the remedy", () => {
    own();
    run("publish", "--served");
    edit('"symbol": "APT"', '"symbol": "ZETA"');
    expect(refusal("check")).toEqual([
      expect.stringContaining("symbol: records APT, but the schedule is of ZETA: restore the schedule that was served"),
    ]);
  });

  test("a month dropped from its end, which publish would write again, is noticed", () => {
    own();
    run("publish", "--served");
    const text = readFileSync(rows(), "utf8");
    writeFileSync(rows(), text.slice(0, text.trimEnd().lastIndexOf("\n") + 1));
    const expected = `${revision()}: rows_sha256: published.csv has other rows than publish wrote: restore its last version`;
    expect(refusal("check")).toEqual([expected]);
    expect(refusal("publish", "--served")).toEqual([expected, expect.stringContaining("publish --because REASON")]);
    writeFileSync(rows(), text.replaceAll("\n", "\r\n"));
    expect(refusal("check")).toEqual([]);
  });

  test("removed files that the last commit has are put back, not begun again", () => {
    own();
    run("publish", "--served");
    for (const words of [
      ["init", "-q"],
      ["add", "."],
      ["commit", "-qm", "x"],
    ])
      git(...words);
    const json = readFileSync(revision());
    rmSync(revision());
    const lostRevision = `${revision()}: is missing. The last commit has it: git checkout -- ${revision()}`;
    expect([refusal("check"), refusal("publish")[0]]).toEqual([[lostRevision], lostRevision]);
    writeFileSync(revision(), json);
    rmSync(rows());
    expect(refusal("check")).toEqual([`${rows()}: is missing. The last commit has it: git checkout -- ${rows()}`]);
    rmSync(revision());
    const lost = `${rows()}: is missing. The last commit has it: git checkout -- ${rows()} ${revision()}`;
    expect(refusal("check")).toEqual([lost]);
    expect(refusal("publish", "--served")[0]).toBe(lost);
    expect(existsSync(rows())).toBe(false);
    expect(run("publish", "--because", "never served")).toContain("recorded again, because never served");
    expect(recorded()).toMatchObject({ rewritten: [{ at: "2026-11-21", because: "never served", months: [] }] });
  });

  test("is replaced with a reason, which it keeps with every month that changed", () => {
    own();
    run("publish", "--served");
    edit('"genesis": "125000000"', '"genesis": "125000001"');
    edit('"amount": "385217359.767"', '"amount": "385217358.767"');
    edit('"revision": 1', '"revision": 2');
    edit('"published_at": "2022-10-18"', '"published_at": "2026-11-20"');
    const refused = refusal("publish", "--served");
    expect(refused[0]).toContain("2022-10-12T00:00:00Z: was published as 130000000, now 130000001");
    expect(refused.at(-1)).toContain("npm run schedule -- publish --because REASON. published.json keeps the reason");
    expect(refusal("publish", "--because", " ")).toEqual(["--because: must say why, in words"]);
    run("publish", "--because", "the genesis was miscounted");
    const [first, ...others] = (recorded() as { rewritten: { because: string; months: string[] }[] }).rewritten;
    expect([first?.because, first?.months.length, first?.months[0], others]).toEqual([
      "the genesis was miscounted",
      50,
      "2022-10-12: 130000000 -> 130000001",
      [],
    ]);
    expect(refusal("check")).toEqual([]);
    run("publish", "--served");
    expect(recorded()).toMatchObject({ rewritten: [{ because: "the genesis was miscounted" }] });
  });

  test("does not begin with a source that is a placeholder, of which check warns", () => {
    own();
    edit("https://aptosfoundation.org/currents/aptos-tokenomics-overview", "https://docs.example.org/tokenomics");
    rmSync(rows());
    const line = `${nativePath()}: sources[0].url: https://docs.example.org/tokenomics is a placeholder: name the page that publishes the schedule`;
    expect(run("check", nativePath()).split("\n")[1]).toBe(`warning: ${line}`);
    expect(refusal("publish", "--served")).toEqual([line]);
  });
});

test("diff reports changed labels, categories, sources, addresses; requires a new revision", () => {
  const changed = join(folder, "changed.json");
  const text = readFileSync(nativePath(), "utf8");
  writeFileSync(
    changed,
    text
      .replace('"Core contributors"', '"Contributors"')
      .replace('"category": "team"', '"category": "other", "precision": "estimated"')
      .replace('"revision"', '"publisher": "Example Foundation", "revision"'),
  );
  expect(run("diff", nativePath(), changed).split("\n")).toEqual([
    "publisher: - -> Example Foundation",
    "contributors.label: Core contributors -> Contributors",
    "contributors.category: team -> other",
    "contributors.precision: - -> estimated",
    "No figure changes.",
    "",
    "Next:",
    "  1. raise revision above 1 and set published_at",
    "  2. npm run schedule -- check",
    "  3. commit, then npm run deploy",
  ]);
});

test("check warns of a valid schedule that is probably a mistake", () => {
  edit('"published_at": "2022-10-18"', '"published_at": "2030-01-01"');
  edit('"first_month": 19, "count": 30', '"first_month": 18, "count": 30');
  rmSync(join(folder, "published.csv"));
  const warnings = run("check", nativePath()).split("\n").slice(1, -1);
  expect(warnings).toEqual([
    `warning: ${nativePath()}: published_at: 2030-01-01 is in the future`,
    `warning: ${nativePath()}: buckets[1].phases[1]: overlaps phases[0]`,
  ]);
});

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Refusal } from "../../../../tools/command-line.ts";
import { schedule } from "../../../../tools/schedule.ts";

const REPOSITORY = `${join(import.meta.dirname, "../../../..")}/`;
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "schedule-"));
  cpSync(join(REPOSITORY, "test/fixtures/schedule"), folder, { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => schedule(args, { folder, nowMs: Date.parse("2026-11-21T00:00:00Z") });

/** The lines of a command's refusal. */
function refusal(...args: string[]): readonly string[] {
  try {
    run(...args);
  } catch (cause) {
    if (cause instanceof Refusal) return cause.lines;
    throw cause;
  }
  return [];
}

const nativePath = () => join(folder, "native.json");
const edit = (from: string, to: string) => {
  writeFileSync(nativePath(), readFileSync(nativePath(), "utf8").replace(from, to));
};

test("check reports a valid schedule", () => {
  const lines = run("check").split("\n");
  expect(lines.filter((line) => line.includes(": valid, "))).toHaveLength(4);
  // An example's oddities are its network's own, and named when it is asked for.
  expect(lines.filter((line) => line.startsWith("warning: "))).toEqual([]);
  expect(run("check", join(folder, "examples/arbitrum.json"))).toMatch(
    /warning: .*: wallets: .+ have unlocked .+ and no wallets are listed: trackers will not call all of it/,
  );
  expect(run("check", nativePath())).toBe(
    `${nativePath()}: valid, APT revision 1, 121 rows from 2022-10-12 to 2032-10-12`,
  );
});

test("check warns of a wallet on another chain", () => {
  edit('"chain": "native"', '"chain": "ethereum"');
  expect(run("check", nativePath()).split("\n").slice(1)).toEqual([
    expect.stringContaining("is on ethereum, so /api/circulating-supply-on-chain answers 503"),
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
  expect(lines).toHaveLength(1 + 1 + 73 + 6);
  expect(lines.slice(-5)).toEqual([
    "Next:",
    "  1. raise revision above 1 and set published_at",
    "  2. 2 of these are in the past: each needs an entry in adjustments with its source",
    "  3. npm run schedule -- check",
    "  4. commit, then npm run deploy",
  ]);
});

test("new writes a valid file from flags", () => {
  const out = join(folder, "mine.json");
  const decimals = ["--decimals", "8"];
  const flags = ["--symbol", "ABC", "--max-supply", "1000", ...decimals, "--start", "2026-01-15", "--out", out];
  const buckets = ["--bucket", "team:500:0:12:24", "--bucket", "airdrop:100:100"];
  expect(refusal("new", ...flags, ...buckets)).toEqual([
    "the buckets leave 400 of the maximum: add a bucket for them, or name one that never unlocks with --rest ID",
  ]);
  const reported = run("new", ...flags, ...buckets, "--rest", "reserve");
  expect(reported).toContain("Next:");
  expect(run("check", out)).toContain("ABC revision 1, 36 rows from 2026-01-15 to 2028-12-15");
  expect(run("at", "2030-01-01", out)).toBe("600\t60000000000");
  expect(refusal("new", ...flags, "--bucket", "team:1000:1000")).toEqual([expect.stringContaining("exists already")]);
});

test("new writes a valid file from a CSV of months, as print writes it", () => {
  const [csv, out] = [join(folder, "months.csv"), join(folder, "mine.json")];
  writeFileSync(csv, run("print", "--format", "csv").split("\n").slice(0, 13).join("\r\n"));
  run("new", "--symbol", "ABC", "--max-supply", "1000000000", "--decimals", "8", "--csv", csv, "--out", out);
  expect(run("check", out)).toContain("12 rows from 2022-10-01 to 2023-09-01");
  expect(run("at", "2022-11-01", out)).toBe("134543477\t13454347700000000");
});

const NEW = ["new", "--symbol", "A", "--max-supply", "5", "--decimals", "8", "--start", "2026-01-15"];

test("new steps on the start's day, reports that, and refers to the schema", () => {
  const out = join(folder, "examples/mine.json");
  expect(run(...NEW, "--bucket", "a:5:5", "--out", out)).toContain(
    "starts on 2026-01-15, figures change on day 15 of each month",
  );
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ $schema: "./schema.json", step_day: 15 });
});

describe("new --csv reads the sheets that people have, and says what it guessed", () => {
  const sheet = (text: string, ...flags: string[]) => {
    const [csv, out] = [join(folder, "sheet.csv"), join(folder, "mine.json")];
    writeFileSync(csv, text);
    const common = ["--symbol", "ORB", "--max-supply", "1000", "--decimals", "2", "--csv", csv, "--out", out];
    return { words: ["new", ...common, ...flags], csv, out };
  };
  const figures = (out: string) =>
    run("print", out, "--format", "csv")
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").at(-1));

  test.each([
    ["a header in any case", "Month,Circulating\n2026-01,100\n2026-02,1000\n"],
    ["no header", "2026-01,100\n2026-02,1000\n"],
    [
      "quoted cells, thousands, a byte order mark",
      '\uFEFF"Month","Total supply"\r\n"Jan 2026","100.00"\r\n"2026-02-01","1,000"\r\n',
    ],
    ["a paste from a sheet", "DATE\tCirculating supply\n01/2026\t100\nFebruary 2026\t1 000\n"],
    ["semicolons", "month;circulating\n2026/1;100\n2026/2;1000\n"],
  ])("months with one figure: %s", (_, text) => {
    const { words, out } = sheet(text);
    expect(run(...words)).toMatch(/Guessed:\n {2}".+" is the circulating supply from each month on\n/);
    expect(figures(out)).toEqual(["10000", "100000"]);
  });

  test("a point before three digits is refused in a sheet with semicolons: it may separate thousands", () => {
    const { words } = sheet("Month;Circulating\n2026-01;100\n2026-02;1.000\n", "--decimals", "3");
    expect(() => run(...words)).toThrow(/sheet\.csv: line 3: "1\.000" is 1000 or a fraction: write it without/);
    const { words: clear, out } = sheet("Month,Circulating\n2026-01,1.000\n2026-02,999\n", "--decimals", "3");
    run(...clear);
    expect(figures(out)).toEqual(["1000", "999000"]);
  });

  test.each([
    [
      "in circulation",
      "Month,Team,The Community,Total\n2026-01,0,300,300\n2026-02,100,300,400\n2026-03,200,800,1000\n",
    ],
    ["unlocked in each month", "month,Team,The Community\n2026-01,0,300\n2026-02,100,0\n2026-03,100,500\n"],
  ])("months with a column per bucket: tokens %s", (meaning, text) => {
    const { words, out } = sheet(text, "--step-day", "12");
    const said = run(...words);
    expect(said).toContain(`the figures are tokens ${meaning}`);
    expect(said).toContain('"The Community" is the bucket the_community of the category community');
    expect(said).toContain("starts on 2026-01-12, figures change on day 12");
    expect(figures(out)).toEqual(["30000", "40000", "100000"]);
    expect(JSON.parse(readFileSync(out, "utf8")).buckets[0]).toMatchObject({
      id: "team",
      category: "team",
      phases: [{ kind: "installments", amount: "200", first_month: 1, count: 2, every_months: 1 }],
    });
  });

  const perBucket = [
    "Bucket,Allocation,TGE,Cliff (months),Months",
    'Team,"200",0,12,4',
    "Investors,30%,10%,3,0",
    "Sale,100,100,,",
    "Treasury,400,0,0,never",
    "Total,1000,,,",
  ].join("\n");

  test("a row per bucket, tokens or percent, with and without a cliff", () => {
    const { words, out } = sheet(perBucket, "--start", "2026-01-12");
    const said = run(...words).split("\n");
    expect(said).toEqual(
      expect.arrayContaining([
        "  Team: 200 in 4 monthly installments, the first 13 months after the start",
        "  Investors: 270 at once, 3 months after the start",
        "  the row of the total is left out",
      ]),
    );
    const { buckets } = JSON.parse(readFileSync(out, "utf8"));
    expect(buckets.map(({ phases }: { phases: unknown }) => phases)).toEqual([
      [{ kind: "installments", amount: "200", first_month: 13, count: 4, every_months: 1 }],
      [{ kind: "cliff", amount: "270", month: 3 }],
      [],
      [{ kind: "never", amount: "400" }],
    ]);
    expect(figures(out).at(-1)).toBe("60000");
  });

  test.each<[string, string[], string]>([
    [perBucket, [], "--start: missing"],
    ["Bucket,Allocation,TGE,Cliff\nA,1,0,0", ["--start", "2026-01-01"], "line 1: the column months is missing"],
    [
      "Bucket,Allocation,TGE,Cliff,Months\nA,1000,0,0,0",
      [],
      "line 2: 1000 of A are neither unlocked at the start nor in any month",
    ],
    ["Bucket,Allocation,TGE,Cliff,Months\nA,1000,0,0,4.5", [], 'line 2: "4.5" is not a number of months'],
    [
      "Bucket,Allocation,TGE,Cliff,Months\nA,10,20,0,4",
      [],
      "line 2: A has more at the start, 20, than its allocation, 10",
    ],
    [
      "Bucket,Allocation,TGE,Cliff,Months\nA,900,0,0,4",
      ["--start", "2026-01-01"],
      "the buckets leave 100 of the maximum",
    ],
    ["Month,Team,Sale\n2026-01,1,2\n2026-02,3,4\n", [], "--amounts cumulative (in circulation) or --amounts monthly"],
    ["Month,Team,Sale\n2026-01,1,2\n2026-02,0,4\n", ["--amounts", "cumulative"], "line 3: Team falls from 1 to 0"],
    ["Month,Team,Sale\n2026-01,1,2\n", ["--amounts", "weekly"], "--amounts: must be cumulative or monthly, not weekly"],
    ["Month,Team,Sale,Total\n2026-01,400,600,999\n", [], 'line 2: "Total" is 999, the buckets add up to 1000'],
    [
      "Month,Circulating\n2026-01,5\n2026-03,6\n",
      [],
      "line 3: 2026-03 follows 2026-01; the months must be consecutive",
    ],
    ["Month,Circulating\n\n2026-13,5\n", [], 'line 3: "2026-13" is not a month such as 2026-01 or Jan 2026'],
    ["Month,Circulating\n2026-01,5\n2026-02,1e3\n", [], 'line 3: "1e3" is not an amount'],
    ["Wallet,Balance\nx,1\n", [], 'line 1: "Wallet" is neither a month, nor a header Month'],
    ["", [], "has no rows"],
  ])("%j is refused by line", (text, flags, message) => {
    expect(refusal(...sheet(text, ...flags).words).join("\n")).toContain(message);
  });
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
  [[...NEW, "--bucket", "team"], "--bucket team: must be ID:ALLOCATION:GENESIS, and"],
  [[...NEW, "--bucket", "a:5"], "--bucket a:5: must be ID:ALLOCATION:GENESIS, and"],
  [[...NEW, "--bucket", "a:5:0:3"], "--bucket a:5:0:3: must be ID:ALLOCATION:GENESIS, and"],
  [["new", "--symbol", "A", "--max-supply", "5", "--bucket", "a:5:5"], "--decimals: missing"],
  [
    [...NEW, "--bucket", "a:5:0:x:4"],
    '--bucket a:5:0:x:4: FIRST_MONTH: must be a whole number from 0 to 2400, not "x"',
  ],
  [[...NEW, "--bucket", "a:5:5", "--decimals", "x"], '--decimals: must be a whole number from 0 to 36, not "x"'],
  [[...NEW, "--bucket", "a:5:5", "--step-day", "31"], '--step-day: must be a whole number from 1 to 28, not "31"'],
  [["new", "--symbol", "ABC"], "usage:"],
  [
    ["new", "--symbol", "A", "--max-supply", "1e9", "--decimals", "8", "--start", "2026-01-01", "--bucket", "a:1:1"],
    '--max-supply: "1e9" is not an amount: digits such as 1250.5',
  ],
  [
    ["new", "--symbol", "A", "--max-supply", "5", "--decimals", "8", "--start", "2026-02-30", "--bucket", "a:5:5"],
    "the new schedule: start: must be a day",
  ],
  [
    ["new", "--symbol", "A", "--max-supply", "5", "--decimals", "8", "--start", "2026-02-01", "--bucket", "a:9:9"],
    "allocations add up to 9",
  ],
  [
    ["new", "--symbol", "A", "--max-supply", "5", "--decimals", "8", "--csv", "/nowhere.csv"],
    "/nowhere.csv: cannot be read",
  ],
  [["check", "/nowhere.json"], "/nowhere.json: cannot be read"],
  [["diff", "one.json"], "usage:"],
  [["check", "--fast"], "usage:"],
  [["frobnicate"], "frobnicate is not a command"],
  [[], "usage:"],
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
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("'--bogus'"),
  });
});

test("check reports a changed column of the published past", () => {
  const path = join(folder, "published.csv");
  writeFileSync(path, readFileSync(path, "utf8").replace(",134543477,", ",999,"));
  expect(refusal("check")).toEqual([
    `${path}: line 3: circulating 999 is not the whole tokens of 13454347799805833 base units`,
    `${path}: 2022-11-12T00:00:00Z: was published and is not in the file any more`,
  ]);
});

test("the published past of another token is one line with the remedy", () => {
  cpSync(join(folder, "examples/celestia.json"), nativePath());
  expect(refusal("check")).toEqual([
    `${join(folder, "published.csv")}: records another schedule (50 rows to 2026-11-12, max_supply 1000000000, 8 decimals): put back the schedule that was served, or, if its figures were never served, run: npm run schedule -- publish --because REASON`,
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
    run("publish");
    own();
    edit('"decimals": 8', '"decimals": 9');
    expect(refusal("check")).toEqual([
      `${rows()}: records the figures of the sample data, which yours replace: npm run schedule -- publish`,
    ]);
    expect(run("publish")).toContain("the sample's record is replaced, 50 published");
    expect(run("check", nativePath())).toContain("valid");
    expect(recorded()).not.toHaveProperty("sample");
  });

  test("refuses changed content under the same revision, even of future figures", () => {
    own();
    run("publish");
    edit('"Core contributors"', '"Contributors"');
    const expected = `${revision()}: revision: revision 1 was published with other content: raise revision above 1 and set published_at`;
    expect(refusal("check")).toEqual([expected]);
    expect(refusal("publish", "--because", "a typing error")).toEqual([expected]);
    edit('"revision": 1', '"revision": 2');
    expect(refusal("check")).toEqual([
      `${revision()}: published_at: 2022-10-18 is the day of revision 1: set that of 2`,
    ]);
    edit('"published_at": "2022-10-18"', '"published_at": "2026-11-20"');
    expect(refusal("check")).toEqual([]);
    run("publish");
    edit('"revision": 2', '"revision": 1');
    expect(refusal("check")).toEqual([`${revision()}: revision: 2 was published; the schedule says 1`]);
  });

  test("refuses another token with the same dates and decimals in one line with the remedy", () => {
    own();
    run("publish");
    edit('"symbol": "APT"', '"symbol": "ZETA"');
    expect(refusal("check")).toEqual([
      expect.stringContaining("symbol: records APT, the schedule is of ZETA: put back the schedule that was served"),
    ]);
  });

  test("a month dropped from its end, which publish would write again, is noticed", () => {
    own();
    run("publish");
    const text = readFileSync(rows(), "utf8");
    writeFileSync(rows(), text.slice(0, text.trimEnd().lastIndexOf("\n") + 1));
    const expected = `${revision()}: rows_sha256: published.csv has other rows than publish wrote: put its last version back`;
    expect(refusal("check")).toEqual([expected]);
    expect(refusal("publish")).toEqual([expected, expect.stringContaining("publish --because REASON")]);
    writeFileSync(rows(), text.replaceAll("\n", "\r\n"));
    expect(refusal("check").filter((line) => line.includes("rows_sha256"))).toEqual([]);
  });

  test("removed files that the last commit has are put back, not begun again", () => {
    own();
    run("publish");
    for (const words of [
      ["init", "-q"],
      ["add", "."],
      ["commit", "-qm", "x"],
    ])
      git(...words);
    for (const path of [rows(), revision()]) rmSync(path);
    const lost = `${rows()}: is missing, and git has it: git checkout -- ${rows()} ${revision()}`;
    expect(refusal("check")).toEqual([lost]);
    expect(refusal("publish")[0]).toBe(lost);
    expect(existsSync(rows())).toBe(false);
    expect(run("publish", "--because", "never served")).toContain("recorded anew, because never served");
    expect(recorded()).toMatchObject({ rewritten: [{ at: "2026-11-21", because: "never served", months: [] }] });
  });

  test("is replaced with a reason, which it keeps with every month that changed", () => {
    own();
    run("publish");
    edit('"genesis": "125000000"', '"genesis": "125000001"');
    edit('"amount": "385217359.767"', '"amount": "385217358.767"');
    edit('"revision": 1', '"revision": 2');
    edit('"published_at": "2022-10-18"', '"published_at": "2026-11-20"');
    const refused = refusal("publish");
    expect(refused[0]).toContain("2022-10-12T00:00:00Z: was published as 130000000, now 130000001");
    expect(refused.at(-1)).toContain("npm run schedule -- publish --because REASON, which published.json keeps");
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
    run("publish");
    expect(recorded()).toMatchObject({ rewritten: [{ because: "the genesis was miscounted" }] });
  });

  test("does not begin with a source that is a placeholder, of which check warns", () => {
    own();
    edit("https://aptosfoundation.org/currents/aptos-tokenomics-overview", "https://docs.example.org/tokenomics");
    rmSync(rows());
    const line = `${nativePath()}: sources[0].url: https://docs.example.org/tokenomics is a placeholder: name the page that publishes the schedule`;
    expect(run("check", nativePath()).split("\n")[1]).toBe(`warning: ${line}`);
    expect(refusal("publish")).toEqual([line]);
  });
});

test("diff reports changed labels, categories, sources, addresses; requires a new revision", () => {
  const changed = join(folder, "changed.json");
  const text = readFileSync(nativePath(), "utf8");
  writeFileSync(
    changed,
    text.replace('"Core contributors"', '"Contributors"').replace('"category": "team"', '"category": "other"'),
  );
  expect(run("diff", nativePath(), changed).split("\n")).toEqual([
    "contributors.label: Core contributors -> Contributors",
    "contributors.category: team -> other",
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
  const warnings = run("check", nativePath()).split("\n").slice(1);
  expect(warnings).toEqual([
    `warning: ${nativePath()}: published_at: 2030-01-01 is in the future`,
    `warning: ${nativePath()}: buckets[1].phases[1]: overlaps phases[0]`,
  ]);
});

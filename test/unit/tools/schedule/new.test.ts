import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runSchedule, schedule } from "../../../../tools/schedule.ts";
import { refusalOfPromise } from "../../../support/refusal.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "schedule-"));
  cpSync(join(import.meta.dirname, "../../../fixtures/schedule"), folder, { recursive: true });
});

const context = () => ({ folder, nowMs: Date.parse("2026-11-21T00:00:00Z") });
const run = (...args: string[]) => schedule(args, context());
const create = (...args: string[]) => runSchedule(args, context());

const refusal = (...args: string[]) => refusalOfPromise(create(...args));

/** A sheet with a rule a row, in a file of its own. */
function rules(...rows: readonly string[]): string {
  const path = join(folder, "rules.csv");
  writeFileSync(path, ["Bucket,Allocation,TGE,Cliff,Months", ...rows].join("\n"));
  return path;
}

test("new writes a valid file from rules", async () => {
  const out = join(folder, "mine.json");
  const csv = rules("team,500,0,11,24", "airdrop,100,100,,");
  const words = ["new", "--symbol", "ABC", "--max-supply", "1000", "--decimals", "8", "--start", "2026-01-15"];
  const flags = [...words, "--csv", csv, "--out", out];
  expect(await refusal(...flags)).toEqual([
    expect.stringContaining("the rows add up to 600, the maximum is 1000"),
    "name what the rows leave of it with --rest ID, a bucket that never unlocks",
  ]);
  const reported = await create(...flags, "--rest", "reserve");
  expect(reported).toContain("Next:");
  expect(run("check", out)).toContain("ABC revision 1, 36 rows from 2026-01-15 to 2028-12-15");
  expect(run("at", "2030-01-01", out)).toBe("600\t60000000000");
  expect(await refusal(...flags, "--rest", "reserve")).toEqual([expect.stringContaining("exists already")]);
});

test("new writes a valid file from a CSV of months, as print writes it, to the base unit", async () => {
  const [csv, out] = [join(folder, "months.csv"), join(folder, "mine.json")];
  writeFileSync(csv, run("print", "--format", "csv").split("\n").slice(0, 13).join("\r\n"));
  await create(
    "new",
    "--symbol",
    "ABC",
    "--max-supply",
    "1000000000",
    "--decimals",
    "8",
    "--csv",
    csv,
    "--out",
    out,
    "--columns",
    "month=ignore,circulating=ignore,circulating_base_units=circulating",
  );
  expect(run("check", out)).toContain("12 rows from 2022-10-12 to 2023-09-12");
  expect(run("at", "2022-11-12", out)).toBe("134543477\t13454347799805833");
});

const NEW = ["new", "--symbol", "A", "--max-supply", "5", "--decimals", "8", "--start", "2026-01-15"];
const ALL_AT_ONCE = "a,5,5,0,0";

test("new steps on the start's day, reports that, and refers to the schema", async () => {
  const out = join(folder, "examples/mine.json");
  expect(
    await create(...NEW, "--csv", rules(ALL_AT_ONCE), "--publisher", "Example Foundation", "--out", out),
  ).toContain("starts on 2026-01-15, figures change on day 15 of each month");
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({
    $schema: "./schema.json",
    step_day: 15,
    publisher: "Example Foundation",
  });
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
    ["quotes, thousands, a BOM", '\uFEFF"Month","Total supply"\r\n"Jan 2026","100.00"\r\n"Feb 2026","1,000"\r\n'],
    ["a paste from a sheet", "DATE\tCirculating supply\n01/2026\t100\nFebruary 2026\t1 000\n"],
    ["semicolons", "month;circulating\n2026/1;100\n2026/2;1000\n"],
  ])("months with one figure: %s", async (_, text) => {
    const { words, out } = sheet(text);
    expect(await create(...words)).toMatch(/Assumed:\n(.+\n)*? {2}".+": tokens in circulation from each period on\n/);
    expect(figures(out)).toEqual(["10000", "100000"]);
  });

  test("a point before three digits is refused in a sheet with semicolons: it may separate thousands", async () => {
    const { words } = sheet("Month;Circulating\n2026-01;100\n2026-02;1.000\n", "--decimals", "3");
    await expect(create(...words)).rejects.toThrow(
      /sheet\.csv: line 3: "1\.000" is 1000 or 1\.000, and no other cell says which: --decimal point or/,
    );
    const { words: clear, out } = sheet("Month,Circulating\n2026-01,1.000\n2026-02,998\n", "--decimals", "3");
    await create(...clear, "--decimal", "point");
    expect(figures(out)).toEqual(["1000", "998000"]);
  });

  test.each([
    [
      "in circulation from each period on",
      "Month,Team,The Community,Total\n2026-01,0,300,300\n2026-02,100,300,400\n2026-03,200,800,1000\n",
    ],
    ["unlocked in each period", "month,Team,The Community\n2026-01,0,300\n2026-02,100,0\n2026-03,100,500\n"],
  ])("months with a column per bucket: tokens %s", async (meaning, text) => {
    const { words, out } = sheet(text, "--step-day", "12");
    const said = await create(...words);
    expect(said).toContain(`tokens ${meaning}`);
    expect(said).toContain(
      '"The Community" is the bucket the_community of the category other, from the column "The Community"',
    );
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

  test("a row per bucket, tokens or percent, with and without a cliff", async () => {
    const { words, out } = sheet(perBucket, "--start", "2026-01-12");
    const said = (await create(...words)).split("\n");
    expect(said).toEqual(
      expect.arrayContaining([
        '  "Team" is the bucket team of the category team, from line 2',
        "  the vesting begins after the cliff (--cliff after)",
        '  line 6 ("Total") is the sum of the others and left out',
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
    ["Bucket,Allocation,TGE,Cliff\nA,1,0,0", ["--start", "2026-01-01"], "no column is the months or end"],
    [
      "Bucket,Allocation,TGE,Cliff,Months\nA,1000,0,0,0",
      ["--start", "2026-01-01"],
      'line 2, column "Months": 1000 are neither unlocked at the start nor in any month',
    ],
    [
      "Bucket,Allocation,TGE,Cliff,Months\nA,10,20,0,4\nB,990,0,0,4",
      ["--start", "2026-01-01"],
      'line 2, column "TGE": has more at the start, 20, than the 10 in all',
    ],
    ["Bucket,Allocation,TGE,Cliff,Months\nA,900,0,0,4", ["--start", "2026-01-01"], "the rows add up to 900"],
    ["Month,Team,Sale\n2026-01,1,2\n2026-02,3,4\n", [], "say what the figures are with --amounts cumulative|monthly"],
    ["Month,Team,Sale\n2026-01,1,2\n", ["--amounts", "weekly"], "--amounts: must be cumulative or monthly, not weekly"],
    ["Month,Circulating\n\n2026-13,5\n", [], 'line 3, column "Month": "2026-13" is not a month such as 2026-01'],
    ["Month,Circulating\n2026-01,5\n2026-02,1e3\n", [], 'line 3, column "Circulating": "1e3" is not an amount'],
    ["Wallet,Balance\nx,1\n", [], '"Wallet", "Balance": none is a column of periods'],
    ["Month,A\n2026-01,1\n", ["--columns", "A"], '--columns: must be "TITLE=role,TITLE=role", not "A"'],
    ["", [], "has no rows"],
  ])("%j is refused by line", async (text, flags, message) => {
    expect((await refusal(...sheet(text, ...flags).words)).join("\n")).toContain(message);
  });

  test("more rows than any schedule has are refused", async () => {
    const text = `Month,Circulating\n${"2026-01,1\n".repeat(150_000)}`;
    expect((await refusal(...sheet(text).words)).join("\n")).toContain("has 150001 rows, of at most 50000");
  });
});

test.each([
  [["new"], "--symbol: missing; the token's ticker, such as XYZ\n--decimals: missing; of the token on its chain"],
  [["new", "--symbol", "ABC"], "--csv: missing; the sheet of the plan"],
  [[...NEW, "--decimals", "x"], '--decimals: must be a whole number from 0 to 36, not "x"'],
  [[...NEW, "--step-day", "31"], '--step-day: must be a whole number from 1 to 28, not "31"'],
  [[...NEW, "--month-end", "last"], "--month-end: must be next or same, not last"],
  [[...NEW, "--max-supply", "1e9"], "--max-supply: must be an amount above 0 such as 1250.5, with at most 8 digits"],
  [[...NEW, "--start", "2026-02-30"], "--start: must be a day as YYYY-MM-DD, not 2026-02-30"],
  [[...NEW, "--max-supply", "9"], "the rows add up to 5, the maximum is 9"],
  [[...NEW, "--csv", "/no.csv"], "/no.csv: cannot be read"],
])("%o is refused: %s", async (args, message) => {
  const csv = args.includes("--decimals") && !args.includes("--csv") ? ["--csv", rules(ALL_AT_ONCE)] : [];
  expect((await refusal(...args, ...csv)).join("\n")).toContain(message);
  expect(existsSync(join(folder, "new.json"))).toBe(false);
});

describe("a sheet of one figure", () => {
  const write = (text: string) => {
    writeFileSync(join(folder, "sheet.csv"), text);
    return ["new", "--symbol", "A", "--decimals", "2", "--csv", join(folder, "sheet.csv")];
  };
  const written = () => JSON.parse(readFileSync(join(folder, "new.json"), "utf8"));

  test("is a table; with --rest it is a bucket beside one that never unlocks", async () => {
    const words = write("Month,Circulating\n2026-01,100\n2026-02,150\n2026-03,200\n");
    expect(await create(...words, "--max-supply", "1000")).toContain(
      "800 are still to come when the sheet ends, and health will",
    );
    rmSync(join(folder, "new.json"));
    await create(...words, "--max-supply", "1000", "--rest", "treasury");
    expect(written().buckets).toMatchObject([
      {
        id: "unlocking",
        allocation: "200",
        genesis: "100",
        phases: [{ kind: "installments", amount: "100", first_month: 1, count: 2, every_months: 1 }],
      },
      { id: "treasury", allocation: "800", phases: [{ kind: "never", amount: "800" }] },
    ]);
  });

  test("of monthly unlocks is added up", async () => {
    const words = write("Month,Unlocked\n2026-01,100\n2026-02,50\n2026-03,50\n");
    await create(...words, "--max-supply", "200");
    expect(written().table).toEqual([
      { month: "2026-01", circulating: "100" },
      { month: "2026-02", circulating: "150" },
      { month: "2026-03", circulating: "200" },
    ]);
  });
});

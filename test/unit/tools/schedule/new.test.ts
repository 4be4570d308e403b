import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { EXIT, Refusal } from "../../../../tools/lib/command-line.ts";
import { mixedLineEnds } from "../../../../tools/lib/csv.ts";
import { newFromSheet as createBy } from "../../../../tools/schedule/new.ts";
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

/** A sheet with a rule a row, by the titles of the template, in a file of its own. */
function rules(...rows: readonly string[]): string {
  const path = join(folder, "rules.csv");
  const titles =
    "Bucket,Amount (tokens),Unlocked at start (tokens),Cliff (months),Vesting after the cliff (months),Every (months)";
  writeFileSync(path, [titles, ...rows].join("\n"));
  return path;
}

test("new writes a valid file from rules, and says each bucket's rule and five figures", async () => {
  const out = join(folder, "mine.json");
  const csv = rules("team,500,0,11,24,1", "airdrop,100,100,-,-,-");
  const words = ["new", "--symbol", "ABC", "--max-supply", "1000", "--decimals", "8", "--start", "2026-01-15"];
  const flags = [...words, "--csv", csv, "--out", out];
  expect(await refusal(...flags)).toEqual([
    expect.stringMatching(/rules\.csv\.columns\.json: written; replace each null in it/),
    "rest: [id] (a bucket, such as reserve, that never unlocks: what the rows leave of the maximum)",
  ]);
  rmSync(`${csv}.columns.json`);
  const reported = await create(...flags, "--rest", "reserve");
  for (const line of [
    '"team": 500, 500 in 24 parts, each month from month 12 on',
    '"airdrop": 100, 100 at the start',
    "in circulation on 2026-01-15: 100",
    "in circulation on 2028-12-15: 600",
    "Next:",
  ])
    expect(reported).toContain(line);
  expect(run("check", out)).toContain("ABC revision 1, 36 rows from 2026-01-15 to 2028-12-15");
  expect(run("at", "2030-01-01", out)).toBe("600\t60000000000");
});

test("the id of a bucket has the letters of its label, without their accents", async () => {
  const out = join(folder, "accents.json");
  const csv = rules("Venda pública,400,400,-,-,-", "Équipe & Réserve,600,600,-,-,-");
  const words = ["new", "--symbol", "ABC", "--max-supply", "1000", "--decimals", "8", "--start", "2026-01-15"];
  await create(...words, "--csv", csv, "--out", out);
  const { buckets } = JSON.parse(readFileSync(out, "utf8"));
  expect(buckets.map(({ id }: { readonly id: string }) => id)).toEqual(["venda_publica", "equipe_reserve"]);
});

describe("the token's first chain", () => {
  const words = ["new", "--symbol", "ABC", "--max-supply", "1000", "--decimals", "8", "--start", "2026-01-15"];
  const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  const start = (...flags: string[]) =>
    create(...words, "--csv", rules("team,1000,0,11,24,1"), "--out", join(folder, "mine.json"), ...flags);

  test.each([
    [
      ["--chain-family", "evm", "--chain-id", "8453", "--asset", CONTRACT],
      { family: "evm", chain_id: 8453, asset: CONTRACT },
    ],
    [
      ["--chain-family", "move", "--chain-id", "2"],
      { family: "move", chain_id: 2, asset: "0x1::aptos_coin::AptosCoin" },
    ],
  ])("is stated in the file by %j", async (flags, chain) => {
    await start(...flags);
    const { chains } = JSON.parse(readFileSync(join(folder, "mine.json"), "utf8"));
    expect(chains).toEqual([{ id: "native", ...chain }]);
    expect(run("check", join(folder, "mine.json"))).toContain("valid");
  });

  test("is not stated without a flag of it", async () => {
    await start();
    expect(JSON.parse(readFileSync(join(folder, "mine.json"), "utf8"))).not.toHaveProperty("chains");
  });

  test.each([
    [
      ["--chain-family", "evm", "--chain-id", "1"],
      [expect.stringMatching(/^--asset: missing; the token there, a contract/)],
    ],
    [
      ["--chain-family", "evm", "--asset", CONTRACT],
      [expect.stringMatching(/^--chain-id: must be a whole number from 1/)],
    ],
    [["--chain-family", "solana", "--chain-id", "1"], ["--chain-family: must be move or evm, not solana"]],
  ])("is refused by %j with what is allowed", async (flags, lines) => {
    await expect(start(...flags)).rejects.toThrow(Refusal);
    expect(await refusalOfPromise(start(...flags))).toEqual(lines);
    expect(existsSync(join(folder, "mine.json"))).toBe(false);
  });
});

test("new writes a valid file from a CSV of months, as print writes it, to the base unit", async () => {
  const [csv, out] = [join(folder, "months.csv"), join(folder, "mine.json")];
  writeFileSync(csv, run("print", "--format", "csv").split("\n").slice(0, 13).join("\r\n"));
  const words = ["new", "--symbol", "ABC", "--max-supply", "1000000000", "--decimals", "8", "--csv", csv, "--out", out];
  expect(await refusal(...words)).not.toEqual([]);
  const columns = `${csv}.columns.json`;
  const mapping = JSON.parse(readFileSync(columns, "utf8"));
  const [month, from, tokens, units] = mapping.columns;
  Object.assign(month, { is: "ignored" });
  Object.assign(from, { is: "period" });
  Object.assign(tokens, { is: "ignored", unit: undefined });
  Object.assign(units, { is: "circulating", unit: "base_units" });
  writeFileSync(columns, JSON.stringify({ ...mapping, rows: "period", amounts: "cumulative" }));
  await create(...words, "--columns", columns);
  expect(run("check", out)).toContain("12 rows from 2022-10-12 to 2023-09-12");
  expect(run("at", "2022-11-12", out)).toBe("134543477\t13454347799805833");
});

const NEW = ["new", "--symbol", "A", "--max-supply", "5", "--decimals", "8", "--start", "2026-01-15"];
const ALL_AT_ONCE = "a,5,5,0,0,1";

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

describe("a sheet with an open place", () => {
  const OPEN = "Bucket,Tokens,TGE,Cliff (months),Vesting (months)\nTeam,4,0,6,12\nSale,1,10%,0,12\n";
  const write = () => {
    const csv = join(folder, "sheet.csv");
    writeFileSync(csv, OPEN);
    return [...NEW, "--csv", csv, "--out", join(folder, "mine.json")];
  };
  const columns = () => join(folder, "sheet.csv.columns.json");

  test("writes the mapping and no schedule, names each place, and ends with exit code 3", async () => {
    const words = write();
    const cause = await create(...words).catch((error: unknown) => error);
    expect(cause).toBeInstanceOf(Refusal);
    expect(cause).toMatchObject({ exitCode: EXIT.open });
    expect(existsSync(join(folder, "mine.json"))).toBe(false);
    const mapping = JSON.parse(readFileSync(columns(), "utf8"));
    expect(mapping.columns[2]).toMatchObject({ column: "C", title: "TGE", cells: ["0", "10%"], of: null });
    expect(mapping.columns[2].choices.of.allocation).toBe('of the row\'s amount: "10%" is 0.1 tokens');
    expect(await refusal(...words), "reads by the mapping beside the sheet").toEqual([
      expect.stringContaining("written"),
      expect.stringContaining("TGE"),
      expect.stringContaining("Vesting"),
      expect.stringContaining("linear"),
    ]);
  });

  test("is read once the file has no null, which stays as it was written, and gives the same schedule again", async () => {
    const words = write();
    await refusal(...words);
    const mapping = JSON.parse(readFileSync(columns(), "utf8"));
    Object.assign(mapping, { linear: "by_month" });
    Object.assign(mapping.columns[2], { of: "allocation" });
    Object.assign(mapping.columns[4], { from: "cliff" });
    for (const each of [mapping, ...mapping.columns]) delete each.choices;
    const completed = JSON.stringify(mapping);
    writeFileSync(columns(), completed);
    expect(await create(...words, "--columns", columns())).toContain("sheet.csv.columns.json, which was there already");
    expect(readFileSync(columns(), "utf8"), "a person's file is not overwritten").toBe(completed);
    const first = readFileSync(join(folder, "mine.json"), "utf8");
    rmSync(join(folder, "mine.json"));
    await create(...words);
    expect(readFileSync(join(folder, "mine.json"), "utf8")).toBe(first);
    rmSync(join(folder, "mine.json"));
    expect(await refusal(...words, "--columns", columns(), "--max-supply", "6")).toEqual([
      "--max-supply: is 6, but 5 in the mapping",
    ]);
  });

  test("asks in a terminal for what is left of it, after a person has stopped", async () => {
    write();
    const [csv, out] = [join(folder, "sheet.csv"), join(folder, "mine.json")];
    const flags = { csv, out, symbol: "A", decimals: "8", "max-supply": "5", start: "2026-01-15" };
    const asked: string[] = [];
    const answering = (...answers: readonly string[]) => {
      const left = [...answers];
      const next = (question: string) => {
        asked.push(question.replace(/.*: /, ""));
        return Promise.resolve(left.shift());
      };
      return { choose: next, write: next };
    };
    await refusalOfPromise(createBy(context(), flags, answering("allocation")));
    expect(existsSync(out)).toBe(false);
    await createBy(context(), { ...flags, "max-supply": undefined }, answering("cliff", "by_month"));
    expect(existsSync(out)).toBe(true);
    expect(asked).toEqual(["of", "from", "from", "linear"]);
  });
});

test("a mapping that cannot be written beside its sheet is refused with another way", async () => {
  const csv = rules(ALL_AT_ONCE);
  symlinkSync(join(folder, "no-such-folder", "file"), `${csv}.columns.json`);
  const out = join(folder, "mine.json");
  expect(await refusal(...NEW, "--csv", csv, "--out", out)).toEqual([
    expect.stringMatching(/rules\.csv\.columns\.json: cannot be written: .*--csv - with --out FILE/),
  ]);
  expect(existsSync(out)).toBe(false);
});

test.each([
  [
    ["new"],
    "--symbol: missing; the token's ticker, such as XYZ\n--decimals: missing; the token's decimals on its chain",
  ],
  [["new", "--symbol", "ABC"], "--csv: missing; the file with the plan"],
  [[...NEW, "--decimals", "x"], '--decimals: must be a whole number from 0 to 36, not "x"'],
  [[...NEW, "--step-day", "31"], '--step-day: must be a whole number from 1 to 28, not "31"'],
  [[...NEW, "--amounts", "weekly"], "--amounts: must be cumulative or monthly, not weekly"],
  [[...NEW, "--max-supply", "1e9"], "--max-supply: must be an amount above 0 such as 1250.5, with at most 8 digits"],
  [[...NEW, "--start", "2026-02-30"], "--start: must be a day as YYYY-MM-DD, not 2026-02-30"],
  [[...NEW, "--csv", "/no.csv"], "/no.csv: cannot be read"],
  [[...NEW, "--columns", "/no.json"], "/no.json: cannot be read"],
  [
    ["new", "--symbol", "A", "--decimals", "8"],
    "--max-supply: missing; the maximum supply in tokens, to which the amounts must add up",
  ],
])("%o is refused: %s", async (args, message) => {
  const csv = args.includes("--decimals") && !args.includes("--csv") ? ["--csv", rules(ALL_AT_ONCE)] : [];
  expect((await refusal(...args, ...csv)).join("\n")).toContain(message);
  expect(existsSync(join(folder, "new.json"))).toBe(false);
});

describe("a file that is no table is recognized by its first bytes, with what to do", () => {
  test.each<[what: string, bytes: string | Uint8Array, message: RegExp]>([
    [
      "JSON",
      '{"buckets": []}',
      /sheet\.csv: is JSON, and `new` reads tables: write a row for each of its entries as CSV/,
    ],
    ["HTML", "<html><table></table></html>", /is HTML or XML: open it in a spreadsheet, save the sheet as \.xlsx/],
    ["an older workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), /is an older Excel workbook \(\.xls\)/],
    [
      "bytes of another encoding",
      Buffer.from("Bucket\n\xcd\xc5\n", "latin1"),
      /is not UTF-8: save it as UTF-8, or give its encoding with --encoding \(windows-1252,/,
    ],
    ["nothing", "", /has no rows/],
    [
      "more rows than any schedule has",
      `Month,Circulating\n${"2026-01,1\n".repeat(50_001)}`,
      /has 50002 rows, of at most 50000/,
    ],
  ])("%s", async (_what, bytes, message) => {
    writeFileSync(join(folder, "sheet.csv"), bytes);
    expect((await refusal(...NEW, "--csv", join(folder, "sheet.csv"))).join("\n")).toMatch(message);
  });
});

test.each<[text: string, ends: string | undefined]>([
  ["a,b\r\n1,2\n3,4\n", "CR LF, LF"],
  ["a,b\r1,2\n", "LF, CR"],
  ["a,b\r\n1,2\r\n", undefined],
  ['a,b\r\n"one\ntwo",2\r\n', undefined],
])("line ends of several kinds are named, those inside of a cell are none: %j", (text, ends) => {
  expect(mixedLineEnds(text)).toBe(ends && `has several line ends (${ends}): each of them ends a row`);
});

test("a sheet with several line ends has all of its rows, and new says so with what is open and with the result", async () => {
  const [csv, out] = [join(folder, "sheet.csv"), join(folder, "mine.json")];
  const words = ["new", "--symbol", "A", "--max-supply", "5", "--decimals", "8", "--csv", csv, "--out", out];
  const sentence = /sheet\.csv: has several line ends \(CR LF, LF\): each of them ends a row/;
  writeFileSync(csv, "Month,Circulating tokens,Price\r\n2026-01,1,2\n2026-02,5,2\n");
  expect((await refusal(...words))[0]).toMatch(sentence);
  rmSync(`${csv}.columns.json`);
  writeFileSync(csv, "Month,Circulating tokens\r\n2026-01,1\n2026-02,5\n");
  expect(await create(...words)).toMatch(sentence);
  expect(run("at", "2026-02-01", out)).toBe("5\t500000000");
});

describe("a sheet of one figure", () => {
  const write = (text: string) => {
    writeFileSync(join(folder, "sheet.csv"), text);
    return ["new", "--symbol", "A", "--decimals", "2", "--csv", join(folder, "sheet.csv")];
  };
  const written = () => JSON.parse(readFileSync(join(folder, "new.json"), "utf8"));

  test("is a table; with --rest it is a bucket beside one that never unlocks", async () => {
    const words = write("Month,Circulating tokens\n2026-01,100\n2026-02,150\n2026-03,200\n");
    expect(await create(...words, "--max-supply", "1000")).toContain(
      "800 tokens are still locked at the end of the sheet, and /api/health will report",
    );
    rmSync(join(folder, "new.json"));
    rmSync(join(folder, "sheet.csv.columns.json"));
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

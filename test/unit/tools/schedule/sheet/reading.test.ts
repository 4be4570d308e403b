import { describe, expect, test } from "vitest";
import { askOpenPlaces } from "../../../../../tools/schedule/sheet/ask.ts";
import { type MappedColumn, type Mapping, parseMapping } from "../../../../../tools/schedule/sheet/mapping.ts";
import { mappingText, unanswered } from "../../../../../tools/schedule/sheet/open-places.ts";
import { proposeMapping } from "../../../../../tools/schedule/sheet/propose.ts";
import { readByMapping } from "../../../../../tools/schedule/sheet/read.ts";
import { refusalOf } from "../../../../support/refusal.ts";
import { csvRows, DECIMALS, facts, figuresOf } from "./sheets.ts";

/** A mapping of a sheet by what each of its columns is. */
function mappingOf(text: string, columns: readonly Partial<MappedColumn>[], members: Partial<Mapping> = {}): Mapping {
  const titles = text.split("\n")[0]?.split(",") ?? [];
  return {
    sheet: "sheet",
    max_supply: "1000",
    rows: "period",
    titles: 1,
    decimal_mark: "point",
    outside: [],
    columns: columns.map((each, at) => ({
      column: "ABCDEFGH"[at] ?? "",
      title: titles[at] ?? "",
      cells: [],
      is: null,
      ...each,
    })),
    ...members,
  };
}

const PERIOD = { is: "period", unit: "date", whole: "first_day" } as const;
const AMOUNT = { is: "amount", unit: "tokens" } as const;
const RUNNING = { amounts: "cumulative" } as const;

const read = (text: string, mapping: Mapping) => readByMapping("sheet", csvRows(text), mapping, DECIMALS);
const refusal = (text: string, mapping: Mapping) => refusalOf(() => read(text, mapping));

describe("a cell that is not what its column declares refuses the sheet, one line a column", () => {
  test.each<[what: string, text: string, columns: readonly Partial<MappedColumn>[], lines: readonly string[]]>([
    [
      "error cells",
      "Month,A,B\n2026-01,#REF!,1\n2026-02,#REF!,2\n2026-03,#REF!,3\n2026-04,#REF!,1000",
      [PERIOD, AMOUNT, AMOUNT],
      ['sheet: column B "A": 4 cells (B2 "#REF!", B3 "#REF!", B4 "#REF!"): each is not an amount'],
    ],
    [
      "an empty cell, and a date that does not exist",
      "Month,A\n2026-01,\n2026-13,1000",
      [PERIOD, AMOUNT],
      [
        'sheet: column A "Month": A3 "2026-13" is no date such as 2026-01-31, 31/01/2026, Jan-26 or Q1 2026',
        'sheet: column B "A": B2 is empty and is not an amount',
      ],
    ],
    [
      "more digits than the token has",
      "Month,A\n2026-01,1.123456789\n2026-02,1000",
      [PERIOD, AMOUNT],
      ['sheet: column B "A": B2 "1.123456789" has more than 8 digits after the point'],
    ],
    [
      "a share of no whole number of base units",
      "Month,A\n2026-01,0.33333333333%\n2026-02,100%",
      [PERIOD, { is: "amount", unit: "percent", of: "maximum" }],
      ['sheet: column B "A": B2 "0.33333333333%" comes to no whole number of base units; write tokens'],
    ],
    [
      "a month that lost its zero",
      "Month,A\n2026.09,1\n2026.1,2\n2026.11,1000",
      [PERIOD, AMOUNT],
      [
        'sheet: column A "Month": A3 "2026.1" may be the tenth month without its zero, because other cells have two digits',
      ],
    ],
  ])("%s", (_what, text, columns, lines) => {
    expect(refusal(text, mappingOf(text, columns, RUNNING))).toEqual(lines);
  });
});

describe("what arithmetic and the calendar contradict is refused", () => {
  test.each<[what: string, text: string, members: Partial<Mapping>, line: string]>([
    [
      "rows that go back",
      "Month,A\n2026-02,1\n2026-01,1000",
      RUNNING,
      "line 3: 2026-01-01 follows 2026-02-01: put the rows in order",
    ],
    [
      "rows that go back, of parts",
      "Month,A\n2026-02,1\n2026-01,999",
      { amounts: "monthly" },
      "line 3: 2026-01-01 follows 2026-02-01",
    ],
    ["two rows of a period", "Month,A\n2026-01,1\n2026-01,1000", RUNNING, "line 3: 2026-01-01 has several rows"],
    [
      "a missing month",
      "Month,A\n2026-01,1\n2026-04,1000",
      RUNNING,
      "line 3: 2026-04 follows 2026-01: add the months between, or say with --gaps keep",
    ],
    [
      "a figure that falls",
      "Month,A\n2026-01,100\n2026-02,99\n2026-03,1000",
      RUNNING,
      'column B "A": falls from 100 to 99 in line 3; a burn or a transfer is no part',
    ],
    ["more than the maximum", "Month,A\n2026-01,1001", RUNNING, "the rows add up to 1001, the maximum is 1000"],
    [
      "a start in another month than the first row",
      "Month,A\n2026-02,1000",
      { ...RUNNING, start: "2026-01-05" },
      "the first row is 2026-02-01, and the start 2026-01-05 is in another month",
    ],
    [
      "a start after the first row",
      "Month,A\n2026-01-05,1000",
      { ...RUNNING, start: "2026-01-06" },
      "the first row is 2026-01-05, and the start 2026-01-06 is after it",
    ],
  ])("%s", (_what, text, members, line) => {
    expect(refusal(text, mappingOf(text, [PERIOD, AMOUNT], members))[0]).toContain(line);
  });

  test("percentages that are rounded up to more than 100 name what to write", () => {
    const text = "Bucket,Share,Vesting\nA,16.67%,12\nB,16.67%,12\nC,66.67%,12";
    const columns = [
      { is: "bucket" },
      { is: "amount", unit: "percent", of: "maximum" },
      { is: "duration", unit: "months", from: "start" },
    ] as const;
    const by = mappingOf(text, columns, { rows: "rule", linear: "by_month", start: "2026-01-01" });
    expect(refusal(text, by)).toEqual([
      "sheet: the rows add up to 1000.1, the maximum is 1000; rounded percentages come to more: write one of them, or tokens, with more digits",
    ]);
  });

  test.each<[unit: string, rows: string, columns: Partial<MappedColumn>]>([
    ["quarters", "Q1 2026,400\nQ2 2026,1000", { unit: "date" }],
    ["years", "2026,400\n2027,1000", { unit: "date" }],
    ["numbered quarters", "1,400\n2,1000", { unit: "quarters", first: 1 }],
  ])("two rows of %s have no gap between them", (_unit, rows, columns) => {
    const text = `Period,A\n${rows}`;
    const by = mappingOf(text, [{ ...PERIOD, ...columns }, AMOUNT], { ...RUNNING, start: "2026-01-01" });
    expect(read(text, by).unlocking).toBe(1000n * 10n ** BigInt(DECIMALS));
  });

  test("months without a row keep the figure before them, if the mapping says so", () => {
    const text = "Month,A\n2026-01,1\n2026-04,1000";
    expect(figuresOf(read(text, mappingOf(text, [PERIOD, AMOUNT], { ...RUNNING, gaps: "keep" })), 4)).toEqual([
      1, 1, 1, 1000,
    ]);
  });

  test("a declared sum is checked in every row", () => {
    const text = "Month,A,B,All\n2026-01,1,1,2\n2026-02,400,600,1001";
    const sum = { is: "sum", unit: "tokens", sum_of: ["B", "C"] } as const;
    expect(refusal(text, mappingOf(text, [PERIOD, AMOUNT, AMOUNT, sum], RUNNING))).toEqual([
      'sheet: column D "All": D3 "1001" is not the sum of B, C',
    ]);
  });

  const RULE = [
    { is: "bucket" },
    AMOUNT,
    { is: "unlocked_at_start", unit: "percent", of: "allocation" },
    { is: "cliff", unit: "months" },
    { is: "duration", unit: "months", from: "start" },
  ] as const;
  const RULES = { rows: "rule", linear: "by_month", start: "2026-01-01" } as const;
  test.each<[what: string, row: string, line: string]>([
    [
      "a dash for a length, and tokens that are left",
      "A,1000,20%,-,-",
      'line 2: 800 are not unlocked at the start, and column E "d" states no length',
    ],
    ["a cliff after the end", "A,1000,0%,24,12", "line 2: ends on 2027-01-01, before its cliff on 2028-01-01"],
    ["rows above the maximum", "A,1200,0%,0,12", "the rows add up to 1200, the maximum is 1000"],
    ["the name of a sum", "Total,1000,0%,0,12", 'A2 "Total" is the name of a sum'],
  ])("%s", (_what, row, line) => {
    const text = `a,b,c,e,d\n${row}`;
    expect(refusal(text, mappingOf(text, RULE, { ...RULES, rest: "reserve" }))[0]).toContain(line);
  });

  const TABLES: readonly (readonly [Partial<Mapping>, rows: string, columns: readonly Partial<MappedColumn>[]])[] = [
    [{ ...RUNNING, rows: "period" }, "2026-01,400\n2026-02,1000", [PERIOD, AMOUNT]],
    [{ amounts: "monthly", rows: "period" }, "2026-01,400\n2026-02,600", [PERIOD, AMOUNT]],
    [{ rows: "unlock" }, "2026-01-01,400\n2026-02-01,600", [PERIOD, AMOUNT]],
    [RULES, "A,400,0%,0,12\nB,600,0%,0,12", RULE],
  ];
  test.each(TABLES)("a line that the mapping declares a sum is checked in a table of %o", (members, rows, columns) => {
    const total = (text: string) =>
      `a,b,c,e,d\n${rows}\nAll,${text}`.replace("a,b,c,e,d", columns.map((_c, at) => "abced"[at]).join());
    const by = (text: string) =>
      mappingOf(total(text), columns, { ...members, outside: [{ line: 4, text: `All, ${text}`, is: "sum" }] });
    expect(refusal(total("999"), by("999"))).toEqual([
      "sheet: line 4: is a sum by the mapping, and has 999 for 1000 in column B",
    ]);
    expect(read(total("1000"), by("1000")).unlocking).toBe(1000n * 10n ** BigInt(DECIMALS));
  });

  test.each<[what: string, row: string, more: Partial<MappedColumn>, line: string]>([
    [
      "a grant that begins before the start",
      "A,1000,0%,0,12,2025-12-31",
      { is: "start", unit: "date" },
      "column F: begins on 2025-12-31, before the start 2026-01-01",
    ],
    [
      "a row that unlocks at once, and has a length too",
      "A,1000,0%,0,12,at once",
      { is: "every", unit: "words" },
      "line 2: unlocks at once by column F, and has a length or an end too",
    ],
  ])("%s", (_what, row, more, line) => {
    const text = `a,b,c,e,d,f\n${row}`;
    expect(refusal(text, mappingOf(text, [...RULE, more], RULES))).toEqual([`sheet: ${line}`]);
  });

  test("a column in circulation is no sum of parts", () => {
    const text = "Month,A\n2026-01,1000";
    const columns = [PERIOD, { is: "circulating", unit: "tokens" }] as const;
    expect(refusal(text, mappingOf(text, columns, { amounts: "monthly" }))).toEqual([
      "sheet: a column in circulation is a running total of periods",
    ]);
  });

  test("quarterly parts: a cliff of four months inside a year releases one of them", () => {
    const text = "a,b,c,e,d,f\nA,1000,0%,4,12,quarterly";
    const every = { is: "every", unit: "words" } as const;
    expect(figuresOf(read(text, mappingOf(text, [...RULE, every], RULES)), 13)).toEqual([
      0, 0, 0, 0, 250, 250, 500, 500, 500, 750, 750, 750, 1000,
    ]);
  });

  test.each<[what: string, sheet: string, columns: readonly Partial<MappedColumn>[], advice: string]>([
    ["by the mapping", "a,b,c,e,d\nA,1000,0%,0,45 days", [], '"linear": "by_day" unlocks evenly'],
    [
      "by a column",
      "a,b,c,e,d,f\nA,1000,0%,0,45 days,monthly",
      [{ is: "every", unit: "words" }],
      "change column F, which states how often",
    ],
  ])(
    "parts that are none of whole months, monthly %s: the advice changes what states it",
    (_what, text, more, advice) => {
      const columns = [...RULE.slice(0, 4), { is: "duration", unit: "cell", from: "start" } as const, ...more];
      expect(refusal(text, mappingOf(text, columns, RULES))[0]).toContain(`are no equal parts of 1 months; ${advice}`);
    },
  );

  test("an end and a duration of one row contradict each other", () => {
    const text = "a,b,c,e,d,f\nA,1000,0%,0,12,2027-01-01";
    const end = { is: "end", unit: "date", day: "excluded" } as const;
    expect(refusal(text, mappingOf(text, [...RULE, end], RULES))).toEqual([
      "sheet: column E is a duration, and column F is an end: ignore one of them",
    ]);
  });

  test("labels of one id are buckets of their own", () => {
    const labels = ["Team A", "Team-A", "Team A 2", "Team.A"];
    const text = `a,b,c,e,d\n${labels.map((label) => `${label},250,0%,0,12`).join("\n")}`;
    const ids = read(text, mappingOf(text, RULE, RULES)).buckets.map(({ id }) => id);
    expect(ids).toEqual(["team_a", "team_a_2", "team_a_2_3", "team_a_4"]);
  });
});

test.each<[first: 0 | 1, figures: readonly number[]]>([
  [1, [400, 1000, 1000]],
  [0, [0, 400, 1000]],
])("of numbered months the period %i begins on the start", (first, figures) => {
  const text = "m,A\n1,400\n2,600";
  const columns = [{ is: "period", unit: "months", first }, AMOUNT] as const;
  expect(figuresOf(read(text, mappingOf(text, columns, { amounts: "monthly", start: "2026-01-01" })), 3)).toEqual(
    figures,
  );
});

describe("a mapping file", () => {
  const text = "Month,A\n2026-01,1000";
  const file = (change: object): string => JSON.stringify({ ...mappingOf(text, [PERIOD, AMOUNT], RUNNING), ...change });
  const column = (change: object): string =>
    file({ columns: [{ column: "A", title: "Month", cells: [], is: "period", unit: "date", ...change }] });

  test.each<[what: string, content: string, message: string | RegExp]>([
    ["no JSON", "{", "m: is not JSON"],
    ["a member that is not known", file({ collumns: [] }), /m: collumns: unknown key; known here: .*columns/],
    [
      "a word that is none",
      file({ amounts: "totals" }),
      /m: amounts: must be one of cumulative, monthly, .*not "totals"/,
    ],
    ["a meaning that is none", column({ is: "price" }), /m: columns\[0\]\.is: must be one of period, bucket/],
    [
      "a unit of another meaning",
      column({ unit: "percent" }),
      /m: columns\[0\]\.unit: must be one of date, .*not "percent"/,
    ],
    [
      "a whole that is none",
      column({ is: "amount", unit: "percent", of: "premine" }),
      /columns\[0\]\.of: must be allocation, maximum or a number of tokens; not "premine"/,
    ],
    [
      "an amount of the allocation",
      column({ is: "amount", unit: "percent", of: "allocation" }),
      /columns\[0\]\.of: only what unlocks at the start is of the allocation/,
    ],
    [
      "a sum of columns that are none",
      column({ is: "sum", unit: "tokens", sum_of: ["A", "Q"] }),
      /columns\[0\]\.sum_of: A, Q is no other column of the table/,
    ],
    ["a day that does not exist", file({ start: "2026-02-31" }), /m: start: must/],
  ])("%s is refused with its place and what is allowed", (_what, content, message) => {
    expect(refusalOf(() => parseMapping("m", content)).join("\n")).toMatch(message);
  });

  test("a sheet that has changed since is refused", () => {
    const mapping = mappingOf(text, [PERIOD, AMOUNT], RUNNING);
    const changed = (sheet: string, by: Mapping) =>
      refusalOf(() => proposeMapping("sheet", csvRows(sheet), facts({ maxSupply: 1000 }), by));
    expect(changed("Month,B\n2026-01,1000", mapping)).toEqual([
      'sheet: column B "B" is not in the mapping',
      'sheet: column B "A" of the mapping is not in the sheet',
      expect.stringContaining("anew"),
    ]);
    expect(changed("Month,A,C\n2026-01,1000,1", mapping)[0]).toBe('sheet: column C "C" is not in the mapping');
    expect(changed("a note\nMonth,A\n2026-01,1000", { ...mapping, titles: 2 })[0]).toContain(
      'line 1 "a note" is not in the mapping',
    );
  });

  test("the same file and the same sheet give the same plan", () => {
    const figures = "Month,A\n2026-01,400\n2026-02,1000";
    const proposal = proposeMapping("sheet", csvRows(figures), facts({ maxSupply: 1000 }));
    const again = parseMapping("m", mappingText(proposal.mapping, proposal.places));
    expect(read(figures, again)).toEqual(read(figures, proposal.mapping));
  });
});

test("in a terminal each open place is asked for, with its choices; an answer may open another", async () => {
  const text = "Pool,Tokens,X\nA,1000,10%";
  const known = facts({ maxSupply: 1000, start: "2026-01-01" });
  const answers = ["amount", "unlocked_at_start", "[tokens]", "500"];
  const asked: string[] = [];
  const next = (question: string): Promise<string> => {
    asked.push(question);
    return Promise.resolve(answers.shift() ?? "");
  };
  const terminal = { choose: next, write: next };
  const again = (mapping: Mapping) => proposeMapping("sheet", csvRows(text), known, mapping);
  const proposal = proposeMapping("sheet", csvRows(text), known);
  const { mapping, places } = await askOpenPlaces(proposal, terminal, unanswered(proposal.mapping), again);
  expect(places).toEqual([]);
  expect(mapping.columns[2]).toMatchObject({ is: "unlocked_at_start", unit: "percent", of: "500" });
  expect(asked).toEqual([
    'column B "Tokens" ("1000"): is',
    'column C "X" ("10%"): is',
    'column C "X" ("10%"): of',
    expect.stringContaining("of a number of tokens"),
  ]);
});

test.each<[where: string, answers: readonly string[], meanings: readonly (string | null)[], open: string]>([
  ["at a choice", ["amount"], ["bucket", "amount", null], "is"],
  ["at a text", ["amount", "unlocked_at_start", "[tokens]"], ["bucket", "amount", "unlocked_at_start"], "of"],
])("a person who stops in the terminal %s keeps the answers given", async (_where, answers, meanings, open) => {
  const text = "Pool,Tokens,X\nA,1000,10%";
  const known = facts({ maxSupply: 1000, start: "2026-01-01" });
  const left = [...answers];
  const next = () => Promise.resolve(left.shift());
  const proposal = proposeMapping("sheet", csvRows(text), known);
  const again = (mapping: Mapping) => proposeMapping("sheet", csvRows(text), known, mapping);
  const begun = unanswered(proposal.mapping);
  const { mapping, places } = await askOpenPlaces(proposal, { choose: next, write: next }, begun, again);
  expect(left).toEqual([]);
  expect(mapping.columns.map(({ is }) => is)).toEqual(meanings);
  expect(places.map(({ member }) => member)).toContain(open);
});

test("in a terminal meanings are asked first: a length before its cliff does not count from the start", async () => {
  const text = "Bucket,Tokens,Vesting (months),Sperre,Every (months)\nA,1000,12,6,1";
  const known = facts({ maxSupply: 1000, start: "2026-01-01" });
  const answers = ["cliff", "cliff", "months"];
  const asked: string[] = [];
  const next = (question: string): Promise<string> => {
    asked.push(question.replace(/.*: /, ""));
    return Promise.resolve(answers[asked.length - 1] ?? "");
  };
  const proposal = proposeMapping("sheet", csvRows(text), known);
  expect(proposal.mapping.columns[2]?.from).toBeNull();
  const { mapping } = await askOpenPlaces(
    proposal,
    { choose: next, write: next },
    unanswered(proposal.mapping),
    (each: Mapping) => proposeMapping("sheet", csvRows(text), known, each),
  );
  expect(asked).toEqual(["is", "from", "unit"]);
  expect(mapping.columns[2]?.from).toBe("cliff");
});

test.each<[what: string, columns: readonly Partial<MappedColumn>[], members: Partial<Mapping>, open: string]>([
  ["no row of the kind has", [PERIOD, { is: "bucket" }, AMOUNT], { rows: "period", ...RUNNING }, "column B"],
  ["a table has once", [PERIOD, AMOUNT, AMOUNT], { rows: "unlock" }, "column C"],
])("a meaning that %s is open again, with the meanings that are left", (_what, columns, members, open) => {
  const text = "Month,Who,A\n2026-01,1,400\n2026-02,2,600";
  const by = mappingOf(text, columns, members);
  const [place] = proposeMapping("sheet", csvRows(text), facts({ maxSupply: 1000 }), by).places;
  expect(place?.question).toContain(open);
  expect(Object.keys(place?.choices ?? {})).not.toContain(by.rows === "period" ? "bucket" : "amount");
  expect(Object.keys(place?.choices ?? {})).toContain("ignored");
});

test("a line that a person has declared a row is one, and is asked about no more", () => {
  const text = "A,400.5,12\nB,599.5,12";
  const columns = [{ is: "bucket" }, AMOUNT, { is: "duration", unit: "months", from: "start" }] as const;
  const by = mappingOf(text, columns, { rows: "rule", titles: 0, linear: "by_month", start: "2026-01-01" });
  const { mapping, places } = proposeMapping("sheet", csvRows(text), facts({ maxSupply: 1000 }), by);
  expect(places).toEqual([]);
  expect(mapping.columns[0]?.cells).toEqual(["A", "B"]);
});

test("what a quarter comes to on its last day begins with the next one, and the start may be before it", () => {
  const text = "Quarter,A\nQ1 2026,400\nQ2 2026,600";
  const mapping = mappingOf(text, [{ ...PERIOD, whole: "last_day" }, AMOUNT], {
    amounts: "monthly",
    start: "2026-01-01",
  });
  expect(figuresOf(read(text, mapping), 8)).toEqual([0, 0, 0, 400, 400, 400, 1000, 1000]);
});

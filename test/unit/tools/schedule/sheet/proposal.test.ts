import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answered } from "../../../../../tools/schedule/sheet/open-places.ts";
import { type Proposal, proposeMapping } from "../../../../../tools/schedule/sheet/propose.ts";
import { TEMPLATES } from "../../../../../tools/schedule/sheet/template.ts";
import { csvRows, facts, figuresOf, readWith, unlessRefused } from "./sheets.ts";

const propose = (text: string, known: Partial<Parameters<typeof facts>[0]> = {}) =>
  proposeMapping("sheet", csvRows(text), facts({ maxSupply: 1000, start: "2026-01-01", ...known }));

/** The open places as `B.unit`, `amounts`. */
const open = (text: string, known: Partial<Parameters<typeof facts>[0]> = {}): readonly string[] =>
  openIn(propose(text, known));

function openIn({ mapping, places }: Proposal): readonly string[] {
  return places.map(({ owner, member }) => {
    if (owner === undefined) return member;
    const [list, index] = owner;
    return list === "outside" ? `line ${mapping.outside[index]?.line}` : `${mapping.columns[index]?.column}.${member}`;
  });
}

test("a share of an allocation that no column has yet has no figure beside it", () => {
  const sheet = (title: string) =>
    propose(`Categoria,${title},TGE,Vesting (months)\nVenda,400,12.5%,12\nFundo,600,0%,12`);
  const shareOf = (title: string) => sheet(title).places.find(({ member }) => member === "of")?.choices["allocation"];
  expect(shareOf("Alocação")).toBe("of the row's amount");
  expect(shareOf("Tokens")).toBe('of the row\'s amount: "12.5%" is 50 tokens');
});

describe("what is certain, and what is asked", () => {
  test.each<[what: string, text: string, open: readonly string[]]>([
    ["running totals that end at the maximum", "Month,Team,Sale\n2026-01,0,150\n2026-02,200,350\n2026-03,400,600", []],
    ["parts that add up to it", "Month,Team,Sale\n2026-01,0,100\n2026-02,200,300\n2026-03,0,400", []],
    ["figures that do not come to it", "Month,Team,Sale\n2026-01,0,100\n2026-02,200,300", ["B.is", "C.is", "amounts"]],
    ["a figure in circulation below it", "Month,Circulating\n2026-01,100\n2026-02,300", ["B.unit"]],
    ["a multiple that the maximum decides", "Month,Circulating (x)\n2026-01,0.1\n2026-02,1", []],
    ["a unit that the title states", "Month,Circulating tokens\n2026-01,100\n2026-02,300", []],
    ["a unit that no list has", "Month,Circulating (millones)\n2026-01,100\n2026-02,300", ["B.is", "amounts"]],
    ["a price without its sign", "Month,Team,Kurs\n2026-01,600,7\n2026-02,1000,8", ["C.is"]],
    ["numbered periods", "Month,Unlocked\n1,400\n2,600", ["A.first"]],
    ["numbered periods since the start", "Months since TGE,Unlocked\n3,400\n6,600", []],
    ["numbered weeks", "Week,Unlocked\n1,400\n2,600", ["A.first"]],
    ["numbers of nothing", "Period,Unlocked\n1,400\n2,600", ["A.unit", "A.first"]],
    ["a share of what", "Bucket,Tokens,TGE,Cliff (months),Vesting (months)\nA,1000,10%,0,12", ["C.of", "linear"]],
    ["a share of the allocation", "Bucket,Tokens,TGE % of allocation,Vesting (months)\nA,1000,10%,12", ["linear"]],
    ["tokens or a percentage", "Bucket,Tokens,TGE,Vesting (months)\nA,1000,10,12", ["C.unit", "linear"]],
    ["a tenth or a tenth of a percent", "Bucket,Tokens,TGE %,Vesting (months)\nA,1000,0.1,12", ["C.unit", "linear"]],
    ["lengths without a unit", "Bucket,Tokens,Cliff,Vesting\nA,1000,6,12", ["C.unit", "D.unit", "D.from", "linear"]],
    ["a cliff inside or before", "Bucket,Tokens,Cliff (months),Vesting (months)\nA,1000,6,12", ["D.from", "linear"]],
    ["a vesting after its cliff", "Bucket,Tokens,Cliff (months),Vesting after cliff (months)\nA,1000,6,12", ["linear"]],
    ["an end with its day", "Bucket,Tokens,Start,End\nA,1000,2026-01-01,2027-01-01", ["D.day", "linear"]],
    ["an end in a quarter", "Bucket,Tokens,Start,End\nA,1000,2026-01-01,Q4 2026", ["D.whole", "linear"]],
    ["instants in seconds", "wallet,amount,startTime,endTime\n0xa,1000,1767225600,1798761600", ["linear"]],
    ["days that can be read both ways", "Date,Bucket,Amount\n01/02/2026,A,400\n03/04/2026,A,600", ["dates"]],
    ["a number that can be read both ways", "Date;Bucket;Amount\n2026-01-01;A;1.000", ["decimal_mark"]],
    ["rows that end their months", "Month,Circulating\n2026-01-31,400\n2026-02-28,1000", ["A.whole"]],
    ["a total row of a closed list", "Bucket,Tokens,Vesting (months)\nA,400,12\nB,600,12\nTotal,1000,", ["linear"]],
    ["a note beside amounts that come to the maximum", "Our plan\nMonth,Circulating\n2026-01,1000", []],
    [
      "a total row that is no sum",
      "Bucket,Tokens,Vesting (months)\nA,400,12\nB,600,12\nTotal,999,",
      ["line 4", "linear"],
    ],
    [
      "a total row of percentages",
      "Bucket,Allocation,Vesting (months),Every (months)\nA,40%,12,1\nB,60%,12,1\nTotal,100%,,",
      [],
    ],
    [
      "a row between that is a sum",
      "Bucket,Tokens,Vesting (months)\nA,400,12\nSubtotal,400,\nB,600,12",
      ["line 3", "linear"],
    ],
    ["a note with digits", "Bucket,Tokens,Vesting (months),Every (months)\nA,1000,12,1\nas of 2025", []],
    ["amounts that are called a total", "Bucket,Total tokens,Vesting (months)\nA,1000,12", ["B.is", "linear"]],
    ["a start that is no date", "Bucket,Tokens,Start day,Vesting (months)\nA,1000,90,12", ["C.is", "linear"]],
    ["days without their year", "Date,Circulating tokens\nJan 15,100\nFeb 15,1000", ["A.unit"]],
    [
      "percentages that are rounded to less than 100",
      "Bucket,Share,Every (months),Vesting (months)\nA,33.33%,1,12\nB,66.66%,1,12",
      ["B.of"],
    ],
    ["a line of titles that may be a row", "A,1000.5,12\nB,499.5,12", ["A.is", "B.is", "C.is", "rows", "titles"]],
    [
      "two columns of amounts",
      "Bucket,Tokens,Amount,Vesting (months),Every (months)\nA,1000,1000,12,1",
      ["B.is", "C.is", "D.from"],
    ],
    ["names that may be the buckets", "Beneficiary,Tokens,Vesting (months),Every (months)\nSeed,1000,12,1", ["A.is"]],
    ["addresses of grants", "Beneficiary,Tokens,Vesting (months),Every (months)\n0xa1,1000,12,1", []],
    ["names beside the buckets", "Bucket,Beneficiary,Tokens,Vesting (months),Every (months)\nA,Seed,1000,12,1", []],
    ["notes beside figures of periods", "Month,Circulating,Notes\n2026-01,400,launch\n2026-02,1000,end", []],
    ["a year as a title", "Month,2026\n2026-01,400\n2026-02,1000", []],
    ["a dash as a title", "Month,Circulating tokens,-\n2026-01,400,\n2026-02,1000,", []],
    ["seasons", "Period,Team\nS1,100\nS2,1000", ["A.is", "B.is", "rows"]],
    ["what a title calls the base", "Bucket,Base allocation,Vesting (months)\nA,500,12", ["B.is", "C.from", "linear"]],
    [
      "numbers under a title of notes",
      "Month,Unlocked tokens,Source\n2026-01,100,1\n2026-02,400,9",
      ["C.is", "amounts"],
    ],
    [
      "what unlocks at the start beside a multiple",
      "Bucket,Tokens (millions),TGE tokens,Vesting (months)\nA,0.0004,0.0002,12\nB,0.0006,0,12",
      ["C.unit", "linear"],
    ],
    [
      "tokens by the title, and the maximum in millions",
      "Bucket,Tokens,Vesting (months)\nA,0.0004,12\nB,0.0006,12",
      ["B.unit", "linear"],
    ],
    [
      "a length beside a column that may be its cliff",
      "Bucket,Tokens,Sperre,Vesting (months)\nA,1000,6,12",
      ["C.is", "D.from", "linear"],
    ],
    ["words that may be the bucket of a row", "Month,Empfang,Unlocked\n2026-01,A,400\n2026-02,B,600", ["B.is", "rows"]],
    [
      "a running total beside its parts",
      "Month,Unlocked,Team,Sale\n2026-01,400,300,100\n2026-02,1000,600,400",
      ["B.is"],
    ],
    [
      "figures in circulation that add up to the maximum",
      "Month,Circulating %\n2026-01,5\n2026-02,95",
      ["B.is", "amounts"],
    ],
    ["shares beside amounts", "Month,Total,Share\n2026-01,1,10%\n2026-02,5,50%", ["B.is", "C.is", "amounts"]],
    ["periods after the start without a unit", "Period,Unlocked\nTGE+1,400\nTGE+2,1000", ["A.unit", "A.first"]],
    [
      "tokens of rows whose kind is open",
      "Datum,Round,Tokens\n2026-08,A,0.4\n2026-09,B,0.6",
      ["A.is", "C.unit", "rows"],
    ],
    ["a share of max", "Bucket,Tokens,TGE % of max,Vesting (months)\nA,1000,10%,12", ["C.of", "linear"]],
    ["months without a mark between", "Month,Circulating tokens\n202601,100\n202602,1000", []],
    ["lengths in seconds", "Bucket,Tokens,Start,Duration (seconds)\nA,1000,1767225600,31536000", ["linear"]],
    ["a note beside others", "in thousands\nMonth,Circulating tokens\n2026-01,100", ["B.unit", "line 1"]],
  ])("%s", (_what, text, expected) => {
    expect(open(text)).toEqual(expected);
  });

  test("a share of the maximum has its figure beside it, so that 0.4 is not taken for 0.4 %", () => {
    const { mapping } = propose("Bucket,Share,Cliff (months)\nA,0.4,12\nB,0.6,0");
    expect(mapping.columns[1]).toMatchObject({ unit: "fraction", of: "maximum", means: '"0.4" is 400 tokens, 40 %' });
  });

  test("what is open has choices, with their consequence in tokens", () => {
    const { places } = propose("Bucket,Tokens,TGE,Cliff (months),Vesting (months)\nA,1000,10,0,12");
    expect(places[0]).toMatchObject({
      question: 'column C "TGE" ("10"): unit',
      choices: {
        tokens: 'tokens; a multiple is written as in tokens x 1000: "10" is 10 tokens',
        percent: 'of 100: "10" is 100 tokens',
      },
    });
  });

  test("a date without its year has the day that it would be", () => {
    const { places } = propose("Date,Circulating tokens\nJan 28,100\nFeb 28,1000");
    expect(places[0]).toMatchObject({
      member: "unit",
      choices: { date: expect.stringContaining('"Jan 28" is 2028-01-01') },
    });
  });

  test("what running totals and parts come to stands beside them", () => {
    const { places } = propose("Month,Team,Sale\n2026-01,100,100\n2026-02,50,300");
    expect(places.find(({ member }) => member === "amounts")?.choices).toEqual({
      cumulative:
        'each row is a running total: refused, because column B "Team" falls: enter a burn afterwards with revise burn',
      monthly: "each row is what unlocks in its period: 550 tokens in all",
    });
  });

  test.each<[what: string, text: string, member: string, value: string, then: readonly string[]]>([
    [
      "the rest of percentages below 100",
      "Bucket,Share,Every (months),Vesting (months)\nA,33.33%,1,12\nB,66.66%,1,12",
      "of",
      "maximum",
      ["rest"],
    ],
    [
      "what a percentage is of",
      "Bucket,Tokens,TGE,Vesting (months),Every (months)\nA,1000,10,12,1",
      "unit",
      "percent",
      ["C.of"],
    ],
    ["the day of a year", "Date,Circulating tokens\n2026,100\n2027,1000", "unit", "date", ["A.whole"]],
    [
      "the rows of words that are categories",
      "Month,Empfang,Unlocked\n2026-01,A,400\n2026-02,B,600",
      "is",
      "category",
      [],
    ],
    ["columns that come to the maximum both ways", "Month,Team\n2026-01,0\n2026-02,1000", "amounts", "monthly", []],
    ["the first of numbered periods", "Period,Unlocked\n1,400\n2,600", "unit", "weeks", ["A.first"]],
    [
      "a rest of what a multiple leaves",
      "Month,Circulating (x)\n2026-01,1\n2026-02,3",
      "is",
      "amount",
      ["B.unit", "amounts"],
    ],
  ])("an answer opens what depends on it: %s", (_what, text, member, value, then) => {
    const proposal = propose(text);
    const place = proposal.places.find((each) => each.member === member);
    expect(place).toBeDefined();
    const begun = place === undefined ? proposal.mapping : answered(proposal.mapping, place, value);
    const known = facts({ maxSupply: 1000, start: "2026-01-01" });
    expect(openIn(proposeMapping("sheet", csvRows(text), known, begun))).toEqual(then);
  });

  test("a table of three hundred columns takes no longer than its cells", () => {
    const columns = Array.from({ length: 300 }, (_, at) => `Kreis ${at}`);
    const rows = Array.from(
      { length: 48 },
      (_, month) =>
        `20${26 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")},${columns.map(() => month + 1).join(",")}`,
    );
    const cells = 300 * 48;
    const { mapping } = propose(`Month,${columns.join(",")}\n${rows.join("\n")}`, { maxSupply: 48 * 300 });
    expect(mapping.columns.filter(({ is }) => is === "amount")).toHaveLength(300);
    expect(cells).toBe(14_400);
  });
});

describe("the template's titles are its mapping", () => {
  test.each(Object.entries(TEMPLATES))("%s", (_rows, lines) => {
    const { mapping, places } = propose(lines.join("\n"), { maxSupply: 1_000_000 });
    expect(places).toEqual([]);
    const sheet = readWith(csvRows(lines.join("\n")), mapping, (read) => read);
    expect(sheet?.unlocking).toBe(100_000_000_000_000n);
  });
});

/** Words that state no unit, multiple or kind of period, which would be another plan. */
const WORDS = [
  ...["Team", "Total", "Circulating", "Tokens", "Percent", "%", "TGE", "Cliff", "Notes", "Start", "End", "Vesting"],
  ...["after", "Amount", "Bucket", "Date", "of", "supply", "allocation", "Every", "Preis", "社区", "Wochen"],
  ...["millones", "unix", "address", "sum", "x", "Lock", "release", "Category", "initial", "max", "Umlauf"],
] as const;

test("another word in a title gives the same plan, or an open place", () => {
  const certain = [
    ...Object.values(TEMPLATES).map((lines) => lines.join("\n")),
    "Month,Circulating\n2026-01,100000\n2026-02,1000000",
    "Month,Team,Sale,Total\n2026-01,0,100000,100000\n2026-02,300000,700000,1000000",
    "Months since TGE,Unlocked\n3,400000\n6,600000",
    "Bucket,Tokens,TGE % of allocation,Cliff (months),Vesting after cliff (months),Every (months)\nA,400000,10%,6,12,1\nB,600000,5%,0,24,3",
  ];
  const figures = (text: string): readonly number[] | "open" | "refused" => {
    const proposal = unlessRefused(() => propose(text, { maxSupply: 1_000_000 }));
    if (proposal === undefined) return "refused";
    if (proposal.places.length > 0) return "open";
    return readWith(csvRows(text), proposal.mapping, (sheet) => figuresOf(sheet, 40)) ?? "refused";
  };
  const truths = certain.map(figures);
  for (const truth of truths) expect(truth).toBeInstanceOf(Array);
  fc.assert(
    fc.property(
      fc.nat(certain.length - 1),
      fc.nat(20),
      fc.constantFrom(...WORDS),
      fc.nat(2),
      (which, at, word, how) => {
        const [titles = "", ...rows] = (certain[which] ?? "").split("\n");
        const words = titles.split(/(?<=[ ,])/);
        const place = at % words.length;
        const [old = "", comma = ""] = (words[place] ?? "").split(/([ ,]$)/);
        words[place] = `${[word, `${old} ${word}`, ""][how] ?? ""}${comma}`;
        const text = [words.join(""), ...rows].join("\n");
        const found = figures(text);
        if (Array.isArray(found)) expect(found, text).toEqual(truths[which]);
      },
    ),
  );
});

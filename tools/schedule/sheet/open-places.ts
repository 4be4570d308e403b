import { tokenText } from "../../../src/chain/amount.ts";
import { readAmount } from "../cells/cell.ts";
import type { Candidate, Context } from "./candidate.ts";
import { type MappedColumn, type Mapping, UNITS, WORDS } from "./mapping.ts";

/** A place of a mapping that a person has to decide. */
export interface OpenPlace {
  /** The list and the index of the column or the line; undefined: the sheet. */
  readonly owner: readonly ["columns" | "outside", number] | undefined;
  readonly member: string;
  /** What is asked, with the column's title and first cells. */
  readonly question: string;
  /** Allowed values with their consequences; one in brackets is the form of a text. */
  readonly choices: Readonly<Record<string, string>>;
}

/** Every place that is null, with what it may be. */
export function openPlaces(mapping: Mapping, context: Context): readonly OpenPlace[] {
  const nulls = (owner: object): readonly string[] =>
    Object.entries(owner).flatMap(([member, value]) => (value === null ? [member] : []));
  return [
    ...mapping.columns.flatMap((column, index) =>
      nulls(column).map((member): OpenPlace => {
        const cells = column.cells.map((cell) => JSON.stringify(cell)).join(", ");
        const question = `column ${column.column} "${column.title}" (${cells}): ${member}`;
        return {
          owner: ["columns", index],
          member,
          question,
          choices: columnChoices(column, member, context.candidates[index], context),
        };
      }),
    ),
    ...mapping.outside.flatMap(({ line, text, is }, index): readonly OpenPlace[] =>
      is === null
        ? [
            {
              owner: ["outside", index],
              member: "is",
              question: `line ${line} "${text}", outside the table`,
              choices: {
                ignored: "left out; a unit or a multiple in it belongs to the columns",
                sum: "the sum of the rows",
              },
            },
          ]
        : [],
    ),
    ...nulls(mapping).map((member) => ({
      owner: undefined,
      member,
      question: member,
      choices: sheetChoices(mapping, member, context),
    })),
  ];
}

/** The mapping as a file: each open member has its choices beside it. */
export function mappingText(mapping: Mapping, places: readonly OpenPlace[]): string {
  const withChoices = <Owner extends object>(owner: Owner, list?: "columns" | "outside", index?: number): Owner => {
    const own = places.filter(({ owner: at }) => at?.[0] === list && at?.[1] === index);
    return own.length === 0
      ? owner
      : { ...owner, choices: Object.fromEntries(own.map(({ member, choices }) => [member, choices])) };
  };
  const columns = mapping.columns.map((each, index) => withChoices(each, "columns", index));
  const outside = mapping.outside.map((each, index) => withChoices(each, "outside", index));
  return `${JSON.stringify(withChoices({ ...mapping, outside, columns }), null, 2)}\n`;
}

/** The mapping with an answer in the place. */
export function answered(
  mapping: Mapping,
  { owner, member }: OpenPlace,
  value: string | number | readonly string[],
): Mapping {
  if (owner === undefined) return { ...mapping, [member]: value };
  const [list, index] = owner;
  return { ...mapping, [list]: mapping[list].map((each, at) => (at === index ? { ...each, [member]: value } : each)) };
}

/** The mapping as it is before anybody has answered: what follows from a meaning is found anew with each answer. */
export function unanswered(mapping: Mapping): Mapping {
  const columns = mapping.columns.map(({ column, title, cells }) => ({ column, title, cells, is: null }));
  const { sheet, max_supply, titles, outside } = mapping;
  return { sheet, max_supply, titles, outside, rows: null, decimal_mark: null, columns };
}

type Choices = Readonly<Record<string, string>>;

function columnChoices(
  column: MappedColumn,
  member: string,
  candidate: Candidate | undefined,
  context: Context,
): Choices {
  const cell = candidate?.cells.find((each) => /[1-9]/.test(each)) ?? column.cells[0] ?? "";
  if (member === "sum_of") return { "[letters]": "the columns that it adds up, as B,C" };
  const words = wordsOf(member, cell);
  if (member === "of") {
    const { allocation, ...others } = words;
    const all: Choices = {
      ...(column.is === "unlocked_at_start" ? words : others),
      "[tokens]": "of a number of tokens",
    };
    return withFigures(all, column, candidate, context);
  }
  if (member !== "unit" || column.is === null) return words;
  const units: readonly string[] = UNITS[column.is];
  const known = Object.fromEntries(Object.entries(words).filter(([unit]) => units.includes(unit)));
  if (!units.includes("tokens")) return known;
  return withFigures(known, column, candidate, context);
}

function wordsOf(member: string, cell: string): Choices {
  const words: Choices = WORDS[member as keyof typeof WORDS]; // a member that may be null is a word or was handled
  return Object.fromEntries(
    Object.entries(words).map(([word, means]) => [word, means.replace("{cell}", JSON.stringify(cell))]),
  );
}

/** Adds to units and wholes of amounts what the column's first figure would be. */
function withFigures(
  choices: Choices,
  column: MappedColumn,
  candidate: Candidate | undefined,
  context: Context,
): Choices {
  const row = candidate?.cells.findIndex((cell) => /[1-9]/.test(cell)) ?? -1;
  const cell = candidate?.cells[row];
  if (cell === undefined) return choices;
  return Object.fromEntries(
    Object.entries(choices).map(([choice, means]) => {
      const [unit, of] = choice in WORDS.unit ? [choice, column.of ?? "maximum"] : [column.unit ?? "", choice];
      const figure = figureOf(
        cell,
        unit,
        of === "allocation" ? amountAt(row, context) : context.facts.maxSupply,
        context,
      );
      return [choice, figure === undefined ? means : `${means}: ${JSON.stringify(cell)} is ${figure}`];
    }),
  );
}

function amountAt(row: number, { candidates, facts, mark, fit }: Context): bigint {
  const amount = candidates.find((each) => each.is === "amount");
  const unit = (amount && fit.units.get(amount.letter)) ?? "tokens";
  const result = readAmount(amount?.cells[row] ?? "", { mark, decimals: facts.decimals, unit }, facts.maxSupply);
  return "value" in result ? result.value.units : 0n;
}

export function figureOf(
  cell: string,
  unit: string,
  whole: bigint,
  { mark, facts: { decimals } }: Context,
): string | undefined {
  const result = readAmount(cell, { mark, decimals, unit }, whole);
  if ("reason" in result) return undefined;
  const share = unit === "fraction" ? `, ${percentText(result.value.units, whole)} %` : "";
  return `${tokenText(result.value.units, decimals)} tokens${share}`;
}

const percentText = (part: bigint, whole: bigint): string =>
  tokenText((part * 10_000n) / (whole === 0n ? 1n : whole), 2);

function sheetChoices(mapping: Mapping, member: string, { candidates, facts }: Context): Choices {
  if (member === "start") return { "[YYYY-MM-DD]": "the day from which tokens circulate" };
  if (member === "rest")
    return { "[id]": `a bucket, such as reserve, that never unlocks: what the rows leave of ${mapping.max_supply}` };
  const cell = candidates.find(({ kind }) => kind === "dates")?.cells[0] ?? "";
  const words = wordsOf(member, cell);
  if (member !== "amounts") return words;
  const falls = candidates.find(({ letter, cells }) => {
    const isCounted = mapping.columns.some(
      ({ column, is }) => column === letter && (is === "circulating" || is === "amount"),
    );
    const read = cells.map((each) => readAmount(each, { mark: ".", decimals: facts.decimals, unit: "tokens" }, 1n));
    const units = read.map((each) => ("value" in each ? each.value.units : 0n));
    return isCounted && units.some((each, row) => each < (units[row - 1] ?? 0n));
  });
  if (falls === undefined) return words;
  const burn = "enter a burn afterwards with revise burn";
  return { ...words, cumulative: `refused: column ${falls.letter} "${falls.title}" falls; ${burn}` };
}

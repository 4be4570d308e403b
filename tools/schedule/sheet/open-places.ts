import { dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { readAmount } from "../cells/cell.ts";
import { INSTANT_READERS, readPeriod } from "../cells/period.ts";
import { sum } from "../plan/unlocks.ts";
import { type Candidate, isDecided } from "./candidates.ts";
import { isAmountUnit, isInstantUnit, isShare, type Mapping, MEANINGS, WORDS } from "./mapping.ts";
import type { Context } from "./members.ts";

/** Place in a mapping that a person has to decide. */
export interface OpenPlace {
  /** Column or line that has the place, by list and index; undefined: the whole sheet. */
  readonly owner: readonly ["columns" | "outside", number] | undefined;
  readonly member: string;
  /** Question with the column's title and first cells. */
  readonly question: string;
  /** Allowed values with their consequences; a value in brackets shows the form of the text to write. */
  readonly choices: Choices;
}

/** Allowed values of an open place, each with its consequence in words. */
export type Choices = Readonly<Record<string, string>>;

/** Forms and descriptions of answers that are texts. */
const TEXTS: Readonly<Record<string, readonly [form: string, means: string]>> = {
  sum_of: ["[letters]", "the columns that it adds up, as B,C"],
  of: ["[tokens]", "of a number of tokens"],
  start: ["[YYYY-MM-DD]", "the day from which tokens circulate"],
  rest: ["[id]", "a bucket, such as reserve, that never unlocks: what the rows leave of the maximum"],
};

/** Lists every place that is null, with the values that it may have. */
export function openPlaces(mapping: Mapping, context: Context): readonly OpenPlace[] {
  const open = (owner: object): readonly string[] =>
    Object.entries(owner).flatMap(([member, value]) => (value === null ? [member] : []));
  return [
    ...mapping.columns.flatMap((column, index) =>
      open(column).map((member): OpenPlace => {
        const cells = column.cells.map((cell) => JSON.stringify(cell)).join(", ");
        const question = `column ${column.column} "${column.title}" (${cells}): ${member}`;
        return { owner: ["columns", index], member, question, choices: columnChoices(mapping, index, member, context) };
      }),
    ),
    ...mapping.outside.flatMap(({ line, text, is }, index): readonly OpenPlace[] => {
      const question = `line ${line} "${text}", outside the table`;
      return is === null ? [{ owner: ["outside", index], member: "is", question, choices: WORDS.outside }] : [];
    }),
    ...open(mapping).map((member) => ({
      owner: undefined,
      member,
      question: member,
      choices: sheetChoices(member, context),
    })),
  ];
}

/** Writes the mapping as a file: each open member has its choices beside it. */
export function mappingText(mapping: Mapping, places: readonly OpenPlace[]): string {
  const withChoices = <Owner extends object>(owner: Owner, list?: "columns" | "outside", index?: number): Owner => {
    const open = places.filter(({ owner: at }) => at?.[0] === list && at?.[1] === index);
    const choices = Object.fromEntries(open.map(({ member, choices: each }) => [member, each]));
    return open.length === 0 ? owner : { ...owner, choices };
  };
  const columns = mapping.columns.map((each, index) => withChoices(each, "columns", index));
  const outside = mapping.outside.map((each, index) => withChoices(each, "outside", index));
  return `${JSON.stringify(withChoices({ ...mapping, outside, columns }), null, 2)}\n`;
}

export type Answer = string | number | readonly string[];

/** Returns the mapping with an answer in its place. */
export function answered(mapping: Mapping, { owner, member }: OpenPlace, value: Answer): Mapping {
  if (owner === undefined) return { ...mapping, [member]: value };
  const [list, index] = owner;
  return { ...mapping, [list]: mapping[list].map((each, at) => (at === index ? { ...each, [member]: value } : each)) };
}

/**
 * Empties the mapping before the first answer, so that members which depend on a meaning are proposed again after each
 * answer.
 */
export function unanswered({ sheet, max_supply, titles, outside, columns }: Mapping): Mapping {
  const begun = columns.map(({ column, title, cells }) => ({ column, title, cells, is: null }));
  return { sheet, max_supply, titles, outside, rows: null, decimal_mark: null, columns: begun };
}

/** Choices of a member that is null: its words, or the form of a text. */
function wordsOf(member: string, cell: string): Choices {
  const words: Choices = member in WORDS ? WORDS[member as keyof typeof WORDS] : {}; // a member that is null is one of them
  const filled = Object.entries(words).map(([word, means]) => [word, means.replace("{cell}", JSON.stringify(cell))]);
  const text = TEXTS[member];
  return Object.fromEntries(text === undefined ? filled : [...filled, text]);
}

function columnChoices(mapping: Mapping, index: number, member: string, context: Context): Choices {
  const [column, candidate] = [mapping.columns[index], context.candidates[index]];
  if (column === undefined || candidate === undefined) return {};
  const row = Math.max(
    0,
    candidate.cells.findIndex((each) => /[1-9]/.test(each)),
  );
  const cell = candidate.cells[row] ?? "";
  const isAllowed = (word: string): boolean => {
    if (member === "is") return mayBe(word, mapping, context);
    if (member === "of") return word !== "allocation" || column.is === "unlocked_at_start";
    return member !== "unit" || column.is === null || MEANINGS[column.is].units.some((unit) => unit === word);
  };
  const amount = context.candidates.find(({ is }) => is === "amount");
  // Until a column of amounts is known, a share of the allocation has no figure.
  const allocation = amount === undefined ? undefined : (unitsOf(amount, context)[row] ?? 0n);
  return withFigures(
    Object.entries(wordsOf(member, cell)).filter(([word]) => isAllowed(word)),
    (choice) => {
      if ((member !== "unit" && member !== "of") || choice.startsWith("[")) return undefined;
      const [unit, of] = member === "unit" ? [choice, column.of] : [column.unit ?? "", choice];
      const whole = of === "allocation" ? allocation : context.facts.maxSupply;
      const figure = whole === undefined && isShare(unit) ? undefined : figureOf(cell, unit, whole ?? 0n, context);
      return figure === undefined ? undefined : `${JSON.stringify(cell)} is ${figure}`;
    },
  );
}

function withFigures(
  choices: readonly (readonly [string, string])[],
  figure: (choice: string) => string | undefined,
): Choices {
  const texts = choices.map(([choice, means]) => [choice, [means, figure(choice) ?? []].flat().join(": ")]);
  return Object.fromEntries(texts);
}

/**
 * Whether a column may have a meaning: rows of this kind must allow it, and no other column that a person decided may
 * have it.
 */
function mayBe(meaning: string, { rows }: Mapping, { candidates }: Context): boolean {
  const { rows: kinds, repeated = [] } = MEANINGS[meaning as keyof typeof MEANINGS]; // a word of `is`
  if (rows !== null && !kinds.includes(rows)) return false;
  const isTaken = candidates.some((each) => each.is === meaning && isDecided(each));
  return !isTaken || rows === null || repeated.includes(rows);
}

/** Base units of each cell of a column of amounts, 0 for a cell that is none. */
function unitsOf({ cells, letter, given }: Candidate, { facts, mark, fit }: Context): readonly bigint[] {
  const form = { mark, decimals: facts.decimals, unit: fit.units.get(letter) ?? given.unit ?? "tokens" };
  return cells.map((cell) => {
    const result = readAmount(cell, form, facts.maxSupply);
    return "value" in result ? result.value.units : 0n;
  });
}

/** Converts a cell by its unit into a day or into tokens. */
export function figureOf(cell: string, unit: string, maximum: bigint, { mark, facts }: Context): string | undefined {
  const { decimals } = facts;
  const day = isInstantUnit(unit) ? dayOf(cell, unit) : undefined;
  if (day !== undefined) return dayText(day);
  if (!isAmountUnit(unit)) return undefined;
  const result = readAmount(cell, { mark, decimals, unit }, maximum);
  if ("reason" in result) return undefined;
  const percent = tokenText((result.value.units * 10_000n) / (maximum === 0n ? 1n : maximum), 2);
  return `${tokenText(result.value.units, decimals)} tokens${unit === "fraction" ? `, ${percent} %` : ""}`;
}

function dayOf(cell: string, unit: string): number | undefined {
  const period = readPeriod(cell);
  if (unit !== "date") return INSTANT_READERS[unit]?.(cell);
  return period === undefined || period.kind === "either" ? undefined : period.atMs;
}

function sheetChoices(member: string, context: Context): Choices {
  const { candidates, facts, titles } = context;
  if (member === "titles")
    return { [titles]: `line ${titles} has the titles`, 0: `no line has titles, and line ${titles} is a row` };
  const cellOf = (isIt: (cell: string) => boolean): string => candidates.flatMap(({ cells }) => cells).find(isIt) ?? "";
  const date = cellOf((cell) => readPeriod(cell)?.kind === "either");
  const number = cellOf((cell) => /\d[.,]\d{3}$/.test(cell));
  const amounts = candidates.filter(({ is, isNamed }) => isNamed || is === "amount" || is === "circulating");
  const inAll = (units: readonly bigint[]): string => `${tokenText(sum(units), facts.decimals)} tokens in all`;
  return withFigures(Object.entries(wordsOf(member, date)), (choice) => {
    if (member === "decimal_mark")
      return `${JSON.stringify(number)} is ${figureOf(number, "tokens", 0n, { ...context, mark: choice === "comma" ? "," : "." })}`;
    if (member !== "amounts" || amounts.length === 0) return undefined;
    const columns = amounts.map((each) => unitsOf(each, context));
    const falling = amounts.find((_, at) => columns[at]?.some((each, row) => each < (columns[at]?.[row - 1] ?? 0n)));
    if (choice === "monthly") return inAll(columns.flat());
    if (falling === undefined) return inAll(columns.map((each) => each.at(-1) ?? 0n));
    return `refused, because column ${falling.letter} "${falling.title}" falls: enter a burn afterwards with revise burn`;
  });
}

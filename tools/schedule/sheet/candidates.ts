import type { DecimalMark } from "../cells/number.ts";
import { type ColumnMeaning, type MappedColumn, type Mapping, MEANINGS, type RowKind } from "./mapping.ts";
import type { Column, Table } from "./table.ts";
import { type CellKind, kindOf, meaningOf, wordsOf } from "./vocabulary.ts";

/** Column, with what is known about it from its cells, from its title and from a person. */
export interface Candidate extends Column {
  readonly kind: CellKind;
  readonly words: readonly string[];
  /** Meaning that a person or the title states. */
  readonly is: ColumnMeaning | undefined;
  /** Whether its title is a name alone, so that in a table of periods it is a bucket. */
  readonly isNamed: boolean;
  /** Members that a person has stated of the column. */
  readonly given: Partial<MappedColumn>;
}

/** Whether a person has stated its meaning. */
export const isDecided = ({ given }: Candidate): boolean => (given.is ?? null) !== null;

/** Finds every column's meaning by its title and cells, and the kind of the rows. */
export function candidatesOf({ columns }: Table, mark: DecimalMark, symbol: string, given: Mapping | undefined) {
  const candidates = columns.map((column): Candidate => {
    const [kind, words] = [kindOf(column.cells, mark), wordsOf(column.title, symbol)];
    const stated: Partial<MappedColumn> = given?.columns.find((each) => each.column === column.letter) ?? {};
    const is = stated.is ?? (kind === "empty" ? "ignored" : meaningOf(words, kind));
    const isNamed = kind === "numbers" && is === undefined && (column.title !== "" || columns.length === 2);
    return { ...column, kind, words, is, isNamed, given: stated };
  });
  const isRule = candidates.some(({ is }) => is !== undefined && MEANINGS[is].rows.join() === "rule");
  const beside = candidates.map((each) => ({ ...each, is: inContext(each, candidates, isRule) }));
  const meanings = withoutConflicts(beside, given?.rows ?? null);
  const period = meanings.find(({ is }) => is === "period");
  const isRepeated = period !== undefined && new Set(period.cells).size < period.cells.length;
  const isList = isRepeated || meanings.some(({ is }) => is === "bucket" || is === "category");
  const byColumns = isRule ? "rule" : period === undefined ? null : isList ? "unlock" : "period";
  const rowKind: RowKind | null = given?.rows ?? byColumns;
  return { candidates: withoutConflicts(meanings, rowKind), rowKind };
}

/** Meaning of a column beside the others. */
function inContext(candidate: Candidate, all: readonly Candidate[], isRule: boolean): ColumnMeaning | undefined {
  const { is, kind, title, words } = candidate;
  if (isDecided(candidate)) return is;
  if (is === "category" && !all.some((each) => each.is === "bucket")) return "bucket";
  // `Months` beside a cliff is a length; beside figures it numbers the rows.
  if (is === "period" && isRule) return kind === "numbers" ? meaningOf(words, "durations") : undefined;
  const isOnlyDate = kind === "dates" && all.filter((each) => each.kind === "dates").length === 1;
  return is === undefined && title === "" && isOnlyDate && !isRule ? "period" : is;
}

/**
 * Opens meanings that cannot hold: those that this kind of rows does not have, and those of several columns where a
 * table may have one. Of such columns, the first that a person decided keeps its meaning.
 */
function withoutConflicts(candidates: readonly Candidate[], rows: RowKind | null): readonly Candidate[] {
  const columns = Map.groupBy(candidates, ({ is }) => is);
  return candidates.map((each) => {
    if (each.is === undefined) return each;
    const { rows: kinds, repeated } = MEANINGS[each.is];
    const isRepeated = rows === null ? repeated !== undefined : repeated?.includes(rows);
    const rivals = isRepeated ? [] : (columns.get(each.is) ?? []);
    const isOfRows = rows === null || kinds.includes(rows);
    const isFree = isOfRows && (rivals.length < 2 || each === rivals.find(isDecided));
    return isFree ? each : { ...each, is: undefined, isNamed: false, given: { ...each.given, is: null } };
  });
}

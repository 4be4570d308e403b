import { Refusal } from "../../lib/command-line.ts";

/** The place of a cell. */
export interface CellPlace {
  readonly letter: string;
  readonly title: string;
  readonly line: number;
}

const MOST_LINES = 40;
const SHOWN_CELLS = 3;

/** Reasons to refuse a sheet: those of a column's cells are one line, with their number and the first cells. */
export class Reasons {
  readonly #name: string;
  /** The places of cells by their column and what is wrong. */
  readonly #cells = new Map<string, { readonly column: string; readonly what: string; readonly places: string[] }>();
  readonly #others: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Adds a cell that is not what its column declares; an empty cell is named as empty. */
  cell({ letter, title, line }: CellPlace, cell: string, what: string): void {
    const known = this.#cells.get(`${letter} ${what}`) ?? { column: `column ${letter} "${title}"`, what, places: [] };
    known.places.push(`${letter}${line} ${cell === "" ? "is empty and" : JSON.stringify(cell)}`);
    this.#cells.set(`${letter} ${what}`, known);
  }

  add(what: string): void {
    this.#others.push(what);
  }

  /** Throws a Refusal if there is any reason. */
  settle(): void {
    const cells = [...this.#cells.values()].map(({ column, what, places }) => {
      const shown = places.slice(0, SHOWN_CELLS).join(", ");
      return places.length === 1
        ? `${column}: ${shown} ${what}`
        : `${column}: ${places.length} cells (${shown}): each ${what}`;
    });
    const lines = [...cells, ...this.#others];
    if (lines.length === 0) return;
    const more = lines.length - MOST_LINES;
    const told = lines.slice(0, MOST_LINES).map((line) => `${this.#name}: ${line}`);
    throw new Refusal(more > 0 ? [...told, `and ${more} more`] : told);
  }
}

import { Refusal } from "../../lib/command-line.ts";

const MOST_LINES = 40;
const SHOWN_CELLS = 3;

/** Reasons to refuse a sheet: those of a column's cells are one line, with their number and the first cells. */
export class Reasons {
  readonly #name: string;
  /** Places of cells by their column, and by what is wrong. */
  readonly #cells = new Map<string, Map<string, string[]>>();
  readonly #others: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Adds a cell that is not what its column declares; an empty cell is named as empty. */
  cell(
    { letter, title }: { readonly letter: string; readonly title: string },
    line: number,
    cell: string,
    what: string,
  ): void {
    const column = `column ${letter} "${title}"`;
    const reasons = this.#cells.get(column) ?? new Map<string, string[]>();
    const place = `${letter}${line} ${cell === "" ? "is empty and" : JSON.stringify(cell)}`;
    const places = reasons.get(what) ?? [];
    places.push(place);
    this.#cells.set(column, reasons.set(what, places));
  }

  add(what: string): void {
    this.#others.push(what);
  }

  /** Throws a Refusal if there is any reason. */
  settle(): void {
    const cells = [...this.#cells].flatMap(([column, reasons]) =>
      [...reasons].map(([what, places]) => {
        const shown = places.slice(0, SHOWN_CELLS).join(", ");
        return `${column}: ${places.length === 1 ? shown : `${places.length} cells (${shown}): each`} ${what}`;
      }),
    );
    const lines = [...cells, ...this.#others].map((line) => `${this.#name}: ${line}`);
    if (lines.length === 0) return;
    const more = lines.length - MOST_LINES;
    throw new Refusal(more > 0 ? [...lines.slice(0, MOST_LINES), `and ${more} more`] : lines);
  }
}

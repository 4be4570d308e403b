import { Refusal } from "../../lib/command-line.ts";

const MOST_LINES = 40;
const SHOWN_CELLS = 3;

/** Reasons to refuse a sheet. Those of one column's cells make one line, with their number and the first cells. */
export class Reasons {
  readonly #name: string;
  /** Places of wrong cells, by column and reason. */
  readonly #cells = new Map<string, Map<string, string[]>>();
  readonly #others: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Adds a cell that does not match its column's meaning; the message calls an empty cell empty. */
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
  refuseIfAny(): void {
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

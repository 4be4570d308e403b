/** Letters of a column: 0 is A, 26 is AA. */
export function lettersOf(column: number): string {
  return (column < 26 ? "" : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));
}

/** Number of columns that a cell such as `B2` needs. */
export function columnOf(cell: string): number {
  return [...cell.replace(/\d+$/, "")].reduce((total, letter) => total * 26 + letter.charCodeAt(0) - 64, 0);
}

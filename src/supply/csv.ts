const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * One line of CSV (RFC 4180 section 2): cells with a comma, a quote or a line break are quoted. A text that a
 * spreadsheet would run as a formula begins with an apostrophe.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(/^[=+@-]/.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell)).join(",")}\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

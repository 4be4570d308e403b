const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Writes a line of CSV (RFC 4180 section 2). Cells with a comma, a quote or a line break are quoted. A text that a
 * spreadsheet would run as a formula gets an apostrophe before it.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quotedIfNeeded(/^[=+@-]/.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell)).join(",")}\n`;
}

function quotedIfNeeded(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

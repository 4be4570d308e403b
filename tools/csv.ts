/** One row with the number of its first line. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a CSV (RFC 4180) or of cells pasted from a sheet: separated by tabs if the first line has one, else by
 * semicolons if it has one and no comma, else by commas. A cell may be quoted; blanks around an unquoted one, empty
 * rows and a byte order mark are left out.
 */
export function readCsv(text: string): readonly CsvRow[] {
  const content = text.replace(/^\uFEFF/, "");
  const separator = separatorOf(content);
  const cell = new RegExp(`[ ]*"((?:[^"]|"")*)"[ ]*(?=${separator}|\\r?\\n|$)|([^${separator}\\r\\n]*)`, "y");
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let begin = 1;
  for (let at = 0; at <= content.length; ) {
    cell.lastIndex = at;
    const [found = "", quoted, plain = ""] = cell.exec(content) ?? [];
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += found.split("\n").length - 1;
    at += found.length;
    if (content[at] === separatorText(separator)) at += 1;
    else {
      if (cells.some((each) => each !== "")) rows.push({ line: begin, cells });
      cells = [];
      at += content.startsWith("\r\n", at) ? 2 : 1;
      line += 1;
      begin = line;
    }
  }
  return rows;
}

/** The first line that is not empty decides. */
export function separatorOf(content: string): "\\t" | ";" | "," {
  const line = content.split(/\r?\n/).find((each) => each.trim() !== "") ?? "";
  return line.includes("\t") ? "\\t" : line.includes(";") && !line.includes(",") ? ";" : ",";
}

function separatorText(separator: "\\t" | ";" | ","): string {
  return separator === "\\t" ? "\t" : separator;
}

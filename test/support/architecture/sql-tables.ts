export interface SqlTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables that a source text creates, each with its columns in order. */
export function sqlTables(text: string): SqlTable[] {
  return [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)\s*\(/g)].map((match) => ({
    name: match[1] ?? "",
    columns: columnsOf(text.slice(match.index + match[0].length)),
  }));
}

const CONSTRAINTS = /^(PRIMARY|UNIQUE|CHECK|FOREIGN)\b/;

/** Splits at the commas outside parentheses, up to the closing one. */
function columnsOf(text: string): string[] {
  const definitions = [""];
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    if (char === ")" && depth === 0) break;
    if (char === ")") depth -= 1;
    if (char === "," && depth === 0) definitions.push("");
    else definitions.push((definitions.pop() ?? "") + char);
  }
  return definitions
    .map((definition) => definition.trim())
    .filter((definition) => !CONSTRAINTS.test(definition))
    .map((definition) => definition.split(/\s/)[0] ?? "");
}

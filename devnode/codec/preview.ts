/** How deep a value is shown: what nests deeper would exhaust the stack of whoever prints it. */
const MOST_LEVELS = 8;

/** JSON of a value that came from outside, for a sentence about it: cut to `most` characters, and never a failure. */
export function shown(value: unknown, most = 100): string {
  return (JSON.stringify(shallow(value, MOST_LEVELS, most)) ?? "nothing").slice(0, most);
}

function shallow(value: unknown, levels: number, most: number): unknown {
  if (typeof value === "string") return value.slice(0, most);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, most).map((each) => shallow(each, levels - 1, most));
  const entries = Object.entries(value).slice(0, most);
  return Object.fromEntries(entries.map(([name, each]) => [name.slice(0, most), shallow(each, levels - 1, most)]));
}

/** Deeper nesting is cut: it would exhaust the stack while printing. */
const MAX_LEVELS = 8;

/** JSON of an untrusted value for an error message: at most `maxLength` characters, and never an exception. */
export function preview(value: unknown, maxLength = 100): string {
  return (JSON.stringify(truncate(value, MAX_LEVELS, maxLength)) ?? "nothing").slice(0, maxLength);
}

function truncate(value: unknown, levels: number, maxLength: number): unknown {
  if (typeof value === "string") return value.slice(0, maxLength);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, maxLength).map((item) => truncate(item, levels - 1, maxLength));
  const entries = Object.entries(value).slice(0, maxLength);
  return Object.fromEntries(
    entries.map(([name, item]) => [name.slice(0, maxLength), truncate(item, levels - 1, maxLength)]),
  );
}

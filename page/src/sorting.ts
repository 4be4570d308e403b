type SortKey = number | string | null;

/** A stable order of the items; unknown values are last in either direction. */
export function sorted<T>(items: readonly T[], keyOf: (item: T) => SortKey, descending: boolean): T[] {
  const sign = descending ? -1 : 1;
  return [...items].sort((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "string" || typeof b === "string") return sign * String(a).localeCompare(String(b));
    return sign * (a - b);
  });
}

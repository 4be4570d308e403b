/** JSON object with unvalidated members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a JSON object as it is, and an empty one for any other value. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the elements of a JSON array; none for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether two JSON values are equal, ignoring the order of members. */
export function sameJson(left: unknown, right: unknown): boolean {
  return left === right || canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) =>
      isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
    ) ?? "undefined"
  );
}

/** Parses JSON; undefined, not an exception, when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text of one of our own values for a store, with its bigints. */
export function storedText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "bigint" ? { bigint: String(inner) } : inner,
  );
}

/**
 * The value of a {@link storedText}; undefined when the text is not JSON, or null. Cast: only this Worker writes to its
 * stores, and the key of a value names its form.
 */
export function parseStored<T>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text, (_key, inner: unknown) =>
      isRecord(inner) && typeof inner["bigint"] === "string" ? BigInt(inner["bigint"]) : inner,
    );
    return (value ?? undefined) as T | undefined;
  } catch {
    return undefined;
  }
}

/** Whether a parsed JSON value is an object: not null, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined, not an exception, when it is invalid. */
export function parseJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

/**
 * Encodes one of the Worker's own values for a store, with its bigints. Each distinct part is one line, in which inner
 * parts are numbers of earlier lines. So a part that repeats, such as the name of a wallet, is stored once.
 */
export function storedText(value: unknown): string {
  const lines = new Map<string, number>();
  const lineOf = (part: unknown): string => {
    if (typeof part === "bigint") return `${part}n`;
    if (Array.isArray(part)) return JSON.stringify(part.map(numberOf));
    if (!isRecord(part)) return JSON.stringify(part ?? null);
    const members = Object.entries(part).filter(([, inner]) => inner !== undefined);
    return JSON.stringify(Object.fromEntries(members.map(([name, inner]) => [name, numberOf(inner)])));
  };
  const numberOf = (part: unknown): number => {
    const line = lineOf(part);
    const number = lines.get(line) ?? lines.size;
    lines.set(line, number);
    return number;
  };
  numberOf(value);
  return [...lines.keys()].join("\n");
}

/**
 * Decodes a {@link storedText}; undefined for any other text, and when the value is null. The cast is safe because only
 * this Worker writes to its stores, and a value's key names its type.
 */
export function parseStored<T>(text = ""): T | undefined {
  const parts: unknown[] = [];
  for (const line of text.split("\n")) {
    const part = /^-?\d+n$/.test(line) ? BigInt(line.slice(0, -1)) : parseJson(line);
    const members = typeof part === "object" && part !== null ? Object.entries(part) : [];
    if (part === undefined || !members.every(([, number]) => Number.isInteger(number) && number in parts))
      return undefined;
    const inner = members.map(([name, number]) => [name, parts[number]] as const);
    if (Array.isArray(part)) parts.push(inner.map(([, value]) => value));
    else parts.push(isRecord(part) ? Object.fromEntries(inner) : part);
  }
  return (parts.at(-1) ?? undefined) as T | undefined;
}

/** Whether a parsed JSON value is an object: not null, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

type Frame =
  | { readonly kind: "object"; readonly path: string; readonly keys: Set<string>; key: string; wantsKey: boolean }
  | { readonly kind: "list"; readonly path: string; index: number };

/**
 * Finds keys that occur twice in one object of a JSON text, because JSON.parse silently keeps the last of them. Yields
 * their paths (`a.b[0].c`), and reads the text only as far as the caller takes paths. The text must be one that
 * JSON.parse accepts.
 */
export function* repeatedKeys(text: string): Generator<string, undefined> {
  const frames: Frame[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const frame = frames.at(-1);
    if (token === "{") frames.push({ kind: "object", path: placeOf(frame), keys: new Set(), key: "", wantsKey: true });
    else if (token === "[") frames.push({ kind: "list", path: placeOf(frame), index: 0 });
    else if (token === "}" || token === "]") frames.pop();
    else if (frame?.kind === "list" && token === ",") frame.index += 1;
    else if (frame?.kind === "object" && token === ",") frame.wantsKey = true;
    else if (frame?.kind === "object" && frame.wantsKey) {
      frame.key = token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1);
      frame.wantsKey = false;
      if (frame.keys.has(frame.key)) yield placeOf(frame);
      frame.keys.add(frame.key);
    }
  }
}

function placeOf(frame: Frame | undefined): string {
  if (frame === undefined) return "";
  if (frame.kind === "list") return `${frame.path}[${frame.index}]`;
  return frame.path === "" ? frame.key : `${frame.path}.${frame.key}`;
}

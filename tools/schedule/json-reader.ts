import { monthEndMs } from "../../src/supply/calendar.ts";
import { parseDay } from "../../src/utc.ts";
import { parseAmount, parseSignedAmount } from "./amount.ts";
import type { ScheduleError } from "./schedule-result.ts";

/** An object of the file with its path. */
export interface Place {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Reads values of a JSON file by path and collects errors in their shape. After an error the returned values are
 * placeholders: use them only while `errors` is empty.
 */
export class Reader {
  readonly errors: ScheduleError[] = [];

  error(path: string, message: string): void {
    this.errors.push({ path, message });
  }

  /** An object with exactly these keys; those ending in `?` may be left out. */
  object(value: unknown, path: string, keys: readonly string[]): Place {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.error(path, `must be an object, not ${preview(value)}`);
      return { path, value: {} };
    }
    const known = keys.map((key) => key.replace("?", ""));
    for (const key of Object.keys(value))
      if (!known.includes(key)) this.error(below(path, key), `unknown key; known here: ${known.join(", ")}`);
    for (const key of keys)
      if (!key.endsWith("?") && !Object.hasOwn(value, key)) this.error(below(path, key), "missing");
    return { path, value: { ...value } };
  }

  list<T>(at: Place, key: string, read: (value: unknown, path: string) => T): T[] {
    const value = at.value[key];
    if (value === undefined) return [];
    const path = below(at.path, key);
    if (Array.isArray(value)) return value.map((item: unknown, index) => read(item, `${path}[${index}]`));
    this.error(path, `must be a list, not ${preview(value)}`);
    return [];
  }

  text(at: Place, key: string, form?: { readonly pattern: RegExp; readonly what: string }): string {
    return this.#parsed(at, key, form?.what ?? "a text that is not empty", "", (text) =>
      (form?.pattern ?? /\S/).test(text) ? text : undefined,
    );
  }

  url(at: Place, key: string): string {
    return this.#parsed(at, key, "an http or https URL", "", (text) =>
      /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined,
    );
  }

  oneOf<const T extends string>(at: Place, key: string, allowed: readonly [T, ...T[]]): T {
    return this.#parsed(at, key, `one of ${allowed.join(", ")}`, allowed[0], (text) =>
      allowed.find((candidate) => candidate === text),
    );
  }

  boolean(at: Place, key: string): boolean {
    const value = at.value[key];
    if (typeof value === "boolean") return value;
    this.error(below(at.path, key), `must be true or false, not ${preview(value)}`);
    return false;
  }

  /** 00:00:00 UTC of the day, in milliseconds. */
  day(at: Place, key: string): number {
    return this.#parsed(at, key, "a day that exists, as YYYY-MM-DD", 0, parseDay);
  }

  month(at: Place, key: string): string {
    return this.#parsed(at, key, "a month, as YYYY-MM", "", (text) =>
      monthEndMs(text) === undefined ? undefined : text,
    );
  }

  amount(at: Place, key: string, decimals: number): bigint {
    return this.#parsed(at, key, decimalForm(decimals), 0n, (text) => parseAmount(text, decimals));
  }

  signedAmount(at: Place, key: string, decimals: number): bigint {
    const what = `${decimalForm(decimals)}, with a minus sign where it takes away`;
    return this.#parsed(at, key, what, 0n, (text) => parseSignedAmount(text, decimals));
  }

  integer(at: Place, key: string, min: number, max: number): number {
    const value = at.value[key];
    if (value === undefined) return min;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    this.error(below(at.path, key), `must be a whole number from ${min} to ${max}, not ${preview(value)}`);
    return min;
  }

  /** A missing key was reported by {@link object}, or is optional. */
  #parsed<T>(at: Place, key: string, what: string, fallback: T, parse: (text: string) => T | undefined): T {
    const value = at.value[key];
    if (value === undefined) return fallback;
    const parsed = typeof value === "string" ? parse(value) : undefined;
    if (parsed !== undefined) return parsed;
    this.error(below(at.path, key), `must be ${what}, not ${preview(value)}`);
    return fallback;
  }
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function decimalForm(decimals: number): string {
  return `a decimal string such as "1250.5" with at most ${decimals} fraction digits`;
}

/** The value as written in the file; numbers are labeled, because in a message a quoted number looks the same. */
function preview(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return (typeof value === "number" ? "the number " : "") + (text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

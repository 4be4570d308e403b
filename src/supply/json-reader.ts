import { parseAmount, parseSignedAmount } from "./amount.ts";
import { monthEndMs, parseDay } from "./calendar.ts";
import type { ScheduleError } from "./schedule.ts";

/** An object of the file and where it is. */
export interface Place {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Reads values of a JSON file by place and gathers what is wrong with their shape. After a fault the value returned is
 * a stand-in: use none of them unless `faults` is empty.
 */
export class Reader {
  readonly faults: ScheduleError[] = [];

  fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }

  /** An object with exactly these keys; those ending in `?` may be left out. */
  object(value: unknown, path: string, keys: readonly string[]): Place {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.fault(path, `must be an object, not ${shown(value)}`);
      return { path, value: {} };
    }
    const known = keys.map((key) => key.replace("?", ""));
    for (const key of Object.keys(value))
      if (!known.includes(key)) this.fault(below(path, key), `unknown key; known here: ${known.join(", ")}`);
    for (const key of keys)
      if (!key.endsWith("?") && !Object.hasOwn(value, key)) this.fault(below(path, key), "missing");
    return { path, value: { ...value } };
  }

  list<T>(at: Place, key: string, read: (value: unknown, path: string) => T): T[] {
    const value = at.value[key];
    if (value === undefined) return [];
    const path = below(at.path, key);
    if (Array.isArray(value)) return value.map((item: unknown, index) => read(item, `${path}[${index}]`));
    this.fault(path, `must be a list, not ${shown(value)}`);
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

  integer(at: Place, key: string, least: number, most: number): number {
    const value = at.value[key];
    if (value === undefined) return least;
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    this.fault(below(at.path, key), `must be a whole number from ${least} to ${most}, not ${shown(value)}`);
    return least;
  }

  /** A key that is not there was reported by {@link object}, or is optional. */
  #parsed<T>(at: Place, key: string, what: string, standIn: T, parse: (text: string) => T | undefined): T {
    const value = at.value[key];
    if (value === undefined) return standIn;
    const parsed = typeof value === "string" ? parse(value) : undefined;
    if (parsed !== undefined) return parsed;
    this.fault(below(at.path, key), `must be ${what}, not ${shown(value)}`);
    return standIn;
  }
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function decimalForm(decimals: number): string {
  return `a decimal string such as "1250.5" with at most ${decimals} fraction digits`;
}

/** The value as the file has it; a number is named as one, because a quoted one looks the same in a message. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return (typeof value === "number" ? "the number " : "") + (text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

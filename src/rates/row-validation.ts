import { dayText } from "../base/utc.ts";
import { MAX_PERCENT } from "../chain/staking.ts";
import { type Percent, rounded } from "./percent.ts";

/** Least rate in percent. Rates below are an upstream's mistake. */
const MIN_PERCENT = -100;
const DECIMAL = /^(?:0|[1-9]\d{0,38})(?:\.\d{1,38})?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;
/** Unprintable characters, with lone surrogates, which no UTF-8 text and no URL can contain. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Parser of an untrusted row, field by field, that keeps the first error; results after an error are meaningless.
 * Absent and null both mean unknown. A number written as a string is an error, because types are never guessed.
 */
export class Fields {
  problem: string | null = null;
  readonly #row: Readonly<Record<string, unknown>>;
  readonly #prefix: string;

  constructor(row: Readonly<Record<string, unknown>>, prefix = "") {
    this.#row = row;
    this.#prefix = prefix;
  }

  refuse(name: string, what: string): void {
    this.problem ??= `${this.#prefix}${name} ${what}`;
  }

  text(name: string, longest = 200): string {
    return this.textOrNull(name, longest) ?? this.#missing(name, "");
  }

  textOrNull(name: string, longest = 200): string | null {
    const printable = (value: unknown): value is string => isText(value, longest);
    return this.#read(name, printable, `is not printable text of 1 to ${longest} characters`);
  }

  /** Reads a list of texts; an invalid text is an error. */
  textsOrNull(name: string, most: number, longest = 200): string[] | null {
    const texts = (value: unknown): value is string[] =>
      Array.isArray(value) && value.length <= most && value.every((each) => isText(each, longest));
    return this.#read(name, texts, `is not a list of at most ${most} texts of 1 to ${longest} characters`);
  }

  choice<const T extends string>(name: string, allowed: readonly [T, ...T[]]): T {
    return this.choiceOrNull(name, allowed) ?? this.#missing(name, allowed[0]);
  }

  choiceOrNull<const T extends string>(name: string, allowed: readonly T[]): T | null {
    const text = this.textOrNull(name);
    if (text === null) return null;
    const found = allowed.find((candidate) => candidate === text);
    if (found === undefined) this.refuse(name, `is none of ${allowed.join(", ")}`);
    return found ?? null;
  }

  percent(name: string): Percent | null {
    const value = this.#number(name, MIN_PERCENT, MAX_PERCENT);
    return value === null ? null : rounded(value);
  }

  usd(name: string): number | null {
    const value = this.#number(name, 0, Number.MAX_SAFE_INTEGER);
    return value === null ? null : Number(value.toFixed(2));
  }

  whole(name: string, max: number = Number.MAX_SAFE_INTEGER): number | null {
    const value = this.#number(name, 0, max);
    if (value !== null && !Number.isInteger(value)) this.refuse(name, "is not a whole number");
    return value;
  }

  /** Reads an amount of tokens: a canonical decimal string. */
  decimal(name: string): string | null {
    const text = this.textOrNull(name);
    if (text !== null && !DECIMAL.test(text)) this.refuse(name, "is not a canonical decimal");
    return text;
  }

  flag(name: string): boolean {
    const value = this.#row[name] ?? false;
    if (typeof value !== "boolean") this.refuse(name, "is neither true nor false");
    return value === true;
  }

  /** Reads an instant in UTC as milliseconds since the epoch. */
  instant(name: string): number | null {
    const text = this.textOrNull(name);
    if (text === null) return null;
    const ms = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
    // Date.parse turns a date that does not exist, such as 31 April, into 1 May.
    if (!Number.isNaN(ms) && dayText(ms) === text.slice(0, 10)) return ms;
    this.refuse(name, "is not an instant in UTC");
    return null;
  }

  /** Reads a link that is safe to use in a page. */
  link(name: string): string | null {
    const text = this.textOrNull(name, 2_000);
    if (text === null) return null;
    const url = URL.parse(text);
    if (url?.protocol === "https:" && url.username === "" && url.password === "") return url.href;
    this.refuse(name, "is not an https link");
    return null;
  }

  #number(name: string, min: number, max: number): number | null {
    const within = (value: unknown): value is number => typeof value === "number" && value >= min && value <= max;
    return this.#read(name, within, `is not a number from ${min} to ${max}`);
  }

  #read<T>(name: string, isValid: (value: unknown) => value is T, problem: string): T | null {
    const value = this.#row[name];
    if (value === undefined || value === null) return null;
    if (isValid(value)) return value;
    this.refuse(name, problem);
    return null;
  }

  #missing<T>(name: string, fallback: T): T {
    this.refuse(name, "is missing");
    return fallback;
  }
}

/** Whether a value is a printable text that is not empty. */
function isText(value: unknown, longest: number): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= longest && !UNPRINTABLE.test(value);
}

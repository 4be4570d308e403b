import { parseAmount } from "../../src/supply/file/amount.ts";
import { EXIT, Refusal } from "../lib/command-line.ts";

/** Options of a command line that take a text. */
export type TextFlags<Name extends PropertyKey> = { readonly [name in Name]?: string | undefined };

/** Reads an option that takes one of a few words; undefined without the option. */
export function wordFlag<const Word extends string, Name extends string>(
  flags: TextFlags<Name>,
  name: Name,
  words: readonly Word[],
): Word | undefined {
  const text = flags[name];
  const found = words.find((word) => word === text);
  if (text === undefined || found !== undefined) return found;
  throw new Refusal([`--${name}: must be ${words.join(" or ")}, not ${text}`], EXIT.unusable);
}

export function integerFlag(flag: string, text: string, min: number, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Refusal(
    [`${flag}: must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`],
    EXIT.unusable,
  );
}

/** Reads an amount above 0, in base units. */
export function amountFlag(flag: string, text: string, decimals: number): bigint {
  const units = parseAmount(text, decimals) ?? 0n;
  if (units > 0n) return units;
  const rule = `an amount above 0 such as 1250.5, with at most ${decimals} digits after the point`;
  throw new Refusal([`${flag}: must be ${rule}, not ${JSON.stringify(text)}`], EXIT.unusable);
}

import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { csvLine } from "../../src/supply/csv.ts";
import { parseSignedAmount } from "../../src/supply/file/amount.ts";
import type { Form } from "./forms.ts";

/** Form with its rows, and the sums that its reader will check. */
export interface Sheet {
  readonly form: Form;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly sums: readonly Sum[];
}

/** Sum that a reader may check: `parts` add up to `total`. Both are amounts in tokens, as the cells have them. */
export interface Sum {
  readonly what: string;
  readonly parts: readonly string[];
  readonly total: string;
}

export function sheet(form: Form, rows: Sheet["rows"], sums: readonly Sum[], columns = form.columns): Sheet {
  return { form, columns, rows, sums };
}

export function csvText({ columns, rows }: Sheet): string {
  return [columns, ...rows].map(csvLine).join("");
}

/** Lists the sums that do not add up exactly. */
export function sumProblems({ form, sums }: Sheet, decimals: number): string[] {
  return sums.flatMap(({ what, parts, total }) => {
    const amounts = parts.map((part) => parseSignedAmount(part, decimals));
    const sum = amounts.reduce<BaseUnits>((all, amount) => all + (amount ?? 0n), 0n);
    if (!amounts.includes(undefined) && tokenText(sum, decimals) === total) return [];
    return [`${form.file}: ${what}: the rows add up to ${tokenText(sum, decimals)}, not to ${total}`];
  });
}

import { applyEdits, findNodeAtLocation, type JSONPath, modify, parseTree } from "jsonc-parser";
import { tokenText } from "../../../src/chain/amount.ts";
import type { Phase } from "../../../src/supply/schedule.ts";
import { dayText } from "../../../src/utc.ts";

const FORMATTING = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** The text of a JSON file with one value set; everything else stays as its author has written it. */
export function withValue(text: string, path: JSONPath, value: unknown): string {
  return applyEdits(text, modify(text, path, value, FORMATTING));
}

/** The text with an element of a list replaced by any number of others, each on its own line. */
export function withElements(text: string, path: JSONPath, elements: readonly object[]): string {
  if (elements.length === 0) return withValue(text, path, undefined);
  const root = parseTree(text);
  const node = root === undefined ? undefined : findNodeAtLocation(root, path);
  if (node === undefined) throw new RangeError(`${path.join(".")} is not in the file`);
  const lineStart = text.lastIndexOf("\n", node.offset) + 1;
  const [indent = ""] = /^[ \t]*/.exec(text.slice(lineStart)) ?? [];
  const written = elements.map(inline).join(`,\n${indent}`);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

/** The text with one more element at the end of a list, which is created when it is missing. */
export function withAppended(text: string, path: JSONPath, element: object): string {
  const root = parseTree(text);
  const length = (root === undefined ? undefined : findNodeAtLocation(root, path))?.children?.length ?? 0;
  const placeholder = modify(text, [...path, length], 0, { ...FORMATTING, isArrayInsertion: length > 0 });
  return withElements(applyEdits(text, placeholder), [...path, length], [element]);
}

/** `{ "kind": "cliff", "month": 3 }` */
function inline(value: object): string {
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)}`)
    .join(", ")} }`;
}

/** A phase as the file has it. */
export function phaseJson(phase: Phase, decimals: number): object {
  const amount = tokenText(phase.amount, decimals);
  switch (phase.kind) {
    case "never":
      return { kind: "never", amount };
    case "cliff":
      return { kind: "cliff", amount, month: phase.month };
    case "monthly": {
      const { firstMonth: first_month, count, everyMonths: every_months } = phase;
      return { kind: "installments", amount, first_month, count, every_months };
    }
    case "daily": {
      const { firstDay: first_day, count, everyDays: every_days } = phase;
      return { kind: "installments", amount, first_day, count, every_days };
    }
    case "linear":
      return { kind: "linear", amount, from: dayText(phase.fromMs), to: dayText(phase.toMs) };
  }
}

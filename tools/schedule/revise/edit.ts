import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from "jsonc-parser";
import { dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import type { Phase } from "../../../src/supply/schedule.ts";

const FORMATTING = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** The text of a JSON file with one value set; everything else stays as its author has written it. */
export function withValue(text: string, path: JSONPath, value: unknown): string {
  return applyEdits(text, modify(text, path, value, FORMATTING));
}

/** The text with an element of a list replaced by any number of others, each on its own line. */
export function withElements(text: string, path: JSONPath, elements: readonly object[]): string {
  const node = nodeAt(text, path);
  if (elements.length === 0) return withoutElement(text, node);
  const lineStart = text.lastIndexOf("\n", node.offset) + 1;
  const [indent = ""] = /^[ \t]*/.exec(text.slice(lineStart)) ?? [];
  const written = elements.map(inline).join(`,\n${indent}`);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

/**
 * The text without an element of a list, and without one of its commas. Not by the library, which breaks a list whose
 * bracket follows its last element.
 */
function withoutElement(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const index = siblings.indexOf(node);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  const [from, to] =
    after !== undefined
      ? [node.offset, after.offset]
      : [before === undefined ? node.offset : before.offset + before.length, node.offset + node.length];
  return text.slice(0, from) + text.slice(to);
}

/** The text with a member of the file replaced by another of another name, in its place. */
export function withReplaced(text: string, name: string, other: string, value: unknown): string {
  const member = nodeAt(text, [name]).parent;
  if (member === undefined) throw new RangeError(`${name} is not a member of the file`);
  const written = `"${other}": ${JSON.stringify(value, null, 2).replaceAll("\n", "\n  ")}`;
  return text.slice(0, member.offset) + written + text.slice(member.offset + member.length);
}

function nodeAt(text: string, path: JSONPath): Node {
  const root = parseTree(text);
  const node = root === undefined ? undefined : findNodeAtLocation(root, path);
  if (node === undefined) throw new RangeError(`${path.join(".")} is not in the file`);
  return node;
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

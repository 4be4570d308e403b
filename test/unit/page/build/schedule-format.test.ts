import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type FormatSchema, scheduleFormatMarkdown } from "../../../../page/build/schedule-format.ts";
import { parseScheduleText } from "../../../../tools/schedule/parse-schedule.ts";

const schema = JSON.parse(readFileSync("schedule/schema.json", "utf8")) as FormatSchema;
const page = readFileSync("page/docs/schedule.md", "utf8");

/** Every member that the schema names, at any depth. */
function memberNames(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(memberNames);
  if (typeof node !== "object" || node === null) return [];
  const { properties } = node as FormatSchema;
  const named = Object.entries(properties ?? {}).filter(([, member]) => member !== false);
  return [...named.map(([name]) => name), ...Object.values(node).flatMap(memberNames)];
}

test("the manual lists every member of the schema, its form and its meaning", () => {
  const markdown = scheduleFormatMarkdown(schema);
  const names = new Set(memberNames(schema));
  expect(names.size).toBeGreaterThan(35);
  for (const name of names) expect(markdown).toContain(`\`${name}\``);
  expect(markdown).toContain("| `step_day` (optional) | integer, 1 to 28 |");
  expect(markdown).toContain("| `methodology` (optional) | URL |");
  expect(markdown).toMatch(/\| `cliff` \| `amount`: decimal string, tokens<br>`month`: integer, 0 to 2400 \|/);
});

test("a member without a description is refused", () => {
  const { description: _, ...start } = (schema.properties?.["start"] ?? {}) as FormatSchema;
  const changed = { ...schema, properties: { ...schema.properties, start } };
  expect(() => scheduleFormatMarkdown(changed)).toThrow("description of start is missing");
});

test("the example in the manual is a valid schedule", () => {
  const example = /```json\n([\s\S]+?)```/.exec(page)?.[1] ?? "";
  expect(parseScheduleText(example)).toMatchObject({ kind: "schedule" });
});

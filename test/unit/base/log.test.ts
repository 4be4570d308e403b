import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { logTo } from "../../../src/base/log.ts";

function written(event: string): string[] {
  const lines: string[] = [];
  const to = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  logTo({ log: to("log"), warn: to("warn"), error: to("error") })(event, { requestId: "id-1" });
  return lines;
}

test("a line is one JSON object, event first", () => {
  expect(written("health")).toEqual(['log {"event":"health","requestId":"id-1"}']);
});

/** The table of docs/operations.md: event and level. */
const documented = [
  ...readFileSync("docs/operations.md", "utf8").matchAll(/^\| `([a-z_]+)` +\| (error|warn|log) +\|/gm),
].map(([, event = "", level = ""]) => [event, level] as const);

test("the table of events was found", () => {
  expect(documented.length).toBeGreaterThan(12);
});

test.each(documented)("%s is written at the level %s, as documented", (event, level) => {
  expect(written(event)).toEqual([expect.stringMatching(new RegExp(`^${level} `))]);
});

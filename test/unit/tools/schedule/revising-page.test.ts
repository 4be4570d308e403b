import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schedule } from "../../../../tools/schedule.ts";
import { refusalOf } from "../../../support/refusal.ts";

const PAGE = join(import.meta.dirname, "../../../../docs/revising.md");
const BLOCK = /```\n\$ npm run schedule -- (.*)\n([^`]*)```/g;
const NOW = Date.parse("2026-11-22T12:00:00Z");

/** The page with each command's real output below it; the commands are run in order on the page's own schedule. */
function withOutputs(page: string): string {
  const folder = mkdtempSync(join(tmpdir(), "revising-"));
  const context = { folder, nowMs: NOW };
  writeFileSync(join(folder, "native.json"), /```json\n([^`]*)```/.exec(page)?.[1] ?? "");
  schedule(["publish", "--served"], context);
  return page.replace(BLOCK, (_, command: string) => {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    const output: string[] = [];
    const lines = [...refusalOf(() => output.push(schedule(words, context))), ...output].join("\n");
    return `\`\`\`\n$ npm run schedule -- ${command}\n${lines.replaceAll(`${folder}/`, "schedule/")}\n\`\`\``;
  });
}

test("every recipe of the page on revising has its real output (RECORD=1 writes it)", () => {
  const page = readFileSync(PAGE, "utf8");
  const expected = withOutputs(page);
  if (process.env["RECORD"] !== undefined) writeFileSync(PAGE, expected);
  else expect(page).toBe(expected);
  expect([...page.matchAll(BLOCK)].map(([, command]) => command?.split(" ").slice(1, 3).join(" "))).toEqual(
    expect.arrayContaining([
      "delay team",
      "delay community",
      "amount community",
      "burn community",
      "burn team",
      "bucket grants",
      "correct community",
      "wallet move",
    ]),
  );
});

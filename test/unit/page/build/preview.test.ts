import { readFileSync } from "node:fs";
import { join } from "node:path";
import { XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { previewSvg } from "../../../../page/build/preview.ts";
import type { Brand } from "../../../../page/view/site.ts";
import { parseScheduleText } from "../../../../tools/schedule/parse-schedule.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures");
const { colors } = JSON.parse(readFileSync(join(FIXTURES, "brand.json"), "utf8")) as Brand;
const brand = { name: 'Example <b> & "figures"', colors } as Brand;

function svgAt(day: string): string {
  const result = parseScheduleText(readFileSync(join(FIXTURES, "schedule/native.json"), "utf8"));
  if (result.kind !== "schedule") throw new Error(JSON.stringify(result));
  const svg = previewSvg(result.schedule, brand, Date.parse(day));
  expect(XMLValidator.validate(svg)).toBe(true);
  return svg.replaceAll(/<[^>]+>/g, "|");
}

test("the picture names page, figure, day, next unlock and allocations", () => {
  const text = svgAt("2026-11-23");
  for (const part of [
    "Example &lt;b&gt; &amp; &quot;figures&quot;",
    "677,413,062 APT",
    "circulate on 23 Nov 2026, 67.74% of the maximum",
    "Next unlock: 4.54M on 12 Dec 2026",
    "Oct 2022",
    "Oct 2032",
    "Core contributors",
  ])
    expect(text).toContain(`|${part}|`);
});

test.each([
  ["before the launch", "2022-01-01", "Not launched", "Next unlock: 130M on 12 Oct 2022"],
  ["after the end", "2040-01-01", "1,000,000,000 APT", "circulate on 1 Jan 2040, 100% of the maximum"],
])("%s", (_, day, figure, line) => {
  expect(svgAt(day)).toContain(`|${figure}|`);
  expect(svgAt(day)).toContain(`|${line}|`);
});

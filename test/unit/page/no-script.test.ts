import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("without JavaScript the first thing on the page is where the figures are", () => {
  const [, main = ""] = readFileSync("page/index.html", "utf8").split('<main id="main">');
  expect(main.trimStart()).toMatch(/^<noscript>\s*<p>[^<]*JavaScript[^<]*<a href="\/api\/circulating-supply">/);
});

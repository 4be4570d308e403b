import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("without JavaScript the page begins with links to the figures", () => {
  const [, main = ""] = readFileSync("page/index.html", "utf8").split('<main id="main">');
  expect(main.trimStart()).toMatch(/^<noscript>\s*<p>[^<]*JavaScript[^<]*<a href="\/api\/circulating-supply">/);
});

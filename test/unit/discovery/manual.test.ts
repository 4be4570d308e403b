import { expect, test } from "vitest";
import { isManualPath, markdownPath } from "../../../src/discovery/manual.ts";

test.each([
  ["/docs", true],
  ["/docs/", true],
  ["/docs/limits", true],
  ["/docsx", false],
  ["/api/docs", false],
])("%s is a page of the manual: %s", (path, expected) => {
  expect(isManualPath(path)).toBe(expected);
});

test.each([
  ["/docs", "text/markdown", "/docs/index.md"],
  ["/docs/", "text/markdown, text/html;q=0.5", "/docs/index.md"],
  ["/docs/reference/chain-node", "text/markdown", "/docs/reference/chain-node.md"],
  ["/docs/limits.md", "text/markdown", null],
  ["/docs/limits", "text/html,application/xhtml+xml,*/*;q=0.8", null],
  ["/docs/limits", "*/*", null],
  ["/docs/limits", null, null],
])("%s with Accept %s: %s", (path, accept, expected) => {
  expect(markdownPath(path, accept)).toBe(expected);
});

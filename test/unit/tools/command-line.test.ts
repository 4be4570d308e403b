import { expect, test } from "vitest";
import { printable } from "../../../tools/command-line.ts";

test.each([
  ["a terminal's sequences", "a\u001b[2J\u001b]0;x\u0007b\u009b1m", "a\\u001b[2J\\u001b]0;x\\u0007b\\u009b1m"],
  ["a return to the line's begin", "FAIL\rok  ", "FAIL\\u000dok  "],
  ["marks that reorder a line", "\u202egnp\u2066x", "\\u202egnp\\u2066x"],
  ["lines, columns and letters, which stay", "Zürich\t1\n中文 👩‍🚀", "Zürich\t1\n中文 👩‍🚀"],
])("what others sent is printed without %s", (_what, text, expected) => {
  expect(printable(text)).toBe(expected);
});

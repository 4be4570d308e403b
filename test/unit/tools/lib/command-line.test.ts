import { expect, test, vi } from "vitest";
import { escapeControls, printError } from "../../../../tools/lib/command-line.ts";

test.each([
  ["a terminal's sequences", "a\u001b[2J\u001b]0;x\u0007b\u009b1m", "a\\u001b[2J\\u001b]0;x\\u0007b\\u009b1m"],
  ["a return to the line's begin", "FAIL\rok  ", "FAIL\\u000dok  "],
  ["marks that reorder a line", "\u202egnp\u2066x", "\\u202egnp\\u2066x"],
  ["lines, columns and letters, which stay", "Zürich\t1\n中文 👩‍🚀", "Zürich\t1\n中文 👩‍🚀"],
])("what others sent is printed without %s", (_what, text, expected) => {
  expect(escapeControls(text)).toBe(expected);
});

test("an error of the tool itself repeats none of it either", () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
  printError(new SyntaxError('Unexpected token "\u001b]0;owned\u0007"'));
  const [[text] = []] = print.mock.calls;
  print.mockRestore();
  expect(text).toContain('Unexpected token "\\u001b]0;owned\\u0007"');
  expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
});

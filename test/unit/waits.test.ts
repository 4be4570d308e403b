import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** Ways to wait for a time, or for nothing, and the helper that waits for the state that is judged. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\.setViewportSize\(/, "resizeTo of test/support/visit.ts"],
  [/\.waitForTimeout\(/, "comesTrue of test/support/visit.ts"],
  [/\.waitForFunction\(/, "comesTrue of test/support/visit.ts: the page's policy forbids it"],
  [/\bvi\.wait(For|Until)\(/, "eventually of test/support/eventually.ts: the default ends after a second"],
  [/\bexpect\(\w+\.(log|output)\(\).*\)\.to/, "expect.poll: a line arrives after an answer"],
  [/\bexpect\(await page\.evaluate\("navigator\.clipboard/, "expect.poll: a copy is made after the click"],
];

/** Lines of a test's text that wait for no state, with what to write instead. */
const faultsOf = (path: string, text: string): string[] =>
  text
    .split("\n")
    .flatMap((line, index) =>
      INSTEAD.flatMap(([form, helper]) => (form.test(line) ? [`${path}:${index + 1}: use ${helper}`] : [])),
    );

const files = ["system", "edge", "contract"].flatMap((folder) =>
  readdirSync(`test/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `test/${folder}/${name}`),
);

test("tests outside of test/unit wait for the state that they judge", () => {
  expect(files.length).toBeGreaterThan(60);
  expect(files.flatMap((path) => faultsOf(path, readFileSync(path, "utf8")))).toEqual([]);
});

describe("control: found is", () => {
  test.each([
    "await page.setViewportSize({ width: 320, height: 844 });",
    "await vi.waitFor(check);",
    "await page.waitForTimeout(100);",
    'await page.waitForFunction("true");',
    'expect(edge.log()).toContain("wrong_chain");',
    'expect(own.output()).toContain("was deleted");',
    'expect(await page.evaluate("navigator.clipboard.readText()")).toBe(url);',
  ])("%s", (line) => {
    expect(faultsOf("a.test.ts", line)).toHaveLength(1);
  });
});

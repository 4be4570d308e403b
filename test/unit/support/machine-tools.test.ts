import { expect, test } from "vitest";
import { skippedTests } from "../../support/machine-tools.ts";

test("a program that is absent is named with the tests that it skips and the command that brings it", () => {
  const tools = [
    { name: "Chromium", tests: "browser tests", isPresent: false, install: "apt-get install chromium" },
    { name: "Python", tests: "an example", isPresent: true, install: "apt-get install python3" },
  ];
  expect(skippedTests(tools)).toEqual([
    "Skipped: browser tests, because this machine has no Chromium. It comes with: apt-get install chromium",
  ]);
});

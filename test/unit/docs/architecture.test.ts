import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LAYERS } from "../../support/architecture/rules.ts";

const DOCUMENT = readFileSync("docs/architecture.md", "utf8");

test.each(LAYERS.flat())("architecture.md states the promises of the room %s", (room) => {
  expect(DOCUMENT).toMatch(new RegExp(`^\\| (\`\\w+\`, )*\`${room}\``, "m"));
});

describe("every test that architecture.md names", () => {
  const named = [
    ...new Set([...DOCUMENT.matchAll(/`((?:(?:devnode\/)?test|bench)\/[\w./-]+)`/g)].map(([, path]) => path ?? "")),
  ];

  test("is named at least once for each promise", () => {
    const promises =
      DOCUMENT.split("## Promises")[1]
        ?.split("\n")
        .filter((line) => /^\| [A-Z`]/.test(line)) ?? [];
    expect(promises.length).toBeGreaterThan(30);
    expect(promises.filter((line) => !/`(?:devnode\/)?test\/[\w./-]+`/.test(line))).toEqual([]);
  });

  test.each(named)("%s exists", (path) => {
    expect(existsSync(path)).toBe(true);
  });
});

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LAYERS } from "../../support/architecture/rules.ts";

const DOCUMENT = readFileSync("docs/architecture.md", "utf8");

test.each(LAYERS.flat())("architecture.md states the promises of the room %s", (room) => {
  expect(DOCUMENT).toMatch(new RegExp(`^\\| (\`\\w+\`, )*\`${room}\``, "m"));
});

const SECURITY = readFileSync("SECURITY.md", "utf8");

describe("every test that architecture.md and SECURITY.md name", () => {
  const named = [
    ...new Set(
      [...(DOCUMENT + SECURITY).matchAll(/`((?:(?:devnode\/)?test|bench)\/[\w./-]+)`/g)].map(([, path]) => path ?? ""),
    ),
  ];

  test("is named at least once for each promise", () => {
    const promises =
      DOCUMENT.split("## Promises")[1]
        ?.split("\n")
        .filter((line) => /^\| [A-Z`]/.test(line)) ?? [];
    expect(promises.length).toBeGreaterThan(30);
    expect(promises.filter((line) => !/`(?:devnode\/)?test\/[\w./-]+`/.test(line))).toEqual([]);
  });

  test("is named for each statement about what an attacker cannot do", () => {
    const statements = SECURITY.split(/^\| (?:statement|mistake) .*\n.*\n/m).slice(1);
    const rows = statements.flatMap((text) => /^(?:\|.*\n)+/.exec(text)?.[0].trimEnd().split("\n") ?? []);
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !/`test\/[\w./-]+`/.test(row))).toEqual([]);
  });

  test.each(named)("%s exists", (path) => {
    expect(existsSync(path)).toBe(true);
  });
});

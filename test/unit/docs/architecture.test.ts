import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LAYERS } from "../../support/architecture/rules.ts";
import { sqlTables } from "../../support/architecture/sql-tables.ts";

const DOCUMENT = readFileSync("docs/architecture.md", "utf8");

const tables = ["src", "devnode"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("test/"))
    .flatMap((file) => sqlTables(readFileSync(`${folder}/${file}`, "utf8"))),
);

test("the tables of both Workers were found", () => {
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["last_good", "state_value"]));
});

test.each(tables)("architecture.md lists the columns of $name: $columns", ({ name, columns }) => {
  expect(DOCUMENT).toMatch(
    new RegExp(`\\| \`${name}\` +\\| ${columns.map((column) => `\`${column}\``).join(", ")} +\\|`),
  );
});

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

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import publicDocument from "../../../openapi/public.json" with { type: "json" };
import { EVENT_LEVELS } from "../../../src/base/log.ts";
import { PROBLEMS } from "../../../src/problems.ts";

const read = (path: string): string => readFileSync(path, "utf8");
const README = read("README.md");
const OPERATIONS = read("docs/operations.md");

describe("operations.md", () => {
  /** Cells of the first table below a heading, without its head. */
  const rowsOf = (section: string): string[][] => {
    const [, table = ""] =
      new RegExp(`^## ${section}\\n(?:[^|\\n].*\\n|\\n)*((?:\\|.*\\n)+)`, "m").exec(OPERATIONS) ?? [];
    const [, , ...lines] = table.trimEnd().split("\n");
    return lines.map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  };

  test("its table of the log has every event at its level, in their order, and no other", () => {
    expect(rowsOf("Log").map(([event, level]) => [event, level])).toEqual(
      Object.entries(EVENT_LEVELS).map(([event, level]) => [`\`${event}\``, level]),
    );
  });

  test("its table of health has every problem with its remedy, in their order, and no other", () => {
    const rows = Object.entries<{ remedy: string; section?: string }>(PROBLEMS).map(([code, { remedy, section }]) => [
      `\`${code}\``,
      section === undefined ? remedy : `${remedy} [Details](#${section})`,
    ]);
    const table = rowsOf("Health").map(([code, , remedy]) => [code, remedy]);
    expect(table, "write the rows of PROBLEMS (src/problems.ts) into the table of docs/operations.md").toEqual(rows);
  });
});

test.each(readdirSync(".github/workflows"))("operations.md says when the workflow %s runs", (name) => {
  expect(OPERATIONS).toMatch(new RegExp(`^\\| \`${name}\``, "m"));
});

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$|coverage$)/.test(entry.name))
    .map(({ name }) => name);

test.each([
  ["docs/architecture.md", "."],
  ["devnode/README.md", "devnode"],
  ["tools/README.md", "tools"],
  ["page/README.md", "page"],
])("%s names every folder of %s", (document, folder) => {
  const text = read(document);
  expect(foldersIn(folder).filter((name) => !new RegExp(`\`(${folder}/)?${name}\``).test(text))).toEqual([]);
});

describe("README.md", () => {
  test.each(Object.keys(publicDocument.paths).filter((path) => path !== "/api/unlock-schedule.csv"))(
    "names %s",
    (path) => {
      expect(README.includes(`\`${path}`), `add ${path} to the table of README.md`).toBe(true);
    },
  );
});

describe("links", () => {
  const documents = [".", "docs", "page/docs", "devnode", "tools", "page"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  );

  /** The anchors of a document's headings, as the repository's host makes them. */
  const anchorsOf = (path: string): string[] =>
    [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    );

  // Links that begin with a slash belong to the served manual (test/system/docs.test.ts).
  test.each(documents)("of %s lead to a file, and to a heading of it", (from) => {
    const links = [...read(from).matchAll(/\]\((?!https?:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const dead = links.filter(([, file = "", anchor]) => {
      const path = file === "" ? from : join(dirname(from), file);
      return !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });
});

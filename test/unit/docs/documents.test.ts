import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import publicDocument from "../../../openapi/public.json" with { type: "json" };

const read = (path: string): string => readFileSync(path, "utf8");
const README = read("README.md");
const OPERATIONS = read("docs/operations.md");

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => read(join(folder, file)));
}

const EVENTS = [
  ...new Set(
    sources("src").flatMap((text) => [...text.matchAll(/\blog\(\s*"([a-z_]+)"/g)].map(([, event]) => event ?? "")),
  ),
].sort();
const PROBLEM_CODES = ["src/health", "src/onchain", "src/compose"]
  .flatMap(sources)
  .flatMap((text) => [...text.matchAll(/\bcode: "([a-z_]+)"/g)].map(([, code]) => code ?? ""));

describe("operations.md", () => {
  test("the log's events were found", () => {
    expect(EVENTS).toContain("misconfigured");
    expect(EVENTS.length).toBeGreaterThan(8);
  });

  /** What the first table below a heading names in its first column. */
  const namedIn = (section: string): string[] => {
    const [, table = ""] = new RegExp(`^## ${section}\\n(?:[^|].*\\n|\\n)*((?:\\|.*\\n)+)`, "m").exec(OPERATIONS) ?? [];
    const cells = [...table.matchAll(/^\| (`[^|]+`) +\|/gm)].map(([, cell = ""]) => cell);
    return cells.flatMap((cell) => cell.match(/[a-z_]+/g) ?? []).sort();
  };

  test("its table of the log has every event, and no other", () => {
    expect(namedIn("Log")).toEqual(EVENTS);
  });

  test("the codes of health problems were found", () => {
    const some = [
      "figure_stale",
      "upstream_unreachable",
      "upstream_outdated",
      "nodes_disagree",
      "locked_below_schedule",
    ];
    expect(PROBLEM_CODES).toEqual(expect.arrayContaining(some));
  });

  test("its table of health has every problem, and no other", () => {
    expect(namedIn("Health")).toEqual([...new Set(PROBLEM_CODES)].sort());
  });
});

test.each(readdirSync(".github/workflows"))("operations.md says when the workflow %s runs", (name) => {
  expect(OPERATIONS).toMatch(new RegExp(`^\\| \`${name}\``, "m"));
});

describe("README.md", () => {
  test.each(Object.keys(publicDocument.paths).filter((path) => path !== "/api/unlock-schedule.csv"))(
    "names %s",
    (path) => {
      expect(README).toContain(`\`${path}`);
    },
  );
});

describe("links", () => {
  const documents = [".", "docs", "page/docs"].flatMap((folder) =>
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

  // Those that begin with a slash are of the served manual (test/system/docs.test.ts).
  test.each(documents)("of %s lead to a file, and to a heading of it", (from) => {
    const links = [...read(from).matchAll(/\]\((?!https?:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const dead = links.filter(([, file = "", anchor]) => {
      const path = file === "" ? from : join(dirname(from), file);
      return !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });
});

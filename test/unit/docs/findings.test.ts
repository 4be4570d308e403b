import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const DOCUMENT = readFileSync("docs/findings.md", "utf8");
const rows = DOCUMENT.split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (finding|-+|group) /.test(line))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim()));

describe("every finding", () => {
  test("was parsed", () => {
    expect(rows.length).toBeGreaterThan(120);
  });

  test.each(rows)("%s: has a status, and a test or a reason", (_finding, status, evidence, ...more) => {
    expect(["fixed", "refused", "open"]).toContain(status);
    expect(evidence?.length).toBeGreaterThan(10);
    expect(more).toEqual([]);
  });

  test("is listed once", () => {
    const ids = rows.map(([finding = ""]) => finding.split(" ")[0]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

test.each([
  ...new Set([...DOCUMENT.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.\w+|[A-Z]+\.md)`/g)].map(([, path = ""]) => path)),
])("%s, which findings.md names, exists", (path) => {
  expect(existsSync(path)).toBe(true);
});

test("the counts match the rows", () => {
  const count = (wanted: string): number => rows.filter(([, status]) => status === wanted).length;
  expect(DOCUMENT).toContain(`${count("fixed")} fixed, ${count("refused")} refused, ${count("open")} open`);
});

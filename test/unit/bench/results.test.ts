import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runSections } from "../../../bench/lib/results.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-results-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const section = (name: string, run: () => Promise<string>) => ({ name, title: `## ${name}`, run });
const titles = (file: string): string[] => readFileSync(file, "utf8").match(/^## .*/gm) ?? [];

test("a section that fails loses none that is finished, nor those of earlier runs", async () => {
  const file = join(folder, "results.md");
  writeFileSync(file, "# Old head\n\n## B\n\nold b\n\n## Others\n\nkept\n");
  const said: string[] = [];
  const failed = await runSections(
    [
      section("A", async () => "## A\n\nnew a"),
      section("B", () => Promise.reject(new Error("socket hang up"))),
      section("C", async () => {
        expect(titles(file), "A is in the file before C begins").toContain("## A");
        return "## C\n\nnew c";
      }),
    ],
    { file, order: ["## A", "## B", "## C"], say: (line: string) => said.push(line) },
  );
  expect(failed).toEqual(["B"]);
  expect(said.join("\n")).toContain("socket hang up");
  expect(titles(file)).toEqual(["## A", "## B", "## C", "## Others"]);
  expect(readFileSync(file, "utf8")).toContain("old b");
});

test("a dry run writes nothing", async () => {
  const failed = await runSections([section("A", async () => "## A")], { file: null, order: [], say: () => undefined });
  expect(failed).toEqual([]);
});

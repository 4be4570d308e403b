import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { declaredNames } from "./support/vocabulary/declared-names.ts";
import { RETIRED, RETIRED_IN_PROSE, retiredIn, retiredInProse } from "./support/vocabulary/retired.ts";

/** Sources and documents, without fixtures, released documents, and the lists of retired words themselves. */
const texts = ["src", "devnode", "tools", "page", "test", "bench", "clients", "docs", "openapi", "schedule"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`))
  .concat("README.md", "CHANGELOG.md", "SECURITY.md", "wrangler.toml")
  .filter((file) => /\.(ts|mjs|md|json|toml|html|css)$/.test(file))
  .filter((file) => !/node_modules|\/(fixtures|vectors|vocabulary)\/|vocabulary\.test|released|-lock\./.test(file))
  .sort();

const files = texts.filter(
  (file) => /\.(ts|mjs)$/.test(file) && /^(src|devnode|tools|page\/src|test|bench)\//.test(file),
);

const violations = (file: string): string[] =>
  [...file.split("/").slice(1), ...declaredNames(file, readFileSync(file, "utf8"))].flatMap((name) =>
    retiredIn(name, file.startsWith("test/")),
  );

test("the files were found", () => {
  expect(files.length).toBeGreaterThan(300);
});

test("no file or name uses a retired word", () => {
  expect(files.flatMap((file) => violations(file).map((violation) => `${file}: ${violation}`))).toEqual([]);
});

test("no comment, title, message or document uses a word retired from prose", () => {
  const found = texts.flatMap((file) => retiredInProse(readFileSync(file, "utf8")).map((line) => `${file}:${line}`));
  expect(found).toEqual([]);
});

test("a word retired from prose is found with its line, but not inside another word", () => {
  expect(retiredInProse("a\n// Nobody untolded\nx")).toEqual(['2: not "Nobody" but no caller, no request']);
});

describe("a retired word is found", () => {
  test.each([
    ["a variable", "const MOST_BYTES = 1;", ["MOST_BYTES"]],
    ["a function", "function openDesk() {}", ["openDesk"]],
    ["a private member", "class A { #shelf = 1; }", ["#shelf"]],
    ["a parameter", "const f = (spelledText: string) => 1;", ["spelledText"]],
    ["a destructured name", "const { held } = x;", ["held"]],
    ["a type and its member", "interface Told { readonly octets: number }", ["Told", "octets"]],
    ["a kind", 'type K = { kind: "judged" };', ["judged"]],
  ])("in %s", (_where, text, names) => {
    const found = declaredNames("a.ts", text).flatMap((name) => retiredIn(name));
    expect(found.map((sentence) => sentence.split(":")[0])).toEqual(names);
  });

  test("in a file's name", () => {
    expect(retiredIn("reply-shelf.ts")).toEqual(['reply-shelf.ts: not "shelf" but cache, store']);
  });

  test.each([
    ["part of another word", "const threshold = almost + boldface;"],
    ["a foreign member", "disk.held.tell();"],
    ["prose", "// what was told is held"],
  ])("but not in %s", (_where, text) => {
    expect(declaredNames("a.ts", text).flatMap((name) => retiredIn(name))).toEqual([]);
  });
});

test("CONTRIBUTING.md lists every retired word with its replacement", () => {
  const list = Object.entries(RETIRED).map(([word, replacement]) => `${word} (${replacement})`);
  const prose = Object.entries(RETIRED_IN_PROSE).map(([word, replacement]) => `${word} (${replacement})`);
  const contributing = readFileSync("CONTRIBUTING.md", "utf8");
  expect(contributing).toContain(`${list.join("; ")}.`);
  expect(contributing).toContain(`${prose.join("; ")}.`);
});

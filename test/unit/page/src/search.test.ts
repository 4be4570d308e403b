import { describe, expect, test } from "vitest";
import { docsPages } from "../../../../page/build/docs.ts";
import { searchIndex } from "../../../../page/build/docs-html.ts";
import { readSite } from "../../../../page/build/site.ts";
import { searchOf, sentenceOf } from "../../../../page/src/search.ts";
import { readSchedule } from "../../../../tools/schedule/files.ts";
import { EDITIONS, EVERYTHING } from "../../../support/editions.ts";

const search = searchOf(
  JSON.parse(searchIndex(docsPages(readSite(EVERYTHING.parts, readSchedule(EVERYTHING.schedule))))),
);
const first = (question: string): string | undefined => search(question)[0]?.path;

test.each([
  ["how is circulating supply calculated", "/docs/figures#how-circulating-supply-is-computed"],
  ["above plan", "/docs/figures#above-plan"],
  ["midnight", "/docs/figures"],
  ["CORS", "/docs/#from-a-web-page-cors"],
  ["checksum", "/docs/promises"],
  ["webhook", "/docs/#being-told-of-a-change"],
  ["error codes", "/docs/errors"],
  ["month change", "/docs/figures"],
  ["react", "/docs/embed"],
])("a reader who asks “%s” finds %s among the first three", (question, path) => {
  const found = search(question)
    .slice(0, 3)
    .map((section) => section.path);
  expect(found).toContain(path);
});

test("a page is found before the sections that repeat its words", () => {
  expect([first("cache"), first("error codes"), first("yields")]).toEqual([
    "/docs/caching",
    "/docs/errors",
    "/docs/yields",
  ]);
});

describe.each(["webhook", "checksum", "allocation", "policy", "wallet", "deprecation"])("%s", (word) => {
  test("its plural finds the same", () => {
    const plural = word.replace(/y$/, "ie").concat("s");
    expect(search(plural).map(({ path }) => path)).toEqual(search(word).map(({ path }) => path));
    expect(search(word).length).toBeGreaterThan(0);
  });

  test("each typing error of one letter lost, doubled, wrong or exchanged with the next still finds its first page", () => {
    const wanted = first(word);
    for (let at = 1; at < word.length - 1; at += 1) {
      const [before, letter, after] = [word.slice(0, at), word[at] ?? "", word.slice(at + 1)];
      const wrong = [before + after, before + letter + letter + after, `${before}x${after}`];
      const exchanged = before + (word[at + 1] ?? "") + letter + word.slice(at + 2);
      for (const typed of [...wrong, exchanged])
        expect(
          search(typed).map(({ path }) => path),
          typed,
        ).toContain(wanted);
    }
  });
});

test("what nobody has written about is not found", () => {
  for (const question of ["", "  ", "?", "no such words anywhere", "zebra quasar", "zebra circulating", "is it the"])
    expect([question, search(question)]).toEqual([question, []]);
});

test("a question mark and words that say nothing change no answer", () => {
  const plain = search("rate limit google").map(({ path }) => path);
  expect(plain.length).toBeGreaterThan(0);
  for (const question of ["rate limit google?", "what is the rate limit for google?", " (rate) limit: google!"])
    expect([question, search(question).map(({ path }) => path)]).toEqual([question, plain]);
});

test("a section is shown with the sentence that was found", () => {
  const [section] = search("CORS scripts").filter(({ path }) => path === "/docs/#from-a-web-page-cors");
  expect(section && sentenceOf(section, "proxy")).toBe("They need no proxy and no key.");
  const listed = {
    page: "",
    title: "",
    path: "",
    words: "",
    text: "Two rules. • One is old. • One is new: • it wins.",
  };
  expect(["two", "new", "wins"].map((word) => sentenceOf(listed, word))).toEqual([
    "Two rules.",
    "One is new:",
    "it wins.",
  ]);
  expect(section && sentenceOf(section, "nothing of it")).toMatch(/^Scripts of any origin/);
});

test.each(EDITIONS)("in the deployment $name every answer leads to a page that it has", (edition) => {
  const documents = docsPages(readSite(edition.parts, readSchedule(edition.schedule)));
  const pages = documents.map(({ slug }) => `/docs/${slug}`);
  const searchEdition = searchOf(JSON.parse(searchIndex(documents)));
  for (const question of ["how is circulating supply calculated", "midnight", "CORS", "checksum", "webhook"]) {
    const paths = searchEdition(question).map(({ path }) => path.replace(/#.*/, ""));
    expect(paths.length, question).toBeGreaterThan(0);
    for (const path of paths) expect(pages).toContain(path);
  }
});

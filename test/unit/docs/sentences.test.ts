import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { longSentencesOf, MOST_WORDS, sentencesOf, wordsOf } from "../../support/architecture/sentences.ts";

const documents = [
  "README.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...["docs", "page/docs"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];

test.each(documents)(`%s has no sentence of more than ${MOST_WORDS} words`, (path) => {
  const long = longSentencesOf(readFileSync(path, "utf8"));
  expect(long).toEqual([]);
});

describe("the sentences of a document", () => {
  const long = (words: number) => Array.from({ length: words }, (_, index) => `word${index}`).join(" ");

  test.each([
    ["paragraphs, over their line ends", "One two\nthree. Four!\n\nFive?", ["One two\nthree.", "Four!", "Five?"]],
    ["items, each on its own", "- One\n- Two. Three\n  1. Four", ["One", "Two.", "Three", "Four"]],
    ["the text of links and emphasis", "**A word.** See [the page](a.md#b).", ["A word.", "See the page."]],
    ["inline code as one word", "Run `npm run x -- a. b`. `Then` stop.", ["Run Code.", "Code stop."]],
    ["no comment of an edition", "A <!-- with /v1 -->node<!-- end --> answers.", ["A node answers."]],
    [
      "no full stop within a number, a name or an abbreviation",
      "Version 1.2 of a.b, e.g. this.",
      ["Version 1.2 of a.b, e.g. this."],
    ],
    ["neither tables, headings nor code", "# A\n\n| a |\n| - |\n| b |\n\n```\nc\n```\n\n<p>d</p>\n", []],
  ])("%s", (_what, markdown, sentences) => {
    expect(sentencesOf(markdown)).toEqual(sentences);
  });

  test("are counted in words: a dash is none, a hyphenated word is one", () => {
    expect(wordsOf("A well-kept list – 2 items")).toBe(5);
  });

  test("are too long with one word more than allowed, in a paragraph and an item alike", () => {
    for (const mark of ["", "- "]) {
      expect(longSentencesOf(`${mark}${long(MOST_WORDS)}. Short.`)).toEqual([]);
      expect(longSentencesOf(`${mark}${long(MOST_WORDS + 1)}. Short.`)).toHaveLength(1);
    }
  });
});

import MiniSearch from "minisearch";
import type { Section } from "../view/section.ts";

/** Words of questions, which say nothing of a section. */
const STOP_WORDS = new Set(
  "a an and any are as at be by can do does for from get how i in is it me my no not of on or such that the there this to we what when where which why with you your".split(
    " ",
  ),
);

/** Returns the form in which a word is indexed and searched: a plural as its singular; null for a word that says nothing. */
function termOf(word: string): string | null {
  const term = word.toLowerCase();
  return STOP_WORDS.has(term) ? null : term.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}

/** Returns the different terms of a question. */
function termsOf(question: string): readonly string[] {
  return [...new Set(question.split(/[\s\p{P}]+/u).flatMap((word) => termOf(word) || []))];
}

/** Edits that still are one typing error: two neighbouring letters exchanged are two. Short words have none. */
const editsIn = (term: string): number => (term.length > 5 ? 2 : term.length > 3 ? 1 : 0);

const BOOSTS = [
  [/^\/docs\/changelog/, 0.3],
  [/^\/docs\/reference/, 0.7],
  [/#/, 1],
] as const;

const OPTIONS = {
  boost: { title: 3, words: 3 },
  prefix: (term: string) => term.length > 2,
  fuzzy: editsIn,
  weights: { fuzzy: 0.1, prefix: 0.5 },
  // The introduction of a page stands for the page; the changelog and the references repeat the words of all.
  boostDocument: (path: string) => BOOSTS.find(([form]) => form.test(path))?.[1] ?? 1.5,
};

/**
 * Makes the search over the manual. It finds sections that have every word of a question, best first. Without such a
 * section it finds those that have more than half of its words.
 */
export function searchOf(sections: readonly Section[]): (question: string) => readonly Section[] {
  const index = new MiniSearch<Section>({
    idField: "path",
    fields: ["page", "title", "text", "words"],
    processTerm: termOf,
  });
  const byPath = new Map(sections.map((section) => [section.path, section]));
  index.addAll([...byPath.values()]);
  return (question) => {
    const all = index.search(question, { ...OPTIONS, combineWith: "AND" });
    const half = termsOf(question).length / 2;
    const some = () => index.search(question, OPTIONS).filter(({ queryTerms }) => queryTerms.length > half);
    return (all.length > 0 ? all : some()).flatMap(({ id }) => byPath.get(id) ?? []);
  };
}

/** Returns a section's sentence with the most words of the question; its first sentence if none has any. */
export function sentenceOf({ text }: Section, question: string): string {
  const terms = termsOf(question);
  const sentences = text.split(/(?<=[.:;?!]) (?:• )?| • /);
  const found = (sentence: string) => terms.filter((term) => sentence.toLowerCase().includes(term)).length;
  return sentences.reduce((best, sentence) => (found(sentence) > found(best) ? sentence : best), sentences[0] ?? "");
}

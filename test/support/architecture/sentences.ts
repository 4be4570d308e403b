import { type MarkedToken, marked, type Token } from "marked";

/** Most words of a sentence. The aim is 25; a reader of the field reads a longer one twice. */
export const MOST_WORDS = 30;

/**
 * Splits a Markdown text's paragraphs and list items into sentences. Tables, code blocks, headings and markup are left
 * out, and inline code is one word. The end of an item ends its last sentence.
 */
export function sentencesOf(markdown: string): string[] {
  return marked
    .lexer(markdown)
    .flatMap(blocksOf)
    .flatMap((block) => block.split(/(?<=[.!?][)"”’]*)\s+(?=[^a-z])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

export function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export function longSentencesOf(markdown: string): string[] {
  return sentencesOf(markdown).filter((sentence) => wordsOf(sentence) > MOST_WORDS);
}

/** Texts of a block's paragraphs, those of its items included. */
function blocksOf(token: Token): string[] {
  const block = token as MarkedToken; // no extension adds kinds of its own
  switch (block.type) {
    case "paragraph":
    case "text":
      return [textOf(block)];
    case "list":
      return block.items.flatMap((item) => item.tokens.flatMap(blocksOf));
    case "blockquote":
      return block.tokens.flatMap(blocksOf);
    default:
      return [];
  }
}

function textOf(token: Token): string {
  const inline = token as MarkedToken; // no extension adds kinds of its own
  if (inline.type === "codespan") return "Code";
  if (inline.type === "html") return "";
  if (inline.type === "br") return " ";
  return "tokens" in inline && inline.tokens !== undefined
    ? inline.tokens.map(textOf).join("")
    : "text" in inline
      ? inline.text
      : "";
}

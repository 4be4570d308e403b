import { type ChainFamily, FAMILY_NAMES, familyOf } from "../../src/families/family.ts";
import { Refusal } from "../../tools/lib/command-line.ts";

/** Block without another one in it. */
const BLOCK =
  /([ \t]*)<!-- (with|without) (\S+) -->(\n?)((?:(?!<!-- (?:with|without) )[\s\S])*?)([ \t]*)<!-- end -->(\n?)/g;

/** Whether a deployment serves a path of the API; undefined for an unknown path. */
export type IsServed = (path: string) => boolean | undefined;

/**
 * Selects the parts of HTML or Markdown that apply to a deployment. A block `<!-- with /api/rates -->...<!-- end -->`
 * stays if the path is served, a block `<!-- without ... -->` if not. Blocks may nest.
 */
export function selectServedBlocks(text: string, isServed: IsServed): string {
  const selected = selectInnermost(text, isServed);
  if (selected !== text) return selectServedBlocks(selected, isServed);
  const [, open] = /(<!-- (?:with|without) \S+ -->[^\n]{0,40})/.exec(text) ?? [];
  if (open !== undefined) throw new Refusal([`${open}: the block is not closed`]);
  return text;
}

function selectInnermost(text: string, isServed: IsServed): string {
  return text.replaceAll(
    BLOCK,
    (block, before: string, which, path, first, body: string, after: string, last: string) => {
      const isThere = isServed(path);
      if (isThere === undefined) throw new Refusal([`${block.trim().slice(0, 60)}: blocks name a path of the API`]);
      const kept = isThere === (which === "with");
      // A marker that fills a line is removed with its line break.
      if (first !== "") return kept ? body : "";
      return `${before}${kept ? body + after : ""}${last}`;
    },
  );
}

const FAMILY_BLOCK = new RegExp(
  String.raw`<!-- (${FAMILY_NAMES.join("|")}) -->(\n?)([\s\S]*?)<!-- end \1 -->(\n?)`,
  "g",
);
const LEDGER_VERSION = /\b(l)edger version(s?)\b/gi;

/**
 * Adapts a text to a chain family. Of the blocks `<!-- move -->...<!-- end move -->` and `<!-- evm -->...`, those of
 * the family stay; they may stand within blocks of paths. The words "ledger version" become the family's term.
 */
export function inFamilyTerms(text: string, family: ChainFamily): string {
  const kept = text.replaceAll(FAMILY_BLOCK, (_block, which: string, first: string, body: string, last: string) => {
    // A marker that fills a line is removed with its line break.
    return (which === family ? body : "") + (first === "" ? last : "");
  });
  const { versionWord } = familyOf(family);
  return kept.replaceAll(LEDGER_VERSION, (_term, first: string, plural: string) => {
    const word = first === "L" ? versionWord[0]?.toUpperCase() + versionWord.slice(1) : versionWord;
    return word + plural;
  });
}

const PATHS = /(?<=[`(])\/(?:api|v1|docs)\b[\w./{}*:-]*/g;

/** Removes rows of tables that name only paths which are not served. */
export function withoutAbsentRows(markdown: string, isServed: IsServed): string {
  const isKept = (line: string): boolean => {
    if (!line.startsWith("|")) return true;
    const paths = line.match(PATHS) ?? [];
    return paths.length === 0 || !paths.every((path) => isServed(path) === false);
  };
  return markdown.split("\n").filter(isKept).join("\n");
}

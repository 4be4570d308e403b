import ts from "typescript";

/** Comments and identifiers of one file. */
export interface Wording {
  readonly comments: readonly string[];
  /** Number of times that each identifier occurs. */
  readonly identifiers: ReadonlyMap<string, number>;
}

const { SyntaxKind } = ts;
/** Tokens after which a slash divides. */
const OPERANDS: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.NullKeyword,
]);
const DIRECTIVE = /^(biome-ignore|@ts-|@vitest|\/ ?<reference)/;

interface Token {
  readonly kind: ts.SyntaxKind;
  readonly text: string;
  /** Whether only blanks and line breaks lie between the token before and this one: one at most of the latter. */
  readonly isNextLine: boolean;
}

/** Reads a file by its tokens: text in strings is neither a comment nor an identifier. */
export function readWording(text: string): Wording {
  const comments: string[] = [];
  const identifiers = new Map<string, number>();
  let previous = SyntaxKind.Unknown;
  for (const token of tokensOf(text)) {
    if (token.kind === SyntaxKind.MultiLineCommentTrivia) comments.push(blockText(token.text));
    if (token.kind === SyntaxKind.SingleLineCommentTrivia) {
      const line = token.text.replace(/^\/\/+\s?/, "");
      const isContinued = previous === SyntaxKind.SingleLineCommentTrivia && token.isNextLine;
      comments.push(isContinued ? `${comments.pop()}\n${line}` : line);
    }
    if (token.kind === SyntaxKind.Identifier || token.kind === SyntaxKind.PrivateIdentifier) {
      const name = token.text.replace(/^#/, "");
      identifiers.set(name, (identifiers.get(name) ?? 0) + 1);
    }
    previous = token.kind;
  }
  return { comments: comments.filter((comment) => !DIRECTIVE.test(comment)), identifiers };
}

function* tokensOf(text: string): Generator<Token> {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  /** Each open brace: whether it began in a template. */
  const braces: boolean[] = [];
  let operand: ts.SyntaxKind = SyntaxKind.Unknown;
  let end = 0;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === SyntaxKind.NewLineTrivia || kind === SyntaxKind.WhitespaceTrivia) continue;
    const isSlash = kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken;
    if (isSlash && !OPERANDS.has(operand)) kind = scanner.reScanSlashToken();
    if (kind === SyntaxKind.CloseBraceToken && braces.at(-1) === true) kind = scanner.reScanTemplateToken(false);
    if (kind === SyntaxKind.OpenBraceToken || kind === SyntaxKind.TemplateHead)
      braces.push(kind === SyntaxKind.TemplateHead);
    if (kind === SyntaxKind.CloseBraceToken || kind === SyntaxKind.TemplateTail) braces.pop();
    yield {
      kind,
      text: scanner.getTokenText(),
      isNextLine: /^\n?[ \t]*$/.test(text.slice(end, scanner.getTokenStart())),
    };
    end = scanner.getTokenEnd();
    if (kind > SyntaxKind.ConflictMarkerTrivia) operand = kind;
  }
}

function blockText(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$/g, "")
    .replace(/^[ \t]*\*[ \t]?/gm, "")
    .trim();
}

const NO_SUBJECT = /^(?:What|It|Of)\b/;
const PRONOUN = /^(?:One|The same|That|Such|Those|Both|Each)\b\s*([\w"`{'’]*)/;
/** Words that are no noun: after "Those" or "One" the reader still does not know which thing is meant. */
const NO_NOUN = new Set(
  [
    "a again all also among and any are as at be because before below between but by can cannot do does done each fail",
    "fails for from goes had has have holds if in into is it its made may might must no not of on once only or out per",
    "read said since so stays such takes than that the their them then there these they this those to under until was",
    "were what when where which while who whose why will with without would",
  ].flatMap((line) => line.split(" ")),
);

/** Whether a comment begins with a pronoun or the like instead of the noun or verb that it is about. */
export function beginsWithoutNoun(comment: string): boolean {
  const next = PRONOUN.exec(comment)?.[1];
  return NO_SUBJECT.test(comment) || next === "" || (next !== undefined && NO_NOUN.has(next));
}

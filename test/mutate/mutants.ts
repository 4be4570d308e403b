import { createHash } from "node:crypto";
import ts from "typescript";

/** One small change of a source text that a test should detect. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The line without its indentation. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "+=": "-=",
  "-=": "+=",
};

/** Every mutant of one file: other operators, negated conditions, other constants, removed statements. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const found: Mutant[] = [];
  const add = (node: ts.Node, after: string) => {
    const start = node.getStart(tree);
    const { line } = tree.getLineAndCharacterOfPosition(start);
    const before = text.slice(start, node.getEnd());
    found.push({ file, line: line + 1, text: lines[line]?.trim() ?? "", start, end: node.getEnd(), before, after });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS[node.operatorToken.getText(tree)];
      if (other !== undefined && !isTextJoin(node)) add(node.operatorToken, other);
    }
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add(condition, `!(${condition.getText(tree)})`);
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword && isValue(node)) add(node, "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword && isValue(node)) add(node, "true");
    if (ts.isNumericLiteral(node) && isValue(node)) add(node, `(${node.text} + 1)`);
    if (ts.isBigIntLiteral(node) && isValue(node)) add(node, `(${node.text} + 1n)`);
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) add(node, ";");
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `+` between strings has no `-`. */
function isTextJoin(node: ts.BinaryExpression): boolean {
  const isText = (side: ts.Node) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side);
  return node.operatorToken.kind === ts.SyntaxKind.PlusToken && (isText(node.left) || isText(node.right));
}

function isValue(node: ts.Node): boolean {
  return !ts.isLiteralTypeNode(node.parent) && !ts.isEnumMember(node.parent);
}

/**
 * `count` mutants drawn by a seed. A mutant's rank depends on its own line only, so that an edit elsewhere changes the
 * sample by no more than the mutants it adds or removes.
 */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const seen = new Map<string, number>();
  return mutants
    .map((mutant) => {
      const name = [seed, mutant.file, mutant.text, mutant.before, mutant.after].join("\n");
      const occurrence = (seen.get(name) ?? 0) + 1;
      seen.set(name, occurrence);
      return { mutant, rank: createHash("sha256").update(`${name}\n${occurrence}`).digest("hex") };
    })
    .sort((left, right) => (left.rank < right.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

export function applied(text: string, { start, end, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(end);
}

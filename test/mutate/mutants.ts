import ts from "typescript";

/** One small change of a source text that some test should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
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
  const found: Mutant[] = [];
  const add = (node: ts.Node, after: string) => {
    const start = node.getStart(tree);
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, start, end: node.getEnd(), before: text.slice(start, node.getEnd()), after });
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

/** `+` between texts has no `-`. */
function isTextJoin(node: ts.BinaryExpression): boolean {
  const isText = (side: ts.Node) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side);
  return node.operatorToken.kind === ts.SyntaxKind.PlusToken && (isText(node.left) || isText(node.right));
}

function isValue(node: ts.Node): boolean {
  return !ts.isLiteralTypeNode(node.parent) && !ts.isEnumMember(node.parent);
}

/** `count` mutants drawn by a seed: the same sample for the same sources. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  let state = seed >>> 0;
  const random = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return mutants
    .map((mutant) => ({ mutant, rank: random() }))
    .sort((left, right) => left.rank - right.rank)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

export function applied(text: string, { start, end, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(end);
}

import ts from "typescript";

/** Every name that a source text declares: variables, functions, types, members, parameters, and its `kind`s. */
export function declaredNames(path: string, text: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isName = ts.isIdentifier(node) || ts.isPrivateIdentifier(node);
    if (isName && isDeclaration(node)) found.add(node.text);
    if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) found.add(node.literal.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return [...found];
}

/** Names taken over from another module or from a foreign object's member are not declared here. */
function isDeclaration(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isImportSpecifier(parent) || ts.isPropertyAssignment(parent))
    return false;
  return "name" in parent && parent.name === node;
}

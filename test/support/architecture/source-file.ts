import { posix } from "node:path";
import ts from "typescript";

/** Source file with its imports. Paths are relative to the repository, with `/`. */
export interface Importer {
  readonly path: string;
  readonly imports: readonly Import[];
}

/** Source file with its exports and platform calls. */
export interface SourceFile extends Importer {
  readonly exports: readonly Export[];
  /** Platform calls, as written: `fetch(`, `Date.now`, ... */
  readonly platform: readonly string[];
  /** Module-level variables whose value changes after loading. */
  readonly mutable: readonly string[];
}

export interface Import {
  /** Path in the repository, or a package's name. */
  readonly from: string;
  /** Imported names; `*` for the whole module. */
  readonly names: readonly string[];
}

export interface Export {
  readonly name: string;
  /** Whether the file mentions the export a second time, as in the signature of another export. */
  readonly isMentioned: boolean;
  readonly isType: boolean;
}

export function readSource(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return {
    path,
    imports: importsOf(tree, path),
    exports: exportsOf(tree),
    platform: platformCalls(tree),
    mutable: mutableVariables(tree),
  };
}

const DYNAMIC = /\bimport\s*\(/;

/**
 * Reads a file's imports alone. Without a dynamic import, nothing after the last line with the form of an import is
 * parsed.
 */
export function readImports(path: string, text: string): Importer {
  const last = Math.max(text.lastIndexOf(' from "'), text.lastIndexOf('\nimport "') + 1);
  const end = DYNAMIC.test(text) ? text.length : `${text}\n`.indexOf("\n", last);
  return { path, imports: importsOf(ts.createSourceFile(path, text.slice(0, end), ts.ScriptTarget.Latest), path) };
}

function importsOf(tree: ts.SourceFile, path: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, names: readonly string[]) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    found.push({ from: importPath(path, specifier.text), names });
  };
  for (const node of tree.statements) {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importedNames(node.importClause));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, ["*"]);
  }
  if (!DYNAMIC.test(tree.text)) return found;
  walk(tree, (node) => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, ["*"]);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], ["*"]);
  });
  return found;
}

/** Path in the repository of what a file imports, or the package's name. */
export function importPath(path: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const names = clause?.name === undefined ? [] : ["default"];
  const bindings = clause?.namedBindings;
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return ["*"];
  return [...names, ...bindings.elements.map((element) => (element.propertyName ?? element.name).text)];
}

function exportsOf(tree: ts.SourceFile): Export[] {
  const counts = new Map<string, number>();
  walk(tree, (node) => {
    if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
  });
  return tree.statements.flatMap((statement) => {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    return exportedNames(statement).map((name) => ({ name, isType, isMentioned: (counts.get(name) ?? 0) > 1 }));
  });
}

function exportedNames(statement: ts.Statement): string[] {
  if (ts.isExportAssignment(statement)) return ["default"];
  if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined)
    return ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [];
  if (!isExported(statement)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)));
}

const GLOBALS = new Set(["caches", "crypto", "setTimeout", "setInterval", "scheduler", "performance"]);
const MEMBERS = new Set(["Date.now", "AbortSignal.timeout", "Math.random"]);

/** Finds uses of clock, timers, randomness, network and storage that are not passed in. `crypto.subtle` is allowed. */
function platformCalls(tree: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(tree, (node) => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      if (ts.isIdentifier(expression) && expression.text === "fetch") found.push("fetch(");
      if (ts.isPropertyAccessExpression(expression) && expression.name.text === "fetch") found.push(".fetch(");
    }
    if (ts.isNewExpression(node) && node.expression.getText() === "Date" && (node.arguments ?? []).length === 0)
      found.push("new Date()");
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const member = `${node.expression.text}.${node.name.text}`;
      if (MEMBERS.has(member)) found.push(member);
    }
    if (ts.isIdentifier(node) && GLOBALS.has(node.text) && isGlobalUse(node)) {
      const parent = node.parent;
      const isSubtle = ts.isPropertyAccessExpression(parent) && parent.name.text === "subtle";
      found.push(isSubtle ? "crypto.subtle" : node.text);
    }
    if (ts.isStringLiteral(node) && node.text === "cloudflare:workers") found.push(node.text);
  });
  return found;
}

/** Whether an identifier is used as a value: it is neither a member's name nor a declaration. */
function isGlobalUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !("name" in parent && parent.name === node) && !ts.isTypeNode(parent);
}

const MUTATORS = new Set([
  "set",
  "add",
  "delete",
  "clear",
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "fill",
]);

/**
 * Finds module-level state: `let`, and constants that the file changes by a mutating call or an assignment to a member.
 */
function mutableVariables(tree: ts.SourceFile): string[] {
  const constants = new Set<string>();
  const found = new Set<string>();
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!isConst) found.add(name.getText());
      else if (!isMemo(initializer)) constants.add(name.getText());
    }
  }
  walk(tree, (node) => {
    const changed = changedVariable(node);
    if (changed !== undefined && constants.has(changed)) found.add(changed);
  });
  return [...found];
}

/**
 * Whether a variable is a bounded cache of src/base/memo.ts, the only kind of module-level state allowed everywhere.
 */
function isMemo(initializer: ts.Expression | undefined): boolean {
  return (
    initializer !== undefined && ts.isNewExpression(initializer) && initializer.expression.getText() === "BoundedMap"
  );
}

function changedVariable(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    return MUTATORS.has(name.text) && ts.isIdentifier(expression) ? expression.text : undefined;
  }
  const isAssignment =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  if (!isAssignment) return undefined;
  const { left } = node;
  const isMember = ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left);
  return isMember && ts.isIdentifier(left.expression) ? left.expression.text : undefined;
}

export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";

/** The unit tests that load `file` (a path of the repository), by the number of imports in between, fewest first. */
export type Importers = (file: string) => readonly (readonly string[])[];

/** Reads the imports of the whole repository once. */
export function readImporters(root: string): Importers {
  const importedBy = new Map<string, string[]>();
  for (const file of ["src", "devnode", "tools", "test"].flatMap((folder) => sources(root, folder)))
    for (const target of importsOf(file, readFileSync(join(root, file), "utf8")))
      importedBy.set(target, [...(importedBy.get(target) ?? []), file]);
  return (file) => {
    const seen = new Set([file]);
    const found: string[][] = [];
    for (let next = [file]; next.length > 0; ) {
      next = [...new Set(next.flatMap((path) => importedBy.get(path) ?? []))].filter((path) => !seen.has(path));
      for (const path of next) seen.add(path);
      const tests = next.filter((path) => path.startsWith("test/unit/") && path.endsWith(".test.ts"));
      if (tests.length > 0) found.push(tests);
    }
    return found;
  };
}

function sources(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
}

/** The modules that are loaded with a file: without type imports. */
function importsOf(file: string, text: string): string[] {
  const found: string[] = [];
  const add = (specifier: ts.Node | undefined) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith(".")) return;
    found.push(posix.join(posix.dirname(file), specifier.text));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) add(node.moduleSpecifier);
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) add(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

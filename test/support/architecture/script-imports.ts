import ts from "typescript";
import type { Import, Importer } from "./source-file.ts";
import { importPath, readImports, walk } from "./source-file.ts";

/** Reads the imports of a script; of a dynamic import, the names that the script takes from the module. */
export function readScript(path: string, text: string): Importer {
  const { imports } = readImports(path, text);
  const taken: Import[] = [];
  walk(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), (node) => {
    if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return;
    const [specifier] = node.arguments;
    if (specifier !== undefined && ts.isStringLiteralLike(specifier))
      taken.push({ from: importPath(path, specifier.text), names: takenNames(node) });
  });
  return { path, imports: [...imports, ...taken] };
}

/** Names that follow a dynamic import: `(await import(...)).name`, or `const { name } = await import(...)`. */
function takenNames(call: ts.CallExpression): string[] {
  if (!ts.isAwaitExpression(call.parent)) return [];
  const { parent } = call.parent;
  const user = ts.isParenthesizedExpression(parent) ? parent.parent : parent;
  if (ts.isPropertyAccessExpression(user)) return [user.name.text];
  if (!ts.isVariableDeclaration(user) || !ts.isObjectBindingPattern(user.name)) return [];
  return user.name.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
}

/**
 * Finds imports of the repository's own files whose file or name does not exist. `exportsOf` returns the names that a
 * file exports, and undefined where there is no such file.
 */
export function missingImports(
  scripts: readonly Importer[],
  exportsOf: (path: string) => readonly string[] | undefined,
): string[] {
  return scripts.flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => /\.(ts|mjs|js)$/.test(from))
      .flatMap(({ from, names }) => {
        const exported = exportsOf(from);
        if (exported === undefined) return [`${path} imports ${from}, which does not exist`];
        const missing = names.filter((name) => name !== "*" && !exported.includes(name));
        return missing.map((name) => `${path} imports ${name}, which ${from} does not export`);
      }),
  );
}

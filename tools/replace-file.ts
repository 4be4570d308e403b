import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * Writes a generated file: an unchanged one is left alone, so that watchers do not reload; another is replaced
 * atomically.
 */
export function replaceFile(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The platform takes no more of them from a file. */
const MAX_RULES = 100;
const HASHED = /-[\w-]{8}\.\w+$/;

/** Adds a rule to `_headers` for every emitted file whose name changes with its content: it may be kept for a year. */
export function cacheEmittedFiles(folder: string): void {
  const path = join(folder, "_headers");
  const text = readFileSync(path, "utf8");
  const names = readdirSync(join(folder, "assets")).filter((name) => HASHED.test(name));
  const rules = names.map((name) => `/assets/${name}\n  Cache-Control: public, max-age=31536000, immutable\n`);
  const all = text + rules.join("");
  const count = all.split("\n").filter((line) => line.startsWith("/")).length;
  if (count > MAX_RULES) throw new Error(`${path} has ${count} rules, of which the platform takes ${MAX_RULES}`);
  writeFileSync(path, all);
}

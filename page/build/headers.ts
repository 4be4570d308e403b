import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hashes } from "./inlining.ts";

/** The platform takes no more of them from a file. */
const MAX_RULES = 100;
const HASHED = /-[\w-]{8}\.\w+$/;

/**
 * Completes `_headers`: the first page may run the script and use the style that are in it, by their hashes, and every
 * emitted file whose name changes with its content may be kept for a year.
 */
export function writeHeaders(folder: string, { scripts, style }: Hashes): void {
  const path = join(folder, "_headers");
  const text = readFileSync(path, "utf8").replace("{{scripts}}", scripts).replace("{{style}}", style);
  const names = readdirSync(join(folder, "assets")).filter((name) => HASHED.test(name));
  const rules = names.map((name) => `/assets/${name}\n  Cache-Control: public, max-age=31536000, immutable\n`);
  const all = text + rules.join("");
  const count = all.split("\n").filter((line) => line.startsWith("/")).length;
  if (count > MAX_RULES) throw new Error(`${path} has ${count} rules, of which the platform takes ${MAX_RULES}`);
  writeFileSync(path, all);
}

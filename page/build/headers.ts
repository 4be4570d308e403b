import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hashes } from "./inlining.ts";

/** Most rules that the platform accepts in one file. */
const MAX_RULES = 100;
const HASHED = /-[\w-]{8}\.\w+$/;

/**
 * Completes `_headers`. The first page's inline scripts and style are allowed by their hashes. Files whose names change
 * with their content may be cached for a year.
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

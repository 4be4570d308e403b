import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const COPIED = ["src", "devnode", "page", "openapi", "schedule", "tools", "wrangler.toml", "package.json"];
const ALSO_COPIED = ["package-lock.json", "tsconfig.json", "vitest.config.ts", "test", "docs", ".gitignore"];

/** A copy of the checkout that a test may change, on the dependencies of this one. */
export function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), "edge-api checkout "));
  for (const name of [...COPIED, ...ALSO_COPIED]) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
/** Generated, or too large to copy. */
const LEFT_OUT = ["node_modules", ".git", "dist", ".wrangler", "coverage"];

/** A copy of the checkout that a test may change, with this one's dependencies. */
export function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), "edge-api checkout "));
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.includes(basename(path)) });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs once before any test: a temporary folder of this run, for its tests and every process that they start. It is
 * removed with all that they leave.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "edge-api-tests-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Makes a temporary folder for this test run, its tests and their processes, before any test. It is removed afterwards
 * with everything in it.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "edge-api-tests-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCheckout, CHECKOUT } from "./checkout.ts";

/** Once for the system's project: a build, whose Workers are kept for every file that starts them in a runtime of its own. */
export function setup(): () => void {
  buildCheckout();
  const folder = mkdtempSync(join(tmpdir(), "bundles-"));
  for (const name of ["worker.js", "devnode.js"]) copyFileSync(join(CHECKOUT, "dist", name), join(folder, name));
  process.env["WORKER_BUNDLES"] = folder;
  return () => rmSync(folder, { recursive: true });
}

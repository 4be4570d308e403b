import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCheckout } from "./checkout.ts";

/** Builds once for the system project; every file that starts Workers or reads a page uses this build. */
export function setup(): () => void {
  const built = buildCheckout();
  const folder = mkdtempSync(join(tmpdir(), "bundles-"));
  for (const name of ["worker.js", "worker.js.map"]) copyFileSync(join(built.folder, name), join(folder, name));
  cpSync(join(built.folder, "page"), join(folder, "page"), { recursive: true });
  writeFileSync(join(folder, "devnode.js"), built.node);
  process.env["WORKER_BUNDLES"] = folder;
  return () => rmSync(folder, { recursive: true });
}

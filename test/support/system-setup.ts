import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCheckout } from "./checkout.ts";

/** Once for the system's project: a build, which is kept for every file that starts its Workers or reads its page. */
export function setup(): () => void {
  const built = buildCheckout();
  const folder = mkdtempSync(join(tmpdir(), "bundles-"));
  for (const name of ["worker.js", "worker.js.map"]) copyFileSync(join(built.folder, name), join(folder, name));
  cpSync(join(built.folder, "page"), join(folder, "page"), { recursive: true });
  writeFileSync(join(folder, "devnode.js"), built.node);
  process.env["WORKER_BUNDLES"] = folder;
  return () => rmSync(folder, { recursive: true });
}

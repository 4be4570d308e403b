import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../tools/bundle-worker.ts";
import { CHECKOUT } from "./checkout.ts";

/** Once for the system's project: both Workers are bundled, for every file that starts them in a runtime of its own. */
export async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "bundles-"));
  for (const room of ["src", "devnode"] as const)
    writeFileSync(join(folder, `${room}.js`), (await bundleWorker(room, CHECKOUT)).code);
  process.env["WORKER_BUNDLES"] = folder;
  return () => rmSync(folder, { recursive: true });
}

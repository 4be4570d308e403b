import { copyDocuments } from "../../page/build/documents.ts";
import { readSchedule } from "../../tools/schedule/files.ts";
import { checkoutGenesis } from "../../tools/start/genesis-settings.ts";
import { EVERYTHING, hasIn } from "./editions.ts";
import { createRuntime, EDGE_OBJECTS, NODE_OBJECTS, type Runtime, withClock, workerModule } from "./runtime.ts";

/** Product without its page, in the bare runtime: wrangler's server ends when a caller disconnects. */
export interface BareProduct extends Omit<Runtime, "url"> {
  readonly url: string;
}

/** Starts the product with settings of the edge, and its clock. */
export async function startBareProduct(vars: Readonly<Record<string, string>> = {}, speed = 1): Promise<BareProduct> {
  const services = { ASSETS: "assets", ...(vars["NODE_URLS"] === undefined ? { NODE: "node" } : {}) };
  const runtime = createRuntime(
    {
      edge: {
        modules: { "worker.js": withClock(await workerModule("worker"), speed) },
        vars,
        objects: EDGE_OBJECTS,
        services,
      },
      node: {
        modules: { "worker.js": await workerModule("devnode") },
        // As with `npm start`, the chain begins with the schedule's wallets.
        vars: checkoutGenesis({}, {}, Date.now()),
        objects: NODE_OBJECTS,
        isInternal: true,
      },
    },
    (folder) => copyDocuments(folder, hasIn(EVERYTHING), readSchedule(EVERYTHING.schedule)),
  );
  await runtime.start();
  return { ...runtime, url: runtime.url("edge") };
}

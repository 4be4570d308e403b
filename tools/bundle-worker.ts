import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const SCHEDULE_MODULE = /^(\.\.\/)+dist\/schedule\.js$/;
const ROOT = join(import.meta.dirname, "..");

/**
 * Largest size of the edge's code, compressed with gzip. Larger code would start isolates too slowly
 * (docs/decisions.md).
 */
export const MAX_EDGE_BYTES = 100 * 1024;

/**
 * Size of the code in a bundle of the edge, compressed with gzip. The schedule's module is data of the operator, which
 * may list a thousand wallets, so it is not counted.
 */
export function codeBytes(bundle: string, scheduleModule: string): number {
  return gzipSync(bundle).length - gzipSync(scheduleModule).length;
}

/** ES module with its source map, which names sources by their paths in the repository. */
export interface WorkerBundle {
  readonly code: string;
  readonly map: string;
}

/**
 * Bundles one Worker of a checkout (`src`: the edge, `devnode`: the embedded node), minified, so that the tested code
 * is the deployed code. `schedule` is the path of the schedule's module.
 */
export async function bundleWorker(
  room: "src" | "devnode",
  root = ROOT,
  schedule = join(root, "dist", "schedule.js"),
): Promise<WorkerBundle> {
  /** Loads the schedule's module from wherever it is. The source map has the path that the sources import. */
  const builtSchedule = {
    name: "built-schedule",
    resolveId: (id: string) => (SCHEDULE_MODULE.test(id) ? join(root, "dist", "schedule.js") : null),
    load: (id: string) => (id === join(root, "dist", "schedule.js") ? readFileSync(schedule, "utf8") : null),
  };
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [builtSchedule],
    build: {
      write: false,
      copyPublicDir: false,
      sourcemap: "hidden",
      target: "es2024",
      lib: { entry: join(root, room, "worker.ts"), formats: ["es"], fileName: () => "worker.js" },
      rolldownOptions: {
        external: ["cloudflare:workers"],
        optimization: { inlineConst: true },
        // Our getters have no side effects.
        treeshake: { propertyReadSideEffects: false },
        // For a library Vite keeps white space and comments for a later bundler; here there is none.
        output: {
          minify: true,
          comments: false,
          topLevelVar: false,
          sourcemapPathTransform: (path, mapPath) => relative(root, join(mapPath, "..", path)),
        },
      },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) throw new Error(`${room} was not built`);
  const { code, map } = output.output[0];
  return { code, map: JSON.stringify(map) };
}

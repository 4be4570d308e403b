import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import type { TokenChain } from "../src/chain/token-chain.ts";
import type { Config } from "../src/config.ts";

const BUILT_FOR = /\/src\/base\/built-for\.ts$/;
const SCHEDULE_MODULE = /^(\.\.\/)+dist\/schedule\.js$/;
const ROOT = join(import.meta.dirname, "..");

/** How large the edge's bundle may be, compressed with gzip (docs/decisions.md), and with what reads an EVM chain. */
export const MAX_EDGE_BYTES = 73 * 1024;
export const MAX_EVM_EDGE_BYTES = MAX_EDGE_BYTES + 3 * 1024;
/** The same of a token on several chains. */
export const MAX_LEGS_EDGE_BYTES = MAX_EDGE_BYTES + 8 * 1024;

/** What a bundle is made for, besides the schedule. */
export interface BundleOptions {
  /** The module of the schedule, if not the tests'. */
  readonly schedule?: string;
  /** Of the first chain: `move` leaves out what reads EVM chains, unless a further one is one. */
  readonly family?: Config["chainFamily"];
}

/** One ES module and its source map, which names sources by their path in the repository. */
export interface WorkerBundle {
  readonly code: string;
  readonly map: string;
}

/** The further chains of the token of a schedule's module; none where it has not been written. */
async function chainsIn(module: string): Promise<readonly TokenChain[]> {
  if (!existsSync(module)) return [];
  // Another one may be written in the same place.
  const { schedule } = await import(`${pathToFileURL(module).href}?${statSync(module).mtimeMs}`);
  return schedule.chains ?? [];
}

/**
 * One Worker (`src`: the edge, `devnode`: the embedded node) of a checkout, minified, so that the tested code is the
 * deployed code.
 */
export async function bundleWorker(
  room: "src" | "devnode",
  root = ROOT,
  { schedule, family = "move" }: BundleOptions = {},
): Promise<WorkerBundle> {
  const module = schedule ?? join(root, "dist", "schedule.js");
  const further = await chainsIn(module);
  const hasEvm = family === "evm" || further.some((chain) => chain.family === "evm");
  /** Known by the name that the sources import, wherever it is: in the source map too. */
  const builtSchedule = {
    name: "built-schedule",
    resolveId: (id: string) => (SCHEDULE_MODULE.test(id) ? join(root, "dist", "schedule.js") : null),
    load: (id: string) => (id === join(root, "dist", "schedule.js") ? readFileSync(module, "utf8") : null),
  };
  const builtFor = {
    name: "built-for",
    load: (id: string) =>
      BUILT_FOR.test(id) ? `export const HAS_EVM = ${hasEvm}, HAS_LEGS = ${further.length > 0};` : null,
  };
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [builtSchedule, builtFor],
    build: {
      write: false,
      copyPublicDir: false,
      sourcemap: "hidden",
      target: "es2024",
      lib: { entry: join(root, room, "worker.ts"), formats: ["es"], fileName: () => "worker.js" },
      rolldownOptions: {
        external: ["cloudflare:workers"],
        optimization: { inlineConst: true },
        // No getter of ours has an effect.
        treeshake: { propertyReadSideEffects: false },
        // In a library Vite keeps white space and comments for the next bundler; there is none.
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

import { join } from "node:path";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "..");

/** One Worker (`src`: the edge, `devnode`: the embedded node) as the text of one ES module. */
export async function bundleWorker(room: "src" | "devnode"): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      copyPublicDir: false,
      minify: false,
      target: "es2024",
      lib: { entry: join(ROOT, room, "worker.ts"), formats: ["es"], fileName: () => "worker.js" },
      rolldownOptions: { external: ["cloudflare:workers"] },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) throw new Error(`${room} was not built`);
  return output.output[0].code;
}

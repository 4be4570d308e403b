// `node tools/main.mjs TOOL ARGUMENTS...`: one tool of this folder, after the check of what it needs.
import nodeModule from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import "./require-setup.mjs";

// From the second run on, a tool starts faster and without the compiler that removes types, which keeps 17 MiB; so does
// wrangler, which a deployment starts ten times.
process.env["NODE_COMPILE_CACHE"] ||= fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url));
nodeModule.enableCompileCache?.();
// npm that is ended ends its shell, but not the command in it.
if (process.env["npm_lifecycle_event"] !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}
const file = join(fileURLToPath(new URL(".", import.meta.url)), `${process.argv[2]}.ts`);
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);

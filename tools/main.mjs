// Runs one tool of this folder, after checking what it needs: `node tools/main.mjs TOOL ARGUMENTS...`.
import nodeModule from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import "./require-setup.mjs";

// With this cache a tool starts faster from its second run on, without loading the compiler that removes types (17
// MiB). So does wrangler, which a deployment starts ten times.
process.env["NODE_COMPILE_CACHE"] ||= fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url));
nodeModule.enableCompileCache?.();
// When npm is ended it ends its shell, but not the command in that shell.
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

// `node tools/main.mjs TOOL ARGUMENTS...`: one tool of this folder, after the check of the Node version.
import nodeModule from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import "./require-node.mjs";

// From the second run on, a tool starts faster and without the compiler that removes types, which keeps 17 MiB.
nodeModule.enableCompileCache?.(
  process.env["NODE_COMPILE_CACHE"] ?? fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url)),
);
const file = join(fileURLToPath(new URL(".", import.meta.url)), `${process.argv[2]}.ts`);
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);

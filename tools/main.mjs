// `node tools/main.mjs TOOL ARGUMENTS...`: one tool of this folder, after the check of the Node version.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import "./require-node.mjs";

const file = join(fileURLToPath(new URL(".", import.meta.url)), `${process.argv[2]}.ts`);
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);

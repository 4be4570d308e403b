import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { commandOptions } from "../tools/lib/command-line.ts";
import { anvilChecks } from "./lib/anvil.mjs";
import { OPERATIONS, SETTINGS } from "./lib/operations.mjs";
import { startProduct } from "./lib/product.mjs";

commandOptions(
  "usage: npm run clients\n  runs public SDKs against the product and writes the table in docs/clients.md; reads a token from Anvil",
  {},
);
const HERE = import.meta.dirname;
/** Document whose first table is written and whose snippet is run. */
const PAGE = join(HERE, "..", "docs", "clients.md");
const versions = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8")).dependencies;
const versionOf = (name) => versions[name].replace(/^npm:.*@/, "");

/** Clients, each with its name in the table and a function that makes it for a running product. */
const CLIENTS = ["ts-sdk-1", "ts-sdk-5", "@aptos-labs/ts-sdk", "ts-sdk-7"].map((name) => ({
  title: `TypeScript SDK ${versionOf(name)}`,
  version: versionOf(name),
  make: async (product) => (await import("./lib/typescript-sdk.mjs")).typescriptSdk(await import(name), product),
}));

const results = new Map(CLIENTS.map(({ title }) => [title, new Map()]));
const failures = [];

/** Runs the operations that hold at these settings, for every client. */
async function runAt(settings, names) {
  const product = await startProduct(settings);
  try {
    for (const { title, make } of CLIENTS) {
      const operations = await make(product);
      for (const name of names) {
        if (operations[name] === undefined) continue;
        const cause = await operations[name]().then(
          () => null,
          (error) => error,
        );
        results.get(title)?.set(name, cause === null);
        console.log(`${cause === null ? "ok    " : "FAILED"} ${title}: ${OPERATIONS[name]}`);
        if (cause !== null) failures.push(`${title}: ${OPERATIONS[name]}: ${cause.stack ?? cause}`);
      }
    }
    if (Object.keys(settings).length > 0) return;
    await runSnippet(product);
    // Imported late, because its packages may not be installed, and the help does not need them.
    const { generatorChecks } = await import("./lib/generators.mjs");
    report("generated", await generatorChecks(product));
  } finally {
    await product.stop();
  }
}

/** Prints checks, each with its expected and its actual value. */
function report(name, checks) {
  for (const [title, wanted, found] of checks) {
    console.log(`${found === wanted ? "ok    " : "FAILED"} ${name}: ${title}`);
    if (found !== wanted) failures.push(`${name}: ${title}: ${found} instead of ${wanted}`);
  }
}

/** Runs the document's snippet as pasted except for the port, with the newest SDK under the imported name. */
async function runSnippet({ origin }) {
  const snippet = /```ts\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8"))?.[1];
  if (snippet === undefined) throw new Error("docs/clients.md has no TypeScript snippet");
  // The file lies beside the product's package.json, which has the newest SDK as a development dependency.
  const file = join(HERE, "..", `.wrangler-snippet-${process.pid}.mts`);
  writeFileSync(file, snippet.replaceAll("http://127.0.0.1:8787", origin));
  const cause = await import(pathToFileURL(file).href).then(
    () => null,
    (error) => error,
  );
  rmSync(file);
  console.log(`${cause === null ? "ok    " : "FAILED"} docs/clients.md: the snippet as pasted`);
  if (cause !== null) failures.push(`docs/clients.md: the snippet: ${cause.stack ?? cause}`);
}

function table() {
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const rows = Object.entries(OPERATIONS).map(([name, title]) => {
    const failing = CLIENTS.filter((client) => results.get(client.title)?.get(name) !== true);
    return row([title, failing.length === 0 ? "yes" : `**no**: ${failing.map(({ version }) => version).join(", ")}`]);
  });
  const header = `TypeScript SDK ${CLIENTS.map(({ version }) => version).join(", ")}`;
  return `${[row(["operation", header]), row(["---", "---"]), ...rows].join("\n")}\n`;
}

const special = Object.keys(SETTINGS);
await runAt(
  {},
  Object.keys(OPERATIONS).filter((name) => !special.includes(name)),
);
for (const name of special) await runAt(SETTINGS[name], [name]);
writeFileSync(PAGE, readFileSync(PAGE, "utf8").replace(/^(?:\|.*\n)+/m, table));
report(`Anvil ${versionOf("@foundry-rs/anvil")}`, await anvilChecks());
for (const failure of failures) console.error(`\n${failure}`);
process.exit(failures.length === 0 ? 0 : 1);

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { commandOptions } from "../tools/lib/command-line.ts";
import { chainValues, offering, PUBLIC_VALUES } from "./lib/known-values.mjs";
import { startProduct } from "./lib/product.mjs";

const { examples } = commandOptions(
  "usage: npm run clients:fuzz -- [--examples N]\n  lets Schemathesis judge the product by both documents, with N exchanges for each operation; 500 by default",
  { examples: { type: "string", default: "500" } },
);
/** Command that runs Schemathesis in its own environment; the variable names another command. */
const TOOL = (process.env.SCHEMATHESIS ?? "pipx run --spec schemathesis==3.39.16 schemathesis").split(" ");
/**
 * Runs every check of the tool except one: the product ignores unknown parameters and headers, and the tool generates
 * such ones too.
 */
const ALWAYS = ["--checks", "all", "--experimental", "openapi-3.1", "--data-generation-method", "all"];
const UNBOUND = ["--hypothesis-deadline", "None", "--hypothesis-suppress-health-check", "all"];
const IGNORED = "negative_data_rejection";
const HEALTHY = "/v1/-/healthy";
const RUNS = [
  { document: "public", words: ["--exclude-checks", IGNORED] },
  { document: "node", words: ["--exclude-checks", IGNORED, "--exclude-path", HEALTHY] },
  // A 503 is a valid answer here: `duration_secs=0` asks for a ledger that is less than a second old.
  { document: "node", words: ["--exclude-checks", `${IGNORED},not_a_server_error`, "--include-path", HEALTHY] },
  {
    document: "node",
    words: ["--exclude-checks", IGNORED, "--include-method", "GET", "--exclude-path", HEALTHY]
      .concat(["--exclude-path", "/v1/transactions/wait_by_hash/{txn_hash}"])
      .concat(["--header", "Accept: application/x-bcs"]),
  },
];

const pythonPath = [join(import.meta.dirname, "lib"), process.env.PYTHONPATH].filter(Boolean).join(delimiter);

const product = await startProduct();
const folder = mkdtempSync(join(tmpdir(), "schemathesis-"));
const read = async (path) => (await fetch(product.origin + path)).json();
try {
  const documents = {
    public: offering(await read("/api/openapi.json"), PUBLIC_VALUES),
    node: offering(await read("/v1/spec.json"), await chainValues(product)),
  };
  for (const { document, words } of RUNS) {
    const file = join(folder, `${document}.json`);
    writeFileSync(file, JSON.stringify(documents[document]));
    const [command, ...first] = TOOL;
    const given = ["run", file, "--base-url", product.origin, "--hypothesis-max-examples", examples];
    const { status, error } = spawnSync(command, [...first, ...given, ...ALWAYS, ...UNBOUND, ...words], {
      cwd: folder,
      stdio: "inherit",
      env: { ...process.env, SCHEMATHESIS_HOOKS: "http_fields", PYTHONPATH: pythonPath },
    });
    if (error !== undefined) throw error;
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}

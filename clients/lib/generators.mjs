import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { OpenAPIClientAxios } from "openapi-client-axios";

const run = promisify(execFile);
const HERE = join(import.meta.dirname, "..");
const bin = (name) => join(HERE, "node_modules", ".bin", name);
const TSC = join(HERE, "..", "node_modules", ".bin", "tsc");
const COMPILE = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext"];
const DOCUMENTS = { "/api/openapi.json": "public", "/v1/spec.json": "node" };

/**
 * Checks that clients made by code generators from the served documents compile and make calls. Each check has its
 * expected and its actual value.
 */
export async function generatorChecks({ origin }) {
  const folder = mkdtempSync(join(tmpdir(), "generators-"));
  try {
    const checks = [];
    for (const [path, name] of Object.entries(DOCUMENTS)) {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, await (await fetch(origin + path)).text());
      const made = join(folder, name);
      const generate = () => run(bin("openapi"), ["--input", file, "--output", made, "--client", "fetch"]);
      const compile = () => run(TSC, [...COMPILE, "--moduleResolution", "bundler", join(made, "index.ts")]);
      checks.push([`openapi-typescript-codegen: the client of ${path} compiles`, "yes", await said(generate, compile)]);
    }
    const definition = await (await fetch(`${origin}/api/openapi.json`)).json();
    const client = await new OpenAPIClientAxios({ definition }).init();
    const { operationId } = definition.paths["/api/max-supply"].get;
    const { data } = await client[operationId]();
    checks.push(["openapi-client-axios: a call by the document alone", "number", typeof data]);
    return checks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns "yes", or the output of the first step that fails. */
async function said(...steps) {
  for (const step of steps) {
    const cause = await step().then(
      () => null,
      (error) => error,
    );
    if (cause !== null) return String(cause.stdout ?? cause).slice(0, 500);
  }
  return "yes";
}

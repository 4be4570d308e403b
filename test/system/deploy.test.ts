import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { MAX_EDGE_BYTES } from "../../tools/bundle-worker.ts";
import { CHECKOUT, copyCheckout } from "../support/checkout.ts";
import { SECRETS, UPSTREAMS } from "../support/operator-files.ts";
import { runTool } from "../support/run-tool.ts";
import { workerModule } from "../support/runtime.ts";

const deploy = (...words: readonly string[]) => runTool("deploy", words, SECRETS);

/** The other one is dry run by wrangler in deploy-nodes.test.ts, and here at night. */
const isRun = (environment: string) => environment === "production" || process.env["NIGHTLY"] !== undefined;

describe.each(["staging", "production"])("deploying %s", (environment) => {
  test.runIf(isRun(environment))(
    `a dry run with upstreams builds a bundle of at most ${MAX_EDGE_BYTES} bytes, without a warning`,
    async () => {
      const isVerbose = environment === "staging";
      const words = isVerbose ? ["--verbose"] : [];
      const { code, output } = await deploy("--env", environment, "--dry-run", ...UPSTREAMS, ...words);
      expect(code, output).toBe(0);
      expect(output).not.toMatch(/warning|▲|✘/i);
      expect(output).toContain("deploy: note: upstream-1 (node.example) does not answer");
      expect(output).not.toContain("node.example/");
      // The bundled production has no domain yet.
      expect(output.includes("deploy: note: [env.production] has no address: add routes")).toBe(
        environment === "production",
      );
      expect(output).toContain("deploy: note: page/brand.json has no url: previews of links");
      // Only the errors in wrangler's output are shown, unless all of it is requested.
      expect(output.includes('env.NODE_URLS ("(hidden)")')).toBe(isVerbose);
      expect(output.includes("Total Upload")).toBe(isVerbose);
      const bundle = readFileSync(join(CHECKOUT, "dist", environment, "worker.js"), "utf8");
      expect(bundle, "what the tests run").toBe(await workerModule("worker"));
      const map = readFileSync(join(String(process.env["WORKER_BUNDLES"]), "worker.js.map"), "utf8");
      const { sources } = JSON.parse(map) as { sources: string[] };
      expect(sources).toContain("src/app.ts");
      // A module from elsewhere could change without the Worker being built again.
      const inputs = /^(src|devnode|tools)\/|^dist\/schedule\.js$|(^|\/)node_modules\//;
      expect(sources.filter((source) => !inputs.test(source))).toEqual([]);
      expect(gzipSync(bundle).length).toBeLessThanOrEqual(MAX_EDGE_BYTES);
      expect(readdirSync(CHECKOUT).filter((name) => name.startsWith(".wrangler-"))).toEqual([]);
    },
  );

  test("without upstreams it is refused with every reason, and nothing is built", async () => {
    const { code, output } = await deploy("--env", environment, "--dry-run", "--var", "LIMITER_SHARDS:0");
    expect(code).toBe(1);
    for (const name of ["RATES_URL", "CHAIN_ID", "LIMITER_SHARDS"])
      expect(output).toContain(`[env.${environment}] ${name}`);
    expect(output).not.toContain("Total Upload");
  });
});

test("an invalid asset is refused before the deployment", async () => {
  const asset = ["--var", "STABLE_ASSET:0x1::a::b<-->"];
  const { code, output } = await deploy("--env", "production", "--dry-run", ...UPSTREAMS, ...asset);
  expect(code).toBe(1);
  expect(output).toContain(
    'deploy: [env.production] STABLE_ASSET must be a type tag or an address, not "0x1::a::b<-->"',
  );
  expect(output).not.toContain("Total Upload");
});

test("a dry run that wrangler refuses leaves no file", async () => {
  const folder = copyCheckout();
  const settings = join(folder, "wrangler.toml");
  writeFileSync(
    settings,
    readFileSync(settings, "utf8").replace("upload_source_maps = true", 'upload_source_maps = "yes"'),
  );
  const words = ["--env", "staging", "--dry-run", ...UPSTREAMS];
  const { code, output } = await runTool("deploy", words, SECRETS, folder);
  expect([code, output.split("\n").at(-1)]).toEqual([1, "deploy: the dry run failed (wrangler's reason is above)"]);
  expect(readdirSync(folder).filter((name) => name.startsWith(".wrangler-"))).toEqual([]);
});

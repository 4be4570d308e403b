import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bundleWorker } from "../../tools/bundle-worker.ts";
import { copyCheckout } from "../support/checkout.ts";
import { ENVIRONMENT, UPSTREAMS } from "../support/operator-schedule.ts";

function deploy(...words: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("node", ["tools/main.mjs", "deploy", ...words], { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

describe.each(["staging", "production"])("%s", (environment) => {
  test("a dry run with upstreams builds a bundle of at most 60 KiB, without a warning", async () => {
    const { status, output } = deploy("--env", environment, "--dry-run", ...UPSTREAMS);
    expect(status, output).toBe(0);
    expect(output).not.toMatch(/warning|▲|✘/i);
    expect(output).not.toContain("node.example");
    expect(output).toContain('env.NODE_URLS ("(hidden)")');
    const bundle = readFileSync(`dist/${environment}/worker.js`, "utf8");
    const { code, map } = await bundleWorker("src");
    expect(bundle, "what the tests run").toBe(`${code}\n//# sourceMappingURL=worker.js.map\n`);
    expect(readFileSync("dist/worker.js.map", "utf8")).toBe(map);
    expect((JSON.parse(map) as { sources: string[] }).sources).toContain("src/app.ts");
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(60 * 1024);
    expect(readdirSync(".").filter((name) => name.startsWith(".wrangler-"))).toEqual([]);
  });

  test("without upstreams it is refused with every reason, and nothing is built", () => {
    const { status, output } = deploy("--env", environment, "--dry-run", "--var", "LIMITER_SHARDS:0");
    expect(status).toBe(1);
    for (const name of ["NODE_URLS", "RATES_URL", "LIMITER_SHARDS"])
      expect(output).toContain(`[env.${environment}] ${name}`);
    expect(output).not.toContain("Total Upload");
  });
});

test("an invalid asset is refused before the deployment", () => {
  const asset = ["--var", "STABLE_ASSET:0x1::a::b<-->"];
  const { status, output } = deploy("--env", "production", "--dry-run", ...UPSTREAMS, ...asset);
  expect(status).toBe(1);
  expect(output).toContain("deploy: [env.production] STABLE_ASSET is neither a type tag nor an address");
  expect(output).not.toContain("Total Upload");
});

test("a deployment that wrangler refuses leaves no file with secrets", () => {
  const folder = copyCheckout();
  writeFileSync(join(folder, "src", "worker.ts"), "not a module");
  const words = ["tools/main.mjs", "deploy", "--env", "staging", "--dry-run", ...UPSTREAMS];
  const { status, stderr } = spawnSync("node", words, { cwd: folder, encoding: "utf8" });
  expect([status, stderr.trim().split("\n").at(-1)]).toEqual([
    1,
    "deploy: wrangler failed, see above; nothing was deployed",
  ]);
  expect(readdirSync(folder).filter((name) => name.startsWith(".wrangler-"))).toEqual([]);
});

describe("the record of what was published", () => {
  /** A checkout with a schedule of its own that was never published, and a wrangler that only exits. */
  function ownCheckout() {
    const folder = copyCheckout();
    const [csv, json] = ["published.csv", "published.json"].map((name) => join(folder, "schedule", name)) as [
      string,
      string,
    ];
    copyFileSync(join(folder, "schedule", "examples", "sui.json"), join(folder, "schedule", "native.json"));
    for (const path of [csv, json]) rmSync(path, { force: true });
    const bin = mkdtempSync(join(tmpdir(), "wrangler-"));
    const env = { ...ENVIRONMENT, PATH: `${bin}:${process.env["PATH"]}` };
    return {
      /** `during`: what the shell does for `wrangler deploy`. */
      deploy: (during: string) => {
        writeFileSync(join(bin, "wrangler"), `#!/bin/sh\n[ "$1" = deploy ] || exit 1\n${during}\n`, { mode: 0o755 });
        const words = ["tools/main.mjs", "deploy", "--env", "staging", ...UPSTREAMS];
        const { status, stdout, stderr } = spawnSync("node", words, { cwd: folder, encoding: "utf8", env });
        return { status, output: stdout + stderr };
      },
      recorded: () => [csv, json].map((path) => (existsSync(path) ? readFileSync(path, "utf8") : null)),
      edit: (from: string, to: string) => {
        const path = join(folder, "schedule", "native.json");
        writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
      },
    };
  }

  test.each([
    ["wrangler refuses", "exit 1"],
    ["wrangler fails half way", "echo Uploaded; exit 1"],
    ["the operator interrupts it", "kill -INT $PPID; kill -INT $$"],
  ])("is as before when %s", (_what, during) => {
    const { deploy: run, recorded, edit } = ownCheckout();
    expect(run(during)).toMatchObject({ status: 1, output: expect.stringContaining("nothing was deployed") });
    expect(recorded()).toEqual([null, null]);
    edit('"title": "', '"title": "Corrected: ');
    expect(run("exit 0")).toMatchObject({ status: 0, output: expect.stringContaining("more published; commit it") });
    const first = recorded();
    expect(first).toEqual([expect.stringContaining("effective_from"), expect.stringContaining('"revision": 1')]);
    edit('"revision": 1', '"revision": 2');
    edit('"published_at": "20', '"published_at": "19');
    expect(run(during).status).toBe(1);
    expect(recorded()).toEqual(first);
  });
});

test.each([
  [["--env", "prod"], "--env must be one of staging, production"],
  [[], "--env must be one of staging, production"],
  [["--env", "staging", "--var", "NODE_URLS"], "--var takes NAME:VALUE"],
  [["--environment", "staging"], "usage:"],
])("%j is refused in one line", (words, reason) => {
  const { status, output } = deploy(...words);
  expect(status).toBe(1);
  expect(output).toContain(reason);
  expect(output.trim().split("\n")).toHaveLength(1);
});

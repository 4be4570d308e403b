import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { readWranglerFile } from "../../tools/wrangler-file.ts";
import { BENCH, ROOT } from "./machine.mjs";

/** Bundles the product as it is deployed, with the bindings of its wrangler.toml. */
export function productBundle(vars = {}) {
  return deployed(join(ROOT, "wrangler.toml"), vars);
}

/** Bundles the embedded chain node in the same way. */
export function nodeBundle(vars = {}) {
  return deployed(join(ROOT, "devnode", "wrangler.toml"), vars);
}

function deployed(config, vars) {
  const folder = mkdtempSync(join(tmpdir(), "edge-api-bundle-"));
  const flags = ["deploy", "--dry-run", "--config", config, "--outdir", folder];
  const env = {
    ...process.env,
    WRANGLER_SEND_METRICS: "false",
    PATH: `${join(ROOT, "node_modules", ".bin")}:${process.env.PATH}`,
  };
  execFileSync(join(ROOT, "node_modules", ".bin", "wrangler"), flags, { cwd: ROOT, env, stdio: "pipe" });
  const script = readdirSync(folder).find((name) => name.endsWith(".js"));
  const source = readFileSync(join(folder, script), "utf8");
  rmSync(folder, { recursive: true });
  const file = readWranglerFile(config);
  const bindings = file.durable_objects?.bindings ?? [];
  const others = [...(file.services ?? []).map(({ binding }) => binding), file.assets?.binding];
  return {
    source,
    gzipBytes: gzipSync(source).length,
    vars: { ...file.vars, ...vars },
    objects: Object.fromEntries(bindings.map((binding) => [binding.name, binding.class_name])),
    others: others.filter((name) => name !== undefined),
  };
}

/** A Worker of `bench/workers`, with the packages that it imports. */
export async function peerBundle(name) {
  const built = await build({
    entryPoints: [join(BENCH, "workers", name)],
    bundle: true,
    format: "esm",
    target: "es2023",
    external: ["cloudflare:*"],
    write: false,
  });
  return built.outputFiles[0].text;
}

import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import nodeDocument from "../../../openapi/node.json" with { type: "json" };
import publicDocument from "../../../openapi/public.json" with { type: "json" };
import { edgeDefaults, SECRETS } from "../../../tools/edge-settings.ts";
import { readWranglerFile } from "../../../tools/wrangler-file.ts";

const { rawConfig: config } = readRawConfig({ config: "wrangler.toml" });
const { production, staging } = config.env ?? {};
const DEFAULTS = edgeDefaults();

test.each(["wrangler.toml", "devnode/wrangler.toml"])("the tools read %s as wrangler does", (path) => {
  const { rawConfig } = readRawConfig({ config: path });
  expect(rawConfig).toMatchObject(readWranglerFile(path));
});

test("a file that is not TOML is refused with the place", () => {
  const path = join(mkdtempSync(join(tmpdir(), "wrangler-file-")), "wrangler.toml");
  writeFileSync(path, 'name = "edge-api"\n[vars]\nCHAIN_ID = 4x\n');
  expect(() => readWranglerFile(path)).toThrow(/^wrangler\.toml, line 3, column \d+: Invalid TOML document: /);
});

describe.each([
  ["production", production],
  ["staging", staging],
])("the environment %s", (name, environment) => {
  test("repeats every binding, which environments do not inherit", () => {
    expect(environment?.vars?.["ENVIRONMENT"]).toBe(name);
    expect(environment?.durable_objects).toEqual(config.durable_objects);
    expect(environment?.version_metadata).toEqual(config.version_metadata);
  });

  test("updates running objects within 30 seconds of a deployment", () => {
    expect(environment?.durable_objects?.code_update_strategy).toEqual({ mode: "deferred", max_delay: 30 });
  });

  test("has no embedded node, no preview addresses, a CPU limit, and its nodes as a secret", () => {
    expect(environment?.services).toBeUndefined();
    expect(environment).toMatchObject({
      preview_urls: false,
      limits: { cpu_ms: expect.any(Number) },
      secrets: { required: ["NODE_URLS"] },
    });
  });
});

test("each environment records its metrics in a dataset of its own", () => {
  const datasets = [production, staging].flatMap((environment) => environment?.analytics_engine_datasets ?? []);
  expect(datasets.map(({ binding }) => binding)).toEqual(["METRICS", "METRICS"]);
  expect(new Set(datasets.map(({ dataset }) => dataset)).size).toBe(2);
});

test.each([
  ["every environment", config],
  ["production", production],
  ["staging", staging],
])("every setting of %s is one that the Worker reads", (_name, section) => {
  expect(Object.keys(section?.vars ?? {}).filter((name) => !(name in DEFAULTS))).toEqual([]);
});

/** The rows of the document's table: every name with the default at its place, and whether it is a secret. */
const DOCUMENTED = [
  ...readFileSync("docs/configuration.md", "utf8").matchAll(/^\| ((?:`[A-Z_]+`,? )+) *\| (.+?) +\| (secret)?/gm),
].flatMap(([, names = "", values = "", secret]) => {
  const defaults = values.split(", ");
  return [...names.matchAll(/[A-Z_]+/g)].map(([name], index) => ({ name, text: defaults[index], secret }));
});

test("every setting that the Worker reads is documented once, with the default that the Worker gives it", () => {
  const documented = DOCUMENTED.map(({ name, text }) => [name, text]);
  const read = Object.entries(DEFAULTS).map(([name, text]) => [name, text === "" ? "empty" : `\`${text}\``]);
  expect(documented.sort()).toEqual(read.sort());
});

test("the secrets are documented as such, and named in wrangler.toml", () => {
  const documented = DOCUMENTED.filter(({ secret }) => secret !== undefined).map(({ name }) => name);
  expect(documented.sort()).toEqual([...SECRETS].sort());
  const [, named = SECRETS.join(", ")] = /^# secrets: (.*)$/m.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
  expect(named.split(", ")).toEqual(SECRETS);
});

test("every bound object class is declared, with SQLite storage; other migrations do not exist", () => {
  const classes = config.durable_objects?.bindings.map(({ class_name }: { class_name: string }) => class_name) ?? [];
  const declared = classes.map((name: string) => [name, { type: "durable-object", storage: "sqlite" }]);
  expect(config.exports).toEqual(Object.fromEntries(declared));
  expect(config.migrations).toBeUndefined();
});

describe("observability", () => {
  const sections = [
    ["every environment", config],
    ["production", production],
    ["staging", staging],
  ] as const;

  test("logs are kept without invocation records, which hold callers' headers", () => {
    expect(config.observability).toMatchObject({
      enabled: true,
      logs: { head_sampling_rate: 1, invocation_logs: false },
    });
  });

  // A span of a request to an upstream has its whole address: the key that providers put there, and the webhook's.
  test.each(sections)("no request is traced in %s", (_name, section) => {
    expect(section?.observability?.traces?.enabled ?? false).toBe(false);
    expect(section?.logpush ?? false).toBe(false);
    expect(section?.tail_consumers ?? []).toEqual([]);
  });
});

describe("paths that run the Worker", () => {
  const patternsOf = ({ assets }: typeof config): readonly string[] =>
    Array.isArray(assets?.run_worker_first) ? assets.run_worker_first : [];
  const patterns = patternsOf(config);
  const startsWorker = (path: string) =>
    patterns.some((pattern) => (pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern));
  const documented = [
    ...Object.keys(publicDocument.paths),
    ...Object.keys(nodeDocument.paths).map((path) => `/v1${path === "/" ? "" : path}`),
  ];

  test.each([...documented, "/api", "/v1", "/mint", "/fund", "/faucet", "/faucet/fund", "/docs", "/docs/limits"])(
    "%s runs it",
    (path) => {
      expect(startsWorker(path)).toBe(true);
    },
  );

  test.each([production, staging])("where no embedded node is, they are the same but for its faucet", (environment) => {
    const { run_worker_first: own, ...assets } = environment?.assets ?? {};
    const { run_worker_first: _all, ...local } = config.assets ?? {};
    expect(assets).toEqual(local);
    expect(own).toEqual(patterns.filter((pattern) => !/^\/(mint|fund|faucet)/.test(pattern)));
  });

  test.each(["/", "/nope", "/wp-login.php", "/apiary", "/v10", "/docsy", "/verify"])(
    "%s does not run it: it is a file or 404.html",
    (path) => {
      expect(startsWorker(path)).toBe(false);
      expect(config.assets?.not_found_handling).toBe("404-page");
      expect(existsSync("page/404.html")).toBe(true);
    },
  );
});

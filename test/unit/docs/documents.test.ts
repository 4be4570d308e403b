import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import publicDocument from "../../../openapi/public.json" with { type: "json" };

const read = (path: string): string => readFileSync(path, "utf8");
const README = read("README.md");
const CONFIGURATION = read("docs/configuration.md");
const OPERATIONS = read("docs/operations.md");

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => read(join(folder, file)));
}

const EVENTS = [
  ...new Set(
    sources("src").flatMap((text) => [...text.matchAll(/\blog\(\s*"([a-z_]+)"/g)].map(([, event]) => event ?? "")),
  ),
].sort();
const PROBLEM_CODES = [...sources("src/health"), ...sources("src/holdings")].flatMap((text) =>
  [...text.matchAll(/\bcode: "([a-z_]+)"/g)].map(([, code]) => code ?? ""),
);

describe("operations.md", () => {
  test("the log's events were found", () => {
    expect(EVENTS).toContain("misconfigured");
    expect(EVENTS.length).toBeGreaterThan(8);
  });

  test.each(EVENTS)("explains how to handle the log event %s", (event) => {
    expect(OPERATIONS).toMatch(new RegExp(`\\| \`${event}\` +\\|`));
  });

  test("the codes of health problems were found", () => {
    const some = [
      "figure_stale",
      "upstream_unreachable",
      "upstream_outdated",
      "nodes_disagree",
      "locked_below_schedule",
    ];
    expect(PROBLEM_CODES).toEqual(expect.arrayContaining(some));
  });

  test.each(PROBLEM_CODES)("explains how to handle the health problem %s", (code) => {
    expect(OPERATIONS).toContain(`\`${code}\``);
  });
});

describe("README.md", () => {
  test.each(Object.keys(publicDocument.paths).filter((path) => path !== "/api/unlock-schedule.csv"))(
    "names %s",
    (path) => {
      expect(README).toContain(`\`${path}`);
    },
  );

  test.each(["src/", "devnode/", "page/", "openapi/", "tools/", "test/", "bench/", "docs/", "schedule/"])(
    "maps %s",
    (folder) => {
      expect(README).toContain(`\n${folder}`);
    },
  );
});

describe("configuration.md", () => {
  const settings = [...read("src/config.ts").matchAll(/\bread\.\w+\(\s*"([A-Z_]+)"/g)].map(([, name]) => name ?? "");
  const others = ["ENVIRONMENT", "BUILD_REVISION", "DEPLOYMENT"]; // set by the environment's section and by deploying
  const names = [...new Set([...settings, "RATE_LIMIT_DEFAULT", "RATE_LIMIT_NODE"])].filter(
    (name) => !others.includes(name),
  );

  test("the settings were found", () => {
    expect(names).toEqual(expect.arrayContaining(["NODE_URLS", "HEARTBEAT_URL", "CHAIN_ID"]));
    expect(names.length).toBeGreaterThan(20);
  });

  test.each([...names, "NODE_API_KEY", "NODE_HEADER_PREFIX"])("explains the setting %s", (name) => {
    expect(CONFIGURATION).toContain(`\`${name}\``);
  });

  const vars = read("wrangler.toml").split("[vars]")[1]?.split("\n[")[0] ?? "";
  const defaults = [...vars.matchAll(/^([A-Z_]+) = "([^"]*)"/gm)].filter(([, name = ""]) => !others.includes(name));

  test.each(defaults.map(([, name = "", value = ""]) => [name, value]))(
    "has the default of %s in wrangler.toml: %j",
    (name, value) => {
      const row = CONFIGURATION.split("\n").find((line) => line.split("|")[1]?.includes(`\`${name}\``));
      const inWords = ["NATIVE_ASSET", "STABLE_ASSET"].includes(name);
      expect(row).toContain(inWords ? "the family's coin" : value === "" ? "empty" : `\`${value}\``);
    },
  );
});

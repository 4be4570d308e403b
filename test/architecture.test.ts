import { expect, test } from "vitest";

const sources = import.meta.glob<string>(["../src/**/*.ts", "../devnode/**/*.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Outermost first. A file may import its own layer's room and anything further right; rooms joined by | never meet. */
const LAYERS = [
  "worker",
  "compose",
  "app",
  "misconfigured",
  "routes",
  "supply|rates|health|limiter|gateway|discovery",
  "swr",
  "placement|metrics",
  "http",
  "chain",
  "log|json|hash",
  "config",
];
const SHELLS = [
  /^src\/worker\.ts$/,
  /^src\/([a-z]+\/)+durable-object\.ts$/,
  /^src\/gateway\/platform\.ts$/,
  /^devnode\/(worker|durable-object)\.ts$/,
];
const PLATFORM = /\bfetch\(|\bcaches\b|\bDate\.now\(|\bnew Date\(\)|["']cloudflare:workers["']/;
const FORBIDDEN_ROOMS = /\/(utils|common|helpers|types)(\.ts|\/)|\/index\.ts$/;

const files = Object.entries(sources).map(([path, text]) => ({ path: path.replace(/^\.\.\//, ""), text }));

const roomOf = (path: string): string =>
  path
    .replace(/^src\//, "")
    .split("/")[0]
    ?.replace(/\.ts$/, "") ?? "";
const layerOf = (room: string): number => LAYERS.findIndex((layer) => layer.split("|").includes(room));

function importsOf(path: string, text: string): string[] {
  const folder = path.split("/").slice(0, -1).join("/");
  return [...text.matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g)].map(([, target = ""]) =>
    new URL(target, `file:///${folder}/`).pathname.slice(1),
  );
}

/** What is wrong with one file's imports, in words. */
function violations(path: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const faults: string[] = [];
  for (const target of importsOf(path, code)) {
    if (!target.endsWith(".ts")) continue;
    if (path.startsWith("devnode/")) {
      if (!target.startsWith("devnode/") && !target.startsWith("src/chain/")) faults.push(`${path} imports ${target}`);
      continue;
    }
    const [from, to] = [roomOf(path), roomOf(target)];
    if (from !== to && layerOf(to) <= layerOf(from)) faults.push(`${path} imports ${target}`);
  }
  if (!SHELLS.some((shell) => shell.test(path)) && PLATFORM.test(code)) faults.push(`${path} touches the platform`);
  if (FORBIDDEN_ROOMS.test(path)) faults.push(`${path} is in a room without a meaning`);
  return faults;
}

test("every source file belongs to a layer", () => {
  const strangers = files.filter(({ path }) => path.startsWith("src/") && layerOf(roomOf(path)) === -1);
  expect(strangers.map(({ path }) => path)).toEqual([]);
});

test("imports point inward and only shells touch the platform", () => {
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap(({ path, text }) => violations(path, text))).toEqual([]);
});

test.each([
  ["src/chain/a.ts", 'import { x } from "../gateway/rules.ts";'],
  ["src/supply/a.ts", 'import { x } from "../limiter/rate-limit-headers.ts";'],
  ["src/http/a.ts", "const now = Date.now();"],
  ["src/gateway/a.ts", 'await fetch("https://example.org");'],
  ["devnode/a.ts", 'import { x } from "../src/http/handler.ts";'],
  ["src/utils/a.ts", ""],
])("a planted violation in %s is seen: %s", (path, text) => {
  expect(violations(path, text)).toHaveLength(1);
});

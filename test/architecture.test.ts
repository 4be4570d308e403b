import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  cycles,
  ENTRY_POINTS,
  fileViolations,
  folderCycles,
  importViolations,
  LAYER_LINE,
  LAYERS,
  OPERATOR_FILE,
  roomOf,
  TOOL_LAYER_LINE,
  TOOL_LAYERS,
  unreached,
  unusedExports,
} from "./support/architecture/rules.ts";
import { missingImports, readScript } from "./support/architecture/script-imports.ts";
import { readImports, readSource } from "./support/architecture/source-file.ts";
import { readWording } from "./support/architecture/wording.ts";
import { wordingViolations } from "./support/architecture/wording-rules.ts";

const readFolder = <T>(folder: string, read: (path: string, text: string) => T) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !(folder === "src" && file.endsWith(".d.ts")))
    .filter((file) => folder !== "devnode" || !file.startsWith("test/"))
    .map((file) => read(`${folder}/${file}`, readFileSync(`${folder}/${file}`, "utf8")));

/** Folders with TypeScript that no project of the type checker contains. */
const UNCHECKED = ["bench", "clients"];

const files = ["src", "devnode"].flatMap((folder) => readFolder(folder, readSource));
const tools = ["tools", "page"].flatMap((folder) => readFolder(folder, readImports));
const tests = ["test", "devnode/test"].flatMap((folder) => readFolder(folder, readImports));

describe("src and devnode", () => {
  test("were found", () => {
    expect(files.length).toBeGreaterThan(200);
    expect(tools.length).toBeGreaterThan(150);
  });

  test("imports point inward, only shells name the platform, no module keeps state", () => {
    expect(files.flatMap(fileViolations)).toEqual([]);
  });

  test("the tools and the page import by their layers, and of one another only the page's build and lib", () => {
    expect(tools.flatMap(importViolations)).toEqual([]);
  });

  test("there are no import cycles, in the tools and the page either", () => {
    expect(cycles([...files, ...tools])).toEqual([]);
    expect(folderCycles(tools)).toEqual([]);
  });

  test("every file is reachable from an entry point; those of an operator's file from the tools or the page", () => {
    const ofWorkers = files.filter(({ path }) => !OPERATOR_FILE.test(path));
    expect(unreached(ofWorkers, ENTRY_POINTS)).toEqual([]);
    const commandsAndPage = tools.map(({ path }) => path);
    expect(unreached([...files, ...tools], [...ENTRY_POINTS, ...commandsAndPage])).toEqual([]);
  });

  test("every export is imported by production code", () => {
    expect(unusedExports(files, tools, tests)).toEqual([]);
  });

  test("every layer has files", () => {
    const rooms = new Set(files.filter(({ path }) => path.startsWith("src/")).map(({ path }) => roomOf(path)));
    expect([...rooms].sort()).toEqual(LAYERS.flat().sort());
    const toolRooms = new Set(tools.filter(({ path }) => path.startsWith("tools/")).map(({ path }) => roomOf(path)));
    expect([...toolRooms].sort()).toEqual(TOOL_LAYERS.flat().sort());
  });
});

describe("scripts that no type checker reads", () => {
  const scriptsBelow = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => (UNCHECKED.includes(folder) ? /\.(mjs|ts)$/ : /\.mjs$/).test(file))
      .filter((file) => !/(^|\/)node_modules\//.test(file))
      .map((file) => readScript(`${folder}/${file}`, readFileSync(`${folder}/${file}`, "utf8")));
  const exportsOf = (path: string) =>
    existsSync(path) ? readSource(path, readFileSync(path, "utf8")).exports.map(({ name }) => name) : undefined;

  test("import names that exist", () => {
    const scripts = ["bench", "clients", "tools", "test"].flatMap(scriptsBelow);
    expect(scripts.length).toBeGreaterThan(30);
    expect(missingImports(scripts, exportsOf)).toEqual([]);
  });

  test.each([
    [
      'import { count, sum as total } from "./figures.mjs";',
      ["bench/a.mjs imports sum, which bench/figures.mjs does not export"],
    ],
    ['import { count } from "./absent.mjs";', ["bench/a.mjs imports bench/absent.mjs, which does not exist"]],
    ['(await import("./figures.mjs")).sum();', ["bench/a.mjs imports sum, which bench/figures.mjs does not export"]],
    [
      'const { count, sum: b } = await import("./figures.mjs");',
      ["bench/a.mjs imports sum, which bench/figures.mjs does not export"],
    ],
    ['import { join } from "node:path";\nimport * as all from "./figures.mjs";', []],
  ])("control: %s", (text, missing) => {
    const exported = (path: string) => (path === "bench/figures.mjs" ? ["count"] : undefined);
    expect(missingImports([readScript("bench/a.mjs", text)], exported)).toEqual(missing);
  });
});

describe("control: a violation is found", () => {
  test.each([
    ["src/chain/a.ts", 'import { x } from "../gateway/rules.ts";', "may not import src/gateway/rules.ts"],
    ["src/supply/a.ts", 'import type { X } from "../limiter/caller.ts";', "may not import src/limiter/caller.ts"],
    ["src/http/a.ts", 'export { x } from "../routes.ts";', "may not import src/routes.ts"],
    [
      "src/gateway/upstream/a.ts",
      'import type { X } from "../cache/policy.ts";',
      "may not import src/gateway/cache/policy.ts",
    ],
    ["src/gateway/cache/a.ts", 'import { x } from "../isolate.ts";', "may not import src/gateway/isolate.ts"],
    ["src/app.ts", 'const x = await import("../devnode/worker.ts");', "may not import devnode/worker.ts"],
    ["devnode/a.ts", 'import { x } from "../src/http/respond.ts";', "may not import src/http/respond.ts"],
    ["devnode/a.ts", 'import { x } from "./test/support/sqlite.ts";', "may not import devnode/test/support/sqlite.ts"],
    ["src/supply/a.ts", 'import { x } from "./file/amount.ts";', "may not import src/supply/file/amount.ts"],
    ["src/supply/file/a.ts", 'import { x } from "../../../tools/lib/csv.ts";', "may not import tools/lib/csv.ts"],
    ["page/src/a.ts", 'import type { X } from "../build/site.ts";', "may not import page/build/site.ts"],
    ["page/src/a.ts", 'import { x } from "../../tools/lib/csv.ts";', "may not import tools/lib/csv.ts"],
    ["page/view/a.ts", 'import { x } from "../src/dom.ts";', "may not import page/src/dom.ts"],
    ["page/build/a.ts", 'const x = await import("../src/dom.ts");', "may not import page/src/dom.ts"],
    ["page/build/a.ts", 'import { x } from "../../tools/csv.ts";', "may not import tools/csv.ts"],
    ["tools/deploy.ts", 'import { x } from "../page/build/site.ts";', "may not import page/build/site.ts"],
    ["tools/build.ts", 'import { x } from "../page/view/format.ts";', "may not import page/view/format.ts"],
    ["tools/dev/a.ts", 'import { x } from "../../devnode/config.ts";', "may not import devnode/config.ts"],
    ["tools/nodes/a.ts", 'import type { X } from "../doctor/finding.ts";', "may not import tools/doctor/finding.ts"],
    ["tools/start.ts", 'import { x } from "./deploy/plan.ts";', "may not import tools/deploy/plan.ts"],
    ["src/http/a.ts", "const now = Date.now();", "names the platform: Date.now"],
    ["src/http/a.ts", "const day = new Date();", "names the platform: new Date()"],
    ["src/gateway/a.ts", 'await fetch("https://example.org");', "names the platform: fetch("],
    ["src/gateway/a.ts", "await caches.default.match(url);", "names the platform: caches"],
    ["src/swr/a.ts", "setTimeout(run, 5);", "names the platform: setTimeout"],
    ["src/swr/a.ts", "const signal = AbortSignal.timeout(5);", "names the platform: AbortSignal.timeout"],
    ["src/http/a.ts", "const id = crypto.randomUUID();", "names the platform: crypto"],
    ["src/http/a.ts", 'await crypto.subtle.digest("SHA-1", x);', "names the platform: crypto.subtle"],
    ["devnode/vm/a.ts", "const seed = Math.random();", "names the platform: Math.random"],
    [
      "src/limiter/a.ts",
      'import { DurableObject } from "cloudflare:workers";',
      "names the platform: cloudflare:workers",
    ],
    ["src/http/a.ts", "let count = 0;", "mutable state at module level: count"],
    ["src/http/a.ts", "const known = new Map();\nfunction f() { known.set(1, 2); }", "at module level: known"],
    ["src/utils/a.ts", "", "is in a room with a meaningless name"],
    ["src/elsewhere/a.ts", "", "belongs to no layer"],
  ])("%s: %s", (path, text, violation) => {
    expect(fileViolations(readSource(path, text))).toContainEqual(expect.stringContaining(violation));
  });

  test.each([
    ["src/http/a.ts", '// Date.now() and fetch() are arguments\nconst TEXT = "setTimeout(";'],
    ["src/http/a.ts", 'const LISTS: ReadonlySet<string> = new Set(["Vary"]);'],
    ["src/http/a.ts", 'const known = new BoundedMap<string, string>(64);\nfunction f() { known.set("a", "b"); }'],
    ["src/gateway/platform.ts", "const now = () => Date.now();"],
    ["src/base/hash/sha256.ts", 'await crypto.subtle.digest("SHA-256", bytes);'],
  ])("allowed: %s: %s", (path, text) => {
    expect(fileViolations(readSource(path, text))).toEqual([]);
  });

  const [a, b, c] = [
    readSource("src/http/a.ts", 'import type { B } from "./b.ts";\nexport const one = 1;'),
    readSource("src/http/b.ts", 'import { one } from "./a.ts";\nexport interface B { readonly b: typeof one }'),
    readSource("src/http/c.ts", 'import { one } from "./a.ts";'),
  ];

  test("an import cycle within a room", () => {
    expect(cycles([a, b, c])).toEqual(["src/http/a.ts -> src/http/b.ts -> src/http/a.ts"]);
  });

  test("a cycle between folders whose files have none", () => {
    const files = [
      readImports("tools/nodes/a.ts", 'import { b } from "../schedule/b.ts";'),
      readImports("tools/schedule/c.ts", 'import { d } from "../nodes/d.ts";'),
    ];
    expect(cycles(files)).toEqual([]);
    expect(folderCycles(files)).toEqual(["tools/nodes -> tools/schedule -> tools/nodes"]);
  });

  test("an unreachable file", () => {
    expect(unreached([a, b, c], ["src/http/a.ts"])).toEqual(["src/http/c.ts"]);
  });

  test.each([
    ["an unused value", "export const x = 1;", "", "", true],
    ["a value that only its own file uses", "export const x = 1;\nconst y = x;", "", "", true],
    ["a value that only a test uses", "export const x = 1;", "", "x", true],
    ["a value that a test and its own file use", "export const x = 1;\nconst y = x;", "", "x", false],
    ["a value that a tool uses", "export const x = 1;", "x", "", false],
    ["an unused type", "export interface x {}", "", "x", true],
    ["a type of a signature", "export interface x {}\nexport function f(y: x) {}", "f", "", false],
  ])("unused export: %s", (_case, text, tool, check, isDead) => {
    const user = (path: string, name: string) => readImports(path, `import { ${name} } from "../src/http/a.ts";`);
    const found = unusedExports(
      [readSource("src/http/a.ts", text)],
      [user("tools/a.ts", tool)],
      [user("test/a.ts", check)],
    );
    expect(found).toEqual(isDead ? ["src/http/a.ts exports x"] : []);
  });
});

test("architecture.md and the README of the tools list the current layers", () => {
  expect(readFileSync("docs/architecture.md", "utf8")).toContain(LAYER_LINE);
  expect(readFileSync("tools/README.md", "utf8")).toContain(TOOL_LAYER_LINE);
});

describe("comments and names", () => {
  const read = (path: string, text: string) => ({ path, ...readWording(text) });
  const product = ["src", "tools", "page", "devnode"].flatMap((folder) => readFolder(folder, read));

  test("comments begin with their noun or verb, sentences are short, and no name is a retired one", () => {
    expect(wordingViolations(product)).toEqual({});
  });

  const violationsOf = (text: string) =>
    Object.values(wordingViolations([read("src/http/a.ts", text)])["src/http"] ?? {});
  const words = (count: number) => "word ".repeat(count).trim();

  test.each([
    ["// What a caller is told.", 1, 0, 0],
    ["/** The same of a folder. */", 1, 0, 0],
    ["/** Those that fail. */", 1, 0, 0],
    ["const a = 1; // It fails.", 1, 0, 0],
    ["const a = /[`'\"]/; // Each is refused.", 1, 0, 0],
    [["const a = `$", "{b ? `// $", "{c}` : {}}`; // Of both."].join(""), 1, 0, 0],
    ["// The same path\n// twice.", 0, 0, 0],
    ["// Each chain has one.\n// Those that fail.", 0, 0, 0],
    ["// Each chain has one.\n\n// Those that fail.", 1, 0, 0],
    ['const a = "// What";', 0, 0, 0],
    [`/** Long: ${words(29)}. ${words(30)}; e.g. \`a b c\` */`, 0, 1, 0],
    [`/** ${words(30)}. {@link a b} ${words(29)} */`, 0, 0, 0],
    [`/**\n * ${words(20)}:\n * - ${words(20)}\n */`, 0, 0, 0],
    ["const leg = said(own.fed, other);", 0, 0, 4],
    ["class A { #told = 1; }", 0, 0, 1],
    ["const a = `leg`; // said", 0, 0, 0],
  ])("control: %s", (text, openings, longSentences, retiredNames) => {
    const counts = violationsOf(text);
    expect(counts).toEqual(openings + longSentences + retiredNames > 0 ? [openings, longSentences, retiredNames] : []);
  });
});

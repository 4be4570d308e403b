// First: modules below read the environment that it sets.
import "./test/support/environment.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { CHECKOUT } from "./test/support/checkout.ts";
import {
  addressesIn,
  COUNTING_NODE,
  EDITIONS,
  type Edition,
  EVERYTHING,
  pathsOf,
  prepareEdition,
} from "./test/support/editions.ts";
import { servedByKind } from "./test/support/kinds.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { bundleWorker } from "./tools/bundle-worker.ts";
import { native, shared, timeouts, unit } from "./vitest.unit.config.ts";

/** The schedule that tests inside workerd import is their own. */
const resolve = {
  alias: [{ find: /^(\.\.\/)+dist\/schedule\.js$/, replacement: join(CHECKOUT, "dist", "schedule.js") }],
};

/** Loaded only for the suites inside workerd: it takes a second. */
const workerd = async (...options: Parameters<typeof cloudflareTest>) =>
  (await import("@cloudflare/vitest-pool-workers")).cloudflareTest(...options);

/** What needs no source map, which would be three quarters of all that is sent into workerd. */
const withoutMap = {
  name: "without-map",
  load: {
    filter: { id: /^\/.*(\/worker\.js|\.json|\/node_modules\/.*\.js)$/ },
    handler: (id: string) => ({ code: readFileSync(id, "utf8"), map: { mappings: "" } as const }),
  },
};

/** A bundle is made once for all projects. */
const bundles = new Map<string, Promise<string>>();
function bundled(room: "src" | "devnode", schedule?: string): Promise<string> {
  const key = `${room} ${schedule}`;
  const made = bundles.get(key) ?? bundleWorker(room, CHECKOUT, schedule).then(({ code }) => code);
  bundles.set(key, made);
  return made;
}

/** The edge's bundle inside workerd, with the embedded node behind it as in `npm start`. */
const edge = ({ configPath, genesis, hasChain, schedule, main }: ReturnType<typeof prepareEdition>) =>
  workerd(async () => {
    writeFileSync(main, await bundled("src", schedule));
    // Where no chain is read, the node only counts what it is asked.
    const node = {
      name: "devnode",
      modules: true,
      compatibilityDate: "2026-08-10",
      compatibilityFlags: ["no_nodejs_compat", "no_nodejs_compat_v2"],
      script: hasChain ? await bundled("devnode") : COUNTING_NODE,
      // As `npm start` begins a chain: the schedule's wallets exist.
      bindings: genesis,
      ...(hasChain ? { durableObjects: { CHAIN: { className: "ChainObject", useSQLite: true } } } : {}),
    };
    return {
      main,
      wrangler: { configPath },
      miniflare: { workers: [node] },
    };
  });

const CLIENT = "test/support/no-keep-alive.ts";

/** The cases that hold for a schedule file of this kind. */
function suiteOf(edition: Edition): string {
  if (edition === EVERYTHING) return "all";
  return edition.kind.startsWith("wallets") ? "wallets-alone" : "any-schedule";
}

/** The contract suite inside workerd, against a deployment with its own schedule and settings. */
const contractOf = (edition: Edition): TestProjectInlineConfiguration => {
  const prepared = prepareEdition(edition);
  return {
    logLevel: "error",
    plugins: [edge(prepared), withoutMap],
    define: {
      __DEPLOYMENT__: JSON.stringify({
        servedPaths: pathsOf(edition),
        servesNode: edition.parts.node,
        registeredPaths: addressesIn(edition)?.entries.map(({ path }) => path) ?? [],
        kindRows: servedByKind(edition.kind),
      }),
    },
    test: {
      name: edition === EVERYTHING ? "contract" : `contract-${edition.name}`,
      include: [`test/contract/${suiteOf(edition)}.ts`],
      isolate: false,
      ...timeouts,
    },
  };
};

/** The embedded node's own: its rules, its object inside workerd, and the whole node as a process. */
const devnode = (): TestProjectInlineConfiguration[] => [
  {
    test: {
      name: "devnode",
      ...native,
      ...timeouts,
      isolate: false,
      include: ["devnode/test/**/*.test.ts"],
      exclude: ["devnode/test/{object,system}/**"],
    },
  },
  {
    logLevel: "error",
    plugins: [workerd({ wrangler: { configPath: "./devnode/wrangler.toml" } })],
    test: { name: "devnode-object", ...timeouts, include: ["devnode/test/object/*.test.ts"] },
  },
  {
    test: {
      ...timeouts,
      ...native,
      name: "devnode-system",
      include: ["devnode/test/system/*.test.ts"],
      setupFiles: CLIENT,
      globalSetup: "test/support/system-setup.ts",
    },
  },
];

const projects: TestProjectInlineConfiguration[] = [
  { test: unit },
  {
    resolve,
    plugins: [edge(prepareEdition(EVERYTHING)), withoutMap],
    logLevel: "error",
    test: { name: "edge", ...timeouts, include: ["test/edge/**/*.test.ts"] },
  },
  ...devnode(),
  ...[EVERYTHING, ...EDITIONS].map(contractOf),
  // A process for each file would take a tenth more of all processor time.
  {
    test: {
      ...timeouts,
      name: "system",
      isolate: false,
      ...native,
      include: ["test/system/**/*.test.ts"],
      setupFiles: CLIENT,
      globalSetup: ["test/support/system-setup.ts", "test/support/page-setup.ts"],
    },
  },
];

export default defineConfig({
  // Projects do not inherit it. Vite warns about source maps of packages that we do not publish.
  logLevel: "error",
  test: {
    ...shared,
    // Many system tests wait for a process, a timeout or an interval: more workers than cores keep the cores busy.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongestFirst },
    projects,
  },
});

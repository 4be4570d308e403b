// First: modules below read the environment that it sets.
import "./test/support/environment.ts";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { prepareCheckout } from "./test/support/checkout.ts";
import { PATIENCE_MS } from "./test/support/patience.ts";

prepareCheckout();

/** For what hangs, also on a machine that is busy with something else: no test asserts speed. */
export const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: PATIENCE_MS } } };
/** Limits of the unit tests, which wait for no other process. */
const unitTimeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };
/** Node runs the modules as they are, as it runs the commands for their users; transforming each of them takes longer. */
export const native = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ["--import", join(import.meta.dirname, "test", "support", "schedule-hook.ts")],
};

/** Settings of a run, whichever projects it has. */
export const shared = {
  globalSetup: "test/support/global-setup.ts",
  // A passing run is short: a dot per test and the counts. Failures are printed whole.
  reporters: process.env["GITHUB_ACTIONS"] === undefined ? ["dot"] : ["dot", "github-actions"],
  // Only failing tests print what they logged.
  silent: "passed-only",
} as const;

/** The unit tests. Modules keep no state (test/architecture.test.ts), so the files of one worker may share them. */
export const unit = {
  name: "unit",
  ...native,
  ...unitTimeouts,
  isolate: false,
  setupFiles: "test/support/property-runs.ts",
  // They wait for nothing: a worker for each core, because every further one loads all modules again.
  sequence: { groupOrder: 1 },
  maxWorkers: availableParallelism(),
  include: ["test/unit/**/*.test.ts", "test/*.test.ts"],
} satisfies TestProjectInlineConfiguration["test"];

/** Configuration of this project alone: the other ones build Workers and load workerd before the first test runs. */
export default defineConfig({ logLevel: "error", test: { ...shared, ...unit } });

import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SCHEDULE = pathToFileURL(join(import.meta.dirname, "..", "..", "dist", "test", "dist", "schedule.js")).href;

/** The schedule that the Worker's modules import is the tests' own. Loaded before them, in every process of the runner. */
registerHooks({
  resolve: (specifier, context, next) =>
    next(/^(\.\.\/)+dist\/schedule\.js$/.test(specifier) ? SCHEDULE : specifier, context),
});

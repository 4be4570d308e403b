import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SCHEDULE = pathToFileURL(join(import.meta.dirname, "..", "..", "dist", "test", "dist", "schedule.js")).href;

const SITE = pathToFileURL(join(import.meta.dirname, "virtual-site.ts")).href;

/**
 * The schedule that the Worker's modules import is the tests' own, and so is what the build tells a page's modules. Loaded
 * before them, in every process of the runner.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "virtual:site") return next(SITE, context);
    return next(/^(\.\.\/)+dist\/schedule\.js$/.test(specifier) ? SCHEDULE : specifier, context);
  },
});

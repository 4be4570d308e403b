import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SCHEDULE = pathToFileURL(join(import.meta.dirname, "..", "..", "dist", "test", "dist", "schedule.js")).href;

const SITE = pathToFileURL(join(import.meta.dirname, "virtual-site.ts")).href;

/**
 * Redirects imports of the schedule, and of a page's build data, to the tests' own. Every process of the runner loads
 * this first.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "virtual:site") return next(SITE, context);
    return next(/^(\.\.\/)+dist\/schedule\.js$/.test(specifier) ? SCHEDULE : specifier, context);
  },
});

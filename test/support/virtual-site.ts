import type { Site } from "../../page/view/site.ts";

/** What the build tells a page's modules of a deployment, for tests of them in Node: `virtual:site`. */
export const family: Site["family"] = "move";
export const [hasMove, hasEvm] = [true, true];

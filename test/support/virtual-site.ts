import type { Site } from "../../page/view/site.ts";

/** What the build tells a page's modules of a deployment, for tests of them in Node: `virtual:site`. */
export const chains: Site["chains"] = [{ id: "native", family: "move", chainId: null }];

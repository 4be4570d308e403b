import type { Site } from "../../page/view/site.ts";

/** Stand-in for `virtual:site`, with which the build gives a page's modules their deployment, for tests in Node. */
export const chains: Site["chains"] = [{ id: "native", family: "move", chainId: null, versionWord: "ledger version" }];

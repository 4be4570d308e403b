import type { ReadAsset } from "./handler.ts";

/** Reads the files of the build. */
export function assetReader(assets: Fetcher | undefined): ReadAsset {
  return async (path) => {
    const found = await assets?.fetch(`https://assets.invalid${path}`);
    return found?.ok ? found.text() : undefined;
  };
}

import type { ReadAsset } from "./handler.ts";

/** Reads the files of the build by the binding that serves them; without one there are none. */
export function assetReader(serve: (url: string) => Promise<Response> | undefined): ReadAsset {
  return async (path) => {
    const found = await serve(`https://assets.invalid${path}`);
    return found?.ok ? found.text() : undefined;
  };
}

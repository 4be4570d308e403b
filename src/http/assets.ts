import type { ReadAsset } from "./handler.ts";

/**
 * Reads files of the build through the binding that serves them; undefined where the deployment has no such binding.
 */
export function assetReader(serve: (url: string) => Promise<Response> | undefined): ReadAsset {
  return async (path) => {
    const response = await serve(`https://assets.invalid${path}`);
    return response?.ok ? response.text() : undefined;
  };
}

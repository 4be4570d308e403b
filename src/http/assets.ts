import type { ReadAsset } from "./handler.ts";

/**
 * Fetches a file of the build, with the status and headers under which the platform serves its path. A redirect is not
 * followed. undefined where the deployment has no such binding.
 */
export type FetchAsset = (path: string) => Promise<Response> | undefined;

/** Origin of the URLs that the platform's binding takes; it ignores the host. */
export const ASSETS_ORIGIN = "https://assets.invalid";

/** Reads files of the build. */
export function assetReader(fetchAsset: FetchAsset): ReadAsset {
  return async (path) => {
    const response = await fetchAsset(path);
    return response?.ok ? response.text() : undefined;
  };
}

import type { FetchAsset } from "../../http/assets.ts";
import { type GetRoute, type Handler, UNREADABLE_DOCUMENT } from "../../http/handler.ts";
import { bodyTag } from "../../http/reply.ts";
import { originOf } from "../../http/split-url.ts";
import { HOST } from "./placeholder.ts";

/**
 * Headers of a file that its response does not keep: those of the stored bytes, which the inserted origin changes, those
 * of the platform's own cache, and one that every response gets.
 */
const NOT_KEPT: ReadonlySet<string> = new Set([
  "etag",
  "content-length",
  "content-encoding",
  "cf-cache-status",
  "x-content-type-options",
]);

/** Routes of the manual. Its examples contain the origin of the request, so that they run as they are copied. */
export function manualRoutes(fetchAsset: FetchAsset): GetRoute[] {
  const handler: Handler = async ({ request, path }) => {
    const file = await fetchAsset(path);
    if (file === undefined) return UNREADABLE_DOCUMENT;
    const body = (await file.text()).replaceAll(HOST, originOf(request.url));
    const kept = Object.fromEntries([...file.headers].filter(([name]) => !NOT_KEPT.has(name)));
    const headers = file.ok ? { ...kept, ETag: bodyTag("manual", body) } : kept;
    return { kind: "reply", status: file.status, headers, body };
  };
  return ["/docs", "/docs/", "/docs/:page+"].map((path) => ({ path, handler }));
}

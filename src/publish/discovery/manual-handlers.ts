import { BoundedMap } from "../../base/memo.ts";
import type { FetchAsset } from "../../http/assets.ts";
import { type GetRoute, type Handler, UNREADABLE_DOCUMENT } from "../../http/handler.ts";
import { MANUAL_PATH } from "../../http/manual-path.ts";
import { bodyTag, type Reply } from "../../http/reply.ts";
import { originOf } from "../../http/split-url.ts";
import { HOST } from "./placeholder.ts";

/**
 * Headers of a file that its response does not keep. The inserted origin changes the stored bytes, the platform's cache
 * is not asked, and every response gets the last one.
 */
const NOT_KEPT: ReadonlySet<string> = new Set([
  "etag",
  "content-length",
  "content-encoding",
  "cf-cache-status",
  "x-content-type-options",
]);

/** Most characters of pages that an isolate keeps; the longest has some 230,000. */
const MAX_CHARACTERS = 2_000_000;

/** Routes of the manual. Its examples contain the origin of the request, so that they run as they are copied. */
export function manualRoutes(fetchAsset: FetchAsset): GetRoute[] {
  const pages = new BoundedMap<string, Reply>(MAX_CHARACTERS, (_url, { body }) => String(body).length);
  const handler: Handler = async ({ request, path }) => {
    const url = originOf(request.url) + path;
    const cached = pages.get(url);
    if (cached !== undefined) return cached;
    const file = await fetchAsset(path);
    if (file === undefined) return UNREADABLE_DOCUMENT;
    const body = (await file.text()).replaceAll(HOST, originOf(request.url));
    const kept = Object.fromEntries([...file.headers].filter(([name]) => !NOT_KEPT.has(name)));
    if (!file.ok) return { kind: "reply", status: file.status, headers: kept, body };
    const page: Reply = { kind: "reply", status: 200, headers: { ...kept, ETag: bodyTag("manual", body) }, body };
    pages.set(url, page);
    return page;
  };
  return ["", "/", "/:page+"].map((end) => MANUAL_PATH + end).map((path) => ({ path, handler }));
}

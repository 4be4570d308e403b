import type { FetchAsset } from "../../http/assets.ts";
import { type GetRoute, type Handler, UNREADABLE_DOCUMENT } from "../../http/handler.ts";
import { bodyTag } from "../../http/reply.ts";
import { originOf } from "../../http/split-url.ts";
import { HOST } from "./placeholder.ts";

/** Headers of a file that describe its bytes as stored, which the inserted origin changes. */
const STORED_BYTES: ReadonlySet<string> = new Set(["etag", "content-length", "content-encoding"]);

/** Routes of the manual. Its examples contain the origin of the request, so that they run as they are copied. */
export function manualRoutes(fetchAsset: FetchAsset): GetRoute[] {
  const handler: Handler = async ({ request, path }) => {
    const file = await fetchAsset(path);
    if (file === undefined) return UNREADABLE_DOCUMENT;
    const body = (await file.text()).replaceAll(HOST, originOf(request.url));
    const headers = Object.fromEntries([...file.headers].filter(([name]) => !STORED_BYTES.has(name)));
    return { kind: "reply", status: file.status, headers: { ...headers, ETag: bodyTag("manual", body) }, body };
  };
  return ["/docs", "/docs/", "/docs/:page+"].map((path) => ({ path, handler }));
}

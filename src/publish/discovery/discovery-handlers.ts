import { JSON_TYPE } from "../../chain/media-types.ts";
import type { Config } from "../../config.ts";
import { type GetRoute, type Handler, type ReadAsset, UNREADABLE_DOCUMENT } from "../../http/handler.ts";
import { publicFor, type Reply, tagged } from "../../http/reply.ts";
import { originOf } from "../../http/split-url.ts";
import { HOST } from "./placeholder.ts";

const HOUR_SECONDS = 3_600;
/** Prefix of the ledger headers as the build writes them; only the node's document has such headers. */
const HEADER_PREFIX = "X-NODE-";
const TEXT_TYPE = "text/plain; charset=utf-8";
const CATALOG_TYPE = 'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"';
const CATALOG_PATH = "/.well-known/api-catalog";

/** A file that the build writes beside the page. */
type Document = readonly [path: string, file: string, type: string];

const NODE_DOCUMENT: Document = ["/v1/spec.json", "node.json", JSON_TYPE];
const DOCUMENTS: readonly Document[] = [
  ["/api/openapi.json", "public.json", JSON_TYPE],
  ["/llms.txt", "llms.txt", TEXT_TYPE],
  ["/robots.txt", "robots.txt", TEXT_TYPE],
  ["/sitemap.xml", "sitemap.xml", "application/xml; charset=utf-8"],
  [CATALOG_PATH, "api-catalog.json", CATALOG_TYPE],
];

/** Routes of the documents that describe the API. The build leaves out of them what this deployment does not have. */
export function discoveryRoutes(
  readAsset: ReadAsset,
  { servesNode, nodeHeaderPrefix }: Pick<Config, "servesNode" | "nodeHeaderPrefix">,
): GetRoute[] {
  return [...(servesNode ? [NODE_DOCUMENT] : []), ...DOCUMENTS].map((document) => {
    return { path: document[0], handler: documentHandler(readAsset, document, nodeHeaderPrefix) };
  });
}

/**
 * Serves a document, which is loaded on first use and cached. Documents are assets, because they would double the
 * Worker's size.
 */
function documentHandler(readAsset: ReadAsset, [path, file, type]: Document, nodeHeaderPrefix: string): Handler {
  let cached: { readonly origin: string; readonly reply: Reply } | undefined;
  return async ({ request }) => {
    const origin = originOf(request.url);
    if (cached?.origin === origin) return cached.reply;
    const text = await readAsset(`/documents/${file}`);
    if (text === undefined) return UNREADABLE_DOCUMENT;
    const body = text.replaceAll(HOST, origin).replaceAll(HEADER_PREFIX, nodeHeaderPrefix);
    const link = path === CATALOG_PATH ? { Link: `<${origin}${CATALOG_PATH}>; rel="api-catalog"` } : {};
    const reply = tagged(file, body, type, { "Cache-Control": publicFor(HOUR_SECONDS), ...link });
    cached = { origin, reply };
    return reply;
  };
}

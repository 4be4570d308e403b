import { JSON_TYPE } from "../chain/media-types.ts";
import type { Config } from "../config.ts";
import { CURRENT_VERSION } from "../http/api-version.ts";
import { type GetRoute, type Handler, type ReadAsset, UNREADABLE_DOCUMENT } from "../http/handler.ts";
import { publicFor, type Reply, tagged } from "../http/reply.ts";
import { originOf } from "../http/split-url.ts";

const HOUR_SECONDS = 3_600;
/** Placeholder for the deployment's host, which the build does not know. */
const HOST = "https://HOST";
const TEXT_TYPE = "text/plain; charset=utf-8";
const CATALOG_PATH = "/.well-known/api-catalog";

/** A file that the build writes beside the page. */
interface Document {
  readonly path: string;
  readonly file: string;
  readonly type: string;
  readonly tag: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is written for the build's {@link HEADER_PREFIX}. */
  readonly headerPrefix?: string;
}

/** Prefix of the ledger headers in the node's document, as the specification has it. */
const HEADER_PREFIX = "X-NODE-";

/** Where the documents of what is served are. The build leaves out of them what this deployment does not have. */
export function discoveryRoutes(
  readAsset: ReadAsset,
  { servesNode, nodeHeaderPrefix: headerPrefix }: Pick<Config, "servesNode" | "nodeHeaderPrefix">,
): GetRoute[] {
  const node: Document = { path: "/v1/spec.json", file: "node.json", type: JSON_TYPE, tag: "node-v1", headerPrefix };
  const documents: readonly Document[] = [
    ...(servesNode ? [node] : []),
    { path: "/api/openapi.json", file: "public.json", type: JSON_TYPE, tag: `openapi-v${CURRENT_VERSION}` },
    { path: "/llms.txt", file: "llms.txt", type: TEXT_TYPE, tag: "llms" },
    { path: "/robots.txt", file: "robots.txt", type: TEXT_TYPE, tag: "robots" },
    { path: "/sitemap.xml", file: "sitemap.xml", type: "application/xml; charset=utf-8", tag: "sitemap" },
    {
      path: CATALOG_PATH,
      file: "api-catalog.json",
      type: 'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"',
      tag: "catalog",
      headers: { Link: `<${HOST}${CATALOG_PATH}>; rel="api-catalog"` },
    },
  ];
  return documents.map((document) => ({ path: document.path, handler: documentHandler(readAsset, document) }));
}

/** Loaded on first use and cached. The documents are assets, because they would double the Worker's size. */
function documentHandler(
  readAsset: ReadAsset,
  { file, type, tag, headers = {}, headerPrefix = HEADER_PREFIX }: Document,
): Handler {
  let known: { readonly origin: string; readonly reply: Reply } | undefined;
  return async ({ request }) => {
    const origin = originOf(request.url);
    if (known?.origin === origin) return known.reply;
    const text = await readAsset(`/documents/${file}`);
    if (text === undefined) return UNREADABLE_DOCUMENT;
    const here = (part: string): string => part.replaceAll(HOST, origin).replaceAll(HEADER_PREFIX, headerPrefix);
    const body = here(text);
    const own = Object.entries(headers).map(([name, value]) => [name, here(value)]);
    const reply = tagged(tag, body, type, { "Cache-Control": publicFor(HOUR_SECONDS), ...Object.fromEntries(own) });
    known = { origin, reply };
    return reply;
  };
}

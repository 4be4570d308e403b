import { CURRENT_VERSION } from "../http/api-version.ts";
import type { Handler } from "../http/handler.ts";
import { bodyTag, ok, type Reply } from "../http/reply.ts";
import { originOf } from "../http/split-url.ts";

/** The text of a file built beside the page; undefined when it does not exist. */
export type ReadAsset = (path: string) => Promise<string | undefined>;

const HOUR_SECONDS = 3_600;
/** Placeholder for the deployment's host, which the build does not know. */
const HOST = "https://HOST";
const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=utf-8";
const CATALOG_TYPE = 'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"';

/** Where the API documents of the served surfaces are, and the catalog that points to them (RFC 9727). */
export function discoveryRoutes(
  readAsset: ReadAsset,
  servesNode: boolean,
): { readonly path: string; readonly handler: Handler }[] {
  const catalog = servesNode ? "api-catalog.json" : "api-catalog-without-node.json";
  const link = { Link: `<${HOST}/.well-known/api-catalog>; rel="api-catalog"` };
  const rows: readonly (readonly [string, string, string, string, Record<string, string>?])[] = [
    ...(servesNode ? [["/v1/spec.json", "node.json", JSON_TYPE, "node-v1"] as const] : []),
    ["/api/openapi.json", "public.json", JSON_TYPE, `openapi-v${CURRENT_VERSION}`],
    ["/llms.txt", "llms.txt", TEXT_TYPE, "llms"],
    ["/robots.txt", "robots.txt", TEXT_TYPE, "robots"],
    ["/sitemap.xml", "sitemap.xml", "application/xml; charset=utf-8", "sitemap"],
    ["/.well-known/api-catalog", catalog, CATALOG_TYPE, "catalog", link],
  ];
  return rows.map(([path, file, type, tag, headers = {}]) => ({
    path,
    handler: documentHandler(readAsset, { file, type, tag, headers }),
  }));
}

interface Document {
  readonly file: string;
  readonly type: string;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Loaded on first use and cached. The documents are assets, because they would double the Worker's size. */
function documentHandler(readAsset: ReadAsset, { file, type, tag, headers }: Document): Handler {
  let known: { readonly origin: string; readonly reply: Reply } | undefined;
  return async ({ request }) => {
    const origin = originOf(request.url);
    if (known?.origin === origin) return known.reply;
    const text = await readAsset(`/documents/${file}`);
    if (text === undefined)
      return { kind: "unavailable", message: "The document cannot be read now.", retryAfterSeconds: 5 };
    const here = (part: string): string => part.replaceAll(HOST, origin);
    const body = here(text);
    const own = Object.entries(headers).map(([name, value]) => [name, here(value)]);
    const reply = ok(body, {
      "Content-Type": type,
      "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
      ETag: bodyTag(tag, body),
      ...Object.fromEntries(own),
    });
    known = { origin, reply };
    return reply;
  };
}

import { CURRENT_VERSION } from "../http/api-version.ts";
import type { Handler, Reply } from "../http/handler.ts";
import { bodyTag, ok } from "../http/reply.ts";
import { originOf } from "../http/split-url.ts";

const HOUR_SECONDS = 3_600;
const OPENAPI_TYPE = "application/vnd.oai.openapi+json;version=3.1";

/** The text of a file built beside the page; undefined when it does not exist. */
export type ReadAsset = (path: string) => Promise<string | undefined>;

/** Where the API documents of the served surfaces are, and the catalog that points to them (RFC 9727). */
export function discoveryRoutes(
  readAsset: ReadAsset,
  servesNode: boolean,
): { readonly path: string; readonly handler: Handler }[] {
  const node = { path: "/v1/spec.json", handler: documentHandler(readAsset, "node", "node-v1") };
  return [
    ...(servesNode ? [node] : []),
    { path: "/api/openapi.json", handler: documentHandler(readAsset, "public", `openapi-v${CURRENT_VERSION}`) },
    { path: "/llms.txt", handler: textHandler(readAsset, "llms.txt", "text/plain; charset=utf-8") },
    { path: "/robots.txt", handler: textHandler(readAsset, "robots.txt", "text/plain; charset=utf-8") },
    { path: "/sitemap.xml", handler: textHandler(readAsset, "sitemap.xml", "application/xml; charset=utf-8") },
    { path: "/.well-known/api-catalog", handler: ({ request }) => catalog(originOf(request.url), servesNode) },
  ];
}

/** A text with absolute links: the build writes `https://HOST`, which is replaced by the request's origin. */
function textHandler(readAsset: ReadAsset, name: string, type: string): Handler {
  let text: string | undefined;
  return async ({ request }) => {
    text ??= await readAsset(`/documents/${name}`);
    if (text === undefined)
      return { kind: "unavailable", message: "The document cannot be read now.", retryAfterSeconds: 5 };
    const body = text.replaceAll("https://HOST", originOf(request.url));
    const headers = { "Content-Type": type, "Cache-Control": `public, max-age=${HOUR_SECONDS}` };
    return ok(body, headers);
  };
}

/** Loaded on first use and cached. The documents are assets, because they would double the Worker's size. */
function documentHandler(readAsset: ReadAsset, name: string, tag: string): Handler {
  let reply: Reply | undefined;
  return async () => {
    const body = reply === undefined ? await readAsset(`/documents/${name}.json`) : undefined;
    if (body !== undefined) reply = documentReply(body, tag);
    if (reply === undefined)
      return { kind: "unavailable", message: "The document cannot be read now.", retryAfterSeconds: 5 };
    return reply;
  };
}

function documentReply(body: string, tag: string): Reply {
  return ok(body, {
    "Content-Type": "application/json",
    "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
    ETag: bodyTag(tag, body),
  });
}

function catalog(origin: string, servesNode: boolean): Reply {
  const manual = [
    { href: `${origin}/docs/`, type: "text/html" },
    { href: `${origin}/docs/index.md`, type: "text/markdown" },
  ];
  const node = {
    anchor: `${origin}/v1/`,
    "service-desc": [{ href: `${origin}/v1/spec.json`, type: OPENAPI_TYPE }],
    "service-doc": manual,
  };
  const linkset = [
    {
      anchor: `${origin}/api/`,
      "service-desc": [{ href: `${origin}/api/openapi.json`, type: OPENAPI_TYPE }],
      "service-doc": manual,
      "service-meta": [{ href: `${origin}/llms.txt`, type: "text/plain" }],
      status: [{ href: `${origin}/api/health`, type: "application/json" }],
    },
    ...(servesNode ? [node] : []),
  ];
  return ok(JSON.stringify({ linkset }), {
    "Content-Type": 'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"',
    "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
    Link: `<${origin}/.well-known/api-catalog>; rel="api-catalog"`,
  });
}

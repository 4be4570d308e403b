import nodeDocument from "../../openapi/node.json";
import publicDocument from "../../openapi/public.json";
import { conditional } from "./conditional.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Handler, Reply } from "./reply.ts";
import { CURRENT_VERSION } from "./version.ts";

const HOUR_SECONDS = 3_600;
const OPENAPI_TYPE = "application/vnd.oai.openapi+json;version=3.1";

/** Where the API documents are: the document itself, and the catalog that points to both (RFC 9727). */
export function discoveryRoutes(): { readonly path: string; readonly handler: Handler }[] {
  return [
    { path: "/api/openapi.json", handler: documentHandler(publicDocument, `openapi-v${CURRENT_VERSION}`) },
    { path: "/v1/spec.json", handler: documentHandler(nodeDocument, "node-v1") },
    { path: "/.well-known/api-catalog", handler: ({ request }) => catalog(new URL(request.url).origin) },
  ];
}

/** Spelled on its first use, and kept: it is the same for the life of a build. */
function documentHandler(document: unknown, name: string): Handler {
  let reply: Reply | undefined;
  return ({ request }) => {
    reply ??= documentReply(document, name);
    return conditional(reply, request);
  };
}

function documentReply(document: unknown, name: string): Reply {
  const body = JSON.stringify(document);
  return {
    kind: "reply",
    status: 200,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
      ETag: `"${name}-${fingerprint(body)}"`,
    },
    body,
  };
}

function catalog(origin: string): Reply {
  const linkset = [
    {
      anchor: `${origin}/api/`,
      "service-desc": [{ href: `${origin}/api/openapi.json`, type: OPENAPI_TYPE }],
      "service-doc": [{ href: `${origin}/docs`, type: "text/html" }],
      status: [{ href: `${origin}/api/health`, type: "application/json" }],
    },
    {
      anchor: `${origin}/v1/`,
      "service-desc": [{ href: `${origin}/v1/spec.json`, type: OPENAPI_TYPE }],
      "service-doc": [{ href: `${origin}/docs`, type: "text/html" }],
    },
  ];
  return {
    kind: "reply",
    status: 200,
    headers: {
      "Content-Type": 'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"',
      "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
      Link: `<${origin}/.well-known/api-catalog>; rel="api-catalog"`,
    },
    body: JSON.stringify({ linkset }),
  };
}

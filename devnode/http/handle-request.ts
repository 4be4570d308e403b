import { BODY_HEADERS, cursorHeaders, ledgerHeaders } from "../../src/chain/ledger-headers.ts";
import { BCS_TYPE, NODE_JSON_TYPE } from "../../src/chain/media-types.ts";
import { corsHeaders, preflight } from "./cors.ts";
import type { Outcome } from "./endpoint.ts";
import { matchRoute } from "./match-route.ts";
import type { Node } from "./node-context.ts";
import { errorBody, isError, refuse } from "./node-error.ts";
import { discardBody, lengthRefusal } from "./request-body.ts";
import { ROUTES } from "./routes.ts";

/** Logs an unexpected exception, whose text is never sent to the client. */
export type LogUnexpected = (cause: unknown) => void;

/** One request to the node, from top to bottom. */
export async function answer(request: Request, node: Node, logUnexpected: LogUnexpected): Promise<Response> {
  const origin = request.headers.get("Origin");
  const preflighted = preflight(request);
  if (preflighted !== undefined && !isError(preflighted))
    return new Response(null, { status: 200, headers: preflighted });
  const outcome = preflighted ?? (await run(request, node, logUnexpected));
  if (isError(outcome)) await discardBody(request);
  return respond(outcome, request.method, node, origin);
}

async function run(request: Request, node: Node, logUnexpected: LogUnexpected): Promise<Outcome> {
  const { pathname, searchParams } = new URL(request.url);
  const unread = request.method === "POST" && pathname.startsWith("/v1/") ? lengthRefusal(request) : undefined;
  if (unread !== undefined) return unread;
  const match = matchRoute(ROUTES, request.method, pathname);
  if (isError(match)) return match;
  try {
    return await match.run(request, { segments: match.segments, query: searchParams }, node);
  } catch (cause) {
    logUnexpected(cause);
    return refuse("internal_error", "Internal error: the node could not answer; its log says why.");
  }
}

const CONTENT_TYPES = { json: NODE_JSON_TYPE, bcs: BCS_TYPE, text: "text/plain; charset=utf-8" };

/** The only place that builds a response with a body. HEAD keeps every header and drops the body. */
function respond(outcome: Outcome, method: string, node: Node, origin: string | null): Response {
  const { headerPrefix } = node.settings;
  const ledger = () => ledgerHeaders(node.ledger.info(), headerPrefix);
  const headers: Record<string, string> = { ...corsHeaders(origin) };
  let body: string | Uint8Array;
  if (outcome.kind === "error") {
    body = errorBody(outcome);
    Object.assign(headers, { "Content-Type": NODE_JSON_TYPE }, outcome.withLedger ? ledger() : {});
    if (outcome.allow !== null) headers["Allow"] = outcome.allow.join(", ");
  } else {
    body = outcome.body.form === "bcs" ? outcome.body.bytes : outcome.body.text;
    Object.assign(headers, { "Content-Type": CONTENT_TYPES[outcome.body.form] }, ledger());
    if (outcome.cursor !== null) for (const name of cursorHeaders(headerPrefix)) headers[name] = outcome.cursor;
    if (outcome.gasUsed !== null) headers[headerPrefix + BODY_HEADERS.gasUsed] = String(outcome.gasUsed);
  }
  return new Response(method === "HEAD" ? null : body, { status: outcome.status, headers });
}

import type { AdmittedContext, AdmittedRoute } from "./admission.ts";
import type { Log } from "./base/log.ts";
import type { RecordMetric } from "./base/metrics.ts";
import type { Config } from "./config.ts";
import { chooseVersion, versionHeaders } from "./http/api-version.ts";
import { applyConditional } from "./http/conditional.ts";
import { corsHeaders, preflight } from "./http/cors.ts";
import type { Outcome, RequestContext } from "./http/handler.ts";
import { respond } from "./http/respond.ts";
import { splitUrl } from "./http/split-url.ts";
import { callerOf } from "./limiter/caller.ts";
import { type Limiter, type RequestAdmission, throttled } from "./limiter/edge-limiter.ts";
import { policyHeaders, rateLimitValue } from "./limiter/sliding-window-log.ts";
import { corsSurfaceOf, NO_PARAMS, policyOf, type RouteTable, surfaceOf } from "./routes.ts";

export interface App {
  readonly config: Config;
  readonly routes: RouteTable;
  readonly limiter: Limiter;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly log: Log;
  /** null: no metrics dataset is bound. */
  readonly recordMetric: RecordMetric | null;
}

/** Handles one request from start to end. Never rejects. */
export async function handle(app: App, request: Request, waitUntil: RequestContext["waitUntil"]): Promise<Response> {
  // 1. Read the request line and the clock, once.
  const { path, query } = splitUrl(request.url);
  const { method } = request;
  const surface = surfaceOf(path);
  const match = app.routes.match(method, path);
  const params = match.kind === "handler" ? match.params : NO_PARAMS;
  const [nowMs, requestId] = [app.now(), app.newRequestId()];
  const policy = policyOf(path, app.config.policies);
  const caller = callerOf(request, app.config.clientIpHeader);
  const admission = app.limiter.open(policy, caller);
  const choice = surface === "api" ? chooseVersion(request.headers.get("X-API-Version"), nowMs) : null;
  const version = choice?.kind === "served" ? choice.entry.version : null;
  const requestLine = { request, method, path, query, params, version, nowMs, requestId };
  const context: AdmittedContext = { ...requestLine, admission, waitUntil };

  // 2. Count the request, run the handler. A preflight reads the caller's state without counting. OPTIONS on an unknown
  // path is no preflight, so it is counted. The gateway calls the limiter itself, in parallel with its own calls.
  const allow = method === "OPTIONS" ? app.routes.allow(path) : [];
  const isPreflight = allow.length > 0;
  const isGateway = surface === "node" && match.kind === "handler";
  const gatewayOutcome = isGateway ? await runHandler(app, match.handler, context) : null;
  const decision = await (isPreflight ? admission.peek() : admission.decision());
  const run = (): Outcome | Promise<Outcome> => {
    if (isPreflight) return preflight(corsSurfaceOf(path), request, allow);
    if (!decision.admitted) return throttled(policy, decision);
    if (choice !== null && choice.kind !== "served") return choice;
    return gatewayOutcome ?? (match.kind === "handler" ? runHandler(app, match.handler, context) : match);
  };
  const outcome = await run();

  // 3. Respond. Every response, even a 404, has the caller's rate limit. Per-caller fields are added here only, so no
  // cache stores them.
  const corsSurface = corsSurfaceOf(path);
  const origin = corsSurface === "node" ? request.headers.get("Origin") : null;
  const shared = [corsHeaders(corsSurface, origin, app.config.nodeHeaderPrefix), policyHeaders(policy)];
  if (choice?.kind === "served") shared.push(versionHeaders(choice.entry, nowMs));
  const response = respond(outcome, surface, method, shared, {
    RateLimit: rateLimitValue(policy, decision),
    "X-Request-Id": requestId,
  });
  if (request.headers.has(TIMING_REQUESTED)) appendTiming(response.headers, admission, app.now() - nowMs);
  app.recordMetric?.({
    kind: "request",
    // The pattern instead of the path, so that callers cannot add values to the dataset's column without limit.
    route: match.kind === "handler" ? match.route : match.kind,
    method: KNOWN_METHODS.includes(method) ? method : "other",
    status: response.status,
    cache: outcome.kind === "reply" ? (outcome.headers["Cache-Status"]?.split("; ", 2)[1] ?? "none") : "none",
    limiter: isPreflight ? "peeked" : decision.admitted ? "admitted" : "refused",
    decision: admission.trace(),
    dataCenter: dataCenterOf(request),
    milliseconds: app.now() - nowMs,
  });
  return response;
}

/** Request header that asks for `Server-Timing`; see docs/operations.md. */
const TIMING_REQUESTED = "X-Server-Timing";

/**
 * Adds `Server-Timing` (W3C): how and where the limiter decided, and how long the decision and the whole request took.
 */
function appendTiming(headers: Headers, admission: RequestAdmission, totalMs: number): void {
  const trace = admission.trace();
  if (trace !== null)
    headers.append("Server-Timing", `limiter;dur=${trace.milliseconds};desc="${trace.mode} ${trace.region}"`);
  headers.append("Server-Timing", `total;dur=${totalMs}`);
}

function dataCenterOf(request: Request): string {
  const { cf } = request;
  return cf !== undefined && "colo" in cf && typeof cf.colo === "string" ? cf.colo : "";
}

const KNOWN_METHODS: readonly string[] = ["GET", "HEAD", "POST", "OPTIONS"];

/**
 * Runs a handler. Expected failures are data; an exception is logged with the request id, and its text is never sent.
 */
async function runHandler(app: App, handler: AdmittedRoute["handler"], context: AdmittedContext): Promise<Outcome> {
  try {
    const outcome = await handler(context);
    return outcome.kind === "reply" ? applyConditional(outcome, context.request) : outcome;
  } catch (cause) {
    const { requestId } = context;
    app.log("unexpected", { requestId, cause: cause instanceof Error ? cause.stack : String(cause) });
    return {
      kind: "unavailable",
      message: `Internal error. Quote request id ${requestId} when reporting it.`,
      retryAfterSeconds: 5,
    };
  }
}

import type { Config } from "./config.ts";
import { chooseVersion, versionHeaders } from "./http/api-version.ts";
import { corsHeaders, preflightHeaders } from "./http/cors.ts";
import type { Surface } from "./http/failure.ts";
import type { Outcome, RequestContext } from "./http/handler.ts";
import { respond } from "./http/respond.ts";
import { splitUrl } from "./http/split-url.ts";
import { callerOf } from "./limiter/caller.ts";
import type { Limiter } from "./limiter/decision.ts";
import { policyHeaders, rateLimitValue } from "./limiter/rate-limit-headers.ts";
import type { Log } from "./log.ts";
import type { RecordMetric } from "./metrics.ts";
import { NO_PARAMS, type RouteTable, surfaceOf } from "./routes.ts";

export interface App {
  readonly config: Config;
  readonly routes: RouteTable;
  readonly limiter: Limiter;
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly log: Log;
  /** null: nothing is counted. */
  readonly count: RecordMetric | null;
}

/** One request, from top to bottom. */
export async function handle(app: App, request: Request, waitUntil: RequestContext["waitUntil"]): Promise<Response> {
  // 1. Read the request line and the clock, once.
  const { path, query } = splitUrl(request.url);
  const surface = surfaceOf(path);
  const ask: RequestContext = {
    request,
    method: request.method,
    path,
    query,
    params: NO_PARAMS,
    nowMs: app.now(),
    requestId: app.newRequestId(),
    waitUntil,
  };

  // 2. Limit before anything else is decided: every answer, a 404 too, tells the caller its state. A preflight only looks.
  const policy = surface === "node" ? app.config.policies.node : app.config.policies.default;
  const caller = callerOf(request, app.config.clientIpHeader);
  const preflight = ask.method === "OPTIONS";
  const decision = await (preflight ? app.limiter.peek(policy, caller) : app.limiter.take(policy, caller));

  // 3. Version, route, handle.
  const version = surface === "api" ? chooseVersion(request.headers.get("X-API-Version"), ask.nowMs) : undefined;
  const outcome: Outcome =
    !decision.admitted && !preflight
      ? {
          kind: "throttled",
          quota: policy.quota,
          windowSeconds: policy.windowSeconds,
          retryAfterSeconds: decision.resetSeconds,
        }
      : preflight
        ? answerPreflight(app, ask, surface)
        : version !== undefined && version.kind !== "served"
          ? version
          : await route(app, ask);

  // 4. Respond. The caller's own fields are never stored by any cache.
  const origin = surface === "node" ? request.headers.get("Origin") : null;
  const cors = corsHeaders(surface, origin, app.config.nodeHeaderPrefix);
  const shared = [cors, policyHeaders(policy)];
  if (version?.kind === "served") shared.push(versionHeaders(version.life));
  const response = respond(outcome, surface, ask.method, shared, {
    RateLimit: rateLimitValue(policy, decision),
    "X-Request-Id": ask.requestId,
  });
  if (app.count !== null) countAnswer(app, app.count, ask, response, decision.admitted);
  return response;
}

/** Counted by route, so that no caller can make the dataset's columns grow. */
function countAnswer(
  app: App,
  count: RecordMetric,
  ask: RequestContext,
  { status, headers }: Response,
  admitted: boolean,
): void {
  const found = app.routes.match(ask.method, ask.path);
  count({
    kind: "request",
    route: found.kind === "handler" ? found.route : found.kind,
    method: METHODS.includes(ask.method) ? ask.method : "other",
    status,
    cache: headers.get("Cache-Status")?.split("; ", 2)[1] ?? "none",
    limiter: ask.method === "OPTIONS" ? "looked" : admitted ? "admitted" : "refused",
    milliseconds: app.now() - ask.nowMs,
  });
}

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "OPTIONS"];

/** Expected failures come back as data; what is thrown is logged with the request's id and told to nobody. */
async function route(app: App, ask: RequestContext): Promise<Outcome> {
  const found = app.routes.match(ask.method, ask.path);
  if (found.kind !== "handler") return found;
  try {
    return await found.handler(found.params === NO_PARAMS ? ask : { ...ask, params: found.params });
  } catch (cause) {
    app.log("unexpected", { requestId: ask.requestId, cause: cause instanceof Error ? cause.stack : String(cause) });
    return {
      kind: "unavailable",
      message: `Something went wrong on our side; quote ${ask.requestId}.`,
      retryAfterSeconds: 5,
    };
  }
}

function answerPreflight(app: App, ask: RequestContext, surface: Surface): Outcome {
  const allow = app.routes.allow(ask.path);
  if (allow.length === 0) return { kind: "unknown_path" };
  return { kind: "reply", status: 204, headers: preflightHeaders(surface, ask.request, allow), body: null };
}

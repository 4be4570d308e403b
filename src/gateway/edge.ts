import type { Config } from "../config.ts";
import { conditional } from "../http/conditional.ts";
import type { Failure, NodeFailure } from "../http/failure.ts";
import { fingerprint } from "../http/fingerprint.ts";
import type { LastGood } from "../http/held.ts";
import { type Region, regionOf } from "../http/region.ts";
import type { Ask, Handler, Log, Outcome } from "../http/reply.ts";
import type { Value } from "./answer.ts";
import { ENDPOINTS, type Endpoint } from "./endpoints.ts";
import { open, seal } from "./envelope.ts";
import { Gateway } from "./gateway.ts";
import { matchEndpoint } from "./match.ts";
import { Memory } from "./memory.ts";
import { headName, type Shield, type ShieldBindings, within } from "./object.ts";
import type { FetchListing, NodeRead, UpstreamHealth } from "./ports.ts";
import { invalidInput } from "./refusal.ts";
import { requestBody } from "./request-body.ts";
import { readAtMost } from "./send.ts";
import { replyOf, type Served } from "./served.ts";
import { targetOf } from "./target.ts";

/** What the gateway gives to the rest of the edge. */
export interface EdgeGateway {
  readonly routes: readonly GatewayRoute[];
  readonly nodeRead: NodeRead;
  readonly lastGood: LastGood;
  readonly upstreamHealth: UpstreamHealth;
  readonly fetchListing: FetchListing;
}

export interface GatewayRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly handler: Handler;
}

/** Shield objects per region beside its head; a change re-homes keys, which costs one upstream call for each. */
const SHARDS = 8;
const MEMORY = { mostBytes: 16 * 1_048_576, mostValueBytes: 1_048_576 } as const;
/** Beyond what a shield itself allows for all attempts at upstreams. */
const SHIELD_DEADLINE_MS = 14_000;
const LEASE_DEADLINE_MS = 2_500;
/** Reads without a caller: figures and health have one home, so that their last good values have too. */
const HOME: Region = "world";
/** Where values lie in the shared cache: a host that no request can have. */
const CACHE_ROOT = "https://values.invalid/";

export function edgeGateway(bindings: ShieldBindings, config: Config, log: Log): EdgeGateway {
  const gateway = new Gateway({
    now: () => Date.now(),
    memory: new Memory(MEMORY.mostBytes, MEMORY.mostValueBytes),
    ...sharedCache(`${fingerprint(`${config.nodeUrls.join(",")} ${config.chainId}`)}/`, log),
    shield: async (region, question) => {
      const shard = Number.parseInt(fingerprint(question.target.key), 16) % SHARDS;
      const answer = stubOf(bindings, `${region}:${shard}`, region).answer(region, question);
      const told = await within(
        SHIELD_DEADLINE_MS,
        answer.then((value) => value),
        null,
      );
      if (told === null) throw new Error("the shield did not answer");
      return told;
    },
    lease: (region, reach) =>
      within(
        LEASE_DEADLINE_MS,
        stubOf(bindings, headName(region), region)
          .lease(reach)
          .then((lease) => lease),
        null,
      ),
    log,
    staleIfErrorSeconds: config.staleIfErrorSeconds,
  });
  const rows = ENDPOINTS.map((endpoint) => row(endpoint, gateway, config.nodeHeaderPrefix));
  const root = rows.filter(({ path }) => path === "/v1").map((found) => ({ ...found, path: "/v1/" }));
  const home = () => stubOf(bindings, headName(HOME), HOME);
  return {
    routes: [...rows, ...root, ...faucetRoutes(bindings, config)],
    nodeRead: nodeReadOver(gateway, config.nodeHeaderPrefix),
    lastGood: {
      get: (name) =>
        within(
          LEASE_DEADLINE_MS,
          home()
            .figure(name)
            .then((figure) => figure),
          null,
        ),
      put: (name, value, storedAtMs) =>
        within(
          LEASE_DEADLINE_MS,
          home()
            .putFigure(name, value, storedAtMs)
            .then(() => undefined),
          undefined,
        ),
    },
    upstreamHealth: () =>
      within(
        SHIELD_DEADLINE_MS,
        home()
          .health()
          .then((report) => report),
        [],
      ),
    fetchListing: (source, limits) => fetchListing(bindings, source, limits),
  };
}

function row(endpoint: Endpoint, gateway: Gateway, prefix: string): GatewayRoute {
  return { method: endpoint.method, path: endpoint.path, handler: (ask) => answerAsk(endpoint, gateway, prefix, ask) };
}

async function answerAsk(endpoint: Endpoint, gateway: Gateway, prefix: string, ask: Ask): Promise<Outcome> {
  const { request, params, query, requestId, waitUntil } = ask;
  const atLeast = minVersion(request.headers.get("X-Min-Ledger-Version"));
  if (typeof atLeast === "object" && atLeast !== null) return atLeast;
  const body = endpoint.body === "none" ? null : await requestBody(request);
  if (body !== null && "kind" in body) return body;
  const [accept, contentType] = [request.headers.get("Accept"), request.headers.get("Content-Type")];
  const target = await targetOf({ endpoint, params, query, accept, contentType, body });
  if ("kind" in target) return target;
  const served = await gateway.answer(target, { region: regionOf(request.cf), atLeast, requestId, waitUntil });
  return served.kind === "served" ? conditional(replyOf(served, prefix), request) : served;
}

function minVersion(text: string | null): bigint | null | NodeFailure {
  if (text === null) return null;
  return /^\d{1,20}$/.test(text) ? BigInt(text) : invalidInput("X-Min-Ledger-Version must be a ledger version");
}

/** One stub a request: a stub that met a broken object stays broken. */
function stubOf({ SHIELD }: ShieldBindings, name: string, region: string): DurableObjectStub<Shield> {
  const hint = HINTS.find((candidate) => candidate === region);
  return SHIELD.get(SHIELD.idFromName(name), hint === undefined ? {} : { locationHint: hint });
}

const HINTS: readonly DurableObjectLocationHint[] = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"];

/** The data centre's cache. A look-up never carries a caller's fields; whatever goes wrong there is a miss. */
function sharedCache(salt: string, log: Log) {
  const requestFor = (key: string): Request => new Request(`${CACHE_ROOT}${salt}${encodeURIComponent(key)}`);
  return {
    cached: async (key: string): Promise<Value | undefined> => {
      try {
        const found = await caches.default.match(requestFor(key));
        const head = found?.headers.get(HEAD_FIELD);
        if (found === undefined || head === null || head === undefined) return undefined;
        return open({ head: decodeURIComponent(head), body: new Uint8Array(await found.arrayBuffer()) });
      } catch (cause) {
        log("cache_fault", { cause: String(cause) });
        return undefined;
      }
    },
    cache: async (key: string, value: Value): Promise<void> => {
      const { head, body } = seal(value);
      const fields = { "Cache-Control": `public, max-age=${value.seconds}`, [HEAD_FIELD]: encodeURIComponent(head) };
      try {
        await caches.default.put(requestFor(key), new Response(body, { headers: fields }));
      } catch (cause) {
        log("cache_fault", { cause: String(cause) });
      }
    },
  };
}

const HEAD_FIELD = "X-Value";

function nodeReadOver(gateway: Gateway, prefix: string): NodeRead {
  return async (path, init = {}) => {
    const method = init.method ?? "GET";
    const [pathname = "", query = ""] = path.split("?", 2);
    const found = matchEndpoint(method, pathname);
    if (found === undefined) return { kind: "unknown_path" };
    const body = init.body === undefined ? null : new TextEncoder().encode(init.body);
    const contentType = body === null ? null : "application/json";
    const target = await targetOf({ ...found, query, accept: "application/json", contentType, body });
    if ("kind" in target) return target;
    const circumstances = { region: HOME, atLeast: null, requestId: "internal", waitUntil: ignore };
    const served = await gateway.answer(target, circumstances);
    return served.kind === "served" ? asAnswer(served, prefix) : served;
  };
}

function asAnswer(served: Served, prefix: string): Awaited<ReturnType<NodeRead>> {
  const reply = replyOf(served, prefix);
  const headers = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { value, source, ageMs } = served;
  return {
    kind: "answer",
    status: value.status,
    headers,
    body: value.body,
    stale: source === "stale",
    ageSeconds: Math.floor(ageMs / 1_000),
  };
}

/** Only the embedded node has a faucet, and only while it is the upstream. */
function faucetRoutes({ NODE }: ShieldBindings, config: Config): GatewayRoute[] {
  if (NODE === undefined || config.nodeUrls.length > 0) return [];
  const handler: Handler = async ({ request, path, query }) => {
    const body = await requestBody(request);
    if ("kind" in body) return body;
    const headers = { "Content-Type": request.headers.get("Content-Type") ?? "application/json" };
    const answer = await NODE.fetch(`http://node${path}?${query}`, { method: "POST", headers, body });
    const type = answer.headers.get("Content-Type") ?? "application/json";
    const fields = { "Content-Type": type, "Cache-Control": "no-store" };
    return { kind: "reply", status: answer.status, headers: fields, body: new Uint8Array(await answer.arrayBuffer()) };
  };
  return ["/mint", "/fund"].map((path) => ({ method: "POST", path, handler }));
}

async function fetchListing(
  { NODE }: ShieldBindings,
  source: Parameters<FetchListing>[0],
  { deadlineMs, maxBytes }: Parameters<FetchListing>[1],
): ReturnType<FetchListing> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), deadlineMs);
  const down: Failure = { kind: "unavailable", message: "The listing does not answer.", retryAfterSeconds: 60 };
  const init = { redirect: "manual", signal: abort.signal, headers: { Accept: "application/json" } } as const;
  try {
    const response =
      source.kind === "url" ? await fetch(source.url, init) : await NODE?.fetch(`http://node${source.path}`, init);
    if (response === undefined) return down;
    const body = await readAtMost(response, maxBytes, abort.signal);
    if (body === undefined) return down;
    return { kind: "answer", status: response.status, contentType: response.headers.get("Content-Type") ?? "", body };
  } catch {
    return down;
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {}

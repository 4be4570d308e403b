// Wraps the unchanged product's bundle in properties of a real network that a single machine lacks: the time a call takes
// to and between objects, and six upstream connections for each request and each object until headers arrive.
import { AsyncLocalStorage } from "node:async_hooks";
import product, { Home as ProductHome, LimiterShard as ProductLimiterShard, Shield as ProductShield } from "./edge.js";

const CONNECTIONS = 6;
const CLASSES = { LIMITER: "limiter", SHIELD: "shield", HOME: "home" };
/** One-way milliseconds are half of these; `jitter` is the largest share by which each way differs. */
const settings = {
  isolateToObjectMs: 0,
  objectToObjectMs: 0,
  jitter: 0,
  connections: CONNECTIONS,
  isLimiterHanging: false,
};
/** The current request or object: its place, its calls so far, its upstream connections. */
const scopes = new AsyncLocalStorage();
const totals = new Map();
const instances = new Set();
const platformFetch = globalThis.fetch;

function scopeAt(place) {
  return { place, calls: new Map(), open: 0, waiting: [] };
}

function increment(counts, name) {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function count(scope, name) {
  increment(totals, `${scope.place} ${name}`);
  increment(scope.calls, name);
}

function oneWay(place) {
  const roundTripMs = place === "object" ? settings.objectToObjectMs : settings.isolateToObjectMs;
  const ms = (roundTripMs / 2) * (1 + settings.jitter * (2 * Math.random() - 1));
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined;
}

/** A function passed as an argument is called by the receiver: the call is delayed too, and runs where it was created. */
function farCallback(scope, callback) {
  return async (...values) => {
    await oneWay(scope.place);
    const result = await scopes.run(scope, () => callback(...values));
    await oneWay(scope.place);
    return result;
  };
}

function farStub(stub, kind) {
  return new Proxy(stub, {
    get(target, name) {
      if (typeof name !== "string" || name === "then") return undefined;
      return async (...values) => {
        const scope = scopes.getStore();
        count(scope, `${kind}.${name}`);
        if (kind === CLASSES.LIMITER && settings.isLimiterHanging) return new Promise(() => undefined);
        await oneWay(scope.place);
        const sent = values.map((value) => (typeof value === "function" ? farCallback(scope, value) : value));
        const result = await target[name](...sent);
        await oneWay(scope.place);
        return result;
      };
    },
  });
}

function farEnvironment(env) {
  const wrapped = { ...env };
  for (const [binding, kind] of Object.entries(CLASSES))
    wrapped[binding] = {
      idFromName: (name) => env[binding].idFromName(name),
      get: (id, options) => farStub(env[binding].get(id, options), kind),
      getByName: (name, options) => farStub(env[binding].getByName(name, options), kind),
    };
  return wrapped;
}

/** Reads of the ledger and of blocks, which only the product sends. */
function isAboutChain(path) {
  return path === "/v1" || path.startsWith("/v1/blocks/by_height/");
}

/** A connection is busy until the headers arrive; the seventh call of a scope waits for one. */
globalThis.fetch = async (...request) => {
  const scope = scopes.getStore();
  if (scope === undefined) return platformFetch(...request);
  if (scope.open >= settings.connections) await new Promise((resolve) => scope.waiting.push(resolve));
  scope.open += 1;
  count(scope, isAboutChain(new URL(request[0]).pathname) ? "upstream.chain" : "upstream");
  try {
    return await platformFetch(...request);
  } finally {
    scope.open -= 1;
    scope.waiting.shift()?.();
  }
};

function far(ProductClass) {
  const FarObject = class extends ProductClass {
    constructor(ctx, env) {
      super(ctx, farEnvironment(env));
      instances.add(ctx.id.toString());
      this.farScope = scopeAt("object");
    }

    farAbort() {
      instances.delete(this.ctx.id.toString());
      this.ctx.abort("the test resets this object");
    }
  };
  // Every public method runs in the object's scope.
  for (const name of Object.getOwnPropertyNames(ProductClass.prototype)) {
    if (name === "constructor") continue;
    const method = ProductClass.prototype[name];
    if (typeof method !== "function") continue;
    FarObject.prototype[name] = function (...values) {
      return scopes.run(this.farScope, () => method.apply(this, values));
    };
  }
  return FarObject;
}

export const LimiterShard = far(ProductLimiterShard);
export const Shield = far(ProductShield);
export const Home = far(ProductHome);

let environment;

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/far-edge/")) return control(pathname, request, env);
    environment ??= farEnvironment(env);
    const scope = scopeAt("isolate");
    const response = await scopes.run(scope, () => product.fetch(request, environment, ctx));
    const headers = new Headers(response.headers);
    headers.set("X-Far-Calls", [...scope.calls].map(([name, times]) => `${name}=${times}`).join(" "));
    return new Response(response.body, { status: response.status, headers });
  },
};

async function control(pathname, request, env) {
  switch (pathname) {
    case "/far-edge/settings":
      Object.assign(settings, await request.json());
      return new Response(null, { status: 204 });
    case "/far-edge/take-counts": {
      const taken = Object.fromEntries(totals);
      totals.clear();
      return Response.json(taken);
    }
    case "/far-edge/reset-objects": {
      const ids = [...instances];
      const reset = ids.map(async (id) => {
        for (const binding of Object.keys(CLASSES)) {
          try {
            await env[binding].get(env[binding].idFromString(id)).farAbort();
          } catch {
            // The id is of the other class, or the object has been reset, as intended.
          }
        }
      });
      await Promise.all(reset);
      return Response.json({ reset: ids.length });
    }
    default:
      return new Response(null, { status: 404 });
  }
}

import { DurableObjectRateLimiter, DurableObjectStore } from "@hono-rate-limiter/cloudflare";
import { Hono } from "hono";
import { cache } from "hono/cache";
import { proxy } from "hono/proxy";
import { rateLimiter } from "hono-rate-limiter";
import { LimiterShard } from "../../src/limiter/limiter-object.ts";

export { DurableObjectRateLimiter, LimiterShard };

/** A caching proxy as in its manual: committed data for a day, everything else for a second. */
const app = new Hono();
const pass = (context) => {
  const { pathname, search } = new URL(context.req.url);
  return proxy(context.env.UPSTREAM + pathname + search, context.req);
};
app.use((context, next) => limits[context.env.LIMIT ?? "none"](context, next));
app.get(
  "/v1/transactions/by_version/*",
  cache({ cacheName: "committed", cacheControl: "public, max-age=86400" }),
  pass,
);
app.get("*", cache({ cacheName: "tip", cacheControl: "public, max-age=1" }), pass);

export default app;

const callerOf = (context) => context.req.header("cf-connecting-ip") ?? "";
let stored;

/** Before the proxy: nothing, one call to our limiter's object, or the framework's limiter. */
const limits = {
  none: (_context, next) => next(),
  object: async (context, next) => {
    const { LIMITER, ROUND_TRIP_MS } = context.env;
    const decision = await far(LIMITER.getByName("limiter"), ROUND_TRIP_MS).take(
      callerOf(context),
      10_000,
      60,
      Date.now(),
    );
    return decision < 0 ? context.text("Too many requests", 429) : next();
  },
  store: (context, next) => {
    const { STORE, ROUND_TRIP_MS } = context.env;
    const namespace = { idFromName: (name) => STORE.idFromName(name), get: (id) => far(STORE.get(id), ROUND_TRIP_MS) };
    stored ??= (binding) =>
      rateLimiter({
        windowMs: 60_000,
        limit: 10_000,
        standardHeaders: "draft-6",
        keyGenerator: callerOf,
        store: new DurableObjectStore({ namespace: binding }),
      });
    return stored(namespace)(context, next);
  },
};

/** An object whose calls take a round trip, as from a distance. */
function far(stub, roundTripMs) {
  const half = () => new Promise((resolve) => setTimeout(resolve, Number(roundTripMs) / 2));
  return new Proxy(stub, {
    get: (target, name) => {
      if (name === "then") return undefined;
      return async (...values) => {
        await half();
        const result = await target[name](...values);
        await half();
        return result;
      };
    },
  });
}

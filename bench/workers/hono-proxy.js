import { Hono } from "hono";
import { cache } from "hono/cache";
import { proxy } from "hono/proxy";

/** A caching proxy as in its manual: committed data for a day, everything else for a second. */
const app = new Hono();
const pass = (context) => {
  const { pathname, search } = new URL(context.req.url);
  return proxy(context.env.UPSTREAM + pathname + search, context.req);
};
app.get(
  "/v1/transactions/by_version/*",
  cache({ cacheName: "committed", cacheControl: "public, max-age=86400" }),
  pass,
);
app.get("*", cache({ cacheName: "tip", cacheControl: "public, max-age=1" }), pass);

export default app;

import { DurableObjectRateLimiter, DurableObjectStore } from "@hono-rate-limiter/cloudflare";
import { Hono } from "hono";
import { rateLimiter } from "hono-rate-limiter";

export { DurableObjectRateLimiter };

let limiter;
let fields;

const app = new Hono();
app.use((context, next) => {
  limiter ??= rateLimiter({
    windowMs: 60_000,
    limit: 60,
    standardHeaders: "draft-6",
    keyGenerator: (c) => c.req.header("cf-connecting-ip") ?? "",
    store: new DurableObjectStore({ namespace: context.env.LIMITER }),
  });
  return limiter(context, next);
});
app.get("*", (context) => {
  fields ??= JSON.parse(context.env.FIELDS);
  return context.body(context.env.BODY, 200, fields);
});

export default app;

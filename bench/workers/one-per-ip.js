import { DurableObject } from "cloudflare:workers";

/** The shape of the platform's published example: one object per address, its next free instant in memory. */
export class RateLimiter extends DurableObject {
  static millisecondsPerRequest = 1_000;
  static gracePeriod = 59_000;
  #nextAllowedTime = 0;

  async getMillisecondsToNextRequest() {
    const now = Date.now();
    this.#nextAllowedTime = Math.max(now, this.#nextAllowedTime) + RateLimiter.millisecondsPerRequest;
    return Math.max(0, this.#nextAllowedTime - now - RateLimiter.gracePeriod);
  }
}

let fields;

export default {
  fetch: async (request, env) => {
    fields ??= JSON.parse(env.FIELDS);
    const id = env.RATE_LIMITER.idFromName(request.headers.get("CF-Connecting-IP") ?? "");
    const wait = await env.RATE_LIMITER.get(id).getMillisecondsToNextRequest();
    if (wait > 0) return new Response("Rate limit exceeded", { status: 429 });
    return new Response(env.BODY, { headers: fields });
  },
};

import { DurableObject } from "cloudflare:workers";

/**
 * The minimum for an exact limiter: one call to an object that has a number in memory. There are as many objects as the
 * product has in a region, and the object follows from the caller, as it must.
 */
export class Counter extends DurableObject {
  #calls = 0;

  take() {
    return ++this.#calls;
  }
}

let fields;

export default {
  fetch: async (request, env) => {
    fields ??= JSON.parse(env.FIELDS);
    const caller = request.headers.get("CF-Connecting-IP");
    await env.COUNTER.getByName(`counter-${shardOf(caller) % Number(env.SHARDS)}`).take();
    return new Response(env.BODY, { status: Number(env.STATUS), headers: fields });
  },
};

function shardOf(caller) {
  let hash = 0;
  for (let index = 0; index < caller.length; index++) hash = (Math.imul(hash, 31) + caller.charCodeAt(index)) | 0;
  return hash >>> 8;
}

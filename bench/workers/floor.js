import { DurableObject } from "cloudflare:workers";

/** The least that an exact limiter can do: one question to one of eight objects, which keeps a number in memory. */
export class Counter extends DurableObject {
  #calls = 0;

  take() {
    return ++this.#calls;
  }
}

let fields;
let turn = 0;

export default {
  fetch: async (_request, env) => {
    fields ??= JSON.parse(env.FIELDS);
    turn = (turn + 1) & 7;
    await env.COUNTER.getByName(`counter-${turn}`).take();
    return new Response(env.BODY, { status: Number(env.STATUS), headers: fields });
  },
};

/** No limiter: the ceiling for any Worker that sends this body with these fields. */
export default {
  fetch: (_request, env) => {
    fields ??= JSON.parse(env.FIELDS);
    return new Response(env.BODY, { status: Number(env.STATUS), headers: fields });
  },
};

let fields;

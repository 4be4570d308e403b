import { misframed, mutated } from "./mutate.ts";
import { Random } from "./random.ts";
import type { RawRequest } from "./raw-request.ts";
import { validRequest } from "./valid-request.ts";
import type { World } from "./world.ts";

/** The request of a seed and an index: one in three is valid, the others have one to three mutations. */
export function requestOf(seed: number, index: number, world: World): RawRequest {
  const random = new Random(seed, index);
  let request = validRequest(random, world);
  const mutations = random.pick([0, 0, 1, 1, 2, 3]);
  for (let done = 0; done < mutations; done += 1) request = mutated(random, request);
  return caller(random, bodiless(mutations > 1 && random.chance(0.1) ? misframed(random, request) : request));
}

/**
 * A body under HEAD, or one that ends before its length, ends the whole of `wrangler dev` (4.124), not one request:
 * its proxy treats the broken exchange as its own error. A separate test shows that the product recovers; here it
 * would only hide later failures.
 */
function bodiless(sent: RawRequest): RawRequest {
  return sent.method === "HEAD" ? { ...sent, body: null, framing: "declared" } : sent;
}

/** Most requests have a caller's address, as behind a real proxy. */
function caller(random: Random, raw: RawRequest): RawRequest {
  if (random.chance(0.2) || raw.fields.some(([name]) => name.toLowerCase() === "cf-connecting-ip")) return raw;
  return { ...raw, fields: [...raw.fields, ["CF-Connecting-IP", `198.51.100.${random.below(64)}`]] };
}

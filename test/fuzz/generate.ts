import { misframed, mutated } from "./mutate.ts";
import { Random } from "./random.ts";
import type { RawRequest } from "./raw-request.ts";
import { validRequest } from "./valid-request.ts";
import type { World } from "./world.ts";

/** The request that a seed and an index stand for: one in three is sound, the others are bent once to three times. */
export function requestOf(seed: number, index: number, world: World): RawRequest {
  const random = new Random(seed, index);
  let request = validRequest(random, world);
  const mutations = random.pick([0, 0, 1, 1, 2, 3]);
  for (let done = 0; done < mutations; done += 1) request = mutated(random, request);
  return caller(random, bodiless(mutations > 1 && random.chance(0.1) ? misframed(random, request) : request));
}

/**
 * A body under HEAD, or one that ends before its length, ends the whole of `wrangler dev` (4.124), not one request:
 * its proxy takes the broken exchange for its own fault. A test of its own shows that the product comes back; here it
 * would only hide what comes after.
 */
function bodiless(sent: RawRequest): RawRequest {
  return sent.method === "HEAD" ? { ...sent, body: null, framing: "declared" } : sent;
}

/** Most requests come from somewhere in particular, as behind a real front. */
function caller(random: Random, raw: RawRequest): RawRequest {
  if (random.chance(0.2) || raw.fields.some(([name]) => name.toLowerCase() === "cf-connecting-ip")) return raw;
  return { ...raw, fields: [...raw.fields, ["CF-Connecting-IP", `198.51.100.${random.below(64)}`]] };
}

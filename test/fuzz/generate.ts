import { bent, misframed } from "./bend.ts";
import { Random } from "./random.ts";
import type { Shot } from "./shot.ts";
import { soundShot } from "./sound.ts";
import type { World } from "./world.ts";

/** The request that a seed and an index stand for: one in three is sound, the others are bent once to three times. */
export function shotOf(seed: number, index: number, world: World): Shot {
  const random = new Random(seed, index);
  let shot = soundShot(random, world);
  const bends = random.pick([0, 0, 1, 1, 2, 3]);
  for (let done = 0; done < bends; done += 1) shot = bent(random, shot);
  return caller(random, bodiless(bends > 1 && random.chance(0.1) ? misframed(random, shot) : shot));
}

/**
 * A body under HEAD, or one that ends before its length, ends the whole of `wrangler dev` (4.124), not one request:
 * its proxy takes the broken exchange for its own fault. A test of its own shows that the product comes back; here it
 * would only hide what comes after.
 */
function bodiless(shot: Shot): Shot {
  return shot.method === "HEAD" ? { ...shot, body: null, framing: "declared" } : shot;
}

/** Most requests come from somewhere in particular, as behind a real front. */
function caller(random: Random, shot: Shot): Shot {
  if (random.chance(0.2) || shot.fields.some(([name]) => name.toLowerCase() === "cf-connecting-ip")) return shot;
  return { ...shot, fields: [...shot.fields, ["CF-Connecting-IP", `198.51.100.${random.below(64)}`]] };
}

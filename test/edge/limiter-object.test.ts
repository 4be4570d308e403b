import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

test("an eviction right after a burst forgets nothing", async () => {
  const stub = env.LIMITER.getByName("probe");
  for (let i = 0; i < 60; i++) expect(await stub.take("a", 60, 60)).toBeGreaterThanOrEqual(0);
  await evictDurableObject(stub);
  expect(await stub.take("a", 60, 60)).toBeLessThan(0);
});

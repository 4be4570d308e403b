import { describe, expect, test } from "vitest";
import { DenialCache } from "../../../src/limiter/denial-cache.ts";
import { shardOf } from "../../../src/limiter/shard.ts";

describe("DenialCache", () => {
  test("knows how long a caller is refused, and nothing of others", () => {
    const denials = new DenialCache(10);
    denials.remember("a", 1_000);
    expect([denials.remainingMs("a", 400), denials.remainingMs("b", 400)]).toEqual([600, 0]);
  });

  test("an entry ends at its time, and is removed", () => {
    const denials = new DenialCache(10);
    denials.remember("a", 1_000);
    expect([denials.remainingMs("a", 999), denials.remainingMs("a", 1_000), denials.size]).toEqual([1, 0, 0]);
  });

  test("evicts the oldest entry only when it is full", () => {
    const denials = new DenialCache(2);
    denials.remember("a", 1_000);
    denials.remember("b", 2_000);
    expect([denials.remainingMs("a", 0), denials.remainingMs("b", 0)]).toEqual([1_000, 2_000]);
    denials.remember("a", 3_000);
    denials.remember("c", 4_000);
    const left = ["a", "b", "c"].map((key) => denials.remainingMs(key, 0));
    expect([left, denials.size]).toEqual([[3_000, 0, 4_000], 2]);
  });
});

describe("shardOf", () => {
  test("every caller has one shard, and each shard a fair share", () => {
    const counts = Array<number>(8).fill(0);
    for (let caller = 0; caller < 8_000; caller += 1) {
      const shard = shardOf(`10.0.${caller >> 8}.${caller & 255}`, 8, "salt");
      expect(shard).toBe(shardOf(`10.0.${caller >> 8}.${caller & 255}`, 8, "salt"));
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  test("another salt places callers elsewhere", () => {
    const keys = Array.from({ length: 200 }, (_, index) => `10.0.0.${index}`);
    const moved = keys.filter((key) => shardOf(key, 8, "one") !== shardOf(key, 8, "two"));
    expect(moved.length).toBeGreaterThan(150);
  });
});

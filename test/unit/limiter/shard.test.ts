import { expect, test } from "vitest";
import { shardOf } from "../../../src/limiter/shard-client.ts";

test("the shards have equal shares of the callers", () => {
  const counts = Array<number>(8).fill(0);
  for (let caller = 0; caller < 8_000; caller += 1) {
    const shard = shardOf(`10.0.${caller >> 8}.${caller & 255}`, 8, "salt");
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test.each([
  ["203.0.113.7", 6, 46],
  ["203.0.113.8", 4, 20],
  ["2001:db8:0:1", 1, 9],
  ["worker wallet.example", 7, 63],
])("a deployment moves no caller to another object: %s has shard %i of 8, %i of 64", (key, ofEight, ofMany) => {
  expect([shardOf(key, 8, "salt"), shardOf(key, 64, "salt")]).toEqual([ofEight, ofMany]);
});

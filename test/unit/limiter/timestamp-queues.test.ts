import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Slab } from "../../../src/limiter/slab.ts";
import { TimestampQueues } from "../../../src/limiter/timestamp-queues.ts";

describe("a slab", () => {
  test("keeps the words of every record apart, over many pages", () => {
    const slab = new Slab(3);
    const records = Array.from({ length: 5_000 }, () => slab.allocate());
    expect(records).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
    for (const record of records) for (const word of [0, 1, 2]) slab.set(record, word, record * 3 + word);
    for (const record of records)
      expect([0, 1, 2].map((word) => slab.get(record, word))).toEqual([0, 1, 2].map((word) => record * 3 + word));
  });

  test("hands freed records out again, the last one first, before it grows", () => {
    const slab = new Slab(2);
    const [first, second, third] = [slab.allocate(), slab.allocate(), slab.allocate()];
    slab.free(first);
    slab.free(third);
    expect([slab.allocate(), slab.allocate(), slab.allocate()]).toEqual([third, first, 3]);
    slab.free(second);
    slab.clear();
    expect([slab.allocate(), slab.get(0, 1)]).toEqual([0, 0]);
  });
});

describe("queues", () => {
  test("are first in, first out, each by itself, however they grow, shrink and close", () => {
    const step = fc.record({
      queue: fc.nat(3),
      act: fc.constantFrom("push", "push", "push", "shift", "close"),
      count: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queues = new TimestampQueues();
        const open = () => ({ number: queues.open(), stamps: [] as number[] });
        const all = Array.from({ length: 4 }, open);
        let stamp = 0;
        for (const { queue, act, count } of steps) {
          const chosen = all[queue] ?? open();
          if (act === "close") {
            queues.close(chosen.number);
            all[queue] = open();
          } else if (act === "push")
            for (let more = 0; more < count; more += 1) {
              stamp += 1;
              queues.push(chosen.number, stamp);
              chosen.stamps.push(stamp);
            }
          else
            for (let fewer = 0; fewer < count && chosen.stamps.length > 0; fewer += 1) {
              expect(queues.first(chosen.number)).toBe(chosen.stamps.shift());
              queues.shift(chosen.number);
            }
          for (const { number, stamps } of all) {
            expect(queues.count(number)).toBe(stamps.length);
            expect(stamps.map((_, index) => queues.at(number, index))).toEqual(stamps);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("reuse the memory of what was shifted or closed", () => {
    const queues = new TimestampQueues();
    const long = queues.open();
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 30_000; round += 1) {
      const short = queues.open();
      for (let stamp = 0; stamp < 40; stamp += 1) {
        queues.push(short, stamp);
        queues.push(long, stamp);
        if (stamp > 20 || round > 0) queues.shift(long);
      }
      queues.close(short);
    }
    // A block of 64 bytes that is lost in each round would be 1.9 MB, a queue's record 1 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(700_000);
  });

  test("are all gone after a clear", () => {
    const queues = new TimestampQueues();
    for (const stamp of Array(40).keys()) queues.push(queues.open(), stamp);
    queues.clear();
    const queue = queues.open();
    queues.push(queue, 7);
    expect([queue, queues.count(queue), queues.first(queue)]).toEqual([0, 1, 7]);
  });
});

import { expect, test } from "vitest";
import { Kept, type Wanted } from "../../../src/swr/kept.ts";
import { keptWorld } from "./kept-world.ts";

const GOOD = { kind: "observed", value: 1, observedAtMs: 0 };

test.each<[string, number, string | null, Wanted, object, number]>([
  // What is asked, at which second after a reading, whether readings fail since, what is said, readings then.
  ["fresh: what is known", 30, null, "known", { good: GOOD, reading: "none" }, 1],
  ["fresh: what is fresh", 30, null, "fresh", { good: GOOD, reading: "none" }, 1],
  ["fresh: a new one", 29, null, "new", { good: { value: 2, observedAtMs: 29_000 }, reading: "made" }, 2],
  ["not fresh: what is known", 31, null, "known", { good: GOOD, reading: "under_way" }, 2],
  ["not fresh: what is fresh", 31, null, "fresh", { good: { value: 2, observedAtMs: 31_000 }, reading: "made" }, 2],
  ["a reading that fails", 31, "down", "fresh", { good: GOOD, failed: "down", reading: "none" }, 2],
  ["a new one that fails, of what is fresh", 5, "down", "new", { good: GOOD, failed: "down", reading: "none" }, 2],
])("%s", async (_what, second, fails, wanted, said, readings) => {
  const { world, kept } = keptWorld();
  await kept.say(null, "fresh");
  Object.assign(world, { nowMs: second * 1_000, fails });
  expect(await kept.say(null, wanted)).toMatchObject({ failed: null, doubts: [], ...said });
  expect(world.readings).toBe(readings);
});

test("one who has the newest is not sent it again; its doubts are said each time", async () => {
  const { world, kept } = keptWorld();
  await kept.say(null, "fresh");
  world.doubts = ["a"];
  expect(await kept.say(0, "known")).toEqual({ good: "same", failed: null, doubts: ["a"], reading: "none" });
  expect(await kept.say(7, "known")).toMatchObject({ good: GOOD });
});

test("questions at the same time share one reading, whatever they want", async () => {
  const { world, kept } = keptWorld();
  const wanted = ["known", "fresh", "new", "fresh", "known"] as const;
  const said = await Promise.all(wanted.map((each) => kept.say(null, each)));
  expect(said.map(({ good, reading }) => [good, reading])).toEqual([
    [null, "under_way"],
    ...Array(3).fill([GOOD, "made"]),
    [null, "under_way"],
  ]);
  expect(world.readings).toBe(1);
});

test("while readings fail one is made every five seconds, and a new one at once", async () => {
  const { world, kept } = keptWorld();
  world.fails = "down";
  for (let second = 0; second < 10; second += 1) {
    world.nowMs = second * 1_000;
    expect(await kept.say(null, "fresh")).toMatchObject({ good: null, failed: "down", reading: "none" });
  }
  expect(world.readings).toBe(2);
  await kept.say(null, "new");
  expect([world.readings, new Set(world.logged)]).toEqual([3, new Set(["figure_not_renewed"])]);
});

test("a reading that throws is a failure without the text of the exception", async () => {
  const { ports } = keptWorld();
  const logged: object[] = [];
  const kept = new Kept({
    ...ports,
    load: () => Promise.reject(new Error("https://secret.example")),
    log: (event, detail) => logged.push({ event, ...detail }),
  });
  const said = await kept.say(null, "fresh");
  expect(said).toMatchObject({ failed: "the upstream's answer could not be read" });
  expect(JSON.stringify(said)).not.toContain("secret");
  const cause = expect.stringContaining("https://secret.example");
  expect(logged).toContainEqual({ event: "unexpected", figure: "figure", cause });
});

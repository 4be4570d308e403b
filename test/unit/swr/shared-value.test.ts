import { expect, test } from "vitest";
import { type ReadMode, SharedValue } from "../../../src/swr/shared-value.ts";
import { sharedValueWorld } from "./shared-value-world.ts";

const GOOD = { kind: "observed", value: 1, observedAtMs: 0 };

test.each<[string, number, string | null, ReadMode, object, number]>([
  // Columns: case, seconds after a reading, whether readings fail since, mode, result, number of readings.
  ["fresh: what is known", 30, null, "cached", { good: GOOD, reading: "none" }, 1],
  ["fresh: what is fresh", 30, null, "revalidate", { good: GOOD, reading: "none" }, 1],
  ["fresh: a new one", 29, null, "force", { good: { value: 2, observedAtMs: 29_000 }, reading: "made" }, 2],
  ["not fresh: what is known", 31, null, "cached", { good: GOOD, reading: "under_way" }, 2],
  [
    "not fresh: what is fresh",
    31,
    null,
    "revalidate",
    { good: { value: 2, observedAtMs: 31_000 }, reading: "made" },
    2,
  ],
  ["a reading that fails", 31, "down", "revalidate", { good: GOOD, error: "down", reading: "none" }, 2],
  ["a new one that fails, of what is fresh", 5, "down", "force", { good: GOOD, error: "down", reading: "none" }, 2],
])("%s", async (_what, second, fails, wanted, said, readings) => {
  const { world, shared } = sharedValueWorld();
  await shared.get(null, "revalidate");
  Object.assign(world, { nowMs: second * 1_000, fails });
  expect(await shared.get(null, wanted)).toMatchObject({ error: null, unconfirmed: [], ...said });
  expect(world.readings).toBe(readings);
});

test("a caller who has the newest is not sent it again; doubts about it are sent each time", async () => {
  const { world, shared } = sharedValueWorld();
  await shared.get(null, "revalidate");
  world.unconfirmed = ["a"];
  expect(await shared.get(0, "cached")).toEqual({ good: "same", error: null, unconfirmed: ["a"], reading: "none" });
  expect(await shared.get(7, "cached")).toMatchObject({ good: GOOD });
});

test("questions at the same time share one reading, whatever they want", async () => {
  const { world, shared } = sharedValueWorld();
  const wanted = ["cached", "revalidate", "force", "revalidate", "cached"] as const;
  const said = await Promise.all(wanted.map((each) => shared.get(null, each)));
  expect(said.map(({ good, reading }) => [good, reading])).toEqual([
    [null, "under_way"],
    ...Array(3).fill([GOOD, "made"]),
    [null, "under_way"],
  ]);
  expect(world.readings).toBe(1);
});

test("while readings fail one is made every five seconds, and a new one at once", async () => {
  const { world, shared } = sharedValueWorld();
  world.fails = "down";
  for (let second = 0; second < 10; second += 1) {
    world.nowMs = second * 1_000;
    expect(await shared.get(null, "revalidate")).toMatchObject({ good: null, error: "down", reading: "none" });
  }
  expect(world.readings).toBe(2);
  await shared.get(null, "force");
  expect([world.readings, new Set(world.logged)]).toEqual([3, new Set(["figure_not_renewed"])]);
});

test("a reading that throws is a failure without the text of the exception", async () => {
  const { ports } = sharedValueWorld();
  const logged: object[] = [];
  const shared = new SharedValue({
    ...ports,
    load: () => Promise.reject(new Error("https://secret.example")),
    log: (event, detail) => logged.push({ event, ...detail }),
  });
  const said = await shared.get(null, "revalidate");
  expect(said).toMatchObject({ error: "the upstream's answer could not be read" });
  expect(JSON.stringify(said)).not.toContain("secret");
  const cause = expect.stringContaining("https://secret.example");
  expect(logged).toContainEqual({ event: "unexpected", figure: "figure", cause });
});

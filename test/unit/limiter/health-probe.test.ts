import { describe, expect, test } from "vitest";
import { LOCATION_HINTS } from "../../../src/config.ts";
import { limiterProbe, type ShardHealthCalls } from "../../../src/limiter/shard-client.ts";
import { configOf } from "../../support/app.ts";

const DEPLOYED = {
  ENVIRONMENT: "production",
  CHAIN_ID: "4",
  NODE_URLS: "https://node.example/v1",
  RATES_URL: "https://rates.example",
};
const NEW = { buildRevision: "abc123", versionId: "v-2" };
const hangs = () => new Promise<never>(() => undefined);
const fails = () => Promise.reject(new Error("overloaded"));
/** A probe of objects of which `objects` answers differently, by name. */
function probeOf(
  settings: Record<string, string> = {},
  objects: Readonly<Record<string, Partial<ShardHealthCalls>>> = {},
) {
  const calls: string[] = [];
  const placed = new Map<string, string>();
  const world = { nowMs: 1_000_000, objects };
  const state = limiterProbe(
    {
      now: () => world.nowMs,
      fullLimiters: async () => ["v1:node:enam:1"],
      // The deadline fires after all work that is already queued.
      later: (run) => void setImmediate(run),
      shardStub: (name, region) => {
        placed.set(name, region);
        const object: ShardHealthCalls = {
          revision: async () => NEW,
          ...world.objects[name],
        };
        return () => ({
          revision: () => called("revision", object.revision()),
        });
        function called<T>(call: string, result: T): T {
          calls.push(`${name} ${call}`);
          return result;
        }
      },
    },
    configOf(settings),
  );
  const away = async () =>
    (await state()).limiterObjects.filter(({ responds }) => !responds).map(({ region }) => region);
  return { world, calls, placed, state, away };
}

test("deployed, the object that counts the callers of each region is probed, and placed there", async () => {
  const { state, placed } = probeOf(DEPLOYED);
  const { limiterObjects } = await state();
  const regions = ["world", ...LOCATION_HINTS];
  expect(limiterObjects).toEqual(regions.map((region) => ({ region, responds: true, revision: NEW })));
  expect([...placed]).toEqual(regions.map((region) => [`v1:default:${region}:0`, region]));
});

test("locally only the object of callers without geography is probed", async () => {
  const { state, calls } = probeOf();
  expect((await state()).limiterObjects.map(({ region }) => region)).toEqual(["world"]);
  expect(calls).toEqual(["v1:default:world:0 revision"]);
});

describe.each([
  ["throws", fails],
  ["hangs", hangs],
])("an object that %s", (_how, fail) => {
  test("is away when it does so twice, and no other region is", async () => {
    const { away } = probeOf(DEPLOYED, { "v1:default:oc:0": { revision: fail } });
    expect(await away()).toEqual(["oc"]);
  });

  test("once only, as a cold one does, is not away", async () => {
    let failures = 0;
    const revision = async () => (failures++ === 0 ? fail() : NEW);
    const { away } = probeOf(DEPLOYED, { "v1:default:oc:0": { revision } });
    expect([await away(), failures]).toEqual([[], 2]);
  });
});

test("an object whose settings are invalid responds, with an unknown revision; full objects are named", async () => {
  const { state } = probeOf({}, { "v1:default:world:0": { revision: async () => null } });
  expect(await state()).toEqual({
    limiterObjects: [{ region: "world", responds: true, revision: null }],
    fullLimiters: ["v1:node:enam:1"],
  });
});

test("another generation is other objects", async () => {
  const { state, placed } = probeOf({ OBJECT_GENERATION: "7" });
  await state();
  expect([...placed.keys()]).toEqual(["v7:default:world:0"]);
});

test("a thousand health reports in ten seconds cost one measurement, and all have its result", async () => {
  const { world, calls, away } = probeOf();
  for (let report = 0; report < 1_000; report += 1) {
    expect(await away()).toEqual([]);
    world.nowMs += 9;
  }
  expect(calls).toHaveLength(1);
  world.objects = { "v1:default:world:0": { revision: fails } };
  world.nowMs += 1_000;
  expect([await away(), await away()]).toEqual([["world"], ["world"]]);
  expect(calls).toHaveLength(3);
});

test("of twenty that ask a cold isolate at once one measures, and the others know of no object yet", async () => {
  const { calls, state } = probeOf(DEPLOYED);
  const regions = ["world", ...LOCATION_HINTS];
  const [measured, ...others] = await Promise.all(Array.from({ length: 20 }, () => state()));
  expect(measured?.limiterObjects).toHaveLength(regions.length);
  expect(others).toEqual(Array(19).fill({ limiterObjects: [], fullLimiters: [] }));
  expect(calls).toHaveLength(regions.length);
  expect((await state()).limiterObjects, "control: afterwards everybody has the result").toHaveLength(regions.length);
});

test("a clock that was set back delays no measurement", async () => {
  const { world, calls, state } = probeOf();
  await state();
  world.nowMs -= 3_600_000;
  await state();
  expect(calls).toHaveLength(2);
});

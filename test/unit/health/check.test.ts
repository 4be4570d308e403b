import { describe, expect, test } from "vitest";
import { type CheckPart, scheduledCheck } from "../../../src/health/check.ts";

const HANG = () => new Promise<never>(() => undefined);

/** A check of three parts in two stages; `broken` replaces what some of them do. */
function checkOf(
  broken: Readonly<Record<string, CheckPart["run"]>> = {},
  receive: () => Promise<boolean> = async () => true,
) {
  const done: string[] = [];
  const logged: string[] = [];
  const deadlines: number[] = [];
  let beats = 0;
  const part = (name: string): CheckPart => ({ name, run: broken[name] ?? (async () => void done.push(name)) });
  const check = scheduledCheck({
    stages: [
      [part("rates"), part("total_supply")],
      [part("history"), part("health")],
    ],
    heartbeat: () => {
      beats += 1;
      return receive();
    },
    // The deadline passes after all work that is already queued.
    pause: (milliseconds) => {
      deadlines.push(milliseconds);
      return new Promise((resolve) => setImmediate(resolve));
    },
    log: (event, detail) => logged.push([event, ...Object.values(detail)].join(" ")),
  });
  const run = async () => {
    await check({ nowMs: 0, waitUntil: () => undefined });
    return { done, logged, beats, deadlines };
  };
  return { run };
}

test("every part runs, a stage after the one before; then the heartbeat is sent", async () => {
  expect(await checkOf().run()).toMatchObject({
    done: ["rates", "total_supply", "history", "health"],
    logged: [],
    beats: 1,
  });
});

describe.each<[string, CheckPart["run"], string]>([
  [
    "throws",
    () => {
      throw new Error("broken");
    },
    "Error: broken",
  ],
  ["rejects", () => Promise.reject(new Error("broken")), "Error: broken"],
  ["hangs", HANG, "deadline"],
])("a part that %s", (_how, run, cause) => {
  test.each(["rates", "total_supply", "history", "health"])(
    "(%s) stops no other, and no heartbeat is sent",
    async (name) => {
      const { done, logged, beats } = await checkOf({ [name]: run }).run();
      expect(done).toEqual(["rates", "total_supply", "history", "health"].filter((other) => other !== name));
      expect([logged, beats]).toEqual([[`check_failed ${name} ${cause}`], 0]);
    },
  );
});

test("every part has a deadline of its own, far below the platform's limit of fifteen minutes", async () => {
  const { deadlines } = await checkOf({ rates: HANG, total_supply: HANG, history: HANG, health: HANG }).run();
  expect(deadlines).toEqual([30_000, 30_000, 30_000, 30_000]);
});

test.each<[string, () => Promise<boolean>]>([
  ["is refused", async () => false],
  ["rejects", () => Promise.reject(new Error("https://secret.example"))],
])("a heartbeat that %s is logged, without its address", async (_how, receive) => {
  expect((await checkOf({}, receive).run()).logged).toEqual(["heartbeat_not_delivered"]);
});

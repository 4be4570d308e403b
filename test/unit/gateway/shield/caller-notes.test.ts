import { expect, test } from "vitest";
import type { LedgerPoint } from "../../../../src/chain/ledger-point.ts";
import { CallerNotes } from "../../../../src/gateway/shield/caller-notes.ts";

const MARK = { epoch: 0, version: 7n, fields: "" };
const target = (object: string) => ({ object, region: "weur", key: "k" });

/** Notes at objects; the first one does not answer until it is up. */
function notes() {
  const world = { nowMs: 1_000_000, isUp: false, calls: [] as string[] };
  const all = new CallerNotes({
    now: () => world.nowMs,
    call: async ({ object }, mark): Promise<LedgerPoint | null> => {
      world.calls.push(object);
      return world.isUp || object !== "first" ? mark : null;
    },
  });
  return { world, note: (object: string) => all.note(target(object), MARK) };
}

test("an object that did not answer is not called for a second; others are", async () => {
  const { world, note } = notes();
  expect([await note("first"), await note("first"), await note("second")]).toEqual([null, null, MARK]);
  expect(world.calls).toEqual(["first", "second"]);
  world.isUp = true;
  world.nowMs += 1_000;
  expect([await note("first"), await note("first")]).toEqual([MARK, MARK]);
});

test("a clock that was set back prolongs no pause", async () => {
  const { world, note } = notes();
  await note("first");
  world.nowMs -= 3_600_000;
  world.isUp = true;
  expect(await note("first")).toEqual(MARK);
});

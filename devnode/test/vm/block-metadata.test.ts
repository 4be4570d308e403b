import { expect, test } from "vitest";
import { parseStructTag } from "../../../src/chain/type-tag.ts";
import { ALICE } from "../../development-keys.ts";
import { FRAMEWORK } from "../../framework/addresses.ts";
import { blockResource, configuration, nowMicros } from "../../framework/chain.ts";
import { Session } from "../../vm/session.ts";
import { parseStateKey, resourceKey, tableItemKey } from "../../vm/state-keys.ts";
import { NOW_SECONDS, World } from "./world.ts";

const MICROS = 1_000_000n;

const positionOf = ({ state }: World) => {
  const session = new Session(state, null);
  return {
    epoch: session.get(configuration, FRAMEWORK).epoch,
    height: session.get(blockResource, FRAMEWORK).height,
    timestampMicros: nowMicros(session),
  };
};

test("a block advances height and time; its event is numbered by its height", () => {
  const world = new World();
  const before = positionOf(world);
  const at = NOW_SECONDS * MICROS + 250_000n;
  const { events, gasUsed } = world.block(at);
  expect(positionOf(world)).toEqual({
    epoch: before.epoch,
    height: before.height + 1n,
    timestampMicros: at,
  });
  expect(gasUsed).toBe(0n);
  expect(events.map(({ type, guid, sequenceNumber }) => [type, guid.creationNumber, sequenceNumber])).toEqual([
    ["0x1::block::NewBlockEvent", 3n, before.height + 1n],
  ]);
});

test("a key parses to its place, and the keys of one account are adjacent", () => {
  const tag = parseStructTag("0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>");
  if (tag === undefined) throw new Error("no tag");
  const key = resourceKey(ALICE.address, tag);
  expect(parseStateKey(key)?.place).toEqual({ kind: "resource", address: ALICE.address, tag });
  const item = tableItemKey(ALICE.address, Uint8Array.of(1, 2));
  expect(parseStateKey(item)?.place).toEqual({ kind: "table_item", handle: ALICE.address, key: Uint8Array.of(1, 2) });
  expect(key < item).toBe(true);
  // The first byte is the variant: keys of an earlier deployment stay readable, as cursors too.
  expect([key.slice(0, 2), item]).toEqual(["00", `01${ALICE.address.slice(2).padStart(64, "0")}0102`]);
});

test.each(["", "0x00", "zz", "00", "02", `00${"11".repeat(32)}00`, `00${"11".repeat(32)}0102`])(
  "%j is not a key",
  (text) => {
    expect(parseStateKey(text)).toBeUndefined();
  },
);

import { expect, test } from "vitest";
import { ALICE } from "../../development-keys.ts";
import { account } from "../../framework/account.ts";
import { fixedAddress } from "../../framework/addresses.ts";
import { chainId } from "../../framework/chain.ts";
import { Session } from "../../vm/session.ts";
import { MemoryState } from "../support/memory-state.ts";
import { callTo, effectsOf, World } from "./world.ts";

const PLACE = fixedAddress("0xabc");

/** A state with one resource at {@link PLACE}. */
function stateWith(id: number): MemoryState {
  const session = new Session({ get: () => undefined }, null);
  session.put(chainId, PLACE, { id });
  const state = new MemoryState();
  state.apply({ status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: [] });
  return state;
}

test.each([
  ["removed", (session: Session) => session.remove(chainId, PLACE), ["delete"]],
  ["changed", (session: Session) => session.put(chainId, PLACE, { id: 8 }), ["write"]],
  ["written unchanged", (session: Session) => session.put(chainId, PLACE, { id: 7 }), []],
  ["removed while absent", (session: Session) => session.remove(account, PLACE), []],
  [
    "created and removed",
    (session: Session) => {
      session.put(chainId, ALICE.address, { id: 1 });
      session.remove(chainId, ALICE.address);
    },
    [],
  ],
])("a value that is %s: the reported changes", (_, act, kinds) => {
  const session = new Session(stateWith(7), null);
  act(session);
  expect(session.changes().map(({ kind }) => kind)).toEqual(kinds);
});

test("a removed value is not found until a rollback", () => {
  const session = new Session(stateWith(7), null);
  const before = session.savepoint();
  session.remove(chainId, PLACE);
  expect(session.find(chainId, PLACE)).toBeUndefined();
  session.rollback(before);
  expect(session.find(chainId, PLACE)).toEqual({ id: 7 });
});

test("a call is charged by the bytes of its arguments, even if it does not use them", () => {
  const world = new World();
  // Fails before it writes or emits: only the argument's length differs.
  const units = (padding: number): bigint => {
    const values = [new Uint8Array(8 + padding)];
    return effectsOf(world.execute(world.transaction(ALICE, callTo("0xde5::table_demo::remove", values)))).gasUsed;
  };
  expect(units(60_000)).toBeGreaterThan(units(0));
});

test("changes are in the order of their keys, whatever the order of the writes", () => {
  const places = ["0x3", "0x1", "0x2"].map(fixedAddress);
  const session = new Session({ get: () => undefined }, null);
  for (const place of places) session.put(chainId, place, { id: 7 });
  const keys = session.changes().map(({ key }) => key);
  expect(keys).toHaveLength(3);
  expect(keys).toEqual([...keys].sort());
});

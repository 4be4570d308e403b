import fc from "fast-check";
import { expect, test } from "vitest";
import { type Address, parseAddress } from "../../../src/chain/address.ts";
import { StateStore } from "../../ledger/state-store.ts";
import { integerIn } from "../../ledger/storage.ts";
import { createTables } from "../../ledger/tables.ts";
import type { StateChange } from "../../vm/effects.ts";
import {
  accountKeyPrefix,
  moduleKey,
  parseStateKey,
  resourceKey,
  type StateKey,
  tableItemKey,
} from "../../vm/state-keys.ts";
import { sqliteStorage } from "../support/sqlite.ts";

function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`not an address: ${text}`);
  return parsed;
}

const HOMES = [address("0x1"), address("0xa550c18")];
const resource = (home: Address, name: string): StateKey =>
  resourceKey(home, { address: address("0x1"), module: "m", name, typeArguments: [] });
const KEYS: readonly StateKey[] = HOMES.flatMap((home) => [
  ...["A", "B", "Longer"].map((name) => resource(home, name)),
  moduleKey(home, "m"),
  // The length of a path of 124 bytes is encoded in one byte; the next length takes two.
  resource(home, "L".repeat(87)),
  moduleKey(home, "m".repeat(90)),
  moduleKey(home, "a_module_with_a_name_of_more_than_ninety_bytes_so_that_its_length_takes_two_bytes_in_the_key____"),
  tableItemKey(home, Uint8Array.of(7)),
]);

/** One change list per version; a key at most once in each. */
const history = fc.array(
  fc.uniqueArray(fc.record({ key: fc.nat(KEYS.length - 1), value: fc.option(fc.uint8Array({ maxLength: 4 })) }), {
    selector: ({ key }) => key,
    maxLength: 4,
  }),
  { minLength: 1, maxLength: 25 },
);

type History = readonly (readonly { readonly key: number; readonly value: Uint8Array | null }[])[];

function changesOf(entries: History[number]): StateChange[] {
  return entries.map(({ key, value }) => {
    const at = KEYS[key] ?? resource(address("0x1"), "A");
    return value === null ? { kind: "delete", key: at } : { kind: "write", key: at, value };
  });
}

function stored(versions: History) {
  const storage = sqliteStorage();
  createTables(storage);
  const store = new StateStore(storage);
  const ids = versions.map((entries, version) => store.write(version, changesOf(entries)));
  return { storage, store, ids };
}

/** The whole state as of a version, by replaying. */
function replay(versions: History, version: number): Map<StateKey, Uint8Array> {
  const state = new Map<StateKey, Uint8Array>();
  for (const entries of versions.slice(0, version + 1))
    for (const change of changesOf(entries))
      if (change.kind === "write") state.set(change.key, change.value);
      else state.delete(change.key);
  return state;
}

const listing = (state: Map<StateKey, Uint8Array>, home: Address, kind: "module" | "resource") =>
  [...state]
    .filter(([key]) => key.startsWith(accountKeyPrefix(home)) && isModule(key) === (kind === "module"))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => ({ key, value }));
const isModule = (key: StateKey) => parseStateKey(key)?.place.kind === "module";

test("every version reads as a replay of the changes up to it", () => {
  fc.assert(
    fc.property(history, (versions) => {
      const { store, storage } = stored(versions);
      for (let version = 0; version < versions.length; version += 1) {
        const expected = replay(versions, version);
        for (const key of KEYS) expect(store.at(version).get(key)).toEqual(expected.get(key));
      }
      const last = replay(versions, versions.length);
      for (const key of KEYS) expect(store.newest.get(key)).toEqual(last.get(key));
      storage.close();
    }),
    { numRuns: 60 },
  );
});

test("listings of a kind and address are in key order, as of their version, for any page size", () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: 5 }), (versions, limit) => {
      const { store, storage } = stored(versions);
      const version = versions.length - 1;
      const expected = replay(versions, version);
      for (const home of HOMES)
        for (const kind of ["module", "resource"] as const) {
          const found = [];
          let from: StateKey | null = null;
          for (;;) {
            const page = store.list(kind, accountKeyPrefix(home), from, version, limit + 1);
            found.push(...page.slice(0, limit));
            from = page[limit]?.key ?? null;
            if (from === null) break;
          }
          expect(found).toEqual(listing(expected, home, kind));
        }
      storage.close();
    }),
    { numRuns: 60 },
  );
});

test("after pruning, remaining versions read as before and unreachable values are deleted", () => {
  fc.assert(
    fc.property(history, fc.nat(24), (versions, cut) => {
      const oldest = Math.min(cut, versions.length - 1);
      const { store, storage, ids } = stored(versions);
      for (let version = 0; version <= oldest; version += 1) store.prune(version, ids[version] ?? [], oldest);
      for (let version = oldest; version < versions.length; version += 1) {
        const expected = replay(versions, version);
        for (const key of KEYS) expect(store.at(version).get(key)).toEqual(expected.get(key));
        expect(store.changesAt(version, ids[version] ?? [])).toEqual(changesOf(versions[version] ?? []));
      }
      const [row] = storage.run(`SELECT COUNT(*) AS values_left FROM state_value WHERE version < ?`, oldest);
      const seen = [...replay(versions, oldest).keys()].filter(
        (key) => !(versions[oldest] ?? []).some((entry) => KEYS[entry.key] === key),
      );
      expect(integerIn(row ?? {}, "values_left")).toBe(seen.length);
      const [unused] = storage.run(
        `SELECT COUNT(*) AS keys_left FROM state_key WHERE id NOT IN (SELECT key FROM state_value)`,
      );
      expect(integerIn(unused ?? {}, "keys_left"), "keys without a value").toBe(0);
      storage.close();
    }),
    { numRuns: 100 },
  );
});

test("after a rollback the caches contain no value that the storage lacks", () => {
  const { store, storage } = stored([[{ key: 0, value: Uint8Array.of(1) }]]);
  const write = (value: number) =>
    store.write(
      1,
      changesOf([
        { key: 0, value: Uint8Array.of(value) },
        { key: 1, value: Uint8Array.of(9) },
      ]),
    );
  const [first, second] = [KEYS[0], KEYS[1]];
  if (first === undefined || second === undefined) throw new Error("unreachable");
  expect(() =>
    storage.atomically(() => {
      write(2);
      throw new Error("power cut");
    }),
  ).toThrow("power cut");
  store.clearCache();
  expect([store.newest.get(first), store.newest.get(second)]).toEqual([Uint8Array.of(1), undefined]);
  write(3);
  expect([store.newest.get(first), store.newest.get(second)]).toEqual([Uint8Array.of(3), Uint8Array.of(9)]);
});

test("a key longer than a transaction can write is absent, without a database read", () => {
  const { storage } = stored([]);
  const requested: unknown[] = [];
  const watched = new StateStore({
    ...storage,
    run: (statement, ...values) => {
      requested.push(values);
      return storage.run(statement, ...values);
    },
  });
  const long = tableItemKey(address("0x1"), new Uint8Array(3_000_000));
  expect([watched.newest.get(long), watched.at(1).get(long), requested]).toEqual([undefined, undefined, []]);
  expect([watched.newest.get(tableItemKey(address("0x1"), new Uint8Array(60_000))), requested.length]).toEqual([
    undefined,
    1,
  ]);
});

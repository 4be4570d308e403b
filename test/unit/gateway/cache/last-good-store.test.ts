import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { LastGoodStore } from "../../../../src/gateway/cache/last-good-store.ts";
import type { CachedResponse } from "../../../../src/gateway/node-types.ts";
import { ledgerAt } from "../upstream/nodes.ts";

let database: DatabaseSync;
let store: LastGoodStore;

/** The object's SQLite, which takes and returns bytes as an ArrayBuffer. */
function open(): LastGoodStore {
  return new LastGoodStore((query, ...bindings) => {
    const given = bindings.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    const rows = database.prepare(query).all(...(given as (string | number | Uint8Array)[])); // as the driver takes them
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Uint8Array ? value.slice().buffer : (value as string | number | null), // as the driver gives
        ]),
      ),
    );
  });
}

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  store = open();
});

const value = (storedAtMs: number, bytes = 20): CachedResponse => ({
  status: 200,
  contentType: "application/json",
  body: new Uint8Array(bytes).fill(65),
  ledger: ledgerAt(7n),
  extras: { cursor: "00ab" },
  retention: "until-tip",
  seconds: 60,
  storedAtMs,
  epoch: 0,
  etag: '"e"',
});

test("a saved response is loaded by a later instance, byte for byte", () => {
  store.save("GET /a", value(1_000));
  expect(open().load("GET /a")).toEqual(value(1_000));
  expect(open().load("GET /b")).toBeUndefined();
});

test("a view of a larger buffer is saved without the rest of it", () => {
  const body = new Uint8Array(100).fill(66).subarray(10, 20);
  store.save("GET /a", { ...value(1_000), body });
  expect(store.load("GET /a")?.body).toEqual(new Uint8Array(10).fill(66));
});

describe("a response is written", () => {
  test.each([
    [9_999, 1_000],
    [10_000, 11_000],
  ])("again %i ms later: the one of %i ms is stored", (laterMs, storedAtMs) => {
    store.save("GET /a", value(1_000));
    store.save("GET /a", value(1_000 + laterMs));
    expect(store.load("GET /a")?.storedAtMs).toBe(storedAtMs);
  });

  test.each([
    [65_536, true],
    [65_537, false],
  ])("when it has %i bytes: %s", (bytes, isSaved) => {
    store.save("GET /a", value(1_000, bytes));
    expect(store.load("GET /a") !== undefined).toBe(isSaved);
  });

  test("in place of the oldest when 256 are stored", () => {
    for (let index = 0; index < 257; index += 1) store.save(`GET /${index}`, value(index));
    expect([store.load("GET /0"), store.load("GET /1")?.storedAtMs]).toEqual([undefined, 1]);
  });
});

test("figures are replaced by name, bounded in number and size", () => {
  store.putFigure("total", "1", 1);
  store.putFigure("total", "2", 2);
  expect([store.figure("total"), store.figure("other")]).toEqual([{ value: "2", storedAtMs: 2 }, null]);
  store.putFigure("large", "x".repeat(1_048_576), 3);
  store.putFigure("too large", "x".repeat(1_048_577), 3);
  expect([store.figure("large")?.storedAtMs, store.figure("too large")]).toEqual([3, null]);
  for (let index = 10; index < 73; index += 1) store.putFigure(`${index}`, "1", index);
  expect([store.figure("total"), store.figure("large")?.storedAtMs]).toEqual([null, 3]);
  store.putFigure("73", "1", 73);
  expect([store.figure("large"), store.figure("10")?.storedAtMs]).toEqual([null, 10]);
});

test("a change of upstreams deletes the responses and the chain", () => {
  const checkpoints = [{ height: 1n, hash: `0x${"ab".repeat(32)}` }];
  const chain = { epoch: 3, chainId: 4, checkpoints, isProvisional: false, behindSinceMs: null };
  store.bindToUpstreams("a.example");
  store.save("GET /a", value(1_000));
  store.putFigure("total", "1", 1);
  store.saveChain(chain);
  const again = open();
  again.bindToUpstreams("a.example");
  expect([again.load("GET /a")?.storedAtMs, again.chain]).toEqual([1_000, chain]);
  again.bindToUpstreams("b.example");
  expect([again.load("GET /a"), again.chain, again.figure("total")?.value]).toEqual([undefined, null, "1"]);
});

test.each([
  ["a response without its body", "UPDATE answers SET body = 'text'"],
  ["a response of another format", "UPDATE answers SET head = '{}'"],
  ["a damaged response", "UPDATE answers SET head = '{'"],
])("%s is treated as absent", (_what, damage) => {
  store.save("GET /a", value(1_000));
  database.exec(damage);
  expect(open().load("GET /a")).toBeUndefined();
});

test("a damaged chain, and none, is treated as absent", () => {
  expect(store.chain).toBeNull();
  database.exec("INSERT INTO facts VALUES ('chain', '{}')");
  expect(open().chain).toBeNull();
});

import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { HomeStore } from "../../../src/gateway/home-store.ts";

function storeOn(database = new DatabaseSync(":memory:")): HomeStore {
  return new HomeStore((query, ...bindings) => {
    const statement = database.prepare(query);
    return statement.all(...bindings) as Record<string, unknown>[]; // rows of our own queries
  });
}

test("a figure is read back with its time, and replaced", () => {
  const store = storeOn();
  expect(store.figure("total")).toBeNull();
  store.putFigure("total", "1", 5);
  store.putFigure("total", "2", 6);
  expect(store.figure("total")).toEqual({ value: "2", storedAtMs: 6 });
});

test("the newest 64 figures are kept, and none of more than a million characters", () => {
  const store = storeOn();
  for (let index = 0; index < 70; index += 1) store.putFigure(`f${index}`, "1", index);
  expect([store.figure("f5"), store.figure("f6")?.value]).toEqual([null, "1"]);
  store.putFigure("large", "x".repeat(1_048_577), 100);
  expect(store.figure("large")).toBeNull();
});

test("the chain survives a restart", () => {
  const database = new DatabaseSync(":memory:");
  const chain = { era: 7, chainId: 4, servedBy: ["a"], replaced: null };
  expect(storeOn(database).chain).toBeNull();
  storeOn(database).putChain(chain);
  expect(storeOn(database).chain).toEqual(chain);
});

import { expect, test } from "vitest";
import { hashOfBytes } from "../../../src/chain/hash-value.ts";
import { type Timer, TransactionWaiters, WAIT_MS } from "../../ledger/transaction-waiters.ts";

const hash = (number: number) => hashOfBytes(new Uint8Array(32).fill(number));

/** A clock that advances on demand. */
function manualTimer() {
  const due = new Set<{ readonly delayMs: number; readonly work: () => void }>();
  const timer: Timer = (delayMs, work) => {
    const entry = { delayMs, work };
    due.add(entry);
    return () => due.delete(entry);
  };
  return {
    timer,
    due,
    fire: () => {
      for (const { work } of [...due]) work();
    },
  };
}

async function state(wait: Promise<void>): Promise<"waiting" | "notified"> {
  return Promise.race([wait.then(() => "notified" as const), Promise.resolve().then(() => "waiting" as const)]);
}

test("a waiter is notified only when its hash settles", async () => {
  const { timer, due } = manualTimer();
  const waiters = new TransactionWaiters(timer);
  const [mine, alike, other] = [waiters.wait(hash(1)), waiters.wait(hash(1)), waiters.wait(hash(2))];
  waiters.settled(hash(1));
  expect([await state(mine), await state(alike), await state(other)]).toEqual(["notified", "notified", "waiting"]);
  expect(due.size).toBe(1);
});

test("a waiter times out after a second", async () => {
  const { timer, due, fire } = manualTimer();
  const wait = new TransactionWaiters(timer).wait(hash(1));
  expect([...due].map(({ delayMs }) => delayMs)).toEqual([1_000]);
  expect(WAIT_MS).toBe(1_000);
  fire();
  expect(await state(wait)).toBe("notified");
});

test("at most a hundred waiters wait at a time", async () => {
  const { timer } = manualTimer();
  const waiters = new TransactionWaiters(timer);
  const hundred = Array.from({ length: 100 }, (_, number) => waiters.wait(hash(number)));
  expect(await state(hundred[0] ?? Promise.reject())).toBe("waiting");
  expect(await state(waiters.wait(hash(200)))).toBe("notified");
  waiters.settled(hash(7));
  expect(await state(waiters.wait(hash(200)))).toBe("waiting");
});

test("a waiter that times out leaves the others of its transaction waiting", async () => {
  const { timer, due } = manualTimer();
  const waiters = new TransactionWaiters(timer);
  const [late, patient] = [waiters.wait(hash(1)), waiters.wait(hash(1))];
  for (const { work } of [...due].slice(0, 1)) work();
  expect([await state(late), await state(patient)]).toEqual(["notified", "waiting"]);
  waiters.settled(hash(1));
  expect([await state(patient), due.size]).toEqual(["notified", 0]);
});

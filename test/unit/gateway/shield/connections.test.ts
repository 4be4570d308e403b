import { expect, test } from "vitest";
import { senderOverConnections as connectionsOver } from "../../../../src/gateway/shield/connections.ts";
import { type Exchange, type UpstreamResult, upstreamError } from "../../../../src/gateway/upstream/client.ts";
import { LEDGER_INFO } from "../../../../src/gateway/upstream/upstreams.ts";

const OWN = 5;
const answer = (detail: string): UpstreamResult => upstreamError("invalid", detail);
const lent: Exchange = async () => answer("lent");
const disconnected: Exchange = () => Promise.reject(new Error("the caller hung up"));

/** An object whose own exchanges end when they are told to, and whose lenders may be late. */
function object(isLate = false) {
  const busy: (() => void)[] = [];
  const own: Exchange = () => new Promise((resolve) => busy.push(() => resolve(answer("own"))));
  const over = connectionsOver(own, async (_ms, work) => (isLate ? undefined : work.catch(() => undefined)));
  const send = (...lenders: Exchange[]): Promise<string> => sendOver(new Set(lenders));
  const sendOver = async (lenders: Set<Exchange>): Promise<string> => {
    const result = await over(lenders, 0, LEDGER_INFO, "node", 100);
    return result.kind === "error" ? result.detail : "response";
  };
  return { busy, send, sendOver, sendOwn: () => Array.from({ length: OWN }, () => send(lent)) };
}

test("five connections of the object are used first, then those of the callers, then its own again", async () => {
  const { busy, send, sendOwn } = object();
  const first = sendOwn();
  expect(await send(lent)).toBe("lent");
  for (const finish of busy.splice(0)) finish();
  expect(await Promise.all(first)).toEqual(Array(OWN).fill("own"));
  const again = send(lent);
  busy[0]?.();
  expect(await again).toBe("own");
});

test("the next lender is used when one disconnects, and nothing is sent when all have", async () => {
  const { busy, send, sendOwn } = object();
  void sendOwn();
  expect(await send(disconnected, lent)).toBe("lent");
  expect(await send(disconnected, disconnected)).toContain("no connection is free");
  expect(busy).toHaveLength(OWN);
});

test("a lender that fails two exchanges at once is removed alone, and the next one is used for both", async () => {
  const { sendOver, sendOwn } = object();
  void sendOwn();
  const lenders = new Set([disconnected, lent]);
  expect(await Promise.all([sendOver(lenders), sendOver(lenders)])).toEqual(["lent", "lent"]);
  expect([...lenders]).toEqual([lent]);
});

test("a lender that does not respond in time is given up", async () => {
  const { send, sendOwn } = object(true);
  void sendOwn();
  expect(await send(lent)).toContain("no connection is free");
});

test("a further attempt for a read whose callers have all gone is not sent, although a connection is free", async () => {
  const { busy, send } = object();
  expect(await send()).toContain("no caller lends one");
  expect(busy).toEqual([]);
});

test.each([
  ["an own connection that is free by then is used for a caller that still waits", [lent], "own"],
  ["nothing is sent again when no caller waits any more", [], "no connection is free, and no caller lends one"],
])("when a lender disconnects, %s", async (_what, others, expected) => {
  const { busy, send, sendOwn } = object();
  void sendOwn();
  const frees: Exchange = async () => {
    busy.shift()?.();
    await new Promise(setImmediate);
    throw new Error("the caller hung up");
  };
  const last = send(frees, ...others);
  for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
  busy.at(-1)?.();
  expect(await last).toBe(expected);
  expect(busy.length).toBe(OWN - 1 + others.length);
});

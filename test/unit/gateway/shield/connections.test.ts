import { describe, expect, test } from "vitest";
import { Connections } from "../../../../src/gateway/shield/connections.ts";
import { LEDGER_INFO } from "../../../../src/gateway/upstream/pool.ts";
import type { Exchange, UpstreamResult } from "../../../../src/gateway/upstream/upstream-result.ts";

const answer = (detail: string): UpstreamResult => ({
  kind: "error",
  error: "invalid",
  detail,
  status: null,
  retryAfterSeconds: null,
});
const never = new Promise<never>(() => undefined);

/** An object with that many connections, each busy until released; `sleep` resolves immediately on request. */
function objectWith(count: number, isLate = false) {
  const busy: ((detail: string) => void)[] = [];
  const own: Exchange = () => new Promise((resolve) => busy.push((detail) => resolve(answer(detail))));
  const sleptMs: number[] = [];
  const sleep = (milliseconds: number): Promise<void> => {
    sleptMs.push(milliseconds);
    return isLate ? Promise.resolve() : never;
  };
  const connections = new Connections({ own, sleep, count });
  const send = async (lent: Exchange[]): Promise<string> => {
    const result = await connections.send(lent, 0, LEDGER_INFO, "node", 100);
    return result.kind === "error" ? result.detail : "response";
  };
  const lentBy = (...exchanges: Exchange[]) => exchanges;
  return { busy, send, lentBy, sleptMs };
}

describe("an object with two connections", () => {
  test("uses its own first, and then those of the callers", async () => {
    const { busy, send, lentBy } = objectWith(2);
    const own = [send(lentBy()), send(lentBy(async () => answer("lent")))];
    expect(await send(lentBy(async () => answer("lent")))).toBe("lent");
    for (const finish of busy) finish("own");
    expect(await Promise.all(own)).toEqual(["own", "own"]);
  });

  test("has two again once they are free", async () => {
    const { busy, send, lentBy } = objectWith(2);
    const first = [send(lentBy()), send(lentBy())];
    for (const finish of busy.splice(0)) finish("own");
    await Promise.all(first);
    const own = [send(lentBy()), send(lentBy())];
    expect(await send(lentBy(async () => answer("lent")))).toBe("lent");
    for (const finish of busy) finish("own");
    expect(await Promise.all(own)).toEqual(["own", "own"]);
  });

  test("uses the next lender when one disconnects, and fails when all have", async () => {
    const { busy, send, lentBy } = objectWith(2);
    void send(lentBy());
    void send(lentBy());
    const disconnected: Exchange = () => Promise.reject(new Error("the caller hung up"));
    expect(await send(lentBy(disconnected, async () => answer("the next one")))).toBe("the next one");
    expect(await send(lentBy(disconnected, disconnected))).toContain("no connection is free");
    expect(busy, "nothing was sent for callers that disconnected").toHaveLength(2);
  });

  test("uses its own when the last lender disconnects and one has become free", async () => {
    const { busy, send, lentBy } = objectWith(1);
    void send(lentBy());
    const disconnected: Exchange = async () => {
      busy[0]?.("done");
      await new Promise(setImmediate);
      throw new Error("the caller hung up");
    };
    const last = send(lentBy(disconnected));
    while (busy.length < 2) await new Promise(setImmediate);
    busy[1]?.("own after all");
    expect(await last).toBe("own after all");
  });

  test("uses the next lender when one does not respond in time", async () => {
    const { send, lentBy, sleptMs } = objectWith(0, true);
    expect(
      await send(
        lentBy(
          () => never,
          async () => answer("the next one"),
        ),
      ),
    ).toBe("the next one");
    // Its own deadline of 100 ms, and a second for the way.
    expect(sleptMs).toEqual([1_100, 1_100]);
  });
});

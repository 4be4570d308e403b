import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readBody, withLengthAndDeadline } from "../../../src/gateway/platform.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A body of which the first byte has come, and no other one comes. */
const stalled = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    type: "bytes",
    start: (to) => to.enqueue(new Uint8Array([123])),
    pull: () => new Promise(() => undefined),
  });

/** Whether some work has ended after so many seconds. */
async function hasEnded(work: Promise<unknown>, seconds: number): Promise<boolean> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
  expect(isOver, "it has ended too early").toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  return isOver;
}

test("an upload that stalls is refused after 30 seconds", async () => {
  // Cast: Node sends a stream only with `duplex`, which the Workers' types do not have.
  const headers = { "Content-Type": "application/json", "Content-Length": "9" };
  const init = { method: "POST", headers, body: stalled(), duplex: "half" } as RequestInit;
  const work = readBody(new Request("https://edge.example/v1/view", init), 1_000, { key: "caller" });
  expect(await hasEnded(work, 30)).toBe(true);
  expect(await work).toMatchObject({ status: 400, message: expect.stringContaining("took longer than 30 seconds") });
});

test("a large response that stalls is broken off after 120 seconds", async () => {
  // Node has no stream that counts its length.
  vi.stubGlobal("FixedLengthStream", function passing() {
    return new TransformStream();
  });
  const reader = withLengthAndDeadline({ length: 9, stream: stalled() }).getReader();
  expect((await reader.read()).value).toEqual(new Uint8Array([123]));
  const rest = reader.read();
  expect(await hasEnded(rest, 120)).toBe(true);
  await expect(rest).rejects.toThrow();
});

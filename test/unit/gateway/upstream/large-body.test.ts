import { describe, expect, test } from "vitest";
import { ByteBudget } from "../../../../src/gateway/byte-budget.ts";
import {
  MAX_BUFFERED_BYTES,
  MAX_RESPONSE_BYTES,
  type ReceivedBody,
  receiveBody,
} from "../../../../src/gateway/upstream/large-body.ts";

/** A body that arrives in these pieces; the last one may fail or stall. */
function arriving(pieces: readonly (Uint8Array | Error | "silence")[]): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    type: "bytes",
    pull: async (controller) => {
      const piece = left.shift();
      if (piece instanceof Error) throw piece;
      if (piece === "silence") return new Promise(() => undefined);
      if (piece !== undefined) return controller.enqueue(piece);
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
}

const bytesOf = (length: number, fill = 7) => new Uint8Array(length).fill(fill);
const HALF = MAX_BUFFERED_BYTES / 2;

interface Arrival {
  readonly declared: number | null;
  readonly pieces: readonly (Uint8Array | Error | "silence")[];
}

/** Receives a body; `elapse` lets every timer of that length run out. */
async function receive({ declared, pieces }: Arrival, largeBodies = new ByteBudget(MAX_RESPONSE_BYTES)) {
  const abort = new AbortController();
  const timers = new Map<() => void, number>();
  const limits = {
    signal: abort.signal,
    abort: () => abort.abort(),
    largeBodies,
    after: (milliseconds: number, then: () => void) => {
      timers.set(then, milliseconds);
      return () => void timers.delete(then);
    },
  };
  const headers: Record<string, string> = declared === null ? {} : { "Content-Length": String(declared) };
  const received = await receiveBody(new Response(arriving(pieces), { headers }), limits);
  const elapse = (milliseconds: number): void => {
    for (const [then, due] of timers) if (due <= milliseconds) then();
  };
  return { received, abort, timers, elapse };
}

const kindOf = (received: ReceivedBody | null) =>
  received === null ? "too_large" : received.large === undefined ? "whole" : "large";

async function textOf(received: ReceivedBody | null): Promise<Uint8Array> {
  if (received?.large === undefined) throw new Error(`the body is ${kindOf(received)}`);
  return new Uint8Array(await new Response(received.large.stream).arrayBuffer());
}

describe("a body", () => {
  test.each<[string, Arrival, string]>([
    ["that is empty", { declared: 0, pieces: [] }, "whole"],
    ["as long as is buffered", { declared: MAX_BUFFERED_BYTES, pieces: [bytesOf(HALF), bytesOf(HALF)] }, "whole"],
    ["as long, not declared", { declared: null, pieces: [bytesOf(HALF), bytesOf(HALF)] }, "whole"],
    ["declared to be longer", { declared: MAX_BUFFERED_BYTES + 1, pieces: [bytesOf(1)] }, "large"],
    ["longer, not declared", { declared: null, pieces: [bytesOf(MAX_BUFFERED_BYTES), bytesOf(1)] }, "large"],
    ["declared to be too long", { declared: MAX_RESPONSE_BYTES + 1, pieces: [bytesOf(1)] }, "too_large"],
    ["too long, not declared", { declared: null, pieces: [bytesOf(MAX_RESPONSE_BYTES), bytesOf(1)] }, "too_large"],
  ])("%s", async (_what, arrival, kind) => {
    expect(kindOf((await receive(arrival)).received)).toBe(kind);
  });
});

describe("a large body", () => {
  const pieces = [bytesOf(3, 0x5b), bytesOf(MAX_BUFFERED_BYTES), bytesOf(70_000, 9)];
  const length = 3 + MAX_BUFFERED_BYTES + 70_000;
  const whole = () => [...pieces.map((piece) => piece.slice())];

  test.each([
    ["declared", length],
    ["not declared", null],
  ])("%s: its first byte is checked, all bytes and their number are passed on", async (_what, declared) => {
    const { received, timers, abort } = await receive({ declared, pieces: whole() });
    expect(received).toMatchObject({ body: bytesOf(1, 0x5b), large: { length } });
    expect(Buffer.concat(pieces).equals(await textOf(received))).toBe(true);
    expect(timers.size).toBe(0);
    expect(abort.signal.aborted).toBe(declared !== null);
  });

  test("that ends too early, breaks or stalls is an error, never a short body", async () => {
    const reset = new Error("reset");
    const [cut, broken, silent] = await Promise.all([
      receive({ declared: length, pieces: whole().slice(0, 2) }),
      receive({ declared: length, pieces: [...whole().slice(0, 2), reset] }),
      receive({ declared: length, pieces: [...whole().slice(0, 2), "silence"] }),
    ]);
    await expect(textOf(cut.received)).rejects.toThrow("truncated");
    await expect(textOf(broken.received)).rejects.toThrow("reset");
    const waiting = textOf(silent.received);
    const ended = expect(waiting).rejects.toThrow("deadline");
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([...silent.timers.values()].sort()).toEqual([10_000, 120_000]);
    silent.elapse(10_000);
    await ended;
    expect(silent.timers.size).toBe(0);
  });

  test("that its caller does not read is cancelled", async () => {
    const { received, abort, elapse } = await receive({ declared: length, pieces: whole() });
    expect(abort.signal.aborted).toBe(false);
    elapse(120_000);
    expect(abort.signal.aborted).toBe(true);
    await expect(textOf(received)).rejects.toThrow();
  });

  test("whose caller disconnects ends the exchange with the upstream", async () => {
    const { received, abort, timers } = await receive({ declared: length, pieces: whole() });
    await received?.large?.stream.cancel();
    expect(abort.signal.aborted).toBe(true);
    expect(timers.size).toBe(0);
  });

  test("without a declared length reserves memory until it is read or dropped", async () => {
    for (const end of ["read", "dropped", "not read in time"] as const) {
      const budget = new ByteBudget(MAX_RESPONSE_BYTES);
      const { received, elapse } = await receive({ declared: null, pieces: whole() }, budget);
      expect([end, budget.tryReserve(MAX_RESPONSE_BYTES)]).toEqual([end, false]);
      if (end === "read") await textOf(received);
      else if (end === "not read in time") elapse(30_000);
      else await received?.large?.stream.cancel();
      expect([end, budget.tryReserve(MAX_RESPONSE_BYTES)]).toEqual([end, true]);
    }
  });

  test("with a declared length reserves none", async () => {
    const budget = new ByteBudget(1);
    budget.tryReserve(1);
    const { received } = await receive({ declared: length, pieces: whole() }, budget);
    expect((await textOf(received)).byteLength).toBe(length);
  });
});

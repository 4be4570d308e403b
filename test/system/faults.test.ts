import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLAIN } from "../fuzz/raw-request.ts";
import { Wire } from "../fuzz/wire.ts";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";
import { wasLimiterLate } from "../support/late-limiter.ts";
import { quotaFaults, type Spent } from "../support/quota-oracle.ts";

const [QUOTA, WINDOW_MS] = [60, 60_000];
const FIGURES = ["/api/max-supply", "/api/circulating-supply"] as const;

interface Caller {
  readonly spent: Spent[];
  readonly figures: Set<string>;
  readonly odd: string[];
}

/** Requests both figures in turn until enough refusals after the kill show where the quota ends. */
async function requesting(
  url: string,
  address: string,
  { spent, figures, odd }: Caller,
  killedAtMs: () => number,
): Promise<void> {
  const wire = new Wire(url);
  const isEnd = ({ sentMs, outcome }: Spent): boolean => outcome === "refused" && sentMs > killedAtMs();
  for (let turn = 0; spent.filter(isEnd).length < 3; turn += 1) {
    const target = FIGURES[turn % 2] ?? "";
    const sentMs = performance.now();
    const answer = await wire.send({ ...PLAIN, target, fields: [["CF-Connecting-IP", address]] });
    const status = answer.kind === "none" ? 0 : answer.status;
    const outcome = status === 200 ? "admitted" : status === 429 ? "refused" : "lost";
    spent.push({ sentMs, endedMs: performance.now(), outcome });
    if (status === 200 && answer.kind === "answer") figures.add(`${target} ${answer.body.toString()}`);
    else if (status !== 429 && status !== 0) odd.push(`${target} -> ${status}`);
    await pause(50);
  }
  wire.close();
}

describe("the edge killed under load, and restarted on its storage", () => {
  let product: BareProduct;
  beforeAll(async () => {
    product = await startBareProduct();
  });
  afterAll(() => product?.remove());

  test("loses at most the last second of a caller's quota, and serves the same figures", async ({ skip }) => {
    const callers = Array.from({ length: 6 }, (): Caller => ({ spent: [], figures: new Set(), odd: [] }));
    let killedMs = Number.POSITIVE_INFINITY;
    const all = Promise.all(
      callers.map((caller, index) => requesting(product.url, `198.51.100.${index}`, caller, () => killedMs)),
    );
    await expect.poll(() => Math.min(...callers.map(({ spent }) => spent.length))).toBeGreaterThan(40);
    const killed = product.pid();
    killedMs = performance.now();
    await product.kill();
    const { length } = product.log();
    await product.start();
    expect(product.pid()).not.toBe(killed);
    await all;
    const slowestMs = Math.max(...callers.flatMap(({ spent }) => spent).map(({ sentMs, endedMs }) => endedMs - sentMs));
    // Without the limiter's object an isolate counts alone, and the new one from zero.
    if (wasLimiterLate(product.log().slice(length)))
      skip(
        `the machine was too slow: after the restart a limiter object had no answer; ${Math.round(slowestMs)} ms for one`,
      );
    const before = callers.flatMap(({ spent }) => spent).filter(({ endedMs }) => endedMs < killedMs);
    const roundTripMs = Math.max(...before.map(({ sentMs, endedMs }) => endedMs - sentMs));
    for (const { spent, figures, odd } of callers) {
      // A journal row is written within a second; the rest is the round trip, longer on a busy machine.
      const evicted = ({ endedMs }: Spent): boolean =>
        endedMs > killedMs - 1_300 - roundTripMs && endedMs <= killedMs + 50 + roundTripMs;
      const remembered = spent.filter((one) => !evicted(one));
      const admitted = remembered.filter(({ endedMs, outcome }) => endedMs < killedMs && outcome === "admitted");
      expect(admitted.length).toBeGreaterThan(10);
      expect(spent.some(({ sentMs, outcome }) => sentMs > killedMs && outcome === "refused")).toBe(true);
      const tooMany = remembered.filter(({ outcome }) => outcome === "admitted");
      expect(quotaFaults(tooMany, QUOTA, WINDOW_MS)).toEqual([]);
      expect(quotaFaults(spent, QUOTA, WINDOW_MS).filter((fault) => fault.startsWith("refused"))).toEqual([]);
      expect(figures.size).toBe(2);
      expect(odd).toEqual([]);
    }
  });
});

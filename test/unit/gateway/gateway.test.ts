import { describe, expect, test } from "vitest";
import { type AdmissionResult, NO_CALLER } from "../../../src/admission.ts";
import type { MetricsEvent } from "../../../src/base/metrics.ts";
import { isAtLeast, type LedgerPoint } from "../../../src/chain/ledger-point.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import type { Attempt, CachedResponse, LocatedResponse } from "../../../src/gateway/model/node-types.ts";
import { ANSWER_LOST } from "../../../src/gateway/request/node-errors.ts";
import type { ShieldRequest, ShieldResult } from "../../../src/gateway/shield/messages.ts";
import type { GatewayPorts } from "../../../src/gateway/sources.ts";
import { classify } from "../../../src/gateway/upstream/classify.ts";
import type { FailoverResult } from "../../../src/gateway/upstream/failover.ts";
import { poolOf, raise } from "../../../src/gateway/upstream/upstreams.ts";
import { requestFor } from "./requests.ts";
import { cachedResponse, DOWN, downBy, NOW_MS, portsWith, shieldValue } from "./scripted.ts";
import { ledgerAt, responseOf } from "./upstream/nodes.ts";

const HASH = `0x${"ab".repeat(32)}`;
const TIP = "/v1/accounts/0x1";
const OTHER = "/v1/accounts/0x2";
const FINAL = "/v1/transactions/by_version/5";
const WAIT = `/v1/transactions/wait_by_hash/${HASH}`;
const SUBMIT = "/v1/transactions";
const SIMULATE = "/v1/transactions/simulate";
const REFUSAL = { kind: "throttled", quota: 300, windowSeconds: 60, retryAfterSeconds: 7 } as const;
const OK: Attempt = { upstream: "a", result: "ok", milliseconds: 7 };
const at = (version: bigint, era = 0): LedgerPoint => ({ era, version });
const tipAt = (version: bigint, more: Partial<CachedResponse> = {}) =>
  cachedResponse({ ledger: ledgerAt(version), ...more });
const final = (version: bigint, more: Partial<CachedResponse> = {}) =>
  tipAt(version, { retention: "immutable", timeless: true, seconds: 86_400, ...more });

interface World {
  /** Limiter's answers, in order; afterwards no floor applies. */
  readonly floors?: readonly (LedgerPoint | null)[];
  readonly refused?: boolean;
  readonly mayReadAhead?: boolean;
  /** Newest point that this isolate has served to the caller. */
  readonly seen?: LedgerPoint;
  /** Shield's answers, in order; the last one is repeated. */
  readonly shield?: readonly (ShieldResult | null)[];
  /** The data centre's cache, by the path in the key. */
  readonly shared?: Readonly<Record<string, CachedResponse>>;
  /** Upstreams' answers to this isolate's own calls, in order; afterwards they answer at version 9. */
  readonly down?: readonly FailoverResult[];
  readonly status?: number;
  readonly ports?: Partial<GatewayPorts>;
}

/** An isolate whose shield, limiter, caches and upstreams answer from a script, with a record of its calls. */
function isolateIn({ floors = [], refused = false, shield = [], shared = {}, down = [], status, ...world }: World) {
  const record = {
    shielded: [] as ShieldRequest[],
    offered: [] as (LedgerPoint | null)[],
    noted: [] as bigint[],
    notedHere: [] as bigint[],
    called: [] as { path: string; floor: bigint }[],
    stored: [] as string[],
    logged: [] as string[],
    metrics: [] as MetricsEvent[],
    background: [] as Promise<unknown>[],
  };
  const pool = poolOf([]);
  const gateway = new Gateway(
    portsWith({
      shield: async (_region, read) => {
        record.shielded.push(read);
        return shield[Math.min(record.shielded.length, shield.length) - 1] ?? null;
      },
      shared: {
        match: async (key) => Object.entries(shared).find(([path]) => key.includes(path))?.[1],
        put: async (key) => void record.stored.push(key),
      },
      pool,
      call: async (request, floor) => {
        record.called.push({ path: request.path, floor });
        raise(pool, { era: pool.tip?.era ?? 0, ledger: ledgerAt(9n), confirmedAtMs: NOW_MS });
        const unavailable = down[record.called.length - 1];
        if (unavailable !== undefined) return unavailable;
        const outcome = { success: true, vm_status: "", error_code: "sequence_number_too_old" };
        const found = { type: "user_transaction", hash: HASH, version: "5", ...outcome };
        const response = responseOf(request.mode === "compute" ? [] : found, ledgerAt(9n), status);
        const classification = classify(request, response);
        if (typeof classification === "string") throw new Error(classification);
        return { kind: "response", response, classification, dialect: null, attempts: [OK] };
      },
      log: (event) => void record.logged.push(event),
      count: (metric) => void record.metrics.push(metric),
      ...world.ports,
    }),
  );
  const admission = {
    ...NO_CALLER,
    admit: async (offered: LedgerPoint | null): Promise<AdmissionResult> => {
      record.offered.push(offered);
      if (refused) return { refusal: REFUSAL, floor: null };
      const floor = floors[record.offered.length - 1] ?? null;
      return { refusal: null, floor: offered !== null && isAtLeast(offered, floor) ? null : floor };
    },
    mayReadAhead: () => world.mayReadAhead ?? true,
    record: async ({ version }: LedgerPoint) => void record.noted.push(version),
    recordHere: ({ version }: LedgerPoint) => void record.notedHere.push(version),
    seenHere: () => world.seen ?? null,
  };
  const waitUntil = (work: Promise<unknown>) => void record.background.push(work);
  const send = async (path: string) => {
    const isPost = path === SUBMIT || path === SIMULATE || path.includes("encode_submission");
    const request = await requestFor(isPost ? "POST" : "GET", path, isPost ? "{}" : null);
    return gateway.answer(request, { region: () => "here", admission, requestId: "r", waitUntil });
  };
  /** The source and the ledger version that the headers name, or how it failed. */
  const read = async (path: string): Promise<string> => {
    const result = await send(path);
    if (result.kind === "found") return `${result.source} ${result.ledger?.version ?? "-"}`;
    return result.kind === "node" ? String(result.status) : result.kind;
  };
  return { gateway, pool, send, read, waitUntil, ...record };
}

describe("a hit", () => {
  test("is one call to the limiter, with the point that the response shows", async () => {
    const { read, shielded, offered } = isolateIn({ shield: [shieldValue(tipAt(9n))] });
    expect([await read(TIP), await read(TIP)]).toEqual(["upstream 9", "memory 9"]);
    expect([shielded.length, offered]).toEqual([1, [null, at(9n)]]);
  });

  test("below a version that the caller saw through another isolate becomes a miss", async () => {
    const shield = [shieldValue(tipAt(9n)), shieldValue(tipAt(12n))];
    const { read, shielded } = isolateIn({ shield, floors: [null, at(12n)] });
    expect([await read(TIP), await read(TIP)]).toEqual(["upstream 9", "upstream 12"]);
    expect(shielded[1]?.floor).toEqual(at(12n));
  });

  test("on a timeless response names the tip, which is read when its caller has seen a newer one", async () => {
    const shield = [shieldValue(final(9n)), shieldValue(tipAt(12n))];
    const { read, shielded, offered } = isolateIn({ shield, floors: [null, null, at(11n)] });
    expect([await read(FINAL), await read(FINAL), await read(FINAL)]).toEqual(["upstream 9", "memory 9", "memory 12"]);
    expect(shielded.slice(1).map(({ request, floor }) => [request.endpoint, floor])).toEqual([
      ["ledger_info", at(11n)],
    ]);
    expect([await read(FINAL), offered.at(-1), shielded.length]).toEqual(["memory 12", at(12n), 2]);
  });

  test("on a timeless response is a 503 when no ledger can be read that its caller may see", async () => {
    const shield = [shieldValue(final(9n)), shieldValue(tipAt(10n))];
    const { read } = isolateIn({ shield, floors: [null, at(12n)] });
    expect([await read(FINAL), await read(FINAL)]).toEqual(["upstream 9", "503"]);
  });

  test("of an era that has ended for its caller is a miss", async () => {
    const shield = [shieldValue(final(9n)), shieldValue(final(3n, { era: 7 }))];
    const { read, shielded } = isolateIn({ shield, floors: [null, at(1n, 7)] });
    expect([await read(FINAL), await read(FINAL)]).toEqual(["upstream 9", "upstream 3"]);
    expect(shielded).toHaveLength(2);
  });

  test("on a timeless response reads the ledger in the background when the tip is old", async () => {
    let nowMs = NOW_MS;
    const { read, shielded } = isolateIn({ shield: [shieldValue(final(9n))], ports: { now: () => nowMs } });
    await read(FINAL);
    nowMs += 9_000;
    await read(FINAL);
    expect(shielded).toHaveLength(1);
    nowMs += 2_000;
    await read(FINAL);
    await read(FINAL);
    expect(shielded.map(({ request }) => request.endpoint)).toEqual(["transaction_by_version", "ledger_info"]);
  });
});

describe("the data centre's cache", () => {
  test.each<[string, World, string, number]>([
    ["a tip response of the last second is a hit", { shared: { "/0x1 ": tipAt(9n) } }, "cache 9", 1],
    ["an older one is a miss", { shared: { "/0x1 ": tipAt(9n, { storedAtMs: NOW_MS - 1_000 }) } }, "upstream 12", 2],
    ["one below what the caller saw is a miss", { shared: { "/0x1 ": tipAt(9n) }, seen: at(10n) }, "upstream 12", 2],
    ["one below what another served", { shared: { "/0x1 ": tipAt(9n) }, floors: [null, at(12n)] }, "upstream 12", 2],
  ])("%s", async (_what, world, expected, calls) => {
    const shield = [shieldValue(tipAt(8n)), shieldValue(tipAt(12n))];
    const { read, shielded } = isolateIn({ shield, ...world });
    // An isolate that knows no tip yet does not know the era either.
    await read(OTHER);
    expect([await read(TIP), shielded.length]).toEqual([expected, calls]);
  });

  test("answers an immutable read in parallel with the limiter", async () => {
    const { read, shielded, noted } = isolateIn({
      shield: [shieldValue(tipAt(9n))],
      shared: { "/by_version/5": final(8n) },
    });
    await read(OTHER);
    expect([await read(FINAL), shielded.length, noted]).toEqual(["cache 9", 1, []]);
  });

  test("teaches the isolate the ledger of its entries, as of when they were stored", async () => {
    const newer = final(12n, { storedAtMs: NOW_MS - 60_000 });
    const { read, pool } = isolateIn({ shield: [shieldValue(tipAt(9n))], shared: { "/by_version/5": newer } });
    await read(OTHER);
    await read(FINAL);
    expect(pool.tip).toEqual({ era: 0, ledger: newer.ledger, confirmedAtMs: NOW_MS - 60_000 });
  });

  test("receives what is worth sharing, under its era", async () => {
    const shield = [shieldValue(final(9n, { era: 7 })), shieldValue(tipAt(9n, { era: 7, seconds: 0.5 }))];
    const { read, stored } = isolateIn({ shield });
    await read(FINAL);
    await read(TIP);
    expect(stored).toEqual(["7 GET /transactions/by_version/5 json "]);
  });
});

describe("a miss", () => {
  test("calls the shield again when its response is below the limiter's floor, at most three times", async () => {
    const once = isolateIn({ shield: [shieldValue(tipAt(9n)), shieldValue(tipAt(12n))], floors: [at(12n)] });
    expect(await once.read(TIP)).toBe("upstream 12");
    expect(once.shielded.map(({ floor }) => floor)).toEqual([null, at(12n)]);
    const never = isolateIn({ shield: [shieldValue(tipAt(9n))], floors: [at(12n)] });
    expect([await never.read(TIP), never.shielded.length]).toEqual(["503", 3]);
  });

  test.each([
    ["is dropped when the limiter refuses", true, true, "throttled", 1],
    ["is not sent before the decision on a caller that may have no quota left", false, true, "throttled", 0],
    ["is sent after that decision", false, false, "upstream 9", 1],
  ])("%s", async (_what, mayReadAhead, refused, expected, calls) => {
    const { read, shielded } = isolateIn({ shield: [shieldValue(tipAt(9n))], mayReadAhead, refused });
    expect([await read(TIP), shielded.length]).toEqual([expected, calls]);
  });

  test("that is refused closes a large body", async () => {
    let cancels = 0;
    const stream = new ReadableStream<Uint8Array>({ cancel: () => void cancels++ });
    const { read } = isolateIn({ shield: [shieldValue(tipAt(9n, { large: { length: 9, stream } }))], refused: true });
    expect([await read(TIP), cancels]).toEqual(["throttled", 1]);
  });

  test.each([
    ["was replaced is called again", 5, 2],
    ["is overloaded is not", 14_000, 1],
  ])("whose shield %s", async (_what, failsAfterMs, calls) => {
    let nowMs = NOW_MS;
    let count = 0;
    const shield: GatewayPorts["shield"] = async () => {
      count += 1;
      nowMs += failsAfterMs;
      return null;
    };
    const { read, logged } = isolateIn({ ports: { shield, now: () => nowMs } });
    expect([await read(TIP), count]).toEqual(["503", calls]);
    expect(logged).toContain("shield_error");
  });

  test("is recorded by the isolate when the shield could not", async () => {
    const { read, noted } = isolateIn({ shield: [shieldValue(tipAt(9n), { recorded: null })] });
    expect([await read(TIP), noted]).toEqual(["upstream 9", [9n]]);
  });

  test.each<[string, Partial<LocatedResponse>, (LedgerPoint | null)[], string, bigint[]]>([
    ["recorded by the shield, its own ledger", { recorded: at(12n) }, [], "upstream 12", []],
    ["covered by what was offered, that one", { recorded: at(9n) }, [], "upstream 9", []],
    ["not recorded, its own, which the isolate records", { recorded: null }, [], "upstream 12", [12n]],
    ["recorded below what its caller has seen, one is read", { recorded: at(12n) }, [null, at(20n)], "upstream 21", []],
  ])("of an immutable response names, %s", async (_what, more, floors, expected, notes) => {
    const shield = [shieldValue(tipAt(9n)), shieldValue(final(12n), more), shieldValue(tipAt(21n))];
    const { read, noted, offered } = isolateIn({ shield, floors });
    await read(OTHER);
    expect([await read(FINAL), noted, offered[1]]).toEqual([expected, notes, at(9n)]);
  });

  test("is answered with the last good response while no shield responds, never below a floor", async () => {
    let nowMs = NOW_MS;
    const shield = [shieldValue(tipAt(9n)), null];
    const { read, logged } = isolateIn({ shield, floors: [null, null, at(10n)], ports: { now: () => nowMs } });
    await read(TIP);
    nowMs += 5_000;
    expect([await read(TIP), logged.includes("stale_served")]).toEqual(["stale 9", true]);
    expect(await read(TIP)).toBe("503");
    nowMs += 30_000;
    expect(await read(TIP)).toBe("503");
  });

  test("that no upstream answers is a 503 with a time to wait, and is logged", async () => {
    const { send, logged } = isolateIn({ shield: [{ found: DOWN, tip: null, tipAgeMs: 0, elapsedMs: 0 }] });
    expect(await send(TIP)).toMatchObject({ status: 503, retryAfterSeconds: 2 });
    expect(logged).toEqual(["upstreams_down"]);
  });

  test("dates a response by its own clock, as if all time outside the shield was the way back", async () => {
    let nowMs = NOW_MS;
    const result = { ...shieldValue(tipAt(9n), { ageMs: 300 }), elapsedMs: 40 };
    const shield: GatewayPorts["shield"] = async () => {
      nowMs += 100;
      return result;
    };
    const { send } = isolateIn({ ports: { shield, now: () => nowMs } });
    expect(await send(TIP)).toMatchObject({ ageMs: 360, value: { storedAtMs: NOW_MS - 260 } });
  });
});

describe("a submit", () => {
  test("is sent after admission, and names the tip that was offered with it", async () => {
    const { read, called, offered } = isolateIn({ shield: [shieldValue(tipAt(9n))] });
    await read(TIP);
    expect([await read(SUBMIT), called.length, offered.at(-1)]).toEqual(["upstream 9", 1, at(9n)]);
    const refused = isolateIn({ refused: true });
    expect([await refused.read(SUBMIT), refused.called.length]).toEqual(["throttled", 0]);
  });

  test.each<[string, World, string]>([
    ["in an isolate that has just woken", { shield: [shieldValue(tipAt(9n))] }, "upstream 9"],
    ["whose caller has seen a newer ledger", { shield: [shieldValue(tipAt(12n))], floors: [at(11n)] }, "upstream 12"],
    ["is not sent when none can be read", { shield: [shieldValue(tipAt(10n))], floors: [at(11n)] }, "503"],
  ])("%s names a ledger that is read first", async (_what, world, expected) => {
    const { read, called, shielded } = isolateIn(world);
    expect([await read(SUBMIT), called.length]).toEqual([expected, expected === "503" ? 0 : 1]);
    expect(shielded.map(({ request }) => request.endpoint)).toEqual(["ledger_info"]);
  });

  test("that is refused shows the state that it is due to, which is recorded, unless that is older", async () => {
    const refusal = isolateIn({ status: 400, shield: [shieldValue(tipAt(8n))] });
    expect([await refusal.read(SUBMIT), refusal.noted]).toEqual(["upstream 9", [9n]]);
    const older = isolateIn({ status: 400, shield: [shieldValue(tipAt(12n))], floors: [at(12n)] });
    expect([await older.read(SUBMIT), older.noted]).toEqual(["upstream 12", []]);
  });

  describe("that was accepted", () => {
    const unknown = { status: 404, retention: "no-store", seconds: 0 } as const;
    const BY_HASH = `/v1/transactions/by_hash/${HASH}`;
    const OTHER_HASH = `/v1/transactions/by_hash/0x${"cd".repeat(32)}`;
    const pollsAfter = async (milliseconds: number, paths: readonly string[]): Promise<unknown[]> => {
      let nowMs = NOW_MS;
      const shield = [shieldValue(tipAt(9n)), shieldValue(tipAt(9n, unknown))];
      const { send } = isolateIn({ shield, status: 202, ports: { now: () => nowMs } });
      await send(SUBMIT);
      nowMs += milliseconds;
      const found = await Promise.all(paths.map(send));
      return found.map((each) =>
        each.kind === "found"
          ? [each.value.status, new TextDecoder().decode(each.value.body).includes(HASH)]
          : each.kind,
      );
    };

    test("is pending for ten seconds where its node does not know it: behind a balanced URL", async () => {
      expect(await pollsAfter(9_999, [BY_HASH])).toEqual([[200, true]]);
      expect(await pollsAfter(10_000, [BY_HASH])).toEqual([[404, false]]);
    });

    test("control: is what its node knows of it", async () => {
      const body = new TextEncoder().encode("committed");
      const { send } = isolateIn({ shield: [shieldValue(tipAt(9n)), shieldValue(final(9n, { body }))], status: 202 });
      await send(SUBMIT);
      expect(await send(BY_HASH)).toMatchObject({ value: { status: 200, body } });
    });

    test("control: no other hash is, nor any other missing thing", async () => {
      expect(await pollsAfter(0, [OTHER_HASH, TIP])).toEqual([
        [404, false],
        [404, false],
      ]);
    });
  });

  test("whose answer is lost is not reported as unsent", async () => {
    const { send } = isolateIn({ shield: [shieldValue(tipAt(9n))], down: [{ ...DOWN, failure: ANSWER_LOST }] });
    expect(await send(SUBMIT)).toMatchObject({ status: 502 });
  });
});

describe("a long poll or simulation", () => {
  test.each([
    ["the commit that it reveals is covered by the tip that was offered", WAIT, 9n, []],
    ["what it shows is recorded", SIMULATE, 7n, [9n]],
  ])("is sent by the isolate, at its caller's floor: %s", async (_what, path, floor, notes) => {
    const { read, called, noted, shielded } = isolateIn({ shield: [shieldValue(tipAt(9n))], floors: [null, at(7n)] });
    await read(TIP);
    expect(await read(path)).toBe("upstream 9");
    expect([called.at(-1)?.floor, noted, shielded.length]).toEqual([floor, notes, 1]);
  });

  test("first learns the era when the isolate does not know it", async () => {
    const { read, shielded, called } = isolateIn({ shield: [shieldValue(tipAt(9n, { era: 7 }))], floors: [at(8n, 7)] });
    expect(await read(SIMULATE)).toBe("upstream 9");
    expect([shielded.map(({ request }) => request.endpoint), called[0]?.floor]).toEqual([["ledger_info"], 8n]);
  });

  test("is sent again when lagging upstreams have caught up, and is a 503 when they have not", async () => {
    const lagging = [downBy("lagging")];
    const caughtUp = isolateIn({ shield: [shieldValue(tipAt(9n))], down: lagging, floors: [at(9n)] });
    expect([await caughtUp.read(SIMULATE), caughtUp.called.length]).toEqual(["upstream 9", 2]);
    const behind = { found: lagging[0] ?? DOWN, tip: null, tipAgeMs: 0, elapsedMs: 0 };
    const late = isolateIn({ shield: [shieldValue(tipAt(8n)), behind], down: lagging, floors: [null, at(9n)] });
    await late.read(TIP);
    expect([await late.read(SIMULATE), late.called.length]).toEqual(["503", 1]);
  });

  test("teaches the isolate its ledger: the caller's next hit names it, without a further call", async () => {
    const { read, shielded } = isolateIn({ shield: [shieldValue(tipAt(8n))], floors: [null, null, at(9n)] });
    await read(TIP);
    expect(await read(WAIT)).toBe("upstream 9");
    expect([await read(`/v1/transactions/by_hash/${HASH}`), shielded.length]).toEqual(["memory 9", 1]);
  });

  test("that finds a commit makes it a hit of the read by hash", async () => {
    const { read } = isolateIn({ shield: [shieldValue(tipAt(9n))] });
    await read(WAIT);
    expect(await read(`/v1/transactions/by_hash/${HASH}`)).toBe("memory 9");
  });
});

describe("the ledger, as health reads it,", () => {
  const stale = shieldValue(tipAt(9n), { source: "stale" });
  const refused = shieldValue(tipAt(9n, { status: 500, retention: "no-store" }));
  test.each<[string, World["shield"], string]>([
    ["from an upstream is current", [shieldValue(tipAt(9n))], "current"],
    ["from the shield is current", [shieldValue(tipAt(9n), { source: "shield" })], "current"],
    ["served stale is stale", [stale], "stale"],
    ["refused by the node is unavailable", [refused], "unavailable"],
    ["from no upstream is unavailable", [{ found: DOWN, tip: null, tipAgeMs: 0, elapsedMs: 0 }], "unavailable"],
    ["without a shield is unavailable", [], "unavailable"],
  ])("%s", async (_what, shield = [], expected) => {
    const { gateway, waitUntil, shielded } = isolateIn({ shield });
    const tipRead = await gateway.readTip("apac", waitUntil);
    expect([tipRead, shielded[0]?.request.endpoint]).toEqual([expected, "ledger_info"]);
  });

  test("is stored for others even when the request that read it is over", async () => {
    const { gateway, waitUntil, stored, background } = isolateIn({ shield: [shieldValue(tipAt(9n))] });
    await gateway.readTip("apac", waitUntil);
    expect([stored.length, background.length]).toEqual([1, 1]);
  });
});

test("every attempt is counted, and logged when it failed", async () => {
  const failed: Attempt = { upstream: "b", result: "timeout", milliseconds: 40, detail: "late" };
  const { read, metrics, logged } = isolateIn({ shield: [shieldValue(tipAt(9n), { attempts: [failed, OK] })] });
  await read(TIP);
  expect(metrics.map((event) => (event.kind === "upstream" ? [event.upstream, event.result] : []))).toEqual([
    ["b", "timeout"],
    ["a", "ok"],
  ]);
  expect(logged).toEqual(["upstream_error"]);
});

import { describe, expect, test } from "vitest";
import type { LedgerMark, LedgerPoint } from "../../../src/chain/ledger-point.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import type { GatewayPorts } from "../../../src/gateway/gateway-ports.ts";
import { NO_CALLER } from "../../../src/gateway/no-caller.ts";
import type { CachedResponse } from "../../../src/gateway/node-types.ts";
import type { ShieldResult } from "../../../src/gateway/shield/messages.ts";
import { markOf } from "../../../src/gateway/tip/known-tip.ts";
import { classifyResponse } from "../../../src/gateway/upstream/classify-response.ts";
import type { Attempt, FailoverResult } from "../../../src/gateway/upstream/failover.ts";
import type { MetricsEvent } from "../../../src/metrics.ts";
import { requestFor } from "./requests.ts";
import { cachedResponse, DOWN, NOW_MS, portsWith, shieldValue } from "./scripted.ts";
import { ledgerAt, responseOf } from "./upstream/nodes.ts";

const HASH = `0x${"ab".repeat(32)}`;
const WAIT = `/v1/transactions/wait_by_hash/${HASH}`;
const SIMULATE = "/v1/transactions/simulate";
const SUBMIT = "/v1/transactions";
const LAGGING = { ...DOWN, lagging: true };
const OK: Attempt = { upstream: "a", result: "ok", milliseconds: 7 };
const at = (version: bigint): LedgerMark => markOf(0, ledgerAt(version));

interface World extends Partial<GatewayPorts> {
  /** Of the upstreams' responses. */
  readonly status?: number;
  /** What the shield answers a long poll with. */
  readonly settle?: (polled: CachedResponse) => ShieldResult;
  /** Of the upstreams, in order; then they respond at version 9. */
  readonly down?: readonly FailoverResult[];
  readonly attempts?: readonly Attempt[];
  readonly floor?: LedgerMark;
  /** What this isolate has served to the caller. */
  readonly seen?: LedgerMark;
  readonly minVersion?: bigint;
}

const settleAsPolled = (polled: CachedResponse): ShieldResult => shieldValue(polled, { shows: at(9n) });

function isolate({
  down = [],
  attempts = [OK],
  floor,
  seen,
  minVersion,
  settle = settleAsPolled,
  status,
  ...more
}: World) {
  const calls: { readonly path: string; readonly floor: bigint }[] = [];
  const looks: { readonly minVersion: bigint | null; readonly floor: LedgerPoint | null }[] = [];
  const admits: (readonly unknown[])[] = [];
  const [logged, metrics, notes, notedHere]: [string[], MetricsEvent[], bigint[], bigint[]] = [[], [], [], []];
  const gateway = new Gateway(
    portsWith({
      shield: async (_region, { minVersion: required, floor: known, polled }) => {
        if (polled !== null) return settle(polled);
        looks.push({ minVersion: required, floor: known });
        return shieldValue(cachedResponse());
      },
      call: async (request, required) => {
        calls.push({ path: request.path, floor: required });
        const unavailable = down[calls.length - 1];
        if (unavailable !== undefined) return unavailable;
        const found = { type: "user_transaction", hash: HASH, version: "5", error_code: "sequence_number_too_old" };
        const response = responseOf(request.mode === "compute" ? [] : found, ledgerAt(9n), status);
        const classification = classifyResponse(request, response);
        if (classification.kind === "invalid") throw new Error(classification.why);
        return { kind: "response", response, classification, attempts };
      },
      log: (event) => void logged.push(event),
      count: (metric) => void metrics.push(metric),
      ...more,
    }),
  );
  const admission = {
    ...NO_CALLER,
    admit: async (...offer: readonly unknown[]) => {
      admits.push(offer);
      return { refusal: null, floor: floor ?? null };
    },
    note: async ({ version }: LedgerPoint) => notes.push(version) > 0,
    noteHere: ({ version }: LedgerPoint) => void notedHere.push(version),
    seenHere: () => seen ?? null,
  };
  const send = async (path: string) => {
    const request = path === WAIT ? await requestFor("GET", path) : await requestFor("POST", path, "{}");
    const waitUntil = () => undefined;
    const context = { region: "here", admission, minVersion: minVersion ?? null, requestId: "r", waitUntil };
    return gateway.answer(request, context);
  };
  /** Makes the isolate know the tip, version 9. */
  const learnTip = async () => {
    const context = { region: "here", admission: NO_CALLER, requestId: "r", waitUntil: () => undefined };
    await gateway.answer(await requestFor("GET", "/v1/accounts/0x1"), { ...context, minVersion: null });
    looks.length = 0;
  };
  return { gateway, send, learnTip, calls, looks, admits, logged, metrics, notes, notedHere };
}

describe("the attempts of a request that the isolate sends itself", () => {
  test("are counted, and logged when they failed", async () => {
    const failed: Attempt = { upstream: "b", result: "timeout", milliseconds: 40, detail: "late" };
    const { send, metrics, logged } = isolate({ attempts: [failed, OK] });
    expect(await send(SIMULATE)).toMatchObject({ kind: "served", source: "upstream", ageMs: 0, upstreamMs: 47 });
    expect(metrics).toEqual([
      { kind: "upstream", route: "simulate", upstream: "b", result: "timeout", milliseconds: 40 },
      { kind: "upstream", route: "simulate", upstream: "a", result: "ok", milliseconds: 7 },
    ]);
    expect(logged).toEqual(["upstream_error"]);
  });

  test.each([
    [false, 503, 3],
    [true, 502, null],
  ])("that may have reached a node %s end with %i", async (maybeSent, status, retryAfterSeconds) => {
    const { send, logged } = isolate({ down: [{ ...DOWN, maybeSent }] });
    expect(await send(SUBMIT)).toMatchObject({ kind: "node", status, retryAfterSeconds });
    expect(logged).toEqual(["upstreams_down"]);
  });
});

describe("a required version", () => {
  test.each<[bigint, number]>([
    [8n, 0],
    [9n, 0],
    [10n, 1],
  ])("%d, when 9 is known: %i look-ups", async (minVersion, count) => {
    const { send, learnTip, looks, calls } = isolate({ minVersion });
    await learnTip();
    await send(SIMULATE);
    expect(looks.map((look) => look.minVersion)).toEqual(count === 0 ? [] : [minVersion]);
    expect(calls.map(({ floor }) => floor)).toEqual([minVersion]);
  });

  test("that no node has is a 503, without a call of an upstream", async () => {
    const { send, calls } = isolate({ minVersion: 12n, shield: async () => ({ ...LAGGING, ...shieldFacts }) });
    const message = "Ledger version 12 is not available yet.";
    expect(await send(SIMULATE)).toMatchObject({ kind: "node", status: 503, message, retryAfterSeconds: 1 });
    expect(calls).toEqual([]);
  });

  test("is passed on to the upstreams while the shield does not respond", async () => {
    const { send, calls } = isolate({ minVersion: 9n, shield: portsWith().shield });
    expect(await send(SIMULATE)).toMatchObject({ kind: "served" });
    expect(calls.map(({ floor }) => floor)).toEqual([9n]);
  });

  const shieldFacts = { outdated: [], tip: null, tipAgeMs: 0, elapsedMs: 0 };
});

describe("what the caller has seen", () => {
  test("is the minimum version of a simulation", async () => {
    const { send, learnTip, calls } = isolate({ floor: at(8n) });
    await learnTip();
    await send(SIMULATE);
    expect(calls).toEqual([{ path: "/transactions/simulate", floor: 8n }]);
  });

  test.each([
    [null, 0n],
    [12n, 12n],
  ])(
    "does not bind a submit, only a version that it requires (%s) does, and neither is looked up",
    async (required, floor) => {
      const { send, looks, calls } = isolate({ floor: at(8n), ...(required === null ? {} : { minVersion: required }) });
      await send(SUBMIT);
      expect([calls.map((call) => call.floor), looks]).toEqual([[floor], []]);
    },
  );

  test("on another chain is looked up, and is no minimum on this one", async () => {
    const { send, learnTip, looks, calls } = isolate({ floor: markOf(7, ledgerAt(3n)) });
    await learnTip();
    await send(SIMULATE);
    expect(looks).toEqual([{ minVersion: null, floor: { ...markOf(7, ledgerAt(3n)) } }]);
    expect(calls.map(({ floor }) => floor)).toEqual([0n]);
  });
});

describe("the ledger version of a submit's response", () => {
  test.each([
    [202, "is not passed on", [], 5n],
    [206, "is recorded, because some transactions were refused", [9n], 9n],
    [400, "is recorded, because the refusal shows that state", [9n], 9n],
  ])("with status %i %s", async (status, _what, recorded, version) => {
    const { send, notes } = isolate({ status, floor: at(5n), minVersion: 12n });
    const result = await send(SUBMIT);
    if (result.kind !== "served") throw new Error(result.kind);
    expect([notes, (result.tip ?? result.value.ledger)?.version]).toEqual([recorded, version]);
  });
});

test.each([
  ["the limiter", { floor: at(10n) }],
  ["this isolate", { seen: at(10n) }],
])("a refusal at a version below what the caller saw, as %s knows, names none", async (_who, known) => {
  const { send, notes } = isolate({ status: 400, ...known });
  const result = await send(SUBMIT);
  if (result.kind !== "served") throw new Error(result.kind);
  expect([notes, result.value.status, result.value.ledger]).toEqual([[], 400, null]);
});

test.each([
  [SUBMIT, at(9n), true, "9"],
  [SIMULATE, null, false, "9"],
])("%s is counted with the ledger that it may name: %o", async (path, candidate, timeless, version) => {
  const { gateway, learnTip, admits } = isolate({});
  await learnTip();
  const request = await requestFor("POST", path, "{}");
  const admission = {
    ...NO_CALLER,
    admit: async (...offer: readonly unknown[]) => {
      admits.push(offer);
      return { refusal: null, floor: null };
    },
  };
  const early = await gateway.admitEarly(request, admission);
  expect([early.candidate, admits]).toEqual([candidate, [[candidate, timeless]]]);
  const context = { region: "here", admission, minVersion: null, requestId: "r", waitUntil: () => undefined };
  const result = await gateway.answer(request, context, early);
  if (result.kind !== "served") throw new Error(result.kind);
  expect(String((result.tip ?? result.value.ledger)?.version)).toBe(version);
  expect(admits, "it is not counted again").toHaveLength(1);
});

describe("upstreams that lag", () => {
  test("are called once more after a look-up", async () => {
    const { send, learnTip, looks, calls } = isolate({ floor: at(8n), down: [LAGGING] });
    await learnTip();
    expect(await send(SIMULATE)).toMatchObject({ kind: "served" });
    expect(looks).toEqual([{ minVersion: 8n, floor: null }]);
    expect(calls).toHaveLength(2);
  });

  test("and lag still are not called a third time", async () => {
    const { send, calls } = isolate({ floor: at(8n), down: [LAGGING, LAGGING] });
    expect(await send(SIMULATE)).toMatchObject({ kind: "node", status: 503 });
    expect(calls).toHaveLength(2);
  });

  test("control: those that do not respond are not called again", async () => {
    const { send, calls } = isolate({ floor: at(8n), down: [DOWN] });
    expect(await send(SIMULATE)).toMatchObject({ kind: "node", status: 503 });
    expect(calls).toHaveLength(1);
  });
});

describe("the result of a long poll", () => {
  test("is the node's when the shield has no other, and is remembered for its caller", async () => {
    const { send, notedHere } = isolate({});
    expect(await send(WAIT)).toMatchObject({ kind: "served", source: "upstream" });
    expect(notedHere[0]).toBe(9n);
  });

  test("is stored for reads by hash", async () => {
    const { send, gateway } = isolate({});
    await send(WAIT);
    const context = { region: "here", admission: NO_CALLER, requestId: "r", waitUntil: () => undefined };
    const request = await requestFor("GET", `/v1/transactions/by_hash/${HASH}`);
    expect(await gateway.answer(request, { ...context, minVersion: null })).toMatchObject({ source: "memory" });
  });

  test("is the shield's final response when it has one, with its age", async () => {
    const final = cachedResponse({ retention: "immutable", etag: '"final"' });
    const { send } = isolate({ settle: () => shieldValue(final, { source: "shield", ageMs: 400 }) });
    const value = { etag: '"final"', storedAtMs: NOW_MS - 400 };
    expect(await send(WAIT)).toMatchObject({ kind: "served", source: "shield", ageMs: 400, value });
  });

  test("is the node's while the shield does not respond, which is logged", async () => {
    const settle = (): never => {
      throw new Error("the object was reset");
    };
    const { send, logged, gateway } = isolate({ settle });
    expect(await send(WAIT)).toMatchObject({ kind: "served", source: "upstream" });
    expect(logged).toEqual(["shield_error", "shield_error"]);
    const context = { region: "here", admission: NO_CALLER, requestId: "r", waitUntil: () => undefined };
    const request = await requestFor("GET", `/v1/transactions/by_hash/${HASH}`);
    expect(await gateway.answer(request, { ...context, minVersion: null })).toMatchObject({ source: "memory" });
  });
});

test("of the data centre's responses, only those of reads are looked up, once", async () => {
  const keys: string[] = [];
  const cached = async (key: string) => {
    keys.push(key);
    return undefined;
  };
  const { gateway, send, learnTip } = isolate({ cached });
  await learnTip();
  expect(keys, "before the tip is known, none is").toEqual([]);
  await send(SIMULATE);
  await send(SUBMIT);
  await send(WAIT);
  expect(keys).toEqual([]);
  const context = { region: "here", admission: NO_CALLER, requestId: "r", waitUntil: () => undefined };
  for (const path of ["/v1/transactions/by_version/5", "/v1/accounts/0x2"])
    await gateway.answer(await requestFor("GET", path), { ...context, minVersion: null });
  expect(keys).toEqual(["0 GET /transactions/by_version/5 json ", "0 GET /accounts/0x2 json "]);
});

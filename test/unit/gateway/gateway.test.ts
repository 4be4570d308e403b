import { describe, expect, test } from "vitest";
import type { LedgerMark, LedgerPoint } from "../../../src/chain/ledger-point.ts";
import { responseLru } from "../../../src/gateway/cache/lru.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import type { CachedResponse, Retention } from "../../../src/gateway/node-types.ts";
import type { ShieldRequest, ShieldResult } from "../../../src/gateway/shield/messages.ts";
import { markOf } from "../../../src/gateway/tip/known-tip.ts";
import type { Ledger } from "../../../src/gateway/tip/ledger-headers.ts";
import type { Admitted } from "../../../src/http/handler.ts";
import { NO_CALLER } from "../../support/no-caller.ts";
import { requestFor } from "./requests.ts";

const NOW_MS = 1_000_000;
const REFUSAL = { kind: "throttled", quota: 300, windowSeconds: 60, retryAfterSeconds: 7 } as const;
const ledger = (version: bigint): Ledger => ({
  chainId: 4,
  version,
  oldestVersion: 0n,
  timestampMicros: 0n,
  epoch: 1n,
  blockHeight: version,
  oldestBlockHeight: 0n,
});

interface World {
  /** Of the limiter, in the order of its calls; nothing binds once they are used up. */
  readonly floors?: readonly (LedgerMark | null)[];
  /** Of the shield's answers, in order. */
  readonly versions: readonly bigint[];
  readonly retention: Retention;
  readonly source?: "upstream" | "stale";
  readonly tip?: bigint;
  readonly isNoted?: boolean;
  /** Of the limiter: whether the request is admitted, and whether its read may be sent before that is known. */
  readonly refused?: boolean;
  readonly mayReadAhead?: boolean;
  /** The data centre's cached response: its version and age, and whether another isolate renews it. */
  readonly nearby?: { readonly version: bigint; readonly ageMs: number; readonly isClaimed?: boolean };
  /** The shield fails, each time after so long. */
  readonly shieldFailsAfterMs?: number;
}

/** A gateway whose shield and limiter answer from a script, with a record of its calls. */
function gatewayIn(world: World) {
  const { floors = [], versions, retention, source = "upstream", tip = 9n, isNoted = true, nearby } = world;
  let nowMs = NOW_MS;
  const [shielded, admitted, noted]: [ShieldRequest[], (LedgerMark | null)[], LedgerMark[]] = [[], [], []];
  const [notedHere, called]: [bigint[], string[]] = [[], []];
  const cachedAt = (version: bigint, storedAtMs: number): CachedResponse => ({
    ...{ status: 200, contentType: "application/json", body: new Uint8Array([0x37]), extras: {}, etag: '"e"' },
    ...{ ledger: ledger(version), retention, seconds: 60, storedAtMs, epoch: 0 },
  });
  const answer = (version: bigint): ShieldResult => ({
    kind: "value",
    value: cachedAt(version, NOW_MS),
    source,
    ageMs: 0,
    shows: markOf(0, ledger(version)),
    isNoted,
    attempts: [],
    outdated: [],
    tip: { epoch: 0, ledger: ledger(tip), confirmedAtMs: NOW_MS },
    tipAgeMs: 0,
    elapsedMs: 0,
  });
  const gateway = new Gateway({
    now: () => nowMs,
    sleep: () => new Promise(() => undefined),
    memory: responseLru(10_000),
    cached: async (key) =>
      nearby !== undefined && key.includes(TIP.slice(3)) ? cachedAt(nearby.version, NOW_MS - nearby.ageMs) : undefined,
    cache: async () => undefined,
    claim: async () => nearby?.isClaimed !== true,
    shield: async (_region, requested) => {
      shielded.push(requested);
      if (world.shieldFailsAfterMs !== undefined) {
        nowMs += world.shieldFailsAfterMs;
        throw new Error("the object was reset");
      }
      return answer(versions[Math.min(shielded.length, versions.length) - 1] ?? 0n);
    },
    call: async ({ path }) => {
      called.push(path);
      return { kind: "down", maybeSent: false, lagging: false, retryAfterSeconds: 1, attempts: [] };
    },
    learnUpstreams: () => undefined,
    log: () => undefined,
    count: null,
    staleIfErrorSeconds: 30,
  });
  const admission = {
    ...NO_CALLER,
    admit: async (candidate: LedgerMark | null): Promise<Admitted> => {
      admitted.push(candidate);
      if (world.refused === true) return { refusal: { ...REFUSAL }, floor: null };
      return { refusal: null, floor: floors[admitted.length - 1] ?? null };
    },
    mayReadAhead: () => world.mayReadAhead ?? true,
    note: async (mark: LedgerMark) => noted.push(mark) > 0,
    noteHere: ({ version }: LedgerPoint) => void notedHere.push(version),
  };
  const read = async (path: string, minVersion: bigint | null = null): Promise<string> => {
    const request = await requestFor("GET", path);
    const context = { region: "here", admission, minVersion, requestId: "r", waitUntil: () => undefined };
    const result = await gateway.answer(request, context);
    if (result.kind !== "served") return result.kind === "node" ? String(result.status) : result.kind;
    return `${result.source} ${(result.tip ?? result.value.ledger)?.version}`;
  };
  return { read, shielded, admitted, noted, notedHere, called };
}

const TIP = "/v1/accounts/0x1";
const COMMITTED = "/v1/transactions/by_version/5";
const at = (version: bigint): LedgerMark => markOf(0, ledger(version));

describe("X-Min-Ledger-Version", () => {
  test.each<[bigint | null, string, World, string, string]>([
    [null, TIP, { versions: [5n], retention: "until-tip", source: "stale" }, "stale 5", "no version is required"],
    [5n, TIP, { versions: [5n], retention: "until-tip", source: "stale" }, "stale 5", "the last good answer has it"],
    [6n, TIP, { versions: [5n], retention: "until-tip", source: "stale" }, "503", "the last good answer is below it"],
    [5n, COMMITTED, { versions: [5n], retention: "immutable" }, "upstream 5", "the response was made there"],
    [6n, COMMITTED, { versions: [5n], retention: "immutable" }, "503", "nothing that its caller may see has it"],
  ])("%s, %s, %o: %s, because %s", async (minVersion, path, world, expected) => {
    expect(await gatewayIn(world).read(path, minVersion)).toBe(expected);
  });
});

describe("a hit", () => {
  test("is one call to the limiter, with the version that the response reveals", async () => {
    const { read, shielded, admitted } = gatewayIn({ versions: [9n], retention: "until-tip" });
    expect([await read(TIP), await read(TIP)]).toEqual(["upstream 9", "memory 9"]);
    expect([shielded.length, admitted]).toEqual([1, [null, at(9n)]]);
  });

  test("below a version the caller saw from another isolate becomes a miss", async () => {
    const floors = [null, { ...at(12n), fields: "" }];
    const { read, shielded } = gatewayIn({ versions: [9n, 12n], retention: "until-tip", floors });
    expect([await read(TIP), await read(TIP)]).toEqual(["upstream 9", "upstream 12"]);
    expect(shielded[1]?.floor?.version).toBe(12n);
  });

  test("on an immutable response names the limiter's ledger, never below one seen before", async () => {
    const { read, shielded } = gatewayIn({ versions: [9n], retention: "immutable", floors: [null, at(12n)] });
    expect([await read(COMMITTED), await read(COMMITTED)]).toEqual(["upstream 9", "memory 12"]);
    expect(shielded).toHaveLength(1);
  });
});

describe("a response that another isolate of the data centre received", () => {
  const OTHER = "/v1/accounts/0x2";
  test.each<[string, Partial<World>, string, number]>([
    ["in the last second is a hit", { nearby: { version: 9n, ageMs: 900 } }, "cache 9", 1],
    [
      "but below what the caller saw is a miss",
      { nearby: { version: 9n, ageMs: 900 }, floors: [null, at(12n)] },
      "upstream 12",
      2,
    ],
    [
      "and another isolate refreshes is a hit",
      { nearby: { version: 9n, ageMs: 1_100, isClaimed: true } },
      "memory 9",
      1,
    ],
    ["and no isolate refreshes is refreshed", { nearby: { version: 9n, ageMs: 1_100 } }, "upstream 12", 2],
    ["too long ago is refreshed", { nearby: { version: 9n, ageMs: 1_300, isClaimed: true } }, "upstream 12", 2],
  ])("%s", async (_what, more, expected, calls) => {
    const { read, shielded } = gatewayIn({ versions: [9n, 12n], retention: "until-tip", tip: 8n, ...more });
    // An isolate that knows no tip yet calls the shield.
    await read(OTHER);
    expect([await read(TIP), shielded.length]).toEqual([expected, calls]);
  });

  test("and its caller has seen is a hit and is not noted again", async () => {
    const floors = [null, { ...at(12n), fields: "" }];
    const nearby = { version: 9n, ageMs: 5_000 };
    const { read, shielded, noted, notedHere } = gatewayIn({ versions: [9n], retention: "until-tip", floors, nearby });
    expect(await read(TIP)).toBe("upstream 9");
    Object.assign(nearby, { version: 12n, ageMs: 100 });
    expect(await read(TIP)).toBe("cache 12");
    expect([shielded.length, noted]).toEqual([1, []]);
    expect(notedHere.at(-1), "remembered for times when no object answers").toBe(12n);
  });
});

describe("a miss", () => {
  test("calls the shield again with the limiter's floor when its response is below it", async () => {
    const { read, shielded } = gatewayIn({ versions: [9n, 12n], retention: "until-tip", floors: [at(12n)] });
    expect(await read(TIP)).toBe("upstream 12");
    expect(shielded.map(({ floor }) => floor?.version)).toEqual([undefined, 12n]);
  });

  test("that does not reach the floor in three calls is a 503, not an older version", async () => {
    const { read, shielded } = gatewayIn({ versions: [9n], retention: "until-tip", floors: [at(12n)] });
    expect(await read(TIP)).toBe("503");
    expect(shielded).toHaveLength(3);
  });

  test.each([
    [true, true, "throttled", 1],
    [false, true, "throttled", 0],
    [false, false, "upstream 9", 1],
  ])("may read ahead %s, refused %s: %s after %i shield calls", async (mayReadAhead, refused, expected, calls) => {
    const { read, shielded } = gatewayIn({ versions: [9n], retention: "until-tip", mayReadAhead, refused });
    expect([await read(TIP), shielded.length]).toEqual([expected, calls]);
  });

  test.each([
    [5, 2, "may have been replaced"],
    [14_000, 1, "is overloaded"],
  ])("whose shield fails after %i ms calls it %i times: it %s", async (shieldFailsAfterMs, calls) => {
    const { read, shielded } = gatewayIn({ versions: [9n], retention: "until-tip", shieldFailsAfterMs });
    expect([await read(TIP), shielded.length]).toEqual(["503", calls]);
  });

  test("of an endpoint without ledger goes to the upstreams whatever version is required", async () => {
    const { read, called } = gatewayIn({ versions: [9n], retention: "until-tip" });
    expect([await read("/v1/-/healthy", 10n), called]).toEqual(["503", ["/-/healthy"]]);
  });

  test("is recorded by the isolate when the shield could not", async () => {
    const { read, noted } = gatewayIn({ versions: [9n], retention: "until-tip", isNoted: false });
    await read(TIP);
    expect(noted.map(({ version }) => version)).toEqual([9n]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unlockCalendar } from "../../../page/build/icalendar.ts";
import { wholeTokens } from "../../../src/chain/amount.ts";
import { applyConditional } from "../../../src/http/conditional.ts";
import { failureReply } from "../../../src/http/failure.ts";
import type { Reply } from "../../../src/http/reply.ts";
import { stepAt } from "../../../src/supply/circulating.ts";
import type { OnChainFigures } from "../../../src/supply/document-handlers.ts";
import type { UnlockSchedule } from "../../../src/supply/schedule.ts";
import { supplyRoutes } from "../../../src/supply/supply-handlers.ts";
import { getContext } from "../../support/get-context.ts";
import { bucket, file, table, valid } from "./schedules.ts";

const phases = [{ kind: "installments", amount: "1000", first_month: 1, count: 10, every_months: 1 }];
const schedule = valid(file({ buckets: [bucket({ genesis: "0", phases })] }));

/** Makes the figures of a reading; without a total, no node answers. */
function onChain(total?: bigint): OnChainFigures {
  const unread = { reason: "No node answers." };
  const figures = {
    total: total === undefined ? unread : { value: total },
    circulating_on_chain: unread,
    circulating_above_plan: unread,
    burned: unread,
  };
  return { figures, headers: total === undefined ? {} : { Age: "4", "X-Ledger-Version": "7" } };
}

/** Calls one set of handlers, each time at the given instant. */
function callerOf(given: Partial<{ schedule: UnlockSchedule; onChain: OnChainFigures }> = {}) {
  const readAsset = async () => unlockCalendar(given.schedule ?? schedule);
  const routes = supplyRoutes(given.schedule ?? schedule, async () => given.onChain ?? onChain(), readAsset);
  return async (path: string, nowMs: number, headers: Record<string, string> = {}): Promise<Reply> => {
    const context = getContext(path, { headers, nowMs });
    const outcome = await routes.find((route) => route.path === context.path)?.handler(context);
    if (outcome?.kind === "reply") return applyConditional(outcome, context.request);
    if (outcome?.kind === "unavailable") return failureReply(outcome, "api");
    throw new Error(JSON.stringify(outcome));
  };
}

const instant = (text: string) => Date.parse(text);
const maxAge = (reply: Reply) => Number(/max-age=(\d+)$/.exec(reply.headers["Cache-Control"] ?? "")?.[1]);

describe("the figure of the day", () => {
  const linear = { kind: "linear", amount: "1000", from: "2025-02-13", to: "2025-05-24" };
  const byDays = valid(file({ buckets: [bucket({ genesis: "0", phases: [linear] })] }));
  const path = "/api/circulating-supply-daily";

  test.each([
    ["2025-02-13T00:00:00Z", "0", "0"],
    ["2025-02-28T23:59:59Z", "150", "0"],
    ["2025-03-01T00:00:00Z", "160", "160"],
    ["2025-03-11T12:00:00Z", "260", "160"],
    ["2025-05-23T23:59:59Z", "990", "770"],
    ["2025-05-24T00:00:00Z", "1000", "770"],
    ["2025-07-01T00:00:00Z", "1000", "1000"],
  ])("at %s is %s, and the monthly one %s", async (at, daily, monthly) => {
    const call = callerOf({ schedule: byDays });
    expect((await call(path, instant(at))).body).toBe(daily);
    expect((await call("/api/circulating-supply", instant(at))).body).toBe(monthly);
    const asked = `${path}?date=${at.slice(0, 10)}`;
    expect((await call(asked, instant("2025-03-11T12:00:00Z"))).body).toBe(daily);
  });

  test("has its decimals, its own tag each day, and no copy that outlives the day", async () => {
    const call = callerOf({ schedule: byDays });
    const [before, after] = [instant("2025-03-11T23:59:50Z"), instant("2025-03-12T00:00:00Z")];
    const replies = [await call(path, before), await call(path, after)];
    expect(replies.map(maxAge)).toEqual([10, 300]);
    expect(replies.map(({ body }) => body)).toEqual(["260", "270"]);
    expect(new Set(replies.map(({ headers }) => headers["ETag"])).size).toBe(2);
    expect(replies.map(({ headers }) => headers["Last-Modified"])).toEqual([undefined, undefined]);
    const seconds = valid(file({ buckets: [bucket({ genesis: "0", phases: [{ ...linear, to: "2025-02-16" }] })] }));
    const exact = await callerOf({ schedule: seconds })(`${path}?decimals=exact`, instant("2025-02-14T08:00:00Z"));
    expect(exact.body).toBe("333.33333333");
  });

  test("is not a route where no phase counts days", () => {
    const routes = supplyRoutes(
      schedule,
      async () => onChain(),
      async () => unlockCalendar(schedule),
    );
    expect(routes.map((route) => route.path)).not.toContain(path);
  });
});

describe("a cached reply", () => {
  // Half of the instants are close to a step.
  const near = fc
    .tuple(
      fc.integer({ min: 2, max: 14 }),
      fc.oneof(fc.constantFrom(-300_000, -1000, -1, 0, 1), fc.integer({ min: -400_000, max: 400_000 })),
    )
    .map(([month, offsetMs]) => Date.UTC(2025, month, 1) + offsetMs);
  const anywhere = fc.integer({ min: instant("2025-02-13"), max: instant("2026-06-01") });
  const clock = fc.array(fc.oneof(near, anywhere), { minLength: 1, maxLength: 60 });
  const path = fc.constantFrom(
    "/api/circulating-supply",
    "/api/circulating-supply?format=plain",
    "/api/circulating-supply?format=result",
    "/api/unlock-schedule.csv",
    "/api/supply",
    "/api/allocations",
    "/api/unlock-events",
    "/api/unlock-events.csv",
    "/api/unlock-events.ics",
  );

  test("equals the reply without a cache, however the clock moves", async () => {
    await fc.assert(
      fc.asyncProperty(path, clock, async (requested, instants) => {
        const long = callerOf();
        for (const nowMs of instants) expect(await long(requested, nowMs)).toEqual(await callerOf()(requested, nowMs));
      }),
      { numRuns: 200 },
    );
  });

  test("is correct, and no copy outlives the next step", async () => {
    const call = callerOf();
    await fc.assert(
      fc.asyncProperty(fc.oneof(near, anywhere), async (nowMs) => {
        const reply = await call("/api/circulating-supply", nowMs);
        const current = stepAt(schedule, nowMs);
        expect(reply.body).toBe(wholeTokens(current?.circulating ?? -1n, 8));
        expect(maxAge(reply)).toBeLessThanOrEqual(300);
        expect(nowMs + maxAge(reply) * 1000).toBeLessThanOrEqual(current?.nextStepMs ?? Number.POSITIVE_INFINITY);
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  ["/api/unlock-schedule", true],
  ["/api/unlock-schedule.csv", true],
  ["/api/unlock-events", true],
  ["/api/allocations", false],
])("the ETag of %s survives a step: %s", async (path, isSame) => {
  const call = callerOf();
  const [before, after] = [await call(path, instant("2025-03-31")), await call(path, instant("2025-04-01"))];
  expect(before.headers["ETag"] === after.headers["ETag"]).toBe(isSame);
  expect(before.body === after.body).toBe(isSame);
});

test("an ETag changes only with the schedule's content, the step and the format", async () => {
  const revised = valid(file({ revision: 2, buckets: [bucket({ genesis: "0", phases })] }));
  const tag = async (call: ReturnType<typeof callerOf>, path: string, day: string) =>
    (await call(path, instant(day))).headers["ETag"];
  const first = await tag(callerOf(), "/api/circulating-supply", "2025-03-01");
  expect(await tag(callerOf(), "/api/circulating-supply", "2025-03-31")).toBe(first);
  expect(await tag(callerOf(), "/api/circulating-supply?month=2025-03", "2025-06-01")).toBe(first);
  const others = [
    await tag(callerOf(), "/api/circulating-supply", "2025-04-01"),
    await tag(callerOf(), "/api/circulating-supply?format=plain", "2025-03-01"),
    await tag(callerOf({ schedule: revised }), "/api/circulating-supply", "2025-03-01"),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
});

describe("the on-chain total in /api/supply", () => {
  const total = (baseUnits: bigint) => callerOf({ onChain: onChain(baseUnits) });
  const now = instant("2025-03-15");

  test("is given in both units, with its age and ledger version", async () => {
    const reply = await total(99_900_000_001n)("/api/supply", now);
    expect(JSON.parse(String(reply.body))).toMatchObject({
      total: { tokens: "999.00000001", base_units: "99900000001" },
      circulating_on_chain: null,
      burned: null,
      unavailable: { circulating_on_chain: "No node answers.", burned: "No node answers." },
    });
    expect(reply.headers).toMatchObject({ Age: "4", "X-Ledger-Version": "7", "Cache-Control": "public, max-age=30" });
    expect(reply.headers["Last-Modified"]).toBeUndefined();
    expect(maxAge(await total(1n)("/api/supply", instant("2025-04-01") - 10_000))).toBe(10);
  });

  test("is null with a reason when unavailable, and cached no longer", async () => {
    const reply = await callerOf()("/api/supply", now);
    expect(JSON.parse(String(reply.body))).toMatchObject({ total: null, unavailable: { total: "No node answers." } });
    expect(maxAge(reply)).toBe(30);
    for (const name of ["Age", "X-Ledger-Version"]) expect(reply.headers[name]).toBeUndefined();
  });

  test("changes the ETag when it changes", async () => {
    const tag = (await total(1n)("/api/supply", now)).headers["ETag"] ?? "";
    expect((await total(1n)("/api/supply", now, { "If-None-Match": tag })).status).toBe(304);
    expect((await total(2n)("/api/supply", now, { "If-None-Match": tag })).status).toBe(200);
  });
});

test("a table of figures has all members but buckets", async () => {
  const call = callerOf({ schedule: valid(table(["2025-02", "1.5"], ["2025-03", "2.25"])) });
  const now = instant("2025-02-20");
  expect((await call("/api/circulating-supply", now)).body).toBe("1");
  expect(JSON.parse(String((await call("/api/supply", now)).body))).toMatchObject({
    circulating: { tokens: "1.5", base_units: "150000000" },
    circulating_percent: "0.15",
    next_unlock: { at: "2025-03-01T00:00:00Z", amount: { tokens: "0.75", base_units: "75000000" }, buckets: [] },
  });
  expect((await call("/api/unlock-schedule.csv", now)).body).toBe(
    [
      "month,effective_from,circulating,circulating_base_units,token,decimals,unit",
      "2025-02,2025-02-13T00:00:00Z,1,150000000,XYZ,8,base_units",
      "2025-03,2025-03-01T00:00:00Z,2,225000000,XYZ,8,base_units",
      "",
    ].join("\n"),
  );
});

test("the schedule's CSV has whole tokens per bucket on request, and refuses other units", async () => {
  const call = callerOf();
  const now = instant("2025-03-15");
  const [header, , second] = String((await call("/api/unlock-schedule.csv?unit=tokens", now)).body).split("\n");
  expect(header).toBe("month,effective_from,circulating,circulating_base_units,community,token,decimals,unit");
  expect(second).toBe("2025-03,2025-03-01T00:00:00Z,100,10000000000,100,XYZ,8,tokens");
  await expect(call("/api/unlock-schedule.csv?unit=wei", now)).rejects.toThrow(
    "Parameter unit must be one of base_units, tokens.",
  );
});

test("before the start, /api/supply is an Error object with the maximum and the countdown", async () => {
  const genesis = valid(file({ buckets: [bucket({ genesis: "100", phases: [{ kind: "never", amount: "900" }] })] }));
  const reply = await callerOf({ schedule: genesis })("/api/supply", instant("2025-02-12T23:00:00Z"));
  expect([reply.status, reply.headers["Retry-After"], reply.headers["Cache-Control"]]).toEqual([
    503,
    "3600",
    "no-store",
  ]);
  expect(JSON.parse(String(reply.body))).toEqual({
    message: "The schedule starts at 2025-02-13T00:00:00Z; there is no figure before.",
    error_code: "service_unavailable",
    state: "not_started",
    starts_at: "2025-02-13T00:00:00Z",
    max: { tokens: "1000", base_units: "100000000000" },
    next_unlock: {
      at: "2025-02-13T00:00:00Z",
      amount: { tokens: "100", base_units: "10000000000" },
      buckets: [{ id: "community", label: "Community", amount: { tokens: "100", base_units: "10000000000" } }],
    },
    schedule_revision: 1,
  });
});

test("events of a range of days are filtered from all, and an invalid range is refused", async () => {
  const call = callerOf();
  const now = instant("2025-03-15");
  const of = async (query: string) => JSON.parse(String((await call(`/api/unlock-events${query}`, now)).body));
  const whole = await of("");
  const part = await of("?from=2025-04-01&to=2025-05-01");
  expect(part).toMatchObject({ from: "2025-04-01", to: "2025-05-01", count: 2 });
  expect(part.data).toEqual(whole.data.slice(1, 3));
  expect((await of("?from=2025-04-01&to=2025-04-01")).data).toEqual(whole.data.slice(1, 2));
  expect((await of("?from=2025-04-01")).data).toEqual(whole.data.slice(1));
  expect((await of("?to=2025-04-01")).data).toEqual(whole.data.slice(0, 2));
  for (const [query, message] of [
    ["?from=2025-02-30", "Parameter from must be a day that exists"],
    ["?to=2025-02", "Parameter to must be a day that exists"],
    ["?from=2025-05-01&to=2025-04-01", "Parameter from must not be later than to."],
    ["?from=2025-05-01&from=2025-05-01", "Parameter from is given more than once."],
  ])
    await expect(call(`/api/unlock-events${query}`, now)).rejects.toThrow(message);
});

test("no cached copy of the countdown outlives the start", async () => {
  const reply = await callerOf()("/api/allocations", instant("2025-02-13") - 10_500);
  expect(maxAge(reply)).toBe(10);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";

interface Reading {
  readonly value: unknown;
  readonly readAtMs: number | undefined;
  readonly failure: { readonly reason: string; readonly retrySeconds: number } | undefined;
}
/** Used part of the module, which needs a browser's types that this test project lacks. */
interface Polling {
  readonly member: (name: string, parse: (body: unknown) => unknown, show: (reading: Reading) => void) => unknown;
  readonly poll: (members: readonly unknown[]) => void;
  readonly readUntilAnswered: (
    path: string,
    parse: (body: unknown) => unknown,
    show: (value: unknown) => void,
  ) => Promise<void>;
}
const { member, poll, readUntilAnswered }: Polling = await import(
  /* @vite-ignore */ `../../../../page/src/${"polling"}.ts`
);

const AS_OF = "2026-11-21T12:00:00Z";
const PAGE = { as_of: AS_OF, rates: { as_of: AS_OF, data: [] }, unavailable: {} };
const GONE = {
  ...PAGE,
  rates: null,
  unavailable: { rates: { message: "Yield rates are not available.", retry_after: 7 } },
};

/** The tab, what it asks, and what it is answered. */
const tab = {
  hidden: false,
  asked: [] as { readonly url: string; readonly cache: unknown }[],
  answer: async (): Promise<Response> => Response.json(PAGE),
  turn: (): unknown => undefined,
};
let shown: Reading[];

beforeEach(() => {
  Object.assign(tab, { hidden: false, asked: [], answer: async () => Response.json(PAGE) });
  shown = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  vi.stubGlobal("document", {
    get hidden() {
      return tab.hidden;
    },
    addEventListener: (_type: string, listener: () => void) => (tab.turn = listener),
    getElementById: () => null,
  });
  vi.stubGlobal("fetch", (url: string, { cache }: { cache?: unknown }) => {
    tab.asked.push({ url, cache });
    return tab.answer();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = (parse: (body: unknown) => unknown = (body) => body): void =>
  poll([member("rates", parse, (reading) => shown.push(reading))]);
const last = () => shown.at(-1);

async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  await new Promise((done) => setImmediate(done));
}

test("each reading is asked of the service, never taken from the browser's cache", async () => {
  open();
  await pass(76);
  expect(tab.asked.length).toBeGreaterThan(1);
  // A copy is revalidated: an unchanged document is sent without a body.
  expect(new Set(tab.asked.map(({ cache }) => cache))).toEqual(new Set(["no-cache"]));
});

test("one reading at a time: turning away and back during a slow one asks for no second", async () => {
  const slow = Promise.withResolvers<Response>();
  tab.answer = () => slow.promise;
  open();
  await pass(1);
  for (const hidden of [true, false, true, false]) {
    tab.hidden = hidden;
    tab.turn();
    await pass(1);
  }
  expect(tab.asked).toHaveLength(1);
  slow.resolve(Response.json(PAGE));
  await pass(76);
  expect(tab.asked, "it goes on").toHaveLength(2);
});

test("a hidden tab asks nothing, and at once when it is seen again", async () => {
  open();
  await pass(1);
  tab.hidden = true;
  tab.turn();
  await pass(600);
  expect(tab.asked).toHaveLength(1);
  tab.hidden = false;
  tab.turn();
  await pass(0);
  expect(tab.asked).toHaveLength(2);
});

test("days of the past are asked for again after a failure, never in a hidden tab, and not after their answer", async () => {
  tab.answer = async () => Response.json({}, { status: 503, headers: { "Retry-After": "9" } });
  const days: unknown[] = [];
  void readUntilAnswered(
    "/api/page/history",
    (body) => body,
    (value) => days.push(value),
  );
  await pass(1);
  expect([tab.asked.length, days]).toEqual([1, [undefined]]);
  tab.hidden = true;
  await pass(600);
  expect(tab.asked).toHaveLength(1);
  tab.answer = async () => Response.json({ data: [1] });
  tab.hidden = false;
  tab.turn();
  await pass(1);
  expect(days).toEqual([undefined, { data: [1] }]);
  await pass(600);
  expect(tab.asked.map(({ url }) => url)).toEqual(["/api/page/history", "/api/page/history"]);
});

test("a value is dated by its own time", async () => {
  tab.answer = async () => Response.json({ ...PAGE, rates: { as_of: "2026-11-21T11:30:00Z" } });
  open();
  await pass(1);
  expect(last()).toMatchObject({ readAtMs: Date.parse("2026-11-21T11:30:00Z"), failure: undefined });
});

test.each<[string, () => Promise<Response>, string, number]>([
  ["a member that is missing now", async () => Response.json(GONE), "Yield rates are not available.", 7],
  ["a member without its reason", async () => Response.json({ ...GONE, unavailable: {} }), "", 30],
  ["no document", async () => Response.json(null), "", 30],
  ["an empty one", async () => Response.json({}), "", 30],
  ["HTML", async () => new Response("<html>"), "", 30],
  ["no answer", async () => Promise.reject(new TypeError("offline")), "", 30],
  ["503", async () => Response.json({}, { status: 503, headers: { "Retry-After": "9" } }), "", 9],
  [
    "429",
    async () => Response.json({}, { status: 429, headers: { "Retry-After": "12" } }),
    "Your network is over this service’s limit of requests.",
    12,
  ],
  [
    "429 for a second",
    async () => Response.json({}, { status: 429, headers: { "Retry-After": "1" } }),
    "Your network is over this service’s limit of requests.",
    5,
  ],
])(
  "%s: the last value stays, with its reason, and is asked for again at its time",
  async (_, answer, reason, seconds) => {
    open((body) => Object.keys(body as object).length > 0 && body);
    await pass(1);
    const before = last();
    tab.answer = answer;
    await pass(76);
    expect(last()).toMatchObject({
      value: before?.value,
      readAtMs: before?.readAtMs,
      failure: { reason, retrySeconds: seconds },
    });
    const asked = tab.asked.length;
    await pass(seconds - 1);
    // Up to 16 of the 76 seconds had passed already.
    expect(tab.asked.length - asked).toBeLessThanOrEqual(Math.ceil(16 / seconds));
    tab.answer = async () => Response.json(PAGE);
    await pass(1.25 * seconds + 1);
    expect(last()?.failure).toBeUndefined();
  },
);

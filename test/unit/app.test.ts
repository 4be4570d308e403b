import { describe, expect, test } from "vitest";
import type { Handler } from "../../src/http/handler.ts";
import { appOf, ask } from "../support/app.ts";
import { NO_CALLER } from "../support/no-caller.ts";

const SECRET = "https://key@node.internal/v1 refused";

function appWith(handler: Handler) {
  const logged: unknown[] = [];
  const counted: string[] = [];
  const decision = { admitted: true, remaining: 59, resetSeconds: 60 };
  const routes = ["/api/it", "/v1/it"].map((path) => ({ method: "GET", path, handler }) as const);
  const app = appOf(routes, {
    limiter: {
      open: () => {
        const calls = new Set(["take"]);
        return {
          ...NO_CALLER,
          decision: () => {
            if (calls.delete("take")) counted.push("take");
            return decision;
          },
          peek: async () => {
            counted.push("peek");
            return decision;
          },
        };
      },
    },
    log: (event, detail) => logged.push({ event, ...detail }),
  });
  const call = (path: string, method = "GET", headers: Record<string, string> = {}) =>
    ask(app, path, { method, headers });
  return { call, logged, counted };
}

test.each<[string, Record<string, string>, string | null]>([
  ["/api/it", {}, "1"],
  ["/api/it", { "X-API-Version": " 1 " }, "1"],
  ["/v1/it", { "X-API-Version": "1" }, null],
])("a handler of %s with %j is told the version %s", async (path, headers, version) => {
  const seen: unknown[] = [];
  const { call } = appWith((context) => {
    seen.push(context.version);
    return { kind: "reply", status: 200, headers: {}, body: "7" };
  });
  await call(path, "GET", headers);
  expect(seen).toEqual([version]);
});

describe("a handler that fails", () => {
  const message = "Internal error. Quote request id id-1 when reporting it.";

  test.each<[string, Handler]>([
    [
      "throws",
      () => {
        throw new Error(SECRET);
      },
    ],
    ["rejects", () => Promise.reject(new TypeError(SECRET))],
    ["rejects with a string", () => Promise.reject(SECRET)],
  ])("that %s: 503 with an id; the exception is only logged", async (_what, handler) => {
    const { call: send, logged } = appWith(handler);
    const response = await send("/api/it");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect([response.headers.get("X-Request-Id"), response.headers.get("RateLimit")]).toEqual([
      "id-1",
      "default;r=59;t=60",
    ]);
    expect(await response.json()).toEqual({ message, error_code: "service_unavailable" });
    expect(JSON.stringify([...response.headers])).not.toContain(SECRET);
    expect(logged).toEqual([{ event: "unexpected", requestId: "id-1", cause: expect.stringContaining(SECRET) }]);
  });

  test("on the node interface, with an error of the node's form", async () => {
    const { call } = appWith(() => Promise.reject(new Error(SECRET)));
    const response = await call("/v1/it");
    expect(await response.json()).toEqual({ message, error_code: "internal_error", vm_error_code: null });
  });

  test("control: a handler that works is not logged", async () => {
    const { call, logged } = appWith(() => ({ kind: "reply", status: 200, headers: {}, body: "7" }));
    expect([(await call("/api/it")).status, logged]).toEqual([200, []]);
  });
});

test.each([
  ["/api/it", "GET", "take", 200],
  ["/api/none", "GET", "take", 404],
  ["/api/it", "OPTIONS", "peek", 204],
  ["/v1/it", "OPTIONS", "peek", 204],
  ["/api/none", "OPTIONS", "take", 404],
  ["/v1/none", "OPTIONS", "take", 404],
])("%s %s: the limiter's %s, answered %d", async (path, method, how, status) => {
  const { call, counted } = appWith(() => ({ kind: "reply", status: 200, headers: {}, body: "7" }));
  expect([(await call(path, method)).status, counted]).toEqual([status, [how]]);
});

test.each(["/api/it", "/v1/it"])("a conditional request of %s for the current ETag is answered 304", async (path) => {
  const { call } = appWith(() => ({ kind: "reply", status: 200, headers: { ETag: '"a"' }, body: "1" }));
  const [same, other] = [
    await call(path, "GET", { "If-None-Match": '"a"' }),
    await call(path, "GET", { "If-None-Match": '"b"' }),
  ];
  expect([same.status, await same.text(), other.status, await other.text()]).toEqual([304, "", 200, "1"]);
});

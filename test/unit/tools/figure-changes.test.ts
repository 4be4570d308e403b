import { expect, test } from "vitest";
import { changesBeyond, figuresAt, kindChange } from "../../../tools/deploy/figure-changes.ts";

const MAX = ["/api/max-supply", "1000"] as const;
const PATH = "/api/circulating-supply-on-chain";

test.each<[string, string | null | undefined, string | null | undefined, number, boolean]>([
  ["the same", "100", "100", 1, false],
  ["a hundredth", "100", "101", 1, false],
  ["more than a hundredth", "100", "101.000000000000000001", 1, true],
  ["less by more than a hundredth", "100", "98.999999999999999999", 1, true],
  ["anything, where nothing is allowed", "100", "100.000000000000000001", 0, true],
  ["more than a number holds", "123456789012345678901234567890", "123456789012345678901234567891", 0, true],
  ["from 0 to a hundredth of the maximum", "0", "10", 1, false],
  ["from 0 to more", "0", "10.1", 1, true],
  ["to 0", "100", "0", 1, true],
  ["a figure that is taken away", "100", null, 1, true],
  ["a figure that is new", null, "100", 1, false],
  ["one that the new version does not say now", "100", undefined, 1, false],
  ["one that is not said now", undefined, "100", 1, false],
])("%s: told or not", (_what, now, then, percent, isTold) => {
  const figures = (value: string | null | undefined) =>
    new Map([MAX, ...(value === undefined ? [] : [[PATH, value] as const])]);
  expect(changesBeyond(figures(now), figures(then), percent)).toHaveLength(isTold ? 1 : 0);
});

test("a change names the path, both figures and its share", () => {
  expect(changesBeyond(new Map([[PATH, "482500000"]]), new Map([[PATH, "592500000"]]), 1)).toEqual([
    `${PATH} is 482500000 and would be 592500000 (+22.8 %)`,
  ]);
});

const KIND = "/api/unlock-schedule";
const NOT_FOUND = JSON.stringify({ error_code: "not_found" });

test.each<[string, readonly [number, string], readonly [number, string], RegExp | null]>([
  ["an unlock schedule twice", [200, "{}"], [200, "{}"], null],
  ["wallets alone twice", [404, NOT_FOUND], [404, NOT_FOUND], null],
  ["wallets alone after an unlock schedule", [200, "{}"], [404, NOT_FOUND], /changes: .* the new one wallets alone/],
  [
    "an unlock schedule after wallets alone",
    [404, NOT_FOUND],
    [200, "{}"],
    /changes: .* the new one an unlock schedule/,
  ],
  ["a live version that is down", [503, "{}"], [200, "{}"], /live version did not answer/],
  ["a page of the zone in place of the live version", [404, "<html>"], [200, "{}"], /live version did not answer/],
  ["a new version that is down", [200, "{}"], [503, "{}"], /new version did not answer/],
])("%s: the kind of the file stays, changes or is not known", async (_what, live, next, expected) => {
  const read = ([status, body]: readonly [number, string]) =>
    figuresAt(
      { address: "https://e.example", override: null },
      {
        fetch: async (url) => (String(url).endsWith(KIND) ? new Response(body, { status }) : new Response("1")),
        now: () => 0,
        pause: async () => undefined,
      },
    );
  const change = kindChange(await read(live), await read(next));
  expect(change?.what ?? null).toEqual(expected === null ? null : expect.stringMatching(expected));
});

test("every bare figure of a version is asked for, of the version, and an error is none", async () => {
  const asked: string[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push(
      `${new URL(String(url)).pathname} ${new Headers(init?.headers).get("Cloudflare-Workers-Version-Overrides")}`,
    );
    if (String(url).includes("burned")) return Response.json({ error_code: "not_found" }, { status: 404 });
    if (String(url).includes("total")) return Response.json({ error_code: "service_unavailable" }, { status: 503 });
    return new Response("12.5");
  };
  const target = { address: "https://e.example", override: 'edge="new"' };
  const found = await figuresAt(target, { fetch, now: () => 0, pause: async () => undefined });
  expect(asked).toContain(`${PATH} edge="new"`);
  expect(asked).toContain('/api/circulating-supply edge="new"');
  expect([found.get(PATH), found.get("/api/burned-supply"), found.get("/api/total-supply")]).toEqual([
    "12.5",
    null,
    undefined,
  ]);
});

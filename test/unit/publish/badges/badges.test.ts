import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compactDigits } from "../../../../src/base/shown-figures.ts";
import type { Outcome, RequestContext } from "../../../../src/http/handler.ts";
import { badgeRoutes } from "../../../../src/publish/badges/badge-handlers.ts";
import { apyMessage, percentMessage, supplyMessage } from "../../../../src/publish/badges/message.ts";
import { badgeSvg } from "../../../../src/publish/badges/svg.ts";
import { getContext } from "../../../support/get-context.ts";

test.each([
  ["0", "0"],
  ["999", "999"],
  ["1000", "1K"],
  ["1999", "1.99K"],
  ["677413062", "677.41M"],
  ["1000000000", "1B"],
  ["9007199254740991", "9,007.19T"],
])("%s is formatted as %s", (digits, expected) => {
  expect(compactDigits(digits)).toBe(expected);
});

test.each([
  ["82", "82.00%"],
  ["61.42999", "61.42%"],
  ["0.5", "0.50%"],
  ['{"message":"no"}', undefined],
  ["-1", undefined],
])("the percentage %s is formatted as %s", (body, expected) => {
  expect(percentMessage(body)).toBe(expected);
});

test("a compact figure never exceeds the figure", () => {
  const scale: Readonly<Record<string, bigint>> = { K: 3n, M: 6n, B: 9n, T: 12n };
  fc.assert(
    fc.property(fc.bigInt({ min: 1000n, max: 10n ** 17n }), (figure) => {
      const [, whole = "", fraction = "", suffix = ""] =
        /^([\d,]+)(?:\.(\d{1,2}))?([KMBT])$/.exec(compactDigits(String(figure))) ?? [];
      const power = scale[suffix] ?? 0n;
      const value = BigInt(whole.replaceAll(",", "") + fraction.padEnd(2, "0")) * 10n ** (power - 2n);
      expect(value <= figure && figure - value < 10n ** (power - 2n)).toBe(true);
    }),
  );
});

test("the APY is the highest of an active product, rounded down", () => {
  const rows = [
    { status: "paused", apy: 90 },
    { status: "active", apy: 5.256 },
    { status: "active", apy: null },
  ];
  expect(apyMessage(JSON.stringify({ data: rows }))).toBe("5.25%");
  expect(apyMessage(JSON.stringify({ data: [] }))).toBeUndefined();
});

test("labels are escaped in the image", () => {
  const svg = badgeSvg({ label: '<script>"&', message: "1", color: "#14506e" });
  expect(svg).not.toContain("<script>");
  expect(svg).toContain("&lt;script&gt;&quot;&amp;");
});

describe("badge routes", () => {
  const contextOf = (figure: string) => getContext("/badge/x.svg?format=plain", { params: { figure } });
  const reply = (body: string): Outcome => ({
    kind: "reply",
    status: 200,
    headers: { "Cache-Control": "public, max-age=7", Age: "3", ETag: '"other"' },
    body,
  });
  const contexts: RequestContext[] = [];
  const figures = new Map([
    [
      "good",
      {
        label: "supply",
        message: supplyMessage("XYZ"),
        handler: (context: RequestContext) => {
          contexts.push(context);
          return reply("1234567");
        },
      },
    ],
    ["odd", { label: "supply", message: supplyMessage("XYZ"), handler: () => reply("no digits") }],
    [
      "down",
      {
        label: "supply",
        message: supplyMessage("XYZ"),
        handler: () => ({ kind: "unavailable", message: "x", retryAfterSeconds: 9 }) as const,
      },
    ],
  ]);
  const NO_BADGE = { kind: "not_found", message: "There is no badge of that name; badges: good, odd, down." };
  const [json, svg] = badgeRoutes(figures).map(({ handler }) => handler);

  test("JSON follows the endpoint schema, with the figure's caching and age", async () => {
    const answer = await json?.(contextOf("good"));
    expect(answer).toMatchObject({
      kind: "reply",
      status: 200,
      headers: { "Cache-Control": "public, max-age=7", Age: "3" },
    });
    expect(JSON.parse(answer?.kind === "reply" ? String(answer.body) : "")).toEqual({
      schemaVersion: 1,
      label: "supply",
      message: "1.23M XYZ",
      color: "#14506e",
    });
    expect(contexts[0]?.query, "the badge's own query is not the figure's").toBe("");
  });

  test("an unchanged badge keeps its ETag", async () => {
    const [first, second] = [await svg?.(contextOf("good")), await svg?.(contextOf("good"))];
    const tags = [first, second].map((reply) => (reply?.kind === "reply" ? reply.headers["ETag"] : undefined));
    expect(tags[0]).toMatch(/^"badge-[^"]+"$/);
    expect(tags[1]).toBe(tags[0]);
  });

  test.each([
    ["unknown", NO_BADGE, NO_BADGE],
    [
      "down",
      { kind: "unavailable", retryAfterSeconds: 9 },
      { kind: "reply", status: 503, headers: { "Retry-After": "9", "Cache-Control": "no-store" } },
    ],
    ["odd", { kind: "unavailable" }, { kind: "reply", status: 503 }],
  ])("%s: a badge without a figure has no number", async (name, forJson, forSvg) => {
    expect(await json?.(contextOf(name))).toMatchObject(forJson);
    const image = await svg?.(contextOf(name));
    expect(image).toMatchObject(forSvg);
    if (image?.kind === "reply") expect(String(image.body)).toContain(": unavailable");
  });
});

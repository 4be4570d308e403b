import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAnswer } from "../../../tools/compare/answer.ts";
import type { ComparePorts } from "../../../tools/compare/poll.ts";
import { compare } from "../../../tools/compare.ts";
import { callTool } from "../../support/run-tool.ts";

const [OLD, NEW] = ["https://old.test", "https://new.test"];
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 28);

type Body = string | number | { readonly type: string; readonly text: string };
/** Response of a side at a path and a minute: a body, or a status. */
type Side = (path: string, minute: number) => Body;

const BREAKDOWN = JSON.stringify({
  non_circulating_wallets: [
    { label: "Team", category: "team", address: "0x1", balance: { tokens: "100.5" } },
    { label: "", category: "treasury", address: "0x2", balance: { tokens: "40" } },
    { label: "Cold", category: "treasury", address: "0x3", balance: { tokens: "2" } },
    { label: "Unread", category: "treasury", address: "0x4", balance: null },
  ],
});

/** Runs the command with a clock that stands still except in its pauses. */
async function run(words: readonly string[], old: Side, current: Side, interruptedAt = Number.POSITIVE_INFINITY) {
  let nowMs = START_MS;
  const controller = new AbortController();
  const asked: string[] = [];
  const progress: string[] = [];
  const answerOf = (body: Body) =>
    typeof body === "number"
      ? new Response("{}", { status: body, headers: { "Content-Type": "application/json" } })
      : typeof body === "string"
        ? new Response(body, { headers: { "Content-Type": "text/plain" } })
        : new Response(body.text, { headers: { "Content-Type": body.type } });
  const ports: ComparePorts = {
    fetch: async (input) => {
      const url = new URL(String(input));
      const path = url.pathname + url.search;
      asked.push(url.href);
      if (path === "/api/supply-breakdown") return new Response(BREAKDOWN);
      const minute = Math.round((nowMs - START_MS) / MINUTE_MS);
      return answerOf((url.origin === OLD ? old : current)(path, minute));
    },
    now: () => nowMs,
    sleep: async (milliseconds, signal) => {
      nowMs += milliseconds;
      if (nowMs >= START_MS + interruptedAt * MINUTE_MS) controller.abort();
      expect(signal).toBe(controller.signal);
    },
    progress: (line) => progress.push(line),
  };
  const all = ["--old", OLD, "--new", NEW, "--hours", "1", ...words];
  const { code, output } = await callTool("compare", (given) => compare(given, ports, controller.signal), all);
  return { code, output, asked, progress };
}

const json = async (words: readonly string[], old: Side, current: Side, interruptedAt?: number) => {
  const { output, ...others } = await run([...words, "--json"], old, current, interruptedAt);
  return { ...others, report: JSON.parse(output) };
};
const always =
  (body: Body): Side =>
  () =>
    body;
const PATH = ["--path", "/supply"];

test("two sides that give the same figure agree, at every minute of the time", async () => {
  const { code, output, asked, progress } = await run(PATH, always("1000"), always("1000"));
  expect([code, output]).toEqual([
    0,
    "https://old.test/supply\n  https://new.test/supply\n  61 of 61 equal\n61 polls: both sides give the same figures, within 0.001 %",
  ]);
  expect(asked.filter((url) => url === `${OLD}/supply`)).toHaveLength(61);
  expect(progress[0]).toBe("poll 1 of 61: 1 answers of each side, 0 pairs differ in their bytes");
  expect(progress.length).toBeGreaterThanOrEqual(6);
  expect(progress.at(-1)).toMatch(/^poll 61 of 61/);
});

describe("the cause of a difference", () => {
  test.each<[string, Body, Body, string, RegExp]>([
    ["whole tokens", "1000.75", "1000", "rounding", /whole tokens/],
    ["whole tokens, rounded up", "1001", "1000.75", "rounding", /whole tokens/],
    ["fewer decimals", "1000.123", "1000.12345678", "rounding", /3 decimals/],
    ["floating point", "123456789.12345679", "123456789.12345678", "rounding", /8 decimals|floating/],
    ["floating point, further away", "123456789012345680.5", "123456789012345678.1", "rounding", /floating/],
    [
      "base units",
      "1000123456780000000000",
      "1000.12345678",
      "unit",
      /the old side counts in units that are 10\^18 times/,
    ],
    ["base units of a rounded figure", "1000123456780000000000", "1000", "unit", /10\^18/],
    ["base units on the new side", "1000", "100012345678", "unit", /the new side counts in units that are 10\^8 times/],
    [
      "a wallet that only the new side subtracts",
      "1100.5",
      "1000",
      "wallet",
      /only the new side subtracts the wallet Team/,
    ],
    [
      "a wallet that only the old side subtracts",
      "1000",
      "1040",
      "wallet",
      /only the old side subtracts the wallet 0x2/,
    ],
    ["a category", "1042", "1000", "wallet", /the wallets of category treasury/],
    ["all wallets", "1142.5", "1000", "wallet", /only the new side subtracts the listed wallets/],
    ["nothing that is known", "1500", "1000", "unknown", /the old figure is greater by 500/],
  ])("%s", async (_what, old, current, cause, detail) => {
    const { report } = await json(PATH, always(old), always(current));
    expect(report.comparisons[0].differences).toEqual([
      expect.objectContaining({ member: "", cause, detail: expect.stringMatching(detail), count: 61 }),
    ]);
  });

  test("age: a side gives what the other one has given before, or will give", async () => {
    const at =
      (delay: number): Side =>
      (_path, minute) =>
        String(1_000_000 + 500 * Math.floor((minute - delay) / 10));
    const { code, report } = await json(PATH, at(5), at(0));
    const [comparison] = report.comparisons;
    expect(comparison.equal).toBeGreaterThan(20);
    expect(comparison.differences.length).toBeGreaterThan(0);
    for (const { cause } of comparison.differences) expect(["age", "unknown"]).toContain(cause);
    const aged = comparison.differences.filter(({ cause }: { cause: string }) => cause === "age");
    expect(aged.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBeGreaterThan(25);
    // Half a thousand of a million is beyond the tolerance, whatever its cause.
    expect(code).toBe(1);
  });
});

describe("the exit code", () => {
  test("a difference within the tolerance is reported and no failure", async () => {
    const within = await run(PATH, always("1000000.75"), always("1000000"));
    expect([within.code, within.output]).toEqual([0, expect.stringMatching(/^ {2}ok {3}rounding, 61 times/m)]);
    expect(await run([...PATH, "--tolerance", "0"], always("1000000.75"), always("1000000"))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^ {2}DIFF rounding/m),
    });
    expect((await run([...PATH, "--tolerance", "50%"], always("1500"), always("1000"))).code).toBe(0);
  });

  test("a form that a reader would trip over is 1 at any tolerance; another type alone is a note", async () => {
    const object = (text: string) => ({ type: "application/json", text });
    const wide = [...PATH, "--tolerance", "99%"];
    const string = await run(wide, always(object('{"supply":"1000"}')), always(object('{"supply":1000}')));
    expect([string.code, string.output]).toEqual([
      1,
      expect.stringContaining("FORM supply is a string on the old side and a number on the new one"),
    ]);
    const missing = await run(wide, always(object('{"data":{"supply":1}}')), always(object('{"supply":1}')));
    expect([missing.code, missing.output]).toEqual([
      1,
      expect.stringContaining("FORM data.supply has no figure on the new side"),
    ]);
    const type = await run(PATH, always({ type: "text/html; charset=utf-8", text: "1000" }), always("1000"));
    expect([type.code, type.output]).toEqual([
      0,
      expect.stringContaining("note the old side says text/html, the new one text/plain"),
    ]);
  });

  test("a side that fails: the new one alone is 1, the old one for ever is 2, now and then no failure", async () => {
    const failing: Side = (_path, minute) => (minute === 7 ? 503 : "1000");
    const broken = await run(PATH, always("1000"), failing);
    expect([broken.code, broken.output]).toEqual([1, expect.stringContaining("the new side alone failed 1 times")]);
    expect(broken.output).toContain('note the new side answered 503 application/json "{}"');
    expect((await run(PATH, failing, always("1000"))).code).toBe(0);
    expect(await run(PATH, always(500), always("1000"))).toMatchObject({
      code: 2,
      output: expect.stringContaining("not known: the old side gave no figure"),
    });
    // A body without a figure is none: a page with a challenge has status 200.
    expect((await run(PATH, always("<html>wait</html>"), always("1000"))).code).toBe(2);
  });
});

test("interrupted, it reports what it has", async () => {
  const { code, output, asked } = await run(PATH, always("1500"), always("1000"), 10);
  expect([code, output]).toEqual([1, expect.stringContaining("interrupted after 10 of 61 polls: the sides differ")]);
  expect(asked.filter((url) => url === `${OLD}/supply`)).toHaveLength(10);
  expect((await json(PATH, always("1000"), always("1000"), 10)).report).toMatchObject({
    interrupted: true,
    polls: 10,
    planned: 61,
    is_same: true,
  });
});

test("several paths, each with its own figures, and two paths for one figure", async () => {
  const { asked, report } = await json(
    ["--path", "/a?q=total coins".replace(" ", "+"), "--path", "/total /api/total-supply", "--hours", "0"],
    always("5"),
    always("5"),
  );
  expect(report.comparisons.map((each: { old: string; new: string }) => [each.old, each.new])).toEqual([
    [`${OLD}/a?q=total+coins`, `${NEW}/a?q=total+coins`],
    [`${OLD}/total`, `${NEW}/api/total-supply`],
  ]);
  expect(asked).toHaveLength(6);
});

test("addresses with a path are compared as they are, without --path", async () => {
  const words = ["--old", `${OLD}/circ?q=1`, "--new", `${NEW}/api/circulating-supply`, "--hours", "0"];
  const { report } = await json(words, always("5"), always("5"));
  expect(report.comparisons).toEqual([
    expect.objectContaining({ old: `${OLD}/circ?q=1`, new: `${NEW}/api/circulating-supply`, equal: 1 }),
  ]);
});

test.each([
  [["--old", "old.test"], "--old: must be an http or https address"],
  [["--hours", "a"], "--hours: must be from 0 to 744"],
  [["--every", "0"], "--every: must be at least 1 second"],
  [["--tolerance", "100%"], "--tolerance: must be a percentage below 100"],
  [["--path", "supply"], "--path: must be a path that begins with /"],
  [[], "--path: give one, because this checkout registers no address"],
])("%j is refused with exit code 2", async (words, refusal) => {
  expect(await run(words, always("1"), always("1"))).toMatchObject({
    code: 2,
    output: expect.stringContaining(refusal),
  });
});

describe("an answer", () => {
  const figures = (body: string) =>
    readAnswer(200, "", body).figures.map(({ member, text, notation }) => [member, text, notation]);

  test.each<[string, readonly (readonly string[])[]]>([
    ["123", [["", "123", "number"]]],
    [" 123.50\n", [["", "123.50", "number"]]],
    ['"123"', [["", "123", "string"]]],
    ["1e+27", [["", "1e+27", "number"]]],
    ['{"result":"0100"}', [["result", "0100", "string"]]],
    [
      '{"a":{"b":[1,"2"]},"name":"x 12","at":"2026-01-01"}',
      [
        ["a.b[0]", "1", "number"],
        ["a.b[1]", "2", "string"],
      ],
    ],
    ['{"supply":123456789012345678901234567890.5}', [["supply", "123456789012345678901234567890.5", "number"]]],
    ['{"number":"7"}', [["number", "7", "string"]]],
    ["<html>", []],
    ["", []],
    ["null", []],
  ])("%s has its figures to the last digit", (body, wanted) => {
    expect(figures(body)).toEqual(wanted);
  });
});

test.each(["rounding", "unit", "wallet", "age", "unknown", "FORM"])(
  "moving-here.md says what to do about %s",
  (cause) => {
    const text = readFileSync("docs/moving-here.md", "utf8");
    expect(text).toMatch(new RegExp(`^\\| \`${cause}\` +\\|`, "m"));
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(500);
  },
);

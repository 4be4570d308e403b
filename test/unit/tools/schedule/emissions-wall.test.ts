import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { evaluateEmissions, inIsolate } from "../../../../tools/schedule/emissions/evaluate.ts";
import { refusalOfPromise } from "../../../support/refusal.ts";

/** A file of one section whose amount is an expression's value; a clock that runs makes it another one than ours. */
const emissions = (expression: string) => `
  import { manualCliff } from "../adapters/manual";
  const of = () => ${expression};
  export default { Team: () => manualCliff(1767225600, Number(of())), meta: { total: 1000 } };`;

async function amountOf(expression: string): Promise<unknown> {
  const found = await evaluateEmissions("x.ts", emissions(expression)).catch(
    (cause: { lines: string[] }) => cause.lines,
  );
  if (Array.isArray(found)) return found.join();
  const [section] = "sections" in found ? found.sections : [];
  return section === undefined || "refused" in section ? section?.refused : section.rules[0]?.amount;
}

describe("what tells the present is refused, by whatever name", () => {
  test.each<[string, string | RegExp]>([
    ["Date.now()", "depends on the time at which it is read"],
    ["+new Date()", "depends on the time at which it is read"],
    ["Date().length > 0 ? Date.parse(Date()) : 0", "depends on the time at which it is read"],
    ['new Intl.DateTimeFormat("en", { year: "numeric" }).format()', "reads Intl"],
    ['new File([], "x").lastModified', "reads File"],
    ['new Event("x").timeStamp', "reads Event"],
    ["performance.now() + performance.timeOrigin", "reads performance"],
    ["Temporal.Now.instant().epochMilliseconds", /^(reads Temporal|Temporal is not defined)$/],
    ["new Date(0).constructor.now()", "depends on the time at which it is read"],
    ["Object.getPrototypeOf(Date).now()", /is not a function/],
    ["Object.getPrototypeOf(Object.getPrototypeOf(new Date(0))).constructor.now()", /is not a function/],
    ["structuredClone(new Date(0)).constructor.now()", /is not a function/],
    ["constructor.now()", /^reads constructor$/],
    ["crypto.getRandomValues(new Uint8Array(1))[0]", "reads crypto"],
    ['new Request("http://a/").headers.get("Date")', "reads Request"],
    ['new WebSocket("ws://127.0.0.1:1").readyState', "reads WebSocket"],
  ])("%s", async (expression, refusal) => {
    expect(await amountOf(expression)).toEqual(refusal instanceof RegExp ? expect.stringMatching(refusal) : refusal);
  });

  test.each<[string, number]>([
    ["new Date(2026, 0, 2).getTime() / 86_400_000 - 20_454", 1],
    ['Date.UTC(2026, 0, 2) === Date.parse("2026-01-02") ? 7 : 8', 7],
    [
      'new Date("2026-01-02") instanceof Date && new Date(86_400_000).toISOString() === "1970-01-02T00:00:00.000Z" ? 7 : 8',
      7,
    ],
    ["[3, 4].map((part) => Math.max(part, 1)).reduce((sum, part) => sum + part)", 7],
    ['[...new Map(Object.entries(JSON.parse("{}")))].length + Number(BigInt(7)) + (1e6).toLocaleString().length', 16],
  ])("and what does not is the language's own: %s", async (expression, amount) => {
    expect(await amountOf(expression)).toBe(amount);
  });
});

/** Asks an address in every way that an isolate has; says which ways it tried. */
const asking = (port: number) => `export default { async fetch() {
  const tried = [];
  for (const [name, ask] of Object.entries({
    fetch: () => fetch("http://127.0.0.1:${port}/"),
    upgrade: () => fetch("http://127.0.0.1:${port}/", { headers: { Upgrade: "websocket" } }),
    WebSocket: () => new Promise((resolve) => {
      const socket = new WebSocket("ws://127.0.0.1:${port}/");
      for (const event of ["open", "error", "close"]) socket.addEventListener(event, resolve);
    }),
    EventSource: () => new Promise((resolve) => {
      const source = new EventSource("http://127.0.0.1:${port}/");
      for (const event of ["open", "error"]) source.addEventListener(event, resolve);
    }),
  })) { tried.push(name); await Promise.race([ask(), new Promise((resolve) => setTimeout(resolve, 1_000))]).catch(() => 0); }
  return Response.json(tried);
} };`;

test("the isolate itself reaches no server of the machine, with whatever it asks", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // of a port, not a pipe
  try {
    expect(await inIsolate(asking(port), 20_000)).toEqual(["fetch", "upgrade", "WebSocket", "EventSource"]);
    expect(asked).toEqual([]);
    // The control: it can be reached.
    await fetch(`http://127.0.0.1:${port}/control`);
    expect(asked).toEqual(["/control"]);
  } finally {
    server.close();
  }
});

/** The largest memory of this process's children while the work lasts, in MiB. */
async function peakOf(work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        if (!status.includes(`PPid:\t${process.pid}\n`) || !/^Name:\s+workerd/m.test(status)) continue;
        peak = Math.max(peak, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
      } catch {
        // The process has ended meanwhile.
      }
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

// Other systems have no such memory limit.
test.skipIf(process.platform !== "linux")(
  "a file that takes memory without end is refused, and its process takes little",
  async () => {
    const control = await peakOf(() => evaluateEmissions("x.ts", emissions("7")));
    expect(control, "the process is seen").toBeGreaterThan(20);
    for (const hog of [
      "{ const all = []; for (;;) all.push(new Array(100_000).fill(1.5)); }",
      "{ const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1)); }",
    ]) {
      let refused: readonly string[] = [];
      const peak = await peakOf(async () => {
        const said = await evaluateEmissions("x.ts", emissions(`(() => ${hog})()`)).catch((cause: unknown) => cause);
        refused = said instanceof Error ? await refusalOfPromise(Promise.reject(said)) : [JSON.stringify(said)];
      });
      expect(refused.join()).toMatch(/exceeds its memory|allocation failed/);
      expect(peak).toBeLessThan(control + 700);
    }
  },
  90_000,
);

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runChecks } from "../../tools/doctor/examine.ts";
import { doctor as tool } from "../../tools/doctor.ts";
import { readPublishedSchedule } from "../../tools/schedule/files.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { freePort, startProduct } from "../support/product.ts";
import { callTool, examined, type Finished, runTool } from "../support/run-tool.ts";
import { product } from "../support/shared-product.ts";
import { type Passing, startTamperingProxy, type Tamper, type TamperingProxy } from "../support/tampering-proxy.ts";

let proxy: TamperingProxy;

beforeAll(async () => {
  proxy = await startTamperingProxy(product.url);
});

afterAll(() => proxy?.close());

const read = ({ code, output }: Finished) => ({ code, lines: output.split("\n") });
const doctor = async (...words: string[]) => read(await callTool("doctor", tool, words));
/** Runs the doctor as a process, to test its exit codes. */
const doctorProcess = async (...words: string[]) => read(await examined(() => runTool("doctor", words)));

test("a healthy product passes every check, also through a proxy that changes nothing", async () => {
  proxy.use(() => false);
  const { code, lines } = await doctorProcess(proxy.url);
  expect(lines.slice(0, -2).filter((line) => !line.startsWith("ok  "))).toEqual([]);
  expect(lines.slice(-2)).toEqual(["14 of 14 checks passed.", expect.stringMatching(/^Next: the forms of trackers/)]);
  expect(code).toBe(0);
});

const onPath =
  (pattern: RegExp, change: (answer: Passing) => void): Tamper =>
  (path, _request, answer) => {
    if (!pattern.test(path)) return false;
    change(answer);
    return true;
  };
const everywhere = (change: (answer: Passing) => void): Tamper => onPath(/./, change);
const withStatus = (pattern: RegExp, status: number): Tamper =>
  onPath(pattern, (answer) => Object.assign(answer, { status }));
const withBody = (pattern: RegExp, change: (body: string) => string): Tamper =>
  onPath(pattern, (answer) => Object.assign(answer, { body: change(answer.body) }));

/** Ledger information whose newest block is this old. */
const withBlockAge = (seconds: number): Tamper =>
  withBody(/^\/v1$/, (body) =>
    body.replace(/"ledger_timestamp":"\d+/, `"ledger_timestamp":"${(Date.now() - seconds * 1_000) * 1_000}`),
  );

/** Stores the first response of each path, like a cache rule of a zone. */
function storing(): Tamper {
  const stored = new Map<string, Headers>();
  return (path, _request, { headers }) => {
    const first = stored.get(path);
    if (first === undefined) stored.set(path, new Headers(headers));
    for (const [name, value] of first ?? []) headers.set(name, value);
    return first !== undefined;
  };
}

test.each<[string, Tamper, string, string?]>([
  ["a figure in exponent form", withBody(/max-supply/, () => "1e+9"), "figures: /api/max-supply is not digits alone"],
  [
    "a byte-order mark",
    withBody(/circulating/, (body) => `\ufeff${body}`),
    "figures: /api/circulating-supply is not digits",
  ],
  [
    "a figure of another schedule",
    withBody(/circulating/, () => "12345"),
    "schedule: /api/circulating-supply is 12345, the schedule file here says",
  ],
  [
    "an older schedule",
    withBody(/unlock-schedule/, (body) => body.replace(/"revision":\d+/, '"revision":0')),
    "schedule: the deployment serves schedule revision 0",
  ],
  [
    "a month of another schedule",
    withBody(/unlock-schedule/, (body) => body.replace(/"circulating":\{"tokens":"\d/, '"circulating":{"tokens":"9')),
    "schedule: /api/unlock-schedule has other months than the schedule file here",
  ],
  [
    "another file of the same revision and months",
    withBody(/health/, (body) => body.replace(/"schedule_sha256":"..../, '"schedule_sha256":"0000')),
    "schedule: the served schedule file (SHA-256 0000",
  ],
  [
    "a release that does not name its file",
    withBody(/health/, (body) => body.replace('"schedule_sha256":', '"schedule_sum":')),
    "schedule: /api/health does not state the hash of the served schedule file",
  ],
  [
    "a wallet less",
    withBody(/breakdown/, (body) => {
      const view = JSON.parse(body);
      return JSON.stringify({ ...view, non_circulating_wallets: view.non_circulating_wallets.slice(1) });
    }),
    "schedule: the wallet native 0x",
  ],
  [
    "a figure of the chain that fails",
    onPath(/burned-supply/, (answer) => {
      answer.status = 503;
      answer.body = '{"message":"Not now.","error_code":"service_unavailable"}';
    }),
    "on chain: burned-supply answers 503: Not now; see the health problems",
  ],
  [
    "a figure of the chain that does not arrive",
    onPath(/burned-supply/, (answer) => Object.assign(answer, { cutAt: -1 })),
    "on chain: burned-supply answers 0: fetch failed; see the health problems",
  ],
  [
    "a calendar that is a page",
    withBody(/\.ics$/, () => "<html>"),
    "forms: /api/unlock-events.ics answers 200 text/calendar",
  ],
  [
    "health with a problem",
    withBody(/health/, (body) =>
      body.replace(
        '"problems":[]',
        '"problems":[{"code":"figure_stale","subject":"rates","message":"old","remedy":"ask"}]',
      ),
    ),
    "health: health says figure_stale (rates): old Remedy: ask",
  ],
  ["a chain that has stopped", withBlockAge(600), "nodes: the newest block is 60"],
  ["a chain that is three minutes behind", withBlockAge(180), "nodes: the newest block is 18"],
  ["no chain node", withStatus(/^\/v1/, 503), "nodes: /v1 answers 503"],
  [
    "a challenge for scripts",
    (_path, request, answer) => {
      if (!request["user-agent"]?.startsWith("Python")) return false;
      answer.status = 403;
      answer.headers.set("Content-Type", "text/html");
      return true;
    },
    "access: a plain script gets 403, a challenge or block page; turn off Browser Integrity Check",
  ],
  [
    "a challenge for a tracker's client, with status 200",
    (path, request, answer) => {
      if (!/total/.test(path) || request["x-requested-with"] !== "com.coingecko") return false;
      expect(request["user-agent"]).toBe("CoinGecko +https://coingecko.com/");
      answer.body = "<html>";
      answer.headers.set("Content-Type", "text/html");
      return true;
    },
    "access: CoinGecko's client asking for /api/total-supply gets 200, a challenge or block page; turn off",
  ],
  [
    "an error page for 404",
    onPath(/does-not-exist/, (answer) => {
      answer.body = "<html>";
      answer.headers.set("Content-Type", "text/html");
    }),
    "errors: an unknown path answers 404 with a page",
  ],
  [
    "no limit fields",
    everywhere(({ headers }) => headers.delete("RateLimit")),
    "limits: responses have no RateLimit field",
  ],
  [
    "limit fields of another quota",
    everywhere(({ headers }) => headers.set("RateLimit-Policy", "default;q=9;w=9")),
    "limits: RateLimit-Policy is",
  ],
  [
    "a health without quotas",
    withBody(/health/, (body) => body.replace('"policies":', '"policy":')),
    "limits: health has no limiter.policies.default",
  ],
  ["a cache in front", storing(), "caching: two requests got the same stored response"],
  [
    "a longer browser cache",
    onPath(/circulating/, ({ headers }) => headers.set("Cache-Control", "public, max-age=14400")),
    "caching: Cache-Control of the figure is",
  ],
  [
    "no ETag",
    onPath(/circulating/, (answer) => {
      answer.headers.delete("ETag");
      answer.status = 200;
    }),
    "caching: a conditional request is not answered 304",
  ],
  [
    "refused preflights",
    (_path, request, answer) => {
      if (request["access-control-request-method"] === undefined) return false;
      answer.status = 403;
      return true;
    },
    "CORS: a preflight answers 403, not 204",
  ],
  [
    "no version in the answers",
    everywhere(({ headers }) => headers.delete("X-API-Version")),
    "versions: answers name version null, not 1",
  ],
  ["a page of another token", withBody(/^\/$/, () => "<!doctype html><html>"), "forms: the page does not name"],
  [
    "no CORS",
    everywhere(({ headers }) => headers.delete("Access-Control-Allow-Origin")),
    "CORS: browsers on other sites cannot read",
  ],
  ["a removed request header", () => false, "versions: X-API-Version: 9 is answered 200, not 400", "x-api-version"],
  [
    "a clock that is an hour ahead",
    everywhere(({ headers }) => headers.set("Date", new Date(Date.now() + 3_600_000).toUTCString())),
    "clock: the clocks differ by 3",
  ],
  [
    "a clock that is a minute behind",
    everywhere(({ headers }) => headers.set("Date", new Date(Date.now() - 60_000).toUTCString())),
    "clock: the clocks differ by -6",
  ],
])("%s is reported", async (_what, tamper, finding, removedRequestHeader) => {
  const tampered = proxy.use(tamper, removedRequestHeader);
  const { code, lines } = await doctor(proxy.url);
  if (removedRequestHeader === undefined) expect(tampered(), "answers that were tampered with").toBeGreaterThan(0);
  expect(
    lines.filter((line) => line.replace(/^(FAIL|warn) {2}(on chain|\S+) +/, "$2: ").startsWith(finding)),
    lines.join("\n"),
  ).toHaveLength(1);
  expect(code).toBe(1);
});

test.each<[string, Tamper, string]>([
  [
    "one node",
    withBody(/health/, (body) => body.replace('"label":"embedded"', '"label":"upstream-1"')),
    "warn  nodes      with one node, figures of the chain rest on that node alone;",
  ],
  [
    "nodes that have all pruned the oldest versions",
    withStatus(/by_height\/0/, 410),
    "warn  nodes      no node has the oldest versions (/v1/blocks/by_height/0 answers 410); put an archive node last",
  ],
])("%s is a warning, and no problem", async (_what, tamper, warning) => {
  const tampered = proxy.use(tamper);
  const { code, lines } = await doctor(proxy.url);
  expect(tampered()).toBeGreaterThan(0);
  expect(lines.filter((line) => line.startsWith("warn"))).toEqual([expect.stringContaining(warning)]);
  expect(code).toBe(0);
});

test("a quota that is used up is waited for once, for as long as it says, and is no problem", async () => {
  let refused = 0;
  proxy.use(
    onPath(/max-supply$/, (answer) => {
      if (refused > 0) return;
      refused += 1;
      answer.status = 429;
      answer.headers.set("Retry-After", "3");
    }),
  );
  const pauses: number[] = [];
  const pause = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds);
  const schedule = readPublishedSchedule(join(CHECKOUT, "schedule", "native.json"));
  const waits: string[] = [];
  const ports = { fetch, now: () => Date.now(), pause, onWait: (reason: string) => waits.push(reason) };
  const found = await runChecks({ address: proxy.url, override: null }, { schedule, isLocal: true }, ports);
  expect([refused, pauses]).toEqual([1, [3_000]]);
  expect(waits).toEqual([expect.stringMatching(/^waiting 3 s: this address has used up its requests/)]);
  expect(found.filter(({ problems }) => problems.length > 0)).toEqual([]);
});

test("a quota of more than a minute is not waited for: the check names 429", async () => {
  const tampered = proxy.use(
    onPath(/max-supply$/, (answer) => {
      answer.status = 429;
      answer.headers.set("Retry-After", "61");
    }),
  );
  const pause = () => expect.fail("nothing is waited for");
  const ports = { fetch, now: () => Date.now(), pause };
  const found = await runChecks({ address: proxy.url, override: null }, { schedule: null, isLocal: true }, ports);
  expect(tampered()).toBeGreaterThan(0);
  expect(found.flatMap(({ problems }) => problems).join()).toContain("429");
});

test.each<[string, Tamper]>([
  ["a block that is a minute old", withBlockAge(60)],
  [
    "a clock that is five seconds behind",
    everywhere(({ headers }) => headers.set("Date", new Date(Date.now() - 5_000).toUTCString())),
  ],
])("%s is none either", async (_what, tamper) => {
  const tampered = proxy.use(tamper);
  const { code, lines } = await doctor(proxy.url);
  expect([tampered() > 0, code], lines.join("\n")).toEqual([true, 0]);
});

test("nodes that are down are no problem of the version", async () => {
  const down = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}/v1`);
  const own = await startProduct({ NODE_URLS: down.join(), RATE_LIMIT_DEFAULT: "10000/60" });
  try {
    const target = { address: own.url, override: null };
    const schedule = readPublishedSchedule(join(CHECKOUT, "schedule", "native.json"));
    const ports = { fetch, now: () => Date.now(), pause: async () => undefined };
    const found = await runChecks(target, { schedule, isLocal: true }, ports);
    const failed = found.filter(({ problems }) => problems.length > 0);
    expect(failed.map(({ name, isOfVersion }) => [name, isOfVersion])).toEqual(
      ["health", "on chain", "nodes"].map((name) => [name, false]),
    );
  } finally {
    await own.stop();
  }
});

test("a host that does not answer is reported in one line", async () => {
  const { code, lines } = await doctorProcess(`http://127.0.0.1:${await freePort()}`);
  expect([code, lines]).toEqual([1, [expect.stringMatching(/^doctor: network: http:\/\/127.* does not answer/)]]);
});

test("a host name that does not exist is reported in one line", async () => {
  const { code, lines } = await doctor("https://edge-api.invalid");
  expect([code, lines]).toEqual([
    1,
    [expect.stringMatching(/^doctor: network: the name edge-api.invalid does not resolve/)],
  ]);
});

test.each([
  [[]],
  [["example.org"]],
  [["https://a.example", "b"]],
  [["https://a.example", "--no-schedule", "--schedule", "x.json"]],
])("%j prints the usage", async (words) => {
  const { code, lines } = await doctor(...words);
  expect([code, lines[0]]).toEqual([2, expect.stringMatching(/^doctor: usage: npm run doctor/)]);
});

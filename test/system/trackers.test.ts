import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { trackers as tool } from "../../tools/trackers.ts";
import { RECORDED } from "../fixtures/trackers.ts";
import { closing, listening } from "../support/listening.ts";
import { freePort } from "../support/product.ts";
import { callTool, type Finished, runTool } from "../support/run-tool.ts";
import { product } from "../support/shared-product.ts";

const KEY = "0a1b2c3d-secret-of-the-operator";
let server: Server;
let url: string;
let answer: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };
let asked: IncomingMessage[] = [];
/** Figures that the product serves. */
let ours: { readonly onChain: number; readonly unlocked: number; readonly total: number; readonly max: number };

beforeAll(async () => {
  for (const name of ["COINGECKO_API_KEY", "CMC_API_KEY"]) vi.stubEnv(name, KEY);
  server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(answer.status, { "Content-Type": "application/json", ...answer.headers });
    response.end(answer.body);
  });
  url = await listening(server);
  const figure = async (path: string): Promise<number> => (await fetch(`${product.url}/api/${path}`)).json();
  const [onChain, unlocked, total, max] = await Promise.all(
    ["circulating-supply-on-chain", "circulating-supply", "total-supply", "max-supply"].map(figure),
  );
  ours = { onChain: onChain ?? 0, unlocked: unlocked ?? 0, total: total ?? 0, max: max ?? 0 };
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await closing(server);
});

/** Runs the command against a tracker that answers `body`. */
function trackers(name: "coingecko" | "cmc", body: unknown, status = 200, ...more: string[]): Promise<Finished> {
  asked = [];
  answer = { status, body: typeof body === "string" ? body : JSON.stringify(body) };
  return run(name, ...more);
}

function run(name: "coingecko" | "cmc", ...more: string[]): Promise<Finished> {
  const words = [
    "--url",
    product.url,
    `--${name}`,
    name === "cmc" ? "512" : "our-token",
    `--${name}-api`,
    url,
    ...more,
  ];
  return callTool("trackers", tool, words);
}

const coingecko = (figures: object, record: object = {}) => ({
  ...RECORDED.coingecko,
  id: "our-token",
  symbol: "apt",
  name: "Ours",
  ...record,
  market_data: { ...RECORDED.coingecko.market_data, ...figures },
});
const cmc = (figures: object) => ({
  data: [{ ...RECORDED.cmc, symbol: "APT", ...figures }],
  status: RECORDED.cmcStatus,
});
const right = () => ({ circulating_supply: ours.onChain, total_supply: ours.total + 0.5, max_supply: ours.max });
const rowOf = ({ output }: Finished, figure: string) =>
  output
    .split("\n")
    .map((line) => line.split(/ {2,}/))
    .find((cells) => cells[1] === figure);

test("figures that are ours are right, and the exit code is 0", async () => {
  const found = await trackers("coingecko", coingecko(right()));
  expect(found.code, found.output).toBe(0);
  expect(rowOf(found, "circulating")?.[3]).toBe("on chain");
  expect(rowOf(found, "total")?.slice(3)).toEqual(["total", String(ours.total), "total, max", "right"]);
  expect(asked.map(({ url: path, headers }) => [path, headers["x-cg-demo-api-key"]])).toEqual([
    [expect.stringMatching(/^\/coins\/our-token\?/), KEY],
  ]);
});

test("a circulating figure that is the unlocked one is wrong, and named", async () => {
  const found = await trackers(
    "coingecko",
    coingecko({ ...right(), circulating_supply: ours.unlocked }),
    200,
    "--tolerance",
    "0.01%",
  );
  expect(found.code, found.output).toBe(1);
  expect(rowOf(found, "circulating")?.slice(2)).toEqual([
    ...[String(ours.unlocked), "on chain", String(ours.onChain), "unlocked", "WRONG"],
  ]);
});

test.each([
  ["0.5%", 1.0049, 0],
  ["0.5%", 1.0051, 1],
  ["2", 1.0051, 0],
])("with a tolerance of %s a total of %d times ours has exit code %d", async (tolerance, factor, code) => {
  const found = await trackers(
    "coingecko",
    coingecko({ ...right(), total_supply: ours.total * factor }),
    200,
    "--tolerance",
    tolerance,
  );
  expect(found.code, found.output).toBe(code);
});

test("CoinMarketCap's record has an unlocked figure of its own, in a list or by id", async () => {
  const figures = { ...right(), unlocked_circulating_supply: ours.unlocked };
  const listed = await trackers("cmc", cmc(figures));
  expect([listed.code, rowOf(listed, "unlocked")?.[6]], listed.output).toEqual([0, "right"]);
  expect(asked.map(({ url: path, headers }) => [path, headers["x-cmc_pro_api_key"]])).toEqual([
    ["/v3/cryptocurrency/quotes/latest?id=512", KEY],
  ]);
  const { data, status } = cmc(figures);
  expect((await trackers("cmc", { data: { 512: data[0] }, status })).output).toBe(listed.output);
});

test("a figure that is not displayed, or 0 because it is not verified, is wrong", async () => {
  const found = await trackers("cmc", cmc({ ...right(), circulating_supply: 0, max_supply: null }));
  expect(found.code, found.output).toBe(1);
  expect(rowOf(found, "circulating")?.slice(2)).toEqual(["none", "on chain", String(ours.onChain), "none", "WRONG"]);
  expect(rowOf(found, "max")?.[2]).toBe("none");
});

const LIMITED = /^(CoinGecko|CoinMarketCap) limits the requests of this key or address; try again later, or set /;
const MISSING = /^(CoinGecko|CoinMarketCap) has no token with the id (our-token|512); look it up/;
const DOWN = /^(CoinGecko|CoinMarketCap) is down: /;
const RENAMED = /^(CoinGecko|CoinMarketCap) calls (our-token|512) now /;
test.each<[string, "coingecko" | "cmc", number, unknown, RegExp, number]>([
  ["a limit of CoinGecko", "coingecko", 429, RECORDED.coingeckoLimited, LIMITED, 2],
  ["a limit of CoinMarketCap", "cmc", 429, RECORDED.cmcLimited, LIMITED, 2],
  ["a limit with status 200", "cmc", 200, RECORDED.cmcLimited, LIMITED, 2],
  ["an id that CoinGecko does not know", "coingecko", 404, RECORDED.coingeckoMissing, MISSING, 1],
  ["an id that CoinMarketCap does not know", "cmc", 400, RECORDED.cmcMissing, MISSING, 1],
  ["a response without the id", "cmc", 200, { data: [], status: RECORDED.cmcStatus }, MISSING, 1],
  ["an outage", "coingecko", 503, "<html>", DOWN, 2],
  ["a page instead of JSON", "cmc", 200, "<html>", DOWN, 2],
  ["another symbol", "coingecko", 200, coingecko({}, { symbol: "new`@all" }), RENAMED, 1],
  ["another id", "coingecko", 200, coingecko({}, { id: "our-token-2" }), RENAMED, 1],
  ["a bad key", "cmc", 401, RECORDED.cmcRefused, /^CoinMarketCap refuses the request \(401\); check CMC_API_KEY$/, 2],
])("%s has a message of its own, without the key", async (_what, name, status, body, message, code) => {
  const found = await trackers(name, body, status);
  expect(asked).toHaveLength(1);
  expect([found.code, found.output]).toEqual([code, expect.stringMatching(message)]);
  expect(found.output).not.toMatch(/secret|[`@<]/);
});

test("a redirect is not followed: it would get the key", async () => {
  asked = [];
  answer = { status: 301, body: "", headers: { Location: "/elsewhere" } };
  expect(await run("coingecko")).toMatchObject({ code: 1, output: expect.stringContaining("redirects our-token") });
  expect(asked).toHaveLength(1);
});

test("a tracker or a deployment that does not respond is named, with exit code 2", async () => {
  const dead = `http://127.0.0.1:${await freePort()}`;
  const tracker = await runTool("trackers", [
    "--url",
    product.url,
    "--coingecko",
    "our-token",
    "--coingecko-api",
    dead,
  ]);
  expect(tracker).toEqual({ code: 2, output: "CoinGecko is down: it does not respond" });
  const deployment = await runTool("trackers", ["--url", dead, "--coingecko", "our-token", "--coingecko-api", url]);
  expect([deployment.code, deployment.output]).toEqual([2, expect.stringContaining(`not known: ${dead}: `)]);
});

test("what is wrong for certain counts more than what is not known", async () => {
  const dead = `http://127.0.0.1:${await freePort()}`;
  const found = await trackers("coingecko", coingecko({}), 200, "--cmc", "512", "--cmc-api", dead);
  expect(found.code, found.output).toBe(1);
  expect(found.output).toContain("CoinMarketCap is down: it does not respond");
});

test("a key is taken from the environment only, and never shown", async () => {
  const without = await runTool("trackers", ["--url", product.url, "--cmc", "512"], { CMC_API_KEY: "" });
  expect(without).toEqual({ code: 2, output: expect.stringContaining("CMC_API_KEY: missing in the environment") });
  const given = await runTool("trackers", ["--cmc", "512", `--cmc-key=${KEY}`]);
  expect([given.code, given.output]).toEqual([2, expect.stringMatching(/^trackers: Unknown option '--cmc-key'/)]);
  expect(given.output).not.toContain(KEY);
});

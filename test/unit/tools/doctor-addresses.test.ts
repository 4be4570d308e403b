import { expect, test } from "vitest";
import { addressFinding } from "../../../tools/doctor/addresses.ts";
import { CHECKS } from "../../../tools/doctor/checks.ts";
import { probe } from "../../../tools/doctor/probe.ts";
import { addressFile } from "../addresses/entries.ts";
import { file, valid } from "../supply/schedules.ts";

const ADDRESSES = addressFile([
  { path: "/supply", query: { q: "a b" }, figure: "total_supply", form: "number" },
  { path: "/units", figure: "stable_supply", form: "base_units" },
  {
    path: "/token",
    form: "object",
    members: {
      symbol: { text: "X∞Z" },
      total: { figure: "total_supply", as: "string", units: "base_units" },
      max: { figure: "max_supply", as: "number", units: "tokens" },
    },
  },
]);
const EXPECTED = { schedule: valid(file()), isLocal: true, addresses: ADDRESSES };

/** A deployment that answers these bodies by path and query, and anything else with its own address. */
async function found(
  changes: Readonly<Record<string, string | number | readonly string[]>> = {},
  expected: object = {},
) {
  const bodies: Record<string, string | number | readonly string[]> = {
    "/api/health": JSON.stringify({ addresses_sha256: ADDRESSES.sha256 }),
    "/api/total-supply?format=plain&decimals=exact": "900.5",
    "/api/max-supply?format=plain&decimals=exact": "1000",
    "/api/stable-supply?format=plain&decimals=exact": "5.25",
    "/supply?q=a+b": "900",
    "/units": "5250000",
    "/token": '{"symbol":"X∞Z","total":"90050000000","max":1000}',
    ...changes,
  };
  const asked = new Map<string, number>();
  const fetch = async (input: RequestInfo | URL) => {
    const target = String(input).slice("https://edge.test".length);
    const times = asked.get(target) ?? 0;
    asked.set(target, times + 1);
    const said = bodies[target] ?? target;
    if (typeof said === "number") return new Response("{}", { status: said });
    return new Response(typeof said === "string" ? said : said[Math.min(times, said.length - 1)]);
  };
  const ports = { fetch, now: () => 0, pause: async () => undefined };
  const answers = await probe({ address: "https://edge.test", override: null }, ports, ADDRESSES);
  return addressFinding(answers, { ...EXPECTED, ...expected });
}

test("each address is asked and compared with its figure, in its form", async () => {
  expect(await found()).toEqual({ is: "3 registered addresses, each with its figure", problems: [] });
  expect(CHECKS.find(({ name }) => name === "addresses")?.find).toBe(addressFinding);
});

test.each([
  ["/supply?q=a+b", "900.5", '/supply?q=a+b is "900.5", which is not total_supply'],
  ["/supply?q=a+b", "901", '/supply?q=a+b is "901", which is not total_supply'],
  ["/units", "525", '/units is "525"'],
  ["/token", '{"symbol":"X∞Z","total":"90050000000","max":"1000"}', "which is not total_supply, max_supply"],
  ["/token", '{"symbol":"ABC","total":"90050000000","max":1000}', "which is not total_supply, max_supply"],
])("%s that answers %s is a problem", async (target, body, problem) => {
  if (target === "/units") expect((await found({ [target]: "52500000" })).problems).toEqual([]);
  const wrong = target === "/units" ? "526" : body;
  expect((await found({ [target]: wrong })).problems).toEqual([
    expect.stringContaining(target === "/units" ? '/units is "526"' : problem),
  ]);
});

test("a figure that moves between the requests is no problem", async () => {
  const moved = ["900.5", "901.5"];
  expect(await found({ "/api/total-supply?format=plain&decimals=exact": moved, "/supply?q=a+b": "901" })).toMatchObject(
    {
      problems: [],
    },
  );
});

test("an address that does not answer is a problem, unless its figure does not either", async () => {
  expect((await found({ "/supply?q=a+b": 404 })).problems).toEqual([
    "/supply?q=a+b answers 404 instead of its figure; deploy this checkout",
  ]);
  const away = { "/api/total-supply?format=plain&decimals=exact": 503, "/supply?q=a+b": 503, "/token": 503 };
  expect((await found(away)).problems).toEqual([]);
});

test("another file than the one here is a problem, and so is one that is missing on either side", async () => {
  const other = { "/api/health": JSON.stringify({ addresses_sha256: "cd".repeat(32) }) };
  expect((await found(other)).problems).toEqual([expect.stringContaining(`the hash ${"cd".repeat(32)}`)]);
  expect((await found({ "/api/health": JSON.stringify({ addresses_sha256: null }) })).problems).toHaveLength(1);
  expect((await found({}, { addresses: null })).problems).toEqual([expect.stringContaining("the file here has null")]);
  expect((await found({}, { schedule: null })).problems).toEqual([]);
});

import { describe, expect, test } from "vitest";
import {
  figureErrors,
  PAGE_FILES,
  routedPatterns,
  surroundingErrors,
} from "../../../src/addresses/file/surroundings.ts";
import { capabilitiesOf } from "../../../src/supply/capabilities.ts";
import { ALL_PARTS } from "../../../tools/lib/parts.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";
import { entriesOf, refusalText } from "./entries.ts";

const OURS = ["/api", "/api/*", "/feed.atom"];
const SURROUNDINGS = {
  documented: new Map([
    ["/api/max-supply", ["format", "decimals"]],
    ["/api/supply", []],
  ]),
  patterns: ["/api/rates/{id}", "/api/badge/apy:{id}.json", "/api/badge/{figure}.json"],
  files: [...PAGE_FILES, "favicon.svg"],
  workerFirst: [OURS],
};
const entry = (path: string, query?: object) => ({ path, query, figure: "max_supply", form: "number" });
const errorsOf = (...addresses: readonly object[]) =>
  surroundingErrors(entriesOf(addresses), SURROUNDINGS).map(refusalText);

describe("a path that something else has", () => {
  test.each([
    ...["/v1", "/v1/supply", "/.well-known/supply", "/badge", "/badge/supply", "/api/health", "/feed.atom"],
    ...["/cdn-cgi/supply", "/faucet", "/mint", "/docs/supply", "/assets/a", "/api/page", "/llms.txt", "/robots.txt"],
  ])("%s is reserved, with a query too", (path) => {
    const refused = [expect.stringContaining(`addresses[0].path: ${path} is reserved: `)];
    expect(errorsOf(entry(path))).toEqual(refused);
    expect(errorsOf(entry(path, { q: "max" }))).toEqual(refused);
  });

  test.each([
    ["/api/rates/supply", "/api/rates/{id}"],
    ["/api/badge/supply.json", "/api/badge/{figure}.json"],
  ])("%s is matched by a pattern of ours", (path, pattern) => {
    expect(errorsOf(entry(path, { q: "max" }))).toEqual([
      `addresses[0].path: ${path} is a path of ours, by ${pattern}`,
    ]);
  });

  test.each([
    "/",
    "/index",
    "/index.html",
    "/verify",
    "/verify/",
    "/embed.js",
    "/favicon.svg",
    "/favicon.ico",
    "/apple-touch-icon.png",
    "/schedule/native.json",
  ])("%s is a file of the page", (path) => {
    expect(errorsOf(entry(path, { q: "max" }))).toEqual([
      expect.stringContaining(`addresses[0].path: ${path} is a file of the page, `),
    ]);
  });

  test("a path of ours needs a query, with a parameter that is not its own", () => {
    expect(errorsOf(entry("/api/max-supply"))).toEqual([
      "addresses[0].path: /api/max-supply is a path of ours: an entry on it must have a query",
    ]);
    expect(errorsOf(entry("/api/max-supply", { format: "text" }))).toEqual([
      "addresses[0].path: /api/max-supply is a path of ours that has a parameter format of its own: an entry on it must use another one",
    ]);
    expect(errorsOf(entry("/api/max-supply", { q: "max" }), entry("/api/supply", { format: "text" }))).toEqual([]);
  });

  test.each(["/v1supply", "/api/healthy", "/api/rates/a/b", "/badges", "/supply", "/api/v1/x", "/schedule/supply"])(
    "%s is free",
    (path) => {
      expect(errorsOf(entry(path))).toEqual([]);
    },
  );
});

describe("patterns of run_worker_first", () => {
  test("a path that one of ours covers needs none, and each other path one", () => {
    const entries = entriesOf([
      entry("/api/x"),
      entry("/supply"),
      entry("/supply", { q: "max" }),
      entry("/feed.atom.xml"),
    ]);
    expect(routedPatterns(entries, OURS)).toEqual([...OURS, "/supply", "/feed.atom.xml"]);
  });

  const paths = (count: number, below = "") => Array.from({ length: count }, (_, index) => entry(`${below}/x${index}`));

  test("at most 100 with ours, in each environment", () => {
    expect(errorsOf(...paths(97))).toEqual([]);
    expect(errorsOf(...paths(98))).toEqual([
      "addresses: lead to 101 patterns of run_worker_first with ours, and the platform allows 100; put addresses below /api, which need none",
    ]);
    expect(errorsOf(...paths(98, "/api"))).toEqual([]);
    const production = surroundingErrors(entriesOf(paths(98)), { ...SURROUNDINGS, workerFirst: [[], OURS] });
    expect(production).toHaveLength(1);
  });
});

describe("figures of a deployment", () => {
  const schedule = (max = "1000000000") =>
    valid(
      file({
        max_supply: max,
        wallets: [wallet("0xa1", { chain: "native", category: "team" })],
        buckets: [bucket({ allocation: max, genesis: max, phases: [] })],
      }),
    );
  const absent = (parts: object, address: object, of = schedule()) =>
    figureErrors(entriesOf([address]), capabilitiesOf({ ...ALL_PARTS, ...parts }, of), of).map(refusalText);
  const onChain = { path: "/a", figure: "circulating_supply_on_chain", form: "number" };

  test("one that its settings or schedule leave out is refused with the reason", () => {
    expect(absent({}, onChain)).toEqual([]);
    expect(absent({ chain: false }, onChain)).toEqual([
      "addresses[0]: circulating_supply_on_chain is not offered by this deployment. This deployment reads no chain.",
    ]);
    const member = { figure: "burned_supply", as: "string", units: "tokens" };
    expect(absent({}, { path: "/a", form: "object", members: { burned: member } })).toEqual([
      expect.stringContaining("addresses[0]: burned_supply is not offered by this deployment."),
    ]);
  });

  test("a number that JSON readers would round is refused; as text it is not", () => {
    const great = schedule("9007199254740992");
    const max = { path: "/a", figure: "max_supply", form: "number" };
    expect([absent({}, max), absent({}, max, great)]).toEqual([
      [],
      [
        expect.stringContaining(
          "addresses[0]: max_supply may be as great as 9007199254740992, which JSON readers round",
        ),
      ],
    ]);
    expect(absent({}, { ...max, form: "plain" }, great)).toEqual([]);
    const member = { figure: "max_supply", as: "number", units: "base_units" };
    const object = { path: "/a", form: "object", members: { max: member } };
    expect(absent({}, object)).toHaveLength(1);
    expect(absent({}, { ...object, members: { max: { ...member, as: "string" } } })).toEqual([]);
  });
});

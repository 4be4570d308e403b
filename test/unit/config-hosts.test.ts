import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { bucket, file, valid } from "./supply/schedules.ts";

const TOKEN = `0x${"c0".repeat(20)}`;
const escrow = { chain: "native", address: "0xe5c" };
const { chains = [] } = valid(
  file({
    buckets: [bucket()],
    chains: [
      { id: "base", family: "evm", chain_id: 8453, asset: TOKEN, supply: "issued" },
      { id: "side", family: "move", chain_id: 7, asset: "0xab", supply: "bridged", escrow },
    ],
  }),
);
const EVM = { CHAIN_FAMILY: "evm", CHAIN_ID: "1", NATIVE_ASSET: TOKEN };
const FIRST = { NODE_URLS: "https://first.example/v1" };

/** Each place where nodes are named: the setting, its other settings, the chains of the schedule. */
const PLACES = [
  ["a Move chain", "NODE_URLS", {}, []],
  ["an EVM chain", "NODE_URLS", EVM, []],
  ["a further Move chain", "NODE_URLS_SIDE", FIRST, chains],
  ["a further EVM chain", "NODE_URLS_BASE", FIRST, chains],
] as const;

const ONE_HOST = [
  ["https://a.example/v1", "https://a.example/v1"],
  ["https://a.example/v1", "https://A.Example./v1"],
  ["https://a.example/v1", "https://a.example:8443/v1"],
  ["https://a.example/v1", "http://a.example/v1"],
  ["https://a.example/v1", "https://a.example/other/v1"],
  ["https://a.example/v1", "https://a.example//v1"],
  ["https://203.0.113.7/v1", "https://[::ffff:203.0.113.7]/v1"],
  ["https://203.0.113.7/v1", "https://203.0.113.7.:444/v1"],
  ["https://[::FFFF:cb00:7107]/v1", "https://203.0.113.7/v1"],
  ["https://[2001:db8::1]/v1", "https://[2001:db8:0:0::1]:8443/v1"],
  ["http://127.0.0.1:8080/v1", "http://[::ffff:127.0.0.1]:8080/v1"],
  ["http://localhost:8080/v1", "http://127.0.0.1:8080/other/v1"],
  ["http://localhost./v1", "http://[::1]:80/v1"],
] as const;

const TWO_HOSTS = [
  ["https://a.example/v1", "https://b.example/v1"],
  ["https://a.example/v1", "https://a.example.org/v1"],
  ["https://203.0.113.7/v1", "https://203.0.113.8/v1"],
  ["https://[2001:db8::1]/v1", "https://[2001:db8::2]/v1"],
  ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8081/v1"],
  ["http://localhost:8080/v1", "http://localhost:8081/v1"],
  ["http://[::1]:8080/v1", "http://[::1]:8081/v1"],
  ["https://localhost.example/v1", "https://127.0.0.1.example/v1"],
] as const;

describe.each(PLACES)("the nodes of %s", (_what, setting, others, further) => {
  const problemsOf = (...urls: readonly string[]): readonly string[] => {
    const parsed = parseConfig({ ...others, [setting]: urls.join() }, further);
    return parsed.kind === "problems" ? parsed.problems : [];
  };

  test.each(ONE_HOST)("are one host: %s and %s", (one, other) => {
    const refused = [expect.stringMatching(new RegExp(`^${setting} names one host twice`))];
    expect(problemsOf(one, other)).toEqual(refused);
    expect(problemsOf(other, "https://third.example/v1", one)).toEqual(refused);
  });

  test.each(TWO_HOSTS)("are two: %s and %s", (one, other) => {
    expect(problemsOf(one, other)).toEqual([]);
  });

  test("are one host however its address is written", () => {
    const name = fc.constantFrom("node.example", "203.0.113.7", "[::ffff:203.0.113.7]", "[::ffff:cb00:7107]");
    const written = fc.record({
      scheme: fc.constantFrom("http", "https", "HTTPS"),
      dot: fc.constantFrom("", "."),
      port: fc.constantFrom("", ":1234", ":443"),
      path: fc.constantFrom("/v1", "/a/b/v1", "//v1"),
      isUpper: fc.boolean(),
    });
    const isAddress = (host: string) => host !== "node.example";
    fc.assert(
      fc.property(name, name, written, written, (left, right, one, other) => {
        const urlOf = (host: string, { scheme, dot, port, path, isUpper }: typeof one) =>
          `${scheme}://${isUpper ? host.toUpperCase() : host}${host.startsWith("[") ? "" : dot}${port}${path}`;
        const isOne = isAddress(left) === isAddress(right);
        expect(problemsOf(urlOf(left, one), urlOf(right, other)).length).toBe(isOne ? 1 : 0);
      }),
      { numRuns: 200 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callerKey, callerOf, sharedNetworkOf } from "../../../src/limiter/caller.ts";
import { locationHintOf } from "../../../src/placement/location-hint.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["0.0.0.0", "0.0.0.0"],
  ["255.255.255.255", "255.255.255.255"],
  [" 203.0.113.7 ", "203.0.113.7"],
  ["203.0.113.007", "203.0.113.7"],
  ["203.0.113.7:4711", "203.0.113.7"],
  ["255.255.255.255:4711", "255.255.255.255"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
  ["[::ffff:203.0.113.7]:443", "203.0.113.7"],
  ["2001:db8:0:1::1", "2001:db8:0:1"],
  ["2001:DB8::1:0:0:0:ffff", "2001:db8:0:1"],
  ["2001:0db8:0000:0001:ffff:ffff:ffff:ffff", "2001:db8:0:1"],
  ["[2001:db8:0:1::1]", "2001:db8:0:1"],
  ["[2001:db8:0:1::1]:8080", "2001:db8:0:1"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::", "0:0:0:0"],
  ["::1", "0:0:0:0"],
  ["1::", "1:0:0:0"],
  ["::203.0.113.7", "0:0:0:0"],
  ["64:ff9b::203.0.113.7", "64:ff9b:0:0"],
  ["1:2:3:4:5:6:203.0.113.7", "1:2:3:4"],
])("%s is counted as %s", (text, key) => {
  expect(callerKey(text)).toBe(key);
});

test.each([
  "",
  "unknown",
  "203.0.113",
  "203.0.113.256",
  "203.0.113.7.9",
  "203.0.113.",
  "203.0.113.:",
  "x1.2.3.4",
  ".203.0.113",
  "1.2..3",
  "203.0.113.7, 198.51.100.1",
  "2001:db8::1, 203.0.113.7",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "1::2::3",
  ":::",
  "1:2:3:4::5:6:7:8",
  "12345::",
  "g::1",
  "::1.2.3.4:5",
  "::256.0.0.1",
  "1.2.3.4::",
])("%o is not an address", (text) => {
  expect(callerKey(text)).toBeNull();
});

const group = fc.integer({ min: 0, max: 0xffff });

/** Writes the same eight groups in one of many ways. */
function format(groups: readonly number[], style: { upper: boolean; padded: boolean; short: boolean }): string {
  const parts = groups.map((value) => value.toString(16).padStart(style.padded ? 4 : 1, "0"));
  const text = style.short ? parts.join(":").replace(/(^|:)(?:0+(?::|$)){2,}/, "::") : parts.join(":");
  return style.upper ? text.toUpperCase() : text;
}

test("every form of an IPv6 address is one caller, identified by its first 64 bits", () => {
  const styles = fc.record({ upper: fc.boolean(), padded: fc.boolean(), short: fc.boolean() });
  const groups = fc
    .tuple(...Array.from({ length: 8 }, () => fc.oneof(group, fc.constant(0))))
    .filter((all) => all[0] !== 0);
  fc.assert(
    fc.property(groups, fc.array(group, { minLength: 4, maxLength: 4 }), styles, styles, (whole, host, one, two) => {
      const network = whole.slice(0, 4);
      const key = callerKey(format(whole, one));
      expect(key).toBe(network.map((value) => value.toString(16)).join(":"));
      expect(callerKey(format([...network, ...host], two))).toBe(key);
    }),
  );
});

test("any text parses without an exception, and a key parses to itself", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.%[\]]{0,40}$/)), (text) => {
      const key = callerKey(text);
      if (key?.includes(".")) expect(callerKey(key)).toBe(key);
      else if (key !== null) expect(callerKey(`${key}::`)).toBe(key);
    }),
    { numRuns: 1_000 },
  );
});

test("an IPv6 caller's /48 is its first three groups; IPv4 has none", () => {
  expect(["2001:db8:0:1", "203.0.113.7", "missing-absent"].map(sharedNetworkOf)).toEqual(["2001:db8:0/48", null, null]);
});

describe("a request", () => {
  const call = (fields: Record<string, string>) =>
    callerOf(new Request("https://example.org/", { headers: fields }), "CF-Connecting-IP");

  test.each([
    [{ "cf-connecting-ip": "203.0.113.7" }, "203.0.113.7", null],
    [{}, "missing-absent", "absent"],
    [{ "x-forwarded-for": "203.0.113.7" }, "missing-absent", "absent"],
    [{ "cf-connecting-ip": "nonsense" }, "missing-malformed", "malformed"],
    [{ "cf-connecting-ip": "" }, "missing-malformed", "malformed"],
  ] as const)("with %o is counted as %s", (fields, key, missing) => {
    const caller = call(fields);
    expect([caller.key, caller.noAddress, caller.region()]).toEqual([key, missing, "world"]);
  });
});

test.each([
  [undefined, "world"],
  [{}, "world"],
  [{ country: "T1" }, "world"],
  [{ continent: "EU", country: "FR" }, "weur"],
  [{ continent: "EU", country: "PL" }, "eeur"],
  [{ continent: "AS", country: "JP" }, "apac-ne"],
  [{ continent: "AS", country: "IN" }, "apac-se"],
  [{ continent: "AS", country: "CN" }, "apac"],
  [{ continent: "AS", country: "KZ" }, "eeur"],
  [{ continent: "AS", country: "SA" }, "weur"],
  [{ continent: "AS", country: "AE" }, "apac"],
  [{ continent: "NA", country: "US", longitude: "-74.0" }, "enam"],
  [{ continent: "NA", country: "US", longitude: "-122.4" }, "wnam"],
  [{ continent: "NA", country: "US", longitude: "-96.8" }, "wnam"],
  [{ continent: "NA", country: "MX", longitude: "-99.1" }, "enam"],
  [{ continent: "SA", country: "BR" }, "enam"],
  [{ continent: "AF", country: "NG" }, "weur"],
  [{ continent: "OC", country: "NZ" }, "oc"],
])("geography %o is served from %s", (cf, region) => {
  expect(locationHintOf(cf)).toBe(region);
});

test.each([
  ["2a06:98c0:3600::103", "wallet.example", "worker wallet.example"],
  ["2a06:98c0:3600::103", "Wallet.Example", "worker wallet.example"],
  ["2a06:98c0:3600::103", undefined, "2a06:98c0:3600:0"],
  ["2a06:98c0:3601::103", "wallet.example", "2a06:98c0:3601:0"],
  ["203.0.113.7", "wallet.example", "203.0.113.7"],
])("a request from %s with CF-Worker %s is counted as %s", (address, zone, key) => {
  const headers = { "CF-Connecting-IP": address, ...(zone === undefined ? {} : { "CF-Worker": zone }) };
  expect(callerOf(new Request("https://edge.test/", { headers }), "CF-Connecting-IP").key).toBe(key);
});

test("a zone's name is cut at 253 characters, the most that a name has", () => {
  const headers = { "CF-Connecting-IP": "2a06:98c0:3600::103", "CF-Worker": "z".repeat(300) };
  const { key } = callerOf(new Request("https://edge.test/", { headers }), "CF-Connecting-IP");
  expect(key).toBe(`worker ${"z".repeat(253)}`);
});

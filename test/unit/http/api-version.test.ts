import { describe, expect, test } from "vitest";
import { chooseVersion, type VersionEntry, versionHeaders } from "../../../src/http/api-version.ts";

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

const RETIRING: VersionEntry = {
  version: "1",
  deprecatedOn: "2027-01-01",
  removedOn: "2027-06-30",
  successor: "https://example.org/v2",
};
const TABLE: readonly VersionEntry[] = [
  RETIRING,
  { version: "2", deprecatedOn: null, removedOn: null, successor: null },
];

const ANNOUNCED = day("2027-01-01");

describe("the published table", () => {
  test("serves exactly version 1, by name or by default", () => {
    const nowMs = day("2026-11-21");
    expect(chooseVersion(null, nowMs)).toMatchObject({ kind: "served", entry: { version: "1" } });
    expect(chooseVersion("1", nowMs)).toMatchObject({ kind: "served", entry: { version: "1" } });
    expect(chooseVersion(" 1\t", nowMs)).toMatchObject({ kind: "served", entry: { version: "1" } });
  });

  test.each(["2", "0", "", "01", "1.0", "v1", "1, 1", "latest"])("does not serve %j", (requested) => {
    expect(chooseVersion(requested, day("2026-11-21"))).toEqual({
      kind: "unsupported_version",
      requested,
      served: ["1"],
    });
  });
});

describe("a version being retired", () => {
  test.each([
    ["2027-06-29T23:59:59.999Z", "served"],
    ["2027-06-30T00:00:00.000Z", "version_removed"],
  ])("at %s it is %s", (instant, kind) => {
    expect(chooseVersion("1", Date.parse(instant), TABLE).kind).toBe(kind);
  });

  test("once removed it is no longer listed as allowed", () => {
    expect(chooseVersion("9", day("2027-07-01"), TABLE)).toMatchObject({ served: ["2"] });
  });

  test("announces it in its headers, from that day on", () => {
    const inForce = { "X-API-Version": "1", Vary: "X-API-Version" };
    expect(versionHeaders(RETIRING, ANNOUNCED - 1)).toEqual(inForce);
    expect(versionHeaders(RETIRING, ANNOUNCED)).toEqual({
      "X-API-Version": "1",
      Vary: "X-API-Version",
      Deprecation: "@1798761600",
      Sunset: "Wed, 30 Jun 2027 00:00:00 GMT",
      Link: '<https://example.org/v2>; rel="deprecation"; type="text/html", <https://example.org/v2>; rel="sunset"; type="text/html"',
    });
  });

  test.each([
    ["announced, its end and its page to follow", { removedOn: null, successor: null }, undefined],
    ["announced with an end", { successor: null }, undefined],
    ["announced with a page", { removedOn: null }, '<https://example.org/v2>; rel="deprecation"; type="text/html"'],
  ])("%s links to what is known only", (_what, known, link) => {
    const headers = versionHeaders({ ...RETIRING, ...known }, ANNOUNCED);
    expect([headers["Deprecation"], headers["Link"]]).toEqual(["@1798761600", link]);
    expect("Sunset" in headers).toBe(!("removedOn" in known));
    expect("Link" in headers).toBe(link !== undefined);
  });
});

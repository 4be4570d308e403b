import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, dayText } from "../../../../src/base/utc.ts";
import { VERSIONS, type VersionEntry } from "../../../../src/http/api-version.ts";
import { versionTableErrors } from "../../../../tools/api/version-table.ts";

const RETIRING: VersionEntry = {
  version: "1",
  deprecatedOn: "2027-01-01",
  removedOn: "2027-06-30",
  successor: "https://example.org/v2",
};

test("the published table has no errors", () => {
  expect(versionTableErrors(VERSIONS)).toEqual([]);
});

describe("the 180 days of notice", () => {
  test.each([
    ["2027-01-01", "2027-06-30", []],
    ["2027-01-01", "2027-06-29", ["version 1: removed on 2027-06-29, fewer than 180 days after 2027-01-01"]],
    [null, "2027-06-29", ["version 1: removed on 2027-06-29 without an announcement"]],
    ["2027-01-01", null, []],
    ["2027-02-30", null, ["version 1: 2027-02-30 is not a valid date"]],
    ["soon", null, ["version 1: soon is not a valid date"]],
  ])("announced %s, removed %s: %j", (deprecatedOn, removedOn, errors) => {
    expect(versionTableErrors([{ ...RETIRING, deprecatedOn, removedOn }])).toEqual(errors);
  });

  test("is required between any two days", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), (notice) => {
        const removedOn = dayText(Date.UTC(2027, 0, 1) + notice * DAY_MS);
        expect(versionTableErrors([{ ...RETIRING, removedOn }]).length === 0).toBe(notice >= 180);
      }),
    );
  });

  test("a version listed twice is an error", () => {
    expect(versionTableErrors([RETIRING, RETIRING])).toEqual(["a version is listed more than once"]);
  });
});

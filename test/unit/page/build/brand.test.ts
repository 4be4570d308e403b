import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseBrand } from "../../../../page/build/brand.ts";
import { contrast, distance } from "../../../../page/build/color.ts";
import type { Brand } from "../../../../page/view/site.ts";

// Not the checkout's own, which the operator edits.
const TEXT = readFileSync("test/fixtures/brand.json", "utf8");

/** A brand with one change. */
function changed(change: (brand: Record<string, unknown> & Brand) => unknown): string {
  const brand = JSON.parse(TEXT) as Record<string, unknown> & Brand;
  change(brand);
  return JSON.stringify(brand);
}

function problems(text: string): readonly string[] {
  const result = parseBrand(text, (path) => path === "/favicon.svg");
  return result.kind === "problems" ? result.problems : [];
}

test("the tests' own brand is valid", () => {
  expect(parseBrand(TEXT, (path) => path === "/favicon.svg")).toMatchObject({ kind: "brand" });
});

describe("an invalid brand file is refused, naming the place and the rule", () => {
  test.each<[string, (brand: Record<string, unknown> & Brand) => unknown, string]>([
    [
      "an unknown key",
      (brand) => Object.assign(brand, { nmae: "x" }),
      "nmae: unknown key; known here: $schema, name, title",
    ],
    ["a missing name", (brand) => Reflect.deleteProperty(brand, "name"), "name: missing"],
    [
      "a link that is not https",
      (brand) => Object.assign(brand, { links: [{ label: "x", url: "http://x" }] }),
      "links[0].url: must be an https address",
    ],
    [
      "an explorer URL without an address placeholder",
      (brand) => Object.assign(brand, { explorer: "https://explorer.example/account" }),
      "explorer: must be an https address with {address} in it",
    ],
    [
      "no logo file",
      (brand) => Object.assign(brand, { logo: "/none.svg" }),
      "logo: page/public/none.svg does not exist",
    ],
    [
      "an invalid colour",
      (brand) => Object.assign(brand.colors.light, { accent: "blue" }),
      "colors.light.accent: must be a colour of six lower-case hexadecimal digits, such as #0a7e8c",
    ],
    [
      "text of low contrast",
      (brand) => Object.assign(brand.colors.light, { muted: "#999999" }),
      "colors.light.muted: contrast with background #fbfcfd is 2.77, at least 4.5 is required",
    ],
    [
      "a bucket of low contrast",
      (brand) => Object.assign(brand.colors.series, { 1: "#333333" }),
      "colors.series[1]: contrast with #121c22 is 1.37, at least 3 is required",
    ],
    [
      "red beside green",
      (brand) => Object.assign(brand.colors.series, { 0: "#b03a2e", 1: "#5f7d1c" }),
      "too close to series[0] for colour-blind readers",
    ],
  ])("the build refuses %s", (_, change, expected) => {
    expect(problems(changed(change)).join("\n")).toContain(expected);
  });

  test("a file that is not JSON", () => {
    expect(problems("{")[0]).toContain("not valid JSON");
  });
});

test("contrast follows WCAG: black on white 21, equal colours 1", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#777777")).toBe(1);
});

test("red and green are close for a colour-blind reader, blue and orange are not", () => {
  expect(distance("#b03a2e", "#5f7d1c")).toBeLessThan(0.1);
  expect(distance("#0072b2", "#e69f00")).toBeGreaterThan(0.2);
});

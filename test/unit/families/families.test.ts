import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FAMILIES, FAMILY_NAMES, familyOf } from "../../../src/families/family.ts";

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));

describe("the table of chain families", () => {
  test("has the families that the schedule's schema and the API's document name", () => {
    expect(Object.keys(FAMILIES)).toEqual(FAMILY_NAMES);
    expect(json("schedule/schema.json").$defs.chain.properties.family.enum).toEqual(FAMILY_NAMES);
    expect(json("openapi/public.json").components.schemas.ChainSupply.properties.family.enum).toEqual(FAMILY_NAMES);
  });

  test.each(FAMILY_NAMES)("%s: its own asset is one, with a name for its kind", (name) => {
    const { asset, defaultAsset, assetWords } = familyOf(name);
    const text = defaultAsset ?? `0x${"c0".repeat(20)}`;
    const parsed = asset.parse(text);
    expect(parsed?.text).toBe(text);
    expect(assetWords[parsed?.kind ?? ""]).toBeDefined();
    expect(asset.parse("no asset")).toBeUndefined();
  });
});

test("no other part of the product tells one family from another", () => {
  const pattern = '"(evm|move)"|isEvm|hasEvm';
  const found = execFileSync("grep", ["-rE", pattern, "src", "tools", "page"], { encoding: "utf8" }).trim().split("\n");
  const files = new Set(found.map((line) => line.split(":", 1)[0]));
  // Control: the table's default and the manual's example are among them.
  expect([...files]).toEqual(expect.arrayContaining(["src/families/family.ts", "page/docs/schedule.md"]));
  expect(found.length).toBeLessThanOrEqual(20);
  expect(files.size).toBeLessThanOrEqual(8);
});

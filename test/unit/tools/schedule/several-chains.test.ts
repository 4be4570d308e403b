import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { walletsOf } from "../../../../src/supply/wallets.ts";
import { checkFiles } from "../../../../tools/schedule/check.ts";
import { readSchedule } from "../../../../tools/schedule/files.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
const EXAMPLE = "schedule/examples/several-chains.json";
const path = join(ROOT, EXAMPLE);
const textOf = (name: string) => readFileSync(join(ROOT, name), "utf8");

describe.skipIf(!existsSync(path))("the example of a token on several chains", () => {
  test("is valid, without a warning, and marked as nobody's own", () => {
    const said = checkFiles({ folder: join(ROOT, "schedule"), nowMs: Date.parse("2026-11-28T00:00:00Z") }, path);
    expect(said.split("\n").filter((line) => line.startsWith("warning"))).toEqual([]);
    expect(said).toContain(": valid, XYZ revision 1");
    expect(readSchedule(path).sample).toBe(true);
  });

  test("has a wallet and a burn address of a further chain, one bridged and one issued", () => {
    const schedule = readSchedule(path);
    expect(schedule.chains?.map(({ supply }) => supply).sort()).toEqual(["bridged", "issued", "issued"]);
    const chainsOfWallets = new Set(walletsOf(schedule).map(({ chain }) => chain));
    expect([...chainsOfWallets].sort()).toEqual(["base", "ethereum", "native"]);
    expect(walletsOf(schedule).some(({ chain, category }) => chain !== "native" && category === "burn")).toBe(true);
  });

  test("has the chains that the manual shows", () => {
    const [, block = ""] =
      /## A token on several chains\n.*?```json\n(.*?)```/s.exec(textOf("page/docs/schedule.md")) ?? [];
    expect(JSON.parse(`{${block}}`).chains).toEqual(JSON.parse(readFileSync(path, "utf8")).chains);
  });

  test.each(["page/docs/schedule.md", "docs/operations.md"])("is named in %s", (name) => {
    expect(textOf(name)).toContain(EXAMPLE);
  });
});

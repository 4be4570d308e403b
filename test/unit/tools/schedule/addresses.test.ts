import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ALL_PARTS, conditionsOf } from "../../../../tools/lib/parts.ts";
import {
  readAddresses,
  refuseAbsentFigures,
  refuseShadowedPaths,
  withAddressesRouted,
} from "../../../../tools/schedule/addresses.ts";
import { buildSchedule } from "../../../../tools/schedule/build.ts";
import { checkFiles } from "../../../../tools/schedule/check.ts";
import { readSchedule } from "../../../../tools/schedule/files.ts";
import { readWranglerFile, type WranglerFile } from "../../../../tools/wrangler-file.ts";
import { CHECKOUT } from "../../../support/checkout.ts";
import { refusalOf as linesOf } from "../../../support/refusal.ts";
import { entriesOf } from "../../addresses/entries.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures");
const NUMBER = { path: "/supply/circulating", figure: "circulating_supply_on_chain", form: "number" };
const refusalOf = (run: () => unknown): string => linesOf(run).join("\n");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "addresses-"));
  for (const name of ["native.json", "published.csv", "published.json"])
    copyFileSync(join(FIXTURES, "schedule", name), join(folder, name));
});

const sectionsOf = (file: WranglerFile) => [file, ...Object.values(file.env ?? {})];
const write = (addresses: readonly object[]) =>
  writeFileSync(join(folder, "addresses.json"), JSON.stringify({ addresses }));
const checked = () => checkFiles({ folder, nowMs: Date.UTC(2026, 10, 21) }, undefined);

test("schedule check says how many addresses are registered, and nothing without the file", () => {
  expect(checked()).not.toContain("addresses.json");
  write([NUMBER, { ...NUMBER, query: { q: "circulating" } }]);
  expect(checked()).toMatch(/addresses\.json: valid, 2 registered addresses on 1 path$/m);
});

test.each<[string, object, RegExp]>([
  ["the grammar", { path: "/sup:ply" }, /addresses\.json: addresses\[0\]\.path: must be of ASCII/],
  ["a reserved path", { path: "/v1/supply" }, /addresses\[0\]\.path: \/v1\/supply is reserved/],
  ["a path of the API document", { path: "/api/max-supply" }, /is a path of ours: an entry on it must have a query/],
  ["its own parameter", { path: "/api/max-supply", query: { decimals: "0" } }, /has a parameter decimals of its own/],
  ["a pattern of it", { path: "/api/rates/x" }, /is a path of ours, by \/api\/rates\/\{id\}/],
  ["a file of the page's public folder", { path: "/favicon.svg" }, /is a file of the page, favicon\.svg/],
])("schedule check and build refuse %s", (_what, change, refusal) => {
  write([{ ...NUMBER, ...change }]);
  expect(refusalOf(checked)).toMatch(refusal);
  const out = join(folder, "schedule.js");
  expect(refusalOf(() => buildSchedule(join(folder, "native.json"), out))).toMatch(refusal);
});

test("the patterns of wrangler.toml count: 100 with them are allowed, one more is not", () => {
  const ours = sectionsOf(readWranglerFile())
    .map((section): readonly string[] => Object(section["assets"]).run_worker_first)
    .toSorted((one, other) => other.length - one.length)[0];
  if (ours === undefined) throw new Error("the edge names its patterns");
  const some = (count: number) => Array.from({ length: count }, (_, index) => ({ ...NUMBER, path: `/x${index}` }));
  write(some(100 - ours.length));
  expect(checked()).toContain("addresses.json: valid");
  write(some(101 - ours.length));
  expect(refusalOf(checked)).toMatch(/addresses: lead to 101 patterns of run_worker_first with ours/);
});

test("a figure that the deployment does not have is refused by name; a schedule alone is not asked", () => {
  write([NUMBER]);
  expect(checked()).toContain("addresses.json: valid");
  const file = readAddresses(folder);
  const schedule = readSchedule(join(folder, "native.json"));
  refuseAbsentFigures(folder, file, conditionsOf(ALL_PARTS, schedule), schedule);
  expect(
    refusalOf(() =>
      refuseAbsentFigures(folder, file, conditionsOf({ ...ALL_PARTS, chain: false }, schedule), schedule),
    ),
  ).toMatch(
    /addresses\.json: addresses\[0\]: circulating_supply_on_chain is not offered by this deployment\. This deployment reads no chain\./,
  );
});

test("a file of the built page that hides an address is refused", () => {
  write([NUMBER]);
  const file = readAddresses(folder);
  refuseShadowedPaths(folder, file, ["supply/other.html"]);
  expect(refusalOf(() => refuseShadowedPaths(folder, file, ["supply/circulating.html"]))).toMatch(
    /is a file of the page/,
  );
});

test("the Worker's module has the entries and the hash of the file's bytes, or null", async () => {
  const built = async (name: string) => {
    buildSchedule(join(folder, "native.json"), join(folder, name));
    return (await import(join(folder, name))).addresses;
  };
  expect(await built("a.mjs")).toBeNull();
  write([NUMBER]);
  const { createHash } = await import("node:crypto");
  const sha256 = createHash("sha256")
    .update(readFileSync(join(folder, "addresses.json")))
    .digest("hex");
  expect(await built("b.mjs")).toEqual({ entries: entriesOf([NUMBER]), sha256 });
});

test("requests of registered paths reach the Worker in every environment; the file in the repository stays as it is", () => {
  const sections = sectionsOf(readWranglerFile(join(CHECKOUT, "wrangler.toml")));
  expect(sections.length).toBeGreaterThanOrEqual(3);
  const entries = entriesOf([NUMBER, { ...NUMBER, path: "/api/registered" }]);
  for (const section of sections) {
    const { run_worker_first: before } = Object(section["assets"]);
    const { run_worker_first: after } = Object(withAddressesRouted(section, entries)["assets"]);
    expect(after).toEqual([...before, "/supply/circulating"]);
    expect(withAddressesRouted(section, [])).toEqual(section);
  }
});

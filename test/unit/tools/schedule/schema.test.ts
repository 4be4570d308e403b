import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import schema from "../../../../schedule/schema.json" with { type: "json" };
import { HOLDING_KINDS } from "../../../../src/chain/holding.ts";
import { scheduleCsv } from "../../../../src/supply/representations.ts";
import { BURN, CATEGORIES, type FigureBasis } from "../../../../src/supply/schedule.ts";
import { bucket, errorsOf, file, onePhase, table, valid, wallet } from "../../supply/schedules.ts";
import { adjusted } from "./refused.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "..", "fixtures", "schedule");
const FILES = ["native", "examples/arbitrum", "examples/celestia", "examples/sui"].map((name) => `${name}.json`);

test("the schema's lists are those of the code", () => {
  const member = schema.$defs.bucket.properties;
  const wallet = schema.properties.wallets.items.properties;
  const known: Readonly<Record<FigureBasis, true>> = { stated: true, on_chain: true, estimated: true };
  expect(member.category.enum).toEqual(CATEGORIES);
  expect(wallet.category.enum).toEqual([...CATEGORIES, BURN]);
  for (const { holds } of [member.addresses.items.properties, wallet])
    expect(holds.enum).toEqual(Object.keys(HOLDING_KINDS));
  expect(member.precision.enum).toEqual(Object.keys(known));
});

test("an id is none of the columns that the published CSV has beside the buckets", () => {
  const [header = ""] = scheduleCsv(valid(file()), "tokens").split("\n");
  const columns = header.split(",").filter((name) => name !== "community");
  expect(schema.$defs.bucket.properties.id.not.enum).toEqual(columns);
});

test.each([
  ["a minimal file", file()],
  ["every optional member", file({ methodology: "https://example.org/", $schema: "./schema.json", adjustments: [] })],
  ["an adjustment", adjusted({ delta: "-0.5" })],
  ["a table", table(["2025-02", "1"], ["2025-03", "1.5"])],
  ["a publisher", file({ publisher: "Example Foundation" })],
  ["a label in another script", file({ buckets: [bucket({ label: "صندوق المجتمع" })] })],
  ["a bucket's source", file({ buckets: [bucket({ source: "https://example.org/grant", precision: "estimated" })] })],
  [
    "an address as account, delegation and staking contract, beside a table",
    {
      ...table(["2025-02", "1"]),
      wallets: [
        { holds: "account" },
        { holds: "delegation", pool: "0xdd" },
        { holds: "delegation", pool: "0xde" },
        { holds: "staking_contract", operator: "0xee" },
      ].map((kind) => wallet("0xa1", { category: "burn", ...kind })),
    },
  ],
  ["a cliff", onePhase({ kind: "cliff", month: 0 })],
  ["installments by months", onePhase({ kind: "installments", first_month: 1, count: 2, every_months: 3 })],
  ["installments by days", onePhase({ kind: "installments", first_day: 1, count: 2, every_days: 90 })],
  ["a linear phase", onePhase({ kind: "linear", from: "2025-03-01", to: "2026-03-01" })],
  ...FILES.map((name): [string, unknown] => [name, JSON.parse(readFileSync(join(FIXTURES, name), "utf8"))]),
])("accepted: %s", (_what, json) => {
  expect(errorsOf(json)).toEqual([]);
});

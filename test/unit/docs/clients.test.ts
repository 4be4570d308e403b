import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");

const ANVIL = "@foundry-rs/anvil";
const GENERATORS = ["openapi-typescript-codegen", "openapi-client-axios"];

test("the table of clients has the tested versions, and every operation works", () => {
  const { dependencies } = JSON.parse(text("clients/package.json")) as { dependencies: Record<string, string> };
  const source = text("clients/lib/operations.mjs");
  const operations = [...source.matchAll(/^ {2}\w+: "(.*)",$/gm)].map(([, title]) => title);
  expect(operations.length).toBeGreaterThan(10);
  const table = text("docs/clients.md");
  const written = /^\| operation .*\n(?:\|.*\n)+/m.exec(table)?.[0].trimEnd() ?? "";
  const [header = "", , ...rows] = written.split("\n");
  const versions = Object.entries(dependencies).filter(([name]) => name.includes("ts-sdk"));
  expect(versions.length).toBeGreaterThan(2);
  for (const [, version] of versions) expect(header).toContain(version.replace(/^npm:.*@/, ""));
  expect(rows.map((row) => row.split(" | ")[0]?.slice(2))).toEqual(operations);
  expect(table).not.toContain("**no**");
  for (const name of GENERATORS) expect(table).toContain(`${name} ${dependencies[name]}`);
  expect(table).toContain(`Anvil ${dependencies[ANVIL]}`);
});

test("the newest tested SDK is the one that the product's tests use", () => {
  const clients = JSON.parse(text("clients/package.json")) as { dependencies: Record<string, string> };
  const product = JSON.parse(text("package.json")) as { devDependencies: Record<string, string> };
  expect(clients.dependencies["ts-sdk-7"]).toBe(
    `npm:@aptos-labs/ts-sdk@${product.devDependencies["@aptos-labs/ts-sdk"]}`,
  );
});

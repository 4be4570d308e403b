import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECKOUT, ENVIRONMENT } from "../support/checkout.ts";
import { type Product, startProduct } from "../support/product.ts";
import { examined, runTool } from "../support/run-tool.ts";

/** A schedule's folder with the registered addresses of test/fixtures/addresses.json. */
const folder = mkdtempSync(join(tmpdir(), "addresses-"));
const variables = { SCHEDULE_FOLDER: folder };
let product: Product;

beforeAll(async () => {
  for (const name of ["native.json", "published.csv", "published.json"])
    copyFileSync(join(CHECKOUT, "schedule", name), join(folder, name));
  copyFileSync(join(import.meta.dirname, "..", "fixtures", "addresses.json"), join(folder, "addresses.json"));
  product = await startProduct({ RATE_LIMIT_DEFAULT: "10000/60" }, { env: { ...ENVIRONMENT, ...variables } });
});
afterAll(() => product?.stop());

const textOf = async (path: string) => {
  const response = await fetch(product.url + path);
  return [response.status, await response.text()] as const;
};

test.each([
  ["/supply/circulating", "/api/circulating-supply"],
  ["/api.dws?q=circulating", "/api/circulating-supply-on-chain"],
  ["/api/supply?q=totalSupply", "/api/total-supply"],
  ["/token", "/api/circulating-supply"],
])("npm start leads requests of %s to the Worker, outside its own prefixes too", async (address, figure) => {
  expect(await textOf(address)).toEqual(await textOf(figure));
});

test("a path that nobody has registered is the page's", async () => {
  const [status, text] = await textOf("/supply/total");
  expect([status, text]).toEqual([404, expect.stringContaining("<html")]);
});

test("the manual, llms.txt and the API document have the addresses", async () => {
  for (const path of ["/docs/trackers.md", "/llms.txt", "/api/openapi.json"])
    expect((await textOf(path))[1]).toContain("/supply/circulating");
  expect((await textOf("/docs/reference/supply-and-yield.md"))[1]).toContain("GET /api.dws");
});

test("the doctor asks each address; with another file here it fails", async () => {
  const { code, output } = await examined(() => runTool("doctor", [product.url], variables));
  expect(output).toMatch(/^ok +addresses +13 registered addresses, each with its figure$/m);
  expect(code, output).toBe(0);
  const other = await runTool("doctor", [product.url]);
  expect(other.output).toMatch(/^FAIL +addresses +the deployment serves addresses\.json with the hash/m);
});

test("a figure that these settings leave out stops the start, by its name", async () => {
  const started = startProduct({ NODE_URLS: "none", STABLE_ASSET: "" }, { env: { ...ENVIRONMENT, ...variables } });
  await expect(started).rejects.toThrow(/addresses\[0\]: total_supply is not offered by this deployment\./);
});

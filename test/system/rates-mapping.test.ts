import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RATE_ENDPOINTS } from "../fixtures/rate-endpoints.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { examined, runTool } from "../support/run-tool.ts";

/** An endpoint without a date, whose answer never is out of date. */
const endpoint = RATE_ENDPOINTS.find(({ members }) => !("as_of" in members) && "apy" in members);
const folder = mkdtempSync(join(tmpdir(), "rates-mapping-"));
const variables = { SCHEDULE_FOLDER: folder };
const server = createServer((_request, response) => response.end(JSON.stringify(endpoint?.answer)));

beforeAll(async () => {
  for (const name of ["native.json", "published.csv", "published.json"])
    copyFileSync(join(CHECKOUT, "schedule", name), join(folder, name));
  writeFileSync(join(folder, "rates.json"), JSON.stringify({ members: endpoint?.members }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

test("a mapping needs a recorded answer, which it must fit; the check says what it makes of it", async () => {
  const missing = await runTool("schedule", ["check"], variables);
  expect(missing.output).toContain("rates-recorded.json: is missing. Record an answer of RATES_URL");
  writeFileSync(join(folder, "rates-recorded.json"), '{"rate":2}');
  const another = await runTool("schedule", ["check"], variables);
  expect(another.output).toContain("rates-recorded.json: none of 1 rows is valid");
  expect(another.output).toContain("1 dropped, earn-usdc for example: apy has no value in the answer");
  expect([missing.code, another.code]).toEqual([1, 1]);
  writeFileSync(join(folder, "rates-recorded.json"), JSON.stringify(endpoint?.answer));
  const valid = await runTool("schedule", ["check"], variables);
  expect(valid.output).toMatch(/rates\.json: valid, 1 product in the recorded answer$/m);
  expect(valid.code, valid.output).toBe(0);
});

test("the product serves what the mapping reads, and the doctor compares it with the live answer", async () => {
  const { port } = server.address() as AddressInfo;
  const settings = [`RATES_URL:http://127.0.0.1:${port}/`, "NODE_URLS:none"].flatMap((each) => ["--var", each]);
  const { code, output } = await examined(() =>
    runTool("doctor", ["--schedule", join(folder, "native.json"), ...settings], variables),
  );
  expect(output).toMatch(/^ok +rates +1 product by rates\.json, 1 served$/m);
  expect(code, output).toBe(0);
});

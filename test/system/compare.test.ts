import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECKOUT, ENVIRONMENT } from "../support/checkout.ts";
import { closing, listening } from "../support/listening.ts";
import { finished, runTool } from "../support/run-tool.ts";

/** An old endpoint that dispatches by a parameter, and a new one that differs by a wallet. */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://x");
  if (url.pathname === "/api/supply-breakdown") {
    response.setHeader("Content-Type", "application/json");
    const wallet = { label: "Team", category: "team", address: "0x1", balance: { tokens: "250" } };
    return response.end(JSON.stringify({ non_circulating_wallets: [wallet] }));
  }
  response.setHeader("Content-Type", "text/plain");
  if (url.searchParams.get("q") === "totalcoins") return response.end("1000");
  return response.end(url.pathname === "/old" ? "1000" : "750");
});
let base: string;

beforeAll(async () => {
  base = await listening(server);
});
afterAll(() => closing(server));

test("npm run compare reports a wallet that only the new side subtracts, as text and as JSON", async () => {
  const words = ["--old", base, "--new", base, "--hours", "0", "--path", "/old /new", "--path", "/old?q=totalcoins"];
  const text = await runTool("compare", words);
  expect(text.code, text.output).toBe(1);
  expect(text.output).toMatch(
    /DIFF wallet, 1 times .*: only the new side subtracts the wallet Team \(250\); at most 1000 and 750/,
  );
  expect(text.output).toContain("poll 1 of 1");
  const json = await runTool("compare", [...words, "--json"]);
  expect(JSON.parse(json.output.slice(0, json.output.lastIndexOf("}") + 1))).toMatchObject({
    is_same: false,
    comparisons: [{ differences: [{ cause: "wallet" }] }, { equal: 1, differences: [] }],
  });
});

test("SIGINT ends a long comparison with its report", async () => {
  const words = ["tools/main.mjs", "compare", "--old", `${base}/old?q=totalcoins`, "--new", `${base}/new?q=totalcoins`];
  const child = spawn("node", words, { cwd: CHECKOUT, env: ENVIRONMENT });
  const end = finished(child);
  let told = "";
  child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
  await expect.poll(() => told).toContain("poll 1 of 1441");
  child.kill("SIGINT");
  const { code, output } = await end;
  expect([code, output]).toEqual([0, expect.stringMatching(/interrupted after 1 of 1441 polls: /)]);
});

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { freePort } from "../support/product.ts";
import { runTool } from "../support/run-tool.ts";

let folder: string;
let base: string;
let dev: ChildProcess;
let output = "";

beforeAll(async () => {
  folder = copyCheckout();
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const words = ["run", "dev", "--", "--port", String(port), "--inspector-port", "0", "--var", "PRUNE_WINDOW:4321"];
  dev = spawn("npm", words, { cwd: folder, detached: true, env: { ...ENVIRONMENT, WRANGLER_SEND_METRICS: "false" } });
  for (const stream of [dev.stdout, dev.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => (await fetch(`${base}/api/max-supply`)).status === 200);
});

afterAll(async () => {
  if (dev?.pid === undefined) return;
  const ended = new Promise((resolve) => dev.once("exit", resolve));
  process.kill(-dev.pid, "SIGTERM");
  await ended;
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`it never came true:\n${output}`);
}

test("the chain's genesis follows the schedule, and every wallet has its locked amount", async () => {
  const { problems } = (await (await fetch(`${base}/api/health`)).json()) as { problems: { code: string }[] };
  expect(problems).toEqual([]);
});

test("a setting of the embedded node is passed to it", () => {
  const [file = ""] = readdirSync(join(folder, "devnode")).filter((name) => name.startsWith(".wrangler-dev-"));
  expect(JSON.parse(readFileSync(join(folder, "devnode", file), "utf8"))).toMatchObject({
    vars: { PRUNE_WINDOW: "4321", GENESIS_SUPPLY: expect.stringMatching(/^\d+$/) },
  });
});

test.each([
  [["--help"], 0, /^usage: npm run dev/],
  [["--var", "COLOUR:red"], 1, /^dev: COLOUR is not a setting; the settings are /],
  [["--var", "PRUNE_WINDOW"], 1, /^dev: --var takes NAME:VALUE, not "PRUNE_WINDOW"/],
])("%j exits with %i and one line with the reason", async (words, code, line) => {
  expect(await runTool("dev", words)).toEqual({ code, output: expect.stringMatching(line) });
});

function edit(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  expect(before, `${file} holds what is edited`).toContain(from);
  writeFileSync(path, before.replace(from, to));
}

test("an invalid schedule is reported in one line, and the last valid one is still served", async () => {
  const before = output.length;
  edit("schedule/native.json", '"max_supply": "1000000000"', '"max_supply": "123"');
  // Any edit of a watched file starts a build.
  edit("src/http/failure.ts", "Path not found.", "Path not found!");
  await until(async () => output.includes("Not built: the last valid build is still served."));
  const lines = output.slice(before);
  expect(lines).toContain("native.json: buckets: allocations add up to 1000000000, not to max_supply 123");
  expect(lines).not.toMatch(/Command failed|runCustomBuild/);
  expect(await (await fetch(`${base}/api/max-supply`)).text()).toBe("1000000000");
  edit("schedule/native.json", '"max_supply": "123"', '"max_supply": "1000000000"');
  edit("src/http/failure.ts", "Path not found!", "Path not found.");
});

test.each([
  ["src/http/failure.ts", "Path not found.", "Edited in src.", "/api/nope"],
  ["devnode/http/chain-info.ts", "aptos-node:ok", "edited-node:ok", "/v1/-/healthy"],
])("an edit of %s is served without a restart", async (file, from, to, path) => {
  edit(file, from, to);
  await until(async () => (await (await fetch(base + path)).text()).includes(to));
});

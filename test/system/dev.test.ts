import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyCheckout } from "../support/checkout.ts";
import { freePort } from "../support/product.ts";

let folder: string;
let base: string;
let dev: ChildProcess;
let output = "";

beforeAll(async () => {
  folder = copyCheckout();
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const words = ["run", "dev", "--", "--port", String(port), "--inspector-port", "0"];
  dev = spawn("npm", words, { cwd: folder, detached: true, env: { ...process.env, WRANGLER_SEND_METRICS: "false" } });
  for (const stream of [dev.stdout, dev.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => (await fetch(`${base}/api/max-supply`)).status === 200);
}, 120_000);

afterAll(async () => {
  if (dev?.pid === undefined) return;
  const ended = new Promise((resolve) => dev.once("exit", resolve));
  process.kill(-dev.pid, "SIGTERM");
  await ended;
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`it never came true:\n${output}`);
}

function edit(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  expect(before, `${file} holds what is edited`).toContain(from);
  writeFileSync(path, before.replace(from, to));
}

test.each([
  ["src/http/failure.ts", "Path not found.", "Edited in src.", "/api/nope"],
  ["devnode/http/chain-info.ts", "aptos-node:ok", "edited-node:ok", "/v1/-/healthy"],
])(
  "an edit of %s is served without a restart",
  async (file, from, to, path) => {
    edit(file, from, to);
    await until(async () => (await (await fetch(base + path)).text()).includes(to));
  },
  110_000,
);

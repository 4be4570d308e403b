import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPortTaken, lockFolder } from "../../tools/lib/lock.ts";
import { CHECKOUT, copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { freePort, type Product, startProduct } from "../support/product.ts";
import { runTool } from "../support/run-tool.ts";

/** Copy of the checkout, so that a build in it disturbs no other test. */
const folder = copyCheckout();
let product: Product;

beforeAll(async () => {
  product = await startProduct({}, { cwd: folder });
});

afterAll(() => product?.stop());

const CURLS = [
  ...readFileSync("README.md", "utf8").matchAll(/^\$ curl '?http:\/\/127\.0\.0\.1:8787([^'\n]*)'?\n(.*)$/gm),
];

test("the README has three curls", () => {
  expect(CURLS).toHaveLength(3);
});

test.each(CURLS.map(([, path = "", answer = ""]) => [path, answer]))(
  "the README's curl of %s answers as printed, a figure with its own digits",
  async (path, answer) => {
    const text = await (await fetch(product.url + path)).text();
    // The tests' schedule is not the operator's.
    expect(text).toEqual(/^\d+$/.test(answer) ? expect.stringMatching(/^[1-9]\d+$/) : answer);
  },
);

test("it prints at once what it does, each step, then the addresses, and no warning", async () => {
  await expect
    .poll(product.output)
    .toMatch(/^Starting on port \d+:\n {2}1\/3 (?:.*\n)+ {2}2\/3 .*\n {2}3\/3 .*\nReady/m);
  await expect.poll(product.output).toContain(`curl ${product.url}/api/circulating-supply`);
  expect(product.output()).not.toMatch(/warn|error/i);
});

/** Resident memory of every process of the product, in MiB. */
function residentMebibytes(): number {
  const { stdout } = spawnSync("ps", ["-e", "-o", "pid=,ppid=,rss=,args="], { encoding: "utf8" });
  const processes = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  const main = processes.find((words) => words.includes("start") && words.includes(product.state));
  const own = processes.filter(([pid, parent]) => pid === main?.[0] || parent === main?.[0]);
  expect(own.length, stdout).toBeGreaterThan(1);
  return own.reduce((sum, [, , kibibytes]) => sum + Number(kibibytes) / 1024, 0);
}

test("the builder has ended: its half gigabyte is free again", async () => {
  // Measured: 253 with a warm compile cache, up to 395 without, 760 with a builder that stays.
  await expect.poll(residentMebibytes).toBeLessThan(500);
});

test("it survives a caller that disconnects within a body, and logs no error", async () => {
  const { hostname, port } = new URL(product.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /v1/view HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{}`,
  );
  await pause(300);
  socket.destroy();
  await pause(300);
  expect((await fetch(`${product.url}/api/max-supply`)).status).toBe(200);
  expect(product.output()).not.toContain("unexpected");
});

test("on this machine alone CF-Connecting-IP stands for the platform's: each caller has its own quota", async () => {
  const addresses = Array.from({ length: 70 }, (_, index) => `198.51.100.${index}`);
  for (const address of addresses) {
    const answer = await fetch(`${product.url}/api/max-supply`, { headers: { "CF-Connecting-IP": address } });
    expect([address, answer.status]).toEqual([address, 200]);
  }
});

test("all invalid settings of either Worker are reported, and nothing starts", async () => {
  const settings = ["LIMITER_SHARDS:0", "PRUNE_WINDOW:x", "COLOUR:red"].flatMap((setting) => ["--var", setting]);
  const { code, lines } = await start("--port", String(await freePort()), ...settings);
  expect(code).toBe(1);
  for (const name of ["LIMITER_SHARDS", "PRUNE_WINDOW", "COLOUR"])
    expect(lines).toContainEqual(expect.stringMatching(`^start: ${name} `));
  expect(lines.join()).not.toContain("Ready");
});

async function start(...words: string[]) {
  const { code, output } = await runTool("start", words);
  return { code, lines: output.split("\n") };
}

test("a port in use is reported in one line, on stdout and stderr together", async () => {
  const { port } = new URL(product.url);
  const { code, lines } = await start("--port", port);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining(`start: port ${port} is in use`)]);
});

test("a second start in the same state folder is refused in one line with the first's port", async () => {
  const { port } = new URL(product.url);
  const { code, lines } = await start("--port", String(await freePort()), "--state", product.state);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(new RegExp(`process \\d+, port ${port}\\).*--state FOLDER`))]);
  expect(holderOf(product.state)).toMatchObject({ port: Number(port) });
});

/** A schedule of its own for a start of this checkout: its maximum is its name. */
function ownSchedule(max: string): string {
  const own = mkdtempSync(join(tmpdir(), "schedule-"));
  const { buckets, ...file } = JSON.parse(readFileSync(join(folder, "schedule", "native.json"), "utf8"));
  const bucket = { id: "all", label: "All", category: "community", allocation: max, genesis: max, phases: [] };
  writeFileSync(
    join(own, "native.json"),
    JSON.stringify({ ...file, max_supply: max, adjustments: [], wallets: [], buckets: [bucket] }),
  );
  return own;
}

describe("starts one after the other in one state folder", () => {
  const state = mkdtempSync(join(tmpdir(), "fresh-"));
  const start = (...words: string[]) => startProduct({}, { cwd: folder, state, words });
  const firstBlock = async ({ url }: Product) => {
    const block = (await (await fetch(`${url}/v1/blocks/by_height/1`)).json()) as { block_hash?: string };
    return block.block_hash;
  };
  let stored: string | undefined;

  test("after a kill -9 of a start its port and its state folder are free again by themselves", async () => {
    const killed = await start();
    stored = await firstBlock(killed);
    expect(stored).toMatch(/^0x/);
    const port = Number(new URL(killed.url).port);
    const { pid } = holderOf(state);
    expect([await isPortTaken(port), lockFolder(state, "start", { pid: 1 }).kind]).toEqual([true, "in_use"]);
    process.kill(pid, "SIGKILL");
    // Within two seconds on a quiet machine.
    await expect.poll(() => isPortTaken(port)).toBe(false);
    const isFree = () => {
      const lock = lockFolder(state, "start", { pid: 1 });
      if (lock.kind === "locked") lock.release();
      return lock.kind === "locked";
    };
    await expect.poll(isFree).toBe(true);
  });

  test("the next one has the same chain; a fresh one deletes it, and nothing else of the folder", async () => {
    const next = await start();
    expect(await firstBlock(next)).toBe(stored);
    await next.stop();
    writeFileSync(join(state, "mine.txt"), "mine");
    const fresh = await start("--fresh");
    expect(await firstBlock(fresh)).not.toBe(stored);
    expect(readFileSync(join(state, "mine.txt"), "utf8")).toBe("mine");
    // One whose state folder is deleted ends with a sentence, not with an answer 500 for ever.
    rmSync(state, { recursive: true, force: true });
    await fresh.ended();
    await expect.poll(fresh.output).toContain(`${state} was deleted`);
  });
});

test("two starts at once from one checkout serve each its own schedule", async () => {
  const maxima = ["1111111111", "2222222222"];
  const starting = maxima.map((max) =>
    startProduct(
      { NODE_URLS: "none", RATES_URL: "none" },
      { cwd: folder, env: { ...ENVIRONMENT, SCHEDULE_FOLDER: ownSchedule(max) } },
    ),
  );
  const started = await Promise.all(starting);
  try {
    const served = started.map(async ({ url }) => (await fetch(`${url}/api/max-supply`)).text());
    expect(await Promise.all(served)).toEqual(maxima);
    const files = started.map(async ({ url }) => (await fetch(`${url}/schedule/native.json`)).text());
    const published = (await Promise.all(files)).map((text) => JSON.parse(text).max_supply);
    expect(published, "the page's file too").toEqual(maxima);
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
  }
});

test("a start whose npm is ended ends too: npm ends only the shell between them", async () => {
  const words = `tools/main.mjs start --port ${await freePort()} --state ${mkdtempSync(join(tmpdir(), "edge-api-"))}`;
  // Two commands, or the shell is replaced by the first.
  const env = { ...ENVIRONMENT, npm_lifecycle_event: "start" };
  const shell = spawn("sh", ["-c", `node ${words}; true`], { cwd: CHECKOUT, env });
  await once(shell.stdout, "data");
  shell.kill("SIGTERM");
  // The streams close when the last process that has them has ended.
  await once(shell, "close");
});

/** Reads what a start has written about itself. */
function holderOf(state: string): { readonly pid: number; readonly port: number } {
  return JSON.parse(readFileSync(join(state, "start.holder.json"), "utf8"));
}

test("the page stays complete while another one is built, because of a hidden file", async () => {
  const file = join(".well-known", "assetlinks.json");
  mkdirSync(join(folder, "page", "public", ".well-known"));
  writeFileSync(join(folder, "page", "public", file), "[]");
  const builder = spawn("node", ["tools/main.mjs", "build"], { cwd: folder, env: ENVIRONMENT, stdio: "ignore" });
  const ended = new Promise((resolve) => builder.once("exit", resolve));
  const statuses = new Set<number>();
  while (builder.exitCode === null) {
    const page = await fetch(product.url);
    const [, script = ""] = /src="([^"]+\.js)"/.exec(await page.text()) ?? [];
    statuses.add(page.status).add((await fetch(product.url + script)).status);
    await pause(50);
  }
  await ended;
  expect(builder.exitCode).toBe(0);
  expect([...statuses]).toEqual([200]);
  expect(readFileSync(join(folder, "dist", "page", file), "utf8")).toBe("[]");
});

test.each(["--help", "-h"])("%s prints the usage", async (flag) => {
  const { code, lines } = await start(flag);
  expect([code, lines[0]]).toEqual([0, expect.stringMatching(/^usage: npm start/)]);
});

test.each(["start", "schedule", "deploy", "doctor", "help", "build"])(
  "%s under a Node that is too old reports that in one line",
  (tool) => {
    const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})';
    const words = ["--import", pretend, "tools/main.mjs", tool];
    const { status, stdout, stderr } = spawnSync("node", words, { encoding: "utf8" });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringContaining("needs Node 22.18 or newer, this is Node 20.20.2"),
    ]);
  },
);

import { mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isPortTaken, lockState } from "../../../tools/start/lock.ts";

const NOW_MS = Date.UTC(2026, 10, 21);
const SILENT_PORT = 1;
const OLD = new Date(NOW_MS - 3_600_000);

function folderWith(lock?: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "lock-"));
  if (lock === undefined) return folder;
  const path = join(folder, "start.lock");
  writeFileSync(path, typeof lock === "string" ? lock : JSON.stringify(lock));
  utimesSync(path, OLD, OLD);
  return folder;
}

test("a second start learns who has the lock; after the release it is free", async () => {
  const folder = folderWith();
  const first = await lockState(folder, { pid: process.pid, port: 8787 }, Date.now());
  if (first.kind !== "locked") throw new Error("an empty folder is free");
  const second = await lockState(folder, { pid: 2, port: 8788 }, Date.now());
  expect(second).toEqual({ kind: "in_use", holder: { pid: process.pid, port: 8787 } });
  first.release();
  expect((await lockState(folder, { pid: 2, port: 8788 }, Date.now())).kind).toBe("locked");
});

test.each<[string, unknown]>([
  ["of a process that has ended", { pid: 2 ** 30, port: SILENT_PORT }],
  ["of a process number that was reused", { pid: process.pid, port: SILENT_PORT }],
  ["that is truncated", '{"pid":'],
  ["of another form", ["8787"]],
])("a lock %s is taken over", async (_what, lock) => {
  expect((await lockState(folderWith(lock), { pid: process.pid, port: 8787 }, NOW_MS)).kind).toBe("locked");
});

test("an old lock is valid as long as its process listens", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const folder = folderWith({ pid: process.pid, port });
  expect(await isPortTaken(port)).toBe(true);
  expect((await lockState(folder, { pid: 2, port: 8788 }, NOW_MS)).kind).toBe("in_use");
  await new Promise((resolve) => server.close(resolve));
  expect(await isPortTaken(port)).toBe(false);
});

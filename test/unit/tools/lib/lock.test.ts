import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isPortTaken, lockFolder } from "../../../../tools/lib/lock.ts";
import { listening } from "../../../support/listening.ts";

const LOCK = join(import.meta.dirname, "../../../../tools/lib/lock.ts");
const newFolder = (): string => mkdtempSync(join(tmpdir(), "lock-"));

/** A process that locks the folder and says so, or that it is in use; it waits until it is killed. */
function program(folder: string): string[] {
  const locked = `lockFolder(${JSON.stringify(folder)}, "start", { pid: process.pid, port: 8787 })`;
  const lines = [`import { lockFolder } from ${JSON.stringify(LOCK)};`, `console.log(${locked}.kind);`];
  return ["--no-warnings", "--input-type=module", "--eval", [...lines, "setInterval(() => {}, 1_000);"].join("\n")];
}

test("a second start learns who has the lock; after the release it is free, also for another purpose", () => {
  const folder = newFolder();
  const first = lockFolder(folder, "start", { pid: process.pid, port: 8787 });
  if (first.kind !== "locked") throw new Error("an empty folder is free");
  const second = lockFolder(folder, "start", { pid: 2, port: 8788 });
  expect(second).toEqual({ kind: "in_use", holder: { pid: process.pid, port: 8787 } });
  expect(lockFolder(folder, "deploy", { pid: 2 }).kind).toBe("locked");
  first.release();
  expect(lockFolder(folder, "start", { pid: 2, port: 8788 }).kind).toBe("locked");
});

test("the lock dies with its owner: a restart right after kill -9 has it", async () => {
  const folder = newFolder();
  const owner = spawn(process.execPath, program(folder), { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await once(owner.stdout, "data");
  expect(String(said)).toBe("locked\n");
  expect(lockFolder(folder, "start", { pid: 2 })).toEqual({
    kind: "in_use",
    holder: { pid: owner.pid, port: 8787 },
  });
  owner.kill("SIGKILL");
  await once(owner, "exit");
  expect(lockFolder(folder, "start", { pid: 2 }).kind).toBe("locked");
});

test("of many starts at once, exactly one has the lock", async () => {
  const folder = newFolder();
  const starts = Array.from({ length: 6 }, () =>
    spawn(process.execPath, program(folder), { stdio: ["ignore", "pipe", "inherit"] }),
  );
  const said = await Promise.all(starts.map(async ({ stdout }) => String((await once(stdout, "data"))[0]).trim()));
  for (const start of starts) start.kill("SIGKILL");
  expect(said.sort()).toEqual(["in_use", "in_use", "in_use", "in_use", "in_use", "locked"]);
});

test("a folder that cannot be written is a clear refusal", () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  expect(() => lockFolder(join(file, "state"), "start", { pid: 1 })).toThrow(/file\/state: cannot be written \(/);
});

test("a port is taken while something listens on it", async () => {
  const server = createServer();
  const port = Number(new URL(await listening(server)).port);
  expect(await isPortTaken(port)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await isPortTaken(port)).toBe(false);
});

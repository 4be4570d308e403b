import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { copyCheckout } from "../support/checkout.ts";
import { ENVIRONMENT } from "../support/operator-schedule.ts";

let folder: string;

// A copy, because a rehearsal builds with another schedule.
beforeAll(() => {
  folder = copyCheckout();
});

function rehearse(change: (file: Record<string, unknown>) => unknown) {
  const file = join(folder, "mine.json");
  const sample = JSON.parse(readFileSync(join(folder, "schedule", "native.json"), "utf8"));
  writeFileSync(file, JSON.stringify(change(sample)));
  const words = ["tools/main.mjs", "rehearse", "mine.json"];
  const { status, stdout, stderr } = spawnSync("node", words, { cwd: folder, encoding: "utf8", env: ENVIRONMENT });
  return { status, output: stdout + stderr };
}

test("a schedule is started, compared in full and summed up, and nothing of it stays", () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("rehearsal-"));
  const { status, output } = rehearse((file) => ({ ...file, token: { symbol: "ORB", name: "Orbit", decimals: 9 } }));
  expect([status, output.split("\n").filter((line) => line.startsWith("ok  ")).length], output).toEqual([0, 7]);
  expect(output).toMatch(/^ok {4}figures .* circulate of 1000000000 ORB, next .* on \d{4}-\d\d-12$/m);
  expect(output).toMatch(/^ok {4}doctor .*11 of 11 checks passed/m);
  expect(output.trimEnd().split("\n").at(-1)).toBe("Everything is as the file says.");
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("rehearsal-"))).toEqual(before);
}, 180_000);

test("what is not as the file says is named, with exit code 1", () => {
  // No balance of this family of chains holds what these wallets must hold.
  const { status, output } = rehearse((file) => ({ ...file, token: { symbol: "ORB", name: "Orbit", decimals: 18 } }));
  expect(status, output).toBe(1);
  expect(output).toMatch(/^FAIL {2}health (?:.*\n)*.*The wallets of community hold/m);
  expect(output).toMatch(/^FAIL {2}wallets .*locked_below_schedule/ms);
  expect(output.trimEnd().split("\n").at(-1)).toMatch(/^[234] of 7 are not as the file says\.$/);
}, 180_000);

test("an invalid file is refused with its errors, and nothing starts", () => {
  const { status, output } = rehearse((file) => ({ ...file, step_day: 31 }));
  expect([status, output.trim()]).toEqual([
    1,
    "rehearse: mine.json: step_day: must be a whole number from 1 to 28, not the number 31",
  ]);
});

test("one that is interrupted while it starts says so, with exit code 1, and nothing of it stays", async () => {
  writeFileSync(join(folder, "mine.json"), readFileSync(join(folder, "schedule", "native.json")));
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("rehearsal-"));
  // A process group of its own: as from a terminal, the signal reaches the product too.
  const words = ["tools/main.mjs", "rehearse", "mine.json"];
  const child = spawn("node", words, { cwd: folder, env: ENVIRONMENT, detached: true, stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("1/3") && child.pid !== undefined && child.exitCode === null)
        process.kill(-child.pid, "SIGINT");
    });
  const status = await new Promise((resolve) => child.once("close", resolve));
  expect([status, output.trim().split("\n").at(-1)]).toEqual([
    1,
    "rehearse: interrupted by SIGINT; nothing of the rehearsal stays",
  ]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("rehearsal-"))).toEqual(before);
}, 60_000);

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyCheckout } from "../support/checkout.ts";
import { exampleSchedule, UPSTREAMS, writeBrand, writeSchedule } from "../support/operator-files.ts";
import { runTool } from "../support/run-tool.ts";

test("an operator's files pass the linter, however they are formatted", () => {
  const folder = copyCheckout();
  writeSchedule(folder, exampleSchedule(folder, "sui"));
  writeBrand(folder);
  const words = ["check", "--error-on-warnings", "--vcs-enabled=false", "schedule", "page"];
  const { status, stdout, stderr } = spawnSync("biome", words, { cwd: folder, encoding: "utf8" });
  expect(status, stdout + stderr).toBe(0);
});

test("a schedule that is marked as sample data is not deployed", async () => {
  const folder = copyCheckout();
  const native = join(folder, "schedule", "native.json");
  writeFileSync(native, JSON.stringify({ ...JSON.parse(readFileSync(native, "utf8")), sample: true }));
  const { code, output } = await runTool("deploy", ["--env", "staging", ...UPSTREAMS], {}, folder);
  expect([code, output.split("\n").at(-1)]).toEqual([
    1,
    expect.stringMatching(/^deploy: schedule\/native.json is marked as sample data: put your own there/),
  ]);
});

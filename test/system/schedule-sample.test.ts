import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyCheckout } from "../support/checkout.ts";
import { exampleSchedule, UPSTREAMS, writeBrand, writeSchedule } from "../support/operator-files.ts";
import { runTool } from "../support/run-tool.ts";

test("an operator's files pass the linter, however they are formatted", async () => {
  const folder = copyCheckout();
  writeSchedule(folder, exampleSchedule(folder, "sui"));
  writeBrand(folder);
  // Files that a person edits beside them, on one line and without a newline at the end.
  for (const name of ["addresses", "history-corrections"])
    writeFileSync(join(folder, "schedule", `${name}.json`), '{"addresses": [], "corrections": []}');
  writeFileSync(join(folder, "plan.csv"), "Bucket,Amount (tokens),Cliff (months)\nTeam,5,12\nSale,5,0\n");
  const sheet = ["new", "--csv", "plan.csv", "--symbol", "XYZ", "--decimals", "8", "--max-supply", "10"];
  await runTool("schedule", sheet, {}, folder);
  expect(existsSync(join(folder, "plan.csv.columns.json"))).toBe(true);
  const words = ["check", "--error-on-warnings", "--vcs-enabled=false", "schedule", "page", "plan.csv.columns.json"];
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

test("the record of the sample is what publish writes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sample-"));
  for (const name of ["native.json", "published.csv", "published.json"])
    copyFileSync(join("schedule", name), join(folder, name));
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  // An operator's own record is compared with the schedule when it is deployed.
  if (read("native.json").sample !== true) return;
  const { sha256: before } = read("published.json");
  expect((await runTool("schedule", ["publish"], { SCHEDULE_FOLDER: folder })).code).toBe(0);
  expect(read("published.json").sha256).toBe(before);
});

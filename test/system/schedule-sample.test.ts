import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
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

const TESTS_OWN = join("test", "fixtures", "schedule");
/** Hash of the sample's file as it is delivered. Any other file is an operator's, whose record may wait for a publish. */
const DELIVERED = "970d6148952990916d24211d4a9b3d5ed034914a90d70f2bc6e9cec2a8b958da";

const recordIn = (folder: string) => JSON.parse(readFileSync(join(folder, "published.json"), "utf8"));

/** Publishes a copy of a folder's schedule; returns the hash that its record states before and after. */
async function published(folder: string, change: (file: string) => string = (file) => file) {
  const copy = mkdtempSync(join(tmpdir(), "sample-"));
  for (const name of ["native.json", "published.csv", "published.json"])
    copyFileSync(join(folder, name), join(copy, name));
  const native = join(copy, "native.json");
  writeFileSync(native, change(readFileSync(native, "utf8")));
  expect((await runTool("schedule", ["publish"], { SCHEDULE_FOLDER: copy })).code).toBe(0);
  return [recordIn(folder).sha256, recordIn(copy).sha256];
}

test("the record of the sample is what publish writes", async () => {
  const bytes = existsSync("schedule/native.json") ? readFileSync("schedule/native.json") : "";
  const isDelivered = createHash("sha256").update(bytes).digest("hex") === DELIVERED;
  for (const folder of [TESTS_OWN, ...(isDelivered ? ["schedule"] : [])]) {
    const [before, after] = await published(folder);
    expect(after, folder).toBe(before);
  }
  // Control: the record follows the file.
  const [before, after] = await published(TESTS_OWN, (file) => file.replace('"label": "', '"label": "A '));
  expect(after).not.toBe(before);
});

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { Refusal } from "../../../../tools/lib/command-line.ts";
import { buildSchedule } from "../../../../tools/schedule/build.ts";
import { bucket, file, valid } from "../../supply/schedules.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "build-"));
});

test("the built module equals the validator's result for the file", async () => {
  const json = file({
    buckets: [
      bucket({
        genesis: "0.00000001",
        phases: [{ kind: "cliff", amount: "999.99999999", month: 3 }],
        addresses: [{ chain: "native", address: "0x00A1", label: 'The "vault"', holds: "vesting" }],
      }),
    ],
  });
  const [source, out] = [join(folder, "native.json"), join(folder, "built", "schedule.js")];
  writeFileSync(source, JSON.stringify(json));
  buildSchedule(source, out);
  const built: unknown = await import(/* @vite-ignore */ pathToFileURL(out).href);
  expect(built).toMatchObject({ schedule: valid(json) });
});

test("an invalid schedule is not built, and the last built module is kept", () => {
  const [source, out] = [join(folder, "native.json"), join(folder, "schedule.js")];
  writeFileSync(source, JSON.stringify(file()));
  buildSchedule(source, out);
  const before = readFileSync(out, "utf8");
  writeFileSync(source, JSON.stringify(file({ max_supply: "999" })));
  expect(() => buildSchedule(source, out)).toThrow(Refusal);
  expect(readFileSync(out, "utf8")).toBe(before);
  rmSync(out);
  expect(() => buildSchedule(source, out)).toThrow("allocations add up to 1000, not to max_supply 999");
  expect(existsSync(out)).toBe(false);
});

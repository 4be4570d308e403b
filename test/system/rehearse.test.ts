import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { exampleSchedule, withWallets } from "../support/operator-files.ts";
import { examined, type Finished, finished, runTool } from "../support/run-tool.ts";

let folder: string;
/** The temporary folder of the rehearsals here: other tests rehearse too. */
let own: string;

// A copy, because a rehearsal builds with another schedule.
beforeAll(() => {
  folder = copyCheckout();
  own = mkdtempSync(join(tmpdir(), "rehearsals-"));
});

const SAMPLE = readFileSync("test/fixtures/schedule/native.json", "utf8");

function rehearse(schedule: object): Promise<Finished> {
  writeFileSync(join(folder, "mine.json"), JSON.stringify(schedule));
  return examined(() => runTool("doctor", ["--schedule", "mine.json"], { TMPDIR: own }, folder));
}

/** A table of figures from next month on, of a token of 6 decimals. */
function launch(): object {
  const months = Array.from({ length: 24 }, (_, index) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + index, 1)).toISOString().slice(0, 7);
  });
  return {
    revision: 1,
    published_at: new Date().toISOString().slice(0, 10),
    token: { symbol: "ORB", name: "Orbit", decimals: 6 },
    max_supply: "1000000000",
    start: `${months[0]}-01`,
    step_day: 1,
    sources: [{ title: "Tokenomics", url: "https://orbit.test/tokenomics" }],
    table: months.map((month, index) => ({ month, circulating: String(100_000_000 + index * 10_000_000) })),
  };
}

test("a launch next month passes the rehearsal; nothing stays", async () => {
  const { code, output } = await rehearse(launch());
  expect(code, output).toBe(0);
  expect(output).toMatch(/^ok +schedule .*nothing circulates yet of 1000000000 ORB, next 100000000 on .*24 months$/m);
  expect(output).toMatch(/^ok +health +not_started$/m);
  expect(output).toMatch(/^14 of 14 checks passed\.\nNext: make it schedule\/native\.json/m);
  expect(readdirSync(own).filter((name) => name.startsWith("rehearsal-"))).toEqual([]);
});

test("another network's schedule with a wallet per bucket is served, verified on its chain and examined", async () => {
  const { code, output } = await rehearse({
    ...withWallets(exampleSchedule(folder, "celestia")),
    $schema: "./schema.json",
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/^ok +schedule .*TIA/m);
  expect(output).toMatch(/^(\d+) of \1 checks passed\./m);
});

test("an invalid file is refused with its errors, and nothing starts", async () => {
  expect(await rehearse({ ...JSON.parse(SAMPLE), step_day: 31 })).toEqual({
    code: 1,
    output: "doctor: mine.json: step_day: must be a whole number from 1 to 28, not the number 31",
  });
});

test("one that is interrupted while it starts says so, with exit code 1, and nothing of it stays", async () => {
  writeFileSync(join(folder, "mine.json"), SAMPLE);
  // A process group of its own: as from a terminal, the signal reaches the product too.
  const words = ["tools/main.mjs", "doctor", "--schedule", "mine.json"];
  const child = spawn("node", words, { cwd: folder, env: { ...ENVIRONMENT, TMPDIR: own }, detached: true });
  const end = finished(child);
  const left = () => readdirSync(own).filter((name) => name.startsWith("rehearsal-"));
  await expect.poll(left, { message: "it has begun" }).toHaveLength(1);
  process.kill(-(child.pid ?? 0), "SIGINT");
  const { code, output } = await end;
  expect([code, output.split("\n").at(-1)]).toEqual([
    1,
    "doctor: interrupted by SIGINT; nothing of the rehearsal stays",
  ]);
  expect(left()).toEqual([]);
});

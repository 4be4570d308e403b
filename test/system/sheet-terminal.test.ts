import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { hasTerminals } from "../support/machine-tools.ts";

const [DOWN, ENTER, STOP] = ["\u001B[B", "\r", "\u0003"] as const;

/** One question of the command, with the keys that answer it. */
type Answer = readonly [question: string, keys: string];

/** Output and exit code of a command in a terminal, where each question is answered once it stands there. */
async function inTerminal(words: readonly string[], answers: readonly Answer[]) {
  const command = ["node", "tools/main.mjs", "schedule", ...words].map((word) => `'${word}'`).join(" ");
  const environment = { ...process.env, TERM: "xterm", NO_COLOR: "1" };
  const child = spawn("script", ["-qec", `stty cols 200 rows 60; ${command}`, "/dev/null"], {
    // A build machine's variable keeps `new` from asking.
    env: Object.fromEntries(Object.entries(environment).filter(([name]) => name !== "CI")),
  });
  let [output, next] = ["", 0];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => {
      output += stripVTControlCharacters(piece);
      const [question, keys] = answers[next] ?? [];
      if (question === undefined || keys === undefined || !output.includes(question)) return;
      next += 1;
      child.stdin.write(keys);
    });
  // Waits for the end of the output, whose last part may arrive after the exit.
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  return { output, exitCode, answered: next };
}

const SHEET = "Bucket,Tokens,TGE,Cliff,Months\nTeam,400000,0%,12,48\nSale,600000,10%,0,12\n";

function sheet() {
  const folder = mkdtempSync(join(tmpdir(), "sheet-terminal-"));
  const csv = join(folder, "sheet.csv");
  writeFileSync(csv, SHEET);
  const words = ["new", "--csv", csv, "--symbol", "QLN", "--decimals", "8", "--max-supply", "1000000"];
  return { csv, out: join(folder, "mine.json"), words: [...words, "--start", "2026-01-01", "--out"] };
}

const QUESTIONS = {
  of: 'column C "TGE" ("0%", "10%"): of',
  unit: 'column D "Cliff" ("12", "0"): unit',
  from: 'column E "Months" ("48", "12"): from',
  linear: "linear",
} as const;

test.skipIf(!hasTerminals)(
  "in a terminal each open place is asked with its consequence, and gives the schedule of its file",
  async () => {
    const { csv, out, words } = sheet();
    const { output, exitCode, answered } = await inTerminal(
      [...words, out],
      [
        [QUESTIONS.of, ENTER],
        // Months are the eighth choice among dates and counts.
        [QUESTIONS.unit, `${DOWN.repeat(7)}${ENTER}`],
        [QUESTIONS.from, `${DOWN}${ENTER}`],
        [QUESTIONS.linear, ENTER],
      ],
    );
    expect({ answered, exitCode }, output).toEqual({ answered: 4, exitCode: 0 });
    expect(output).toContain(`allocation: of the row's amount: "10%" is 60000 tokens`);
    const mapping = JSON.parse(readFileSync(`${csv}.columns.json`, "utf8"));
    expect(mapping).toMatchObject({ linear: "by_month", start: "2026-01-01" });
    expect(mapping.columns).toMatchObject([
      { is: "bucket" },
      { is: "amount", unit: "tokens" },
      { is: "unlocked_at_start", unit: "percent", of: "allocation" },
      { is: "cliff", unit: "months" },
      { is: "duration", unit: "months", from: "cliff" },
    ]);
    const again = `${out}.again.json`;
    const byFile = spawnSync("node", [
      "tools/main.mjs",
      "schedule",
      ...words,
      again,
      "--columns",
      `${csv}.columns.json`,
    ]);
    expect(byFile.status, String(byFile.stderr)).toBe(0);
    expect(readFileSync(again, "utf8")).toBe(readFileSync(out, "utf8"));
  },
);

test.skipIf(!hasTerminals)(
  "a person who stops keeps the answers given, and is asked for the others the next time",
  async () => {
    const { csv, out, words } = sheet();
    const stopped = await inTerminal(
      [...words, out],
      [
        [QUESTIONS.of, ENTER],
        [QUESTIONS.unit, STOP],
      ],
    );
    expect(stopped, stopped.output).toMatchObject({ answered: 2, exitCode: 3 });
    expect(stopped.output).toContain("sheet.csv.columns.json: written; replace each null in it");
    expect(JSON.parse(readFileSync(`${csv}.columns.json`, "utf8")).columns[2]).toMatchObject({ of: "allocation" });
    const { output, exitCode } = await inTerminal(
      [...words, out],
      [
        [QUESTIONS.unit, `${DOWN.repeat(7)}${ENTER}`],
        [QUESTIONS.from, `${DOWN}${ENTER}`],
        [QUESTIONS.linear, ENTER],
      ],
    );
    expect(exitCode, output).toBe(0);
    expect(output).not.toContain(QUESTIONS.of);
    expect(output).toContain("which was there already");
  },
);

test("cells from the standard input have their mapping beside the new schedule", () => {
  const { out, words } = sheet();
  const input = words.map((word) => (word.endsWith("sheet.csv") ? "-" : word));
  const { status, stderr } = spawnSync("node", ["tools/main.mjs", "schedule", ...input, out], {
    encoding: "utf8",
    input: SHEET,
  });
  expect(status).toBe(3);
  expect(stderr).toContain("mine.json.columns.json: written");
  expect(JSON.parse(readFileSync(`${out}.columns.json`, "utf8"))).toMatchObject({ sheet: "standard input" });
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDay } from "../src/base/utc.ts";
import { parseWords, Refusal, runTool, say } from "./command-line.ts";
import { deploymentUrl } from "./deployment-url.ts";
import { backfill, type Progress } from "./history/backfill.ts";
import { CORRECT_USAGE, correct } from "./history/correct.ts";
import { backfillText, parseBackfill } from "./history/csv.ts";
import { termsOf } from "./nodes/families.ts";
import { replaceRead } from "./replace-file.ts";
import { REPOSITORY_FOLDER, readSchedule } from "./schedule/files.ts";

const USAGE = `usage: npm run history -- backfill --node URL --from DATE [--to DATE] [--asset TYPE] [--stable TYPE]
  reads the figures of past days from an archive node (of an EVM chain, by CHAIN_FAMILY: any JSON-RPC address), and writes schedule/history.csv; commit it and deploy
${CORRECT_USAGE}`;
const TEXT = { type: "string" } as const;
const OPTIONS = { node: TEXT, from: TEXT, to: TEXT, asset: TEXT, stable: TEXT } as const;

async function main([command, ...args]: readonly string[]): Promise<string> {
  const corrected = { folder: REPOSITORY_FOLDER, nowMs: Date.now(), fetch, readSchedule, urlOf: deploymentUrl };
  if (command === "correct") return correct(args, corrected);
  if (command !== "backfill") throw new Refusal([USAGE]);
  return fill(join(REPOSITORY_FOLDER, "history.csv"), backfillOf(args));
}

/** What the options ask for; throws a refusal with all that is wrong with them. */
function backfillOf(args: string[]) {
  const { values } = parseWords(USAGE, { args, options: OPTIONS });
  const terms = termsOf();
  const { node = "", from = "", to = yesterday(Date.now()) } = values;
  const problems = [
    ...(terms.url.pattern.test(node) ? [] : [`--node: must be ${terms.url.what}`]),
    ...(parseDay(from) === undefined ? ["--from: must be a day that exists, as YYYY-MM-DD"] : []),
    ...(parseDay(to) === undefined ? ["--to: must be a day that exists, as YYYY-MM-DD"] : []),
  ];
  if (problems.length === 0 && from > to) problems.push(`--from: ${from} is after --to, ${to}`);
  const asset = terms.asset.parse(values.asset ?? terms.asset.fallback());
  const stable = values.stable === undefined ? null : terms.asset.parse(values.stable);
  if (asset === undefined) problems.push(`--asset: must be ${terms.asset.what}`);
  if (stable === undefined) problems.push(`--stable: must be ${terms.asset.what}`);
  if (problems.length > 0 || asset === undefined || stable === undefined) throw new Refusal(problems);
  return { node: terms.nodeAt(node), version: terms.version, days: { from, to }, asset, stable };
}

/** Adds the figures of the days that the file does not have. */
async function fill(
  path: string,
  { node, version, days, asset, stable }: ReturnType<typeof backfillOf>,
): Promise<string> {
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const before = text === undefined ? undefined : parseBackfill(text);
  if (before?.kind === "error") throw new Refusal([`${path}: line ${before.line}: ${before.message}`]);
  const blocks = await node.blocks();
  if (blocks.note !== undefined) say(blocks.note);
  const rows = await backfill({
    schedule: readSchedule(join(REPOSITORY_FOLDER, "native.json")),
    asset,
    stable,
    nodeOf: node.at,
    blocks,
    version,
    days,
    existing: before?.rows ?? [],
    report: ({ day, message }: Progress) => say(`${day}: ${message}`),
  });
  if (rows.length === (before?.rows.length ?? 0)) return `${path}: not written; these days add no figure`;
  replaceRead(path, text, backfillText(rows));
  return `${path}: ${rows.length} rows; commit it, then npm run deploy`;
}

function yesterday(nowMs: number): string {
  return new Date(nowMs - 86_400_000).toISOString().slice(0, 10);
}

await runTool(import.meta.url, USAGE, main);

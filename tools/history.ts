import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDay } from "../src/base/utc.ts";
import { familyOf } from "../src/families/family.ts";
import { firstFamily, isFirst, statedFirst } from "../src/families/token-chain.ts";
import { scheduleErrorText } from "../src/supply/file/schedule-result.ts";
import { deploymentUrl } from "./deployment-url.ts";
import { firstInFile } from "./first-chain.ts";
import { backfill, type Progress } from "./history/backfill.ts";
import { CORRECT_USAGE, correct } from "./history/correct.ts";
import { backfillText, parseBackfill } from "./history/csv.ts";
import { EXIT, parseCommandLine, printText, Refusal, runTool } from "./lib/command-line.ts";
import { counted } from "./lib/counted.ts";
import { replaceFileIfUnchanged } from "./lib/replace-file.ts";
import { chainAt, givenChains } from "./nodes/given-chains.ts";
import { REPOSITORY_FOLDER, readSchedule } from "./schedule/files.ts";

const USAGE = `usage: npm run history -- backfill --node [ID=]URL... --from DATE [--to DATE] [--asset TYPE] [--stable TYPE]
  reads the figures of past days from an archive node of each chain of the token, and writes schedule/history.csv; commit it and deploy
  --node  base URL, ending in /v1; of an EVM chain any JSON-RPC address; of a further chain ID=URL
${CORRECT_USAGE}`;
const TEXT = { type: "string" } as const;
const OPTIONS = { node: { ...TEXT, multiple: true }, from: TEXT, to: TEXT, asset: TEXT, stable: TEXT } as const;

async function main([command, ...args]: readonly string[]): Promise<string> {
  const corrected = { folder: REPOSITORY_FOLDER, nowMs: Date.now(), fetch, readSchedule, urlOf: deploymentUrl };
  if (command === "correct") return correct(args, corrected);
  if (command !== "backfill") throw new Refusal([USAGE], EXIT.unusable);
  return fill(join(REPOSITORY_FOLDER, "history.csv"), backfillOf(args));
}

/** Parses the options of a backfill; throws a refusal with all their faults. */
function backfillOf(args: string[]) {
  const { values } = parseCommandLine(USAGE, { args, options: OPTIONS });
  const { node: nodes = [], from = "", to = yesterday(Date.now()) } = values;
  const schedule = readSchedule(join(REPOSITORY_FOLDER, "native.json"));
  const given = givenChains({ nodes, versions: [], asset: values.asset }, schedule);
  const family = firstFamily(statedFirst(schedule.chains), firstInFile());
  const { parse, form } = familyOf(family).asset;
  const stable = values.stable === undefined ? null : parse(values.stable);
  const problems = [
    ...("problems" in given ? given.problems : []),
    ...(parseDay(from) === undefined ? ["--from: must be a day that exists, as YYYY-MM-DD"] : []),
    ...(parseDay(to) === undefined ? ["--to: must be a day that exists, as YYYY-MM-DD"] : []),
    ...(stable === undefined ? [`--stable: must be ${form}`] : []),
  ];
  if (problems.length === 0 && from > to) problems.push(`--from: ${from} is after --to, ${to}`);
  if (problems.length > 0 || "problems" in given || stable === undefined) throw new Refusal(problems, EXIT.unusable);
  return { schedule, chains: given.chains, days: { from, to }, stable };
}

/** Adds the figures of days that the file does not have. */
async function fill(
  path: string,
  { chains: given, schedule, ...asked }: ReturnType<typeof backfillOf>,
): Promise<string> {
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const before = text === undefined ? undefined : parseBackfill(text, { ...schedule, nowMs: Date.now() });
  if (before?.kind === "errors") throw new Refusal(before.errors.map((error) => scheduleErrorText(path, error)));
  const chains = await Promise.all(
    given.map(async (each) => {
      // A node of another chain is refused before its blocks are read.
      if (each.chainId !== null) await chainAt(each, schedule);
      return { ...each, blocks: await each.node.blocks() };
    }),
  );
  for (const { chain, blocks } of chains)
    if (blocks.note !== undefined) printText(isFirst(chain) ? blocks.note : `${chain.id}: ${blocks.note}`);
  const rows = await backfill({
    schedule,
    chains,
    ...asked,
    existing: before?.rows ?? [],
    report: ({ day, message }: Progress) => printText(`${day}: ${message}`),
  });
  if (rows.length === (before?.rows.length ?? 0)) return `${path}: not written; these days add no figure`;
  replaceFileIfUnchanged(path, text, backfillText(rows));
  return `${path}: ${counted(rows.length, "row")}; commit it, then npm run deploy`;
}

function yesterday(nowMs: number): string {
  return new Date(nowMs - 86_400_000).toISOString().slice(0, 10);
}

await runTool(import.meta.url, USAGE, main);

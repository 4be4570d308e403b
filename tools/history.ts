import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileError } from "../src/base/file/file-errors.ts";
import { parseDay } from "../src/base/utc.ts";
import { familyOf } from "../src/families/family.ts";
import { firstFamily, isFirst, statedFirst } from "../src/families/token-chain.ts";
import { scheduleErrorText } from "../src/supply/file/schedule-result.ts";
import { deploymentUrl } from "./deployment-url.ts";
import { firstInFile } from "./first-chain.ts";
import { backfill, type Progress } from "./history/backfill.ts";
import { CORRECT_USAGE, correct } from "./history/correct.ts";
import { backfillText, parseBackfill } from "./history/csv.ts";
import { parsePrices, pricesText } from "./history/prices-csv.ts";
import { EXIT, parseCommandLine, printText, Refusal, runTool } from "./lib/command-line.ts";
import { counted } from "./lib/counted.ts";
import { replaceFileIfUnchanged } from "./lib/replace-file.ts";
import { chainAt, givenChains } from "./nodes/given-chains.ts";
import { REPOSITORY_FOLDER, readSchedule } from "./schedule/files.ts";

const USAGE = `usage: npm run history -- backfill --node [ID=]URL... --from DATE [--to DATE] [--asset TYPE] [--stable TYPE]
  reads the figures and share prices of past days from an archive node of each chain of the token, and writes
  schedule/history.csv and schedule/history-prices.csv; commit them and deploy
  --node  base URL, ending in /v1; of an EVM chain any JSON-RPC address; of a further chain ID=URL
${CORRECT_USAGE}`;
const TEXT = { type: "string" } as const;
const OPTIONS = { node: { ...TEXT, multiple: true }, from: TEXT, to: TEXT, asset: TEXT, stable: TEXT } as const;

async function main([command, ...args]: readonly string[]): Promise<string> {
  const corrected = { folder: REPOSITORY_FOLDER, nowMs: Date.now(), fetch, readSchedule, urlOf: deploymentUrl };
  if (command === "correct") return correct(args, corrected);
  if (command !== "backfill") throw new Refusal([USAGE], EXIT.unusable);
  return fill(REPOSITORY_FOLDER, backfillOf(args));
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

/** Adds the figures and share prices of days that the files do not have. */
async function fill(
  folder: string,
  { chains: given, schedule, ...asked }: ReturnType<typeof backfillOf>,
): Promise<string> {
  const [figuresFile, pricesFile] = [join(folder, "history.csv"), join(folder, "history-prices.csv")].map((path) => ({
    path,
    text: existsSync(path) ? readFileSync(path, "utf8") : undefined,
  })) as [StoredFile, StoredFile];
  const nowMs = Date.now();
  const existing = {
    figures: rowsBefore(figuresFile, (text) => parseBackfill(text, { ...schedule, nowMs })),
    prices: rowsBefore(pricesFile, (text) => parsePrices(text, nowMs)),
  };
  const chains = await Promise.all(
    given.map(async (each) => {
      // A node of another chain is refused before its blocks are read.
      const { point } = await chainAt(each, schedule);
      return { ...each, chain: { ...each.chain, chainId: point.chainId }, blocks: await each.node.blocks() };
    }),
  );
  for (const { chain, blocks } of chains)
    if (blocks.note !== undefined) printText(isFirst(chain) ? blocks.note : `${chain.id}: ${blocks.note}`);
  const { figures, prices } = await backfill({
    schedule,
    chains,
    ...asked,
    existing,
    report: ({ day, message }: Progress) => printText(`${day}: ${message}`),
  });
  return [
    written(figuresFile, existing.figures.length, figures.length, () => backfillText(figures), "figure"),
    ...((schedule.sharePrices ?? []).length === 0
      ? []
      : [written(pricesFile, existing.prices.length, prices.length, () => pricesText(prices), "price")]),
  ].join("\n");
}

interface StoredFile {
  readonly path: string;
  /** undefined: there is no file. */
  readonly text: string | undefined;
}

/** Parses the rows of a file; throws a refusal with all its faults. */
function rowsBefore<Row>(
  { path, text }: StoredFile,
  parse: (
    text: string,
  ) =>
    | { readonly kind: "rows"; readonly rows: readonly Row[] }
    | { readonly kind: "errors"; readonly errors: readonly FileError[] },
): readonly Row[] {
  if (text === undefined) return [];
  const before = parse(text);
  if (before.kind === "errors") throw new Refusal(before.errors.map((error) => scheduleErrorText(path, error)));
  return before.rows;
}

/** Writes a file if it gets more rows, and says so. */
function written(
  { path, text }: StoredFile,
  before: number,
  after: number,
  textOf: () => string,
  what: "figure" | "price",
): string {
  if (after === before) return `${path}: not written; these days add no ${what}`;
  replaceFileIfUnchanged(path, text, textOf());
  return `${path}: ${counted(after, "row")}; commit it, then npm run deploy`;
}

function yesterday(nowMs: number): string {
  return new Date(nowMs - 86_400_000).toISOString().slice(0, 10);
}

await runTool(import.meta.url, USAGE, main);

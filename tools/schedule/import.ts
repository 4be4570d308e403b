import { join } from "node:path";
import { MAX_DECIMALS, parseAmount, parseSignedAmount } from "../../shared/amount.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { monthText } from "../../src/supply/calendar.ts";
import { CATEGORIES } from "../../src/supply/schedule.ts";
import { dayText } from "../../src/utc.ts";
import { EXIT, Refusal } from "../command-line.ts";
import { readCsv } from "../csv.ts";
import { evaluateEmissions } from "./emissions/evaluate.ts";
import { type Imported, unlocksOfEmissions } from "./emissions/unlocks.ts";
import { displayPath, readText, type ScheduleContext } from "./files.ts";
import { wholeFlag, wordFlag, writeNew } from "./new.ts";
import { periodsOf } from "./sheet/period.ts";
import { planOf } from "./sheet/unlocks.ts";
import { reserve } from "./table.ts";

const TEXT = { type: "string" } as const;
export const IMPORT_OPTIONS = {
  symbol: TEXT,
  name: TEXT,
  decimals: TEXT,
  source: TEXT,
  out: TEXT,
  dates: TEXT,
  noncirculating: TEXT,
  "max-supply": TEXT,
  "set-aside": { type: "string", multiple: true },
} as const;

type ImportFlags = { readonly [name in Exclude<keyof typeof IMPORT_OPTIONS, "set-aside">]?: string | undefined } & {
  readonly "set-aside"?: readonly string[] | undefined;
};

export const IMPORT_USAGE = `import FILE --symbol XYZ [--name NAME] [--decimals 8] [--max-supply TOKENS] [--source URL] [--out FILE]
    FILE: /api/unlock-events.csv [--dates day-first|month-first], or DefiLlama's .ts, which is run without network or files
      [--noncirculating locked|counted] [--set-aside SECTION ...], which cannot be read, as never unlocking`;

/** Writes a schedule from another format's unlocks: DefiLlama's emissions file, or our own list of events. */
export async function importSchedule(context: ScheduleContext, path: string, flags: ImportFlags): Promise<string> {
  if (flags.symbol === undefined)
    throw new Refusal(["--symbol: missing", `usage: npm run schedule -- ${IMPORT_USAGE}`]);
  const decimals = wholeFlag("--decimals", flags.decimals ?? "8", 0, MAX_DECIMALS);
  const name = displayPath(path);
  const found = path.endsWith(".csv")
    ? readEventsCsv(name, path, decimals, flags)
    : await readEmissions(name, path, decimals, flags);
  const [correction] = found.corrections;
  const plan = planOf(found.unlocks, {
    startMs: undefined,
    // What is taken back is counted by its step, too.
    stepDay: correction === undefined ? undefined : Math.min(new Date(correction.atMs).getUTCDate(), 28),
    text: (units) => tokenText(units, decimals),
    categories: found.categories,
  });
  const source = flags.source ?? "https://example.org/tokenomics";
  const unlocking = found.unlocks.reduce((sum, { units }) => sum + units, 0n);
  const maxSupply = found.maxSupply ?? unlocking;
  if (unlocking > maxSupply)
    throw new Refusal([
      `${name}: unlocks add up to ${tokenText(unlocking, decimals)}, more than the maximum ${tokenText(maxSupply, decimals)}`,
    ]);
  const ids = new Map(plan.buckets.map(({ id, label }) => [label, id]));
  const adjustments = found.corrections.map(({ bucket, atMs, units }) => ({
    month: monthText(atMs),
    bucket: ids.get(bucket) ?? bucket,
    delta: tokenText(units, decimals),
    kind: "correction",
    source,
  }));
  const file = {
    revision: 1,
    published_at: dayText(context.nowMs),
    sources: [{ title: "Imported schedule", url: source }],
    token: { symbol: flags.symbol, name: flags.name ?? flags.symbol, decimals },
    max_supply: tokenText(maxSupply, decimals),
    start: plan.start,
    step_day: plan.stepDay,
    buckets: [...plan.buckets, ...reserve(maxSupply - unlocking, decimals, restId(plan.buckets.map(({ id }) => id)))],
    ...(adjustments.length === 0 ? {} : { adjustments }),
  };
  const out = flags.out ?? join(context.folder, "imported.json");
  writeNew(file, name, out);
  const rest =
    maxSupply > unlocking ? ["what the maximum exceeds the unlocks by is the last bucket, which never unlocks"] : [];
  return [
    `${displayPath(out)}: written; at most ${file.max_supply} ${flags.symbol}`,
    "Assumed:",
    ...[...found.notes, ...plan.notes, ...rest].map((note) => `  ${note}`),
    `Next: set labels, categories and sources, then: npm run schedule -- check ${displayPath(out)}`,
  ].join("\n");
}

/** The bucket of what is left, beside one that the file may call the same. */
function restId(taken: readonly string[]): string {
  return taken.includes("reserve") ? "reserve_left" : "reserve";
}

/** Sections that cannot be read are told all at once, each with its reason. */
async function readEmissions(name: string, path: string, decimals: number, flags: ImportFlags): Promise<Imported> {
  const noncirculating = wordFlag(flags, "noncirculating", ["locked", "counted"]);
  const given = flags["max-supply"];
  const stated = given === undefined ? undefined : parseAmount(given, decimals);
  if (given !== undefined && stated === undefined)
    throw new Refusal([`--max-supply: ${given} is no amount`], EXIT.unusable);
  const emissions = await evaluateEmissions(name, readText(path));
  const found = unlocksOfEmissions(emissions, { decimals, noncirculating, setAside: flags["set-aside"] ?? [] });
  const hasMaximum = stated !== undefined || emissions.total !== undefined;
  const sum = "reasons" in found ? 0n : found.unlocks.reduce((total, { units }) => total + units, 0n);
  const sums = sum > 0n ? `; its sections add up to ${tokenText(sum, decimals)}` : "";
  const missing = hasMaximum ? [] : [`--max-supply: missing; the file has no meta.total, the maximum in tokens${sums}`];
  const reasons = [...("reasons" in found ? found.reasons : []), ...missing];
  if ("reasons" in found || missing.length > 0)
    throw new Refusal([
      ...reasons.slice(0, 20).map((reason) => `${name}: ${reason}`),
      ...("reasons" in found ? ["--set-aside SECTION takes one that cannot be read as never unlocking"] : []),
    ]);
  return { ...found, maxSupply: stated ?? found.maxSupply };
}

/** `/api/unlock-events.csv`, by its column names. */
function readEventsCsv(name: string, path: string, decimals: number, flags: ImportFlags): Imported {
  const [first, ...rows] = readCsv(readText(path), name);
  const header = first?.cells ?? [];
  const lacking = ["at", "label", "category", "amount"].filter((title) => !header.includes(title));
  if (lacking.length > 0)
    throw new Refusal([
      `${name}: line 1: the column ${lacking.join(", ")} is missing; it must be /api/unlock-events.csv`,
    ]);
  if (rows.length === 0) throw new Refusal([`${name}: has no rows`]);
  const cellsOf = (title: string) => rows.map(({ cells }) => cells[header.indexOf(title)] ?? "");
  const days = periodsOf(cellsOf("at"), wordFlag(flags, "dates", ["day-first", "month-first"]));
  const place = (row: number) => `${name}: line ${rows[row]?.line}`;
  if (days.kind === "refused") throw new Refusal([`${place(days.row)}: ${days.message}`]);
  if (days.kind === "numbered" || !days.hasDays) throw new Refusal([`${place(0)}: ${cellsOf("at")[0]} is no day`]);
  const labels = cellsOf("label");
  const amounts = cellsOf("amount").map((text, row) => {
    const units = parseSignedAmount(text, decimals);
    if (units === undefined)
      throw new Refusal([`${place(row)}: ${text} is not an amount with at most ${decimals} fraction digits`]);
    if (labels[row] === "") throw new Refusal([`${place(row)}: the bucket's label is missing`]);
    return units;
  });
  const all = amounts.map((units, row) => ({
    bucket: labels[row] ?? "",
    atMs: days.atMs[row] ?? 0,
    units,
    line: rows[row]?.line,
  }));
  const categories = cellsOf("category").map((text) => CATEGORIES.find((known) => known === text) ?? "other");
  return {
    unlocks: all
      .filter(({ units }) => units > 0n)
      .map(({ bucket, atMs, units, line }) => ({
        bucket,
        when: { kind: "once", atMs },
        units,
        source: `line ${line}`,
      })),
    corrections: all.filter(({ units }) => units < 0n),
    categories: new Map(labels.map((label, row) => [label, categories[row] ?? "other"])),
    maxSupply: undefined,
    notes: [],
  };
}

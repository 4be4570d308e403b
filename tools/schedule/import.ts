import { parseSignedAmount } from "../../schedule-format/amount.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { monthText } from "../../src/supply/calendar.ts";
import { CATEGORIES } from "../../src/supply/schedule.ts";
import { Refusal } from "../command-line.ts";
import { readCsv } from "../csv.ts";
import type { RunEmissions } from "./emissions/evaluate.ts";
import { type Imported, unlocksOfEmissions } from "./emissions/unlocks.ts";
import { displayPath, readText, type ScheduleContext } from "./files.ts";
import { amountFlag, wordFlag } from "./flags.ts";
import { decimalsFlag, EXAMPLE_SOURCE, FILE_OPTIONS, type FileFlags, writeNew } from "./new.ts";
import { type Column, SheetReader } from "./sheet/reader.ts";
import { tableOf } from "./sheet/table.ts";
import { datesOf } from "./sheet/times.ts";
import { planOf } from "./sheet/unlocks.ts";
import { reserve } from "./table.ts";

export const IMPORT_OPTIONS = {
  ...FILE_OPTIONS,
  noncirculating: { type: "string" },
  "set-aside": { type: "string", multiple: true },
} as const;

interface ImportFlags extends FileFlags {
  readonly noncirculating?: string | undefined;
  readonly "set-aside"?: readonly string[] | undefined;
}

export const IMPORT_USAGE = `import FILE --symbol XYZ [--name NAME] [--decimals 8] [--max-supply TOKENS] [--source URL] [--out FILE]
    FILE: /api/unlock-events.csv [--dates day-first|month-first], or DefiLlama's .ts, which is run without network or files
      [--noncirculating locked|counted] [--set-aside SECTION ...], which cannot be read, as never unlocking`;

/** Writes a schedule from another format's unlocks: DefiLlama's emissions file, or our own list of events. */
export async function importSchedule(
  context: ScheduleContext,
  path: string,
  flags: ImportFlags,
  run?: RunEmissions,
): Promise<string> {
  const { symbol, "max-supply": maximum } = flags;
  if (symbol === undefined) throw new Refusal(["--symbol: missing", `usage: npm run schedule -- ${IMPORT_USAGE}`]);
  const decimals = decimalsFlag(flags.decimals ?? "8");
  const stated = maximum === undefined ? undefined : amountFlag("--max-supply", maximum, decimals);
  const name = displayPath(path);
  const text = (units: bigint): string => tokenText(units, decimals);
  const found = path.endsWith(".csv")
    ? readEvents(name, readText(path), decimals, flags)
    : unlocksOfEmissions(await (await emissionsReader()).evaluateEmissions(name, readText(path), run), {
        name,
        decimals,
        maxSupply: stated,
        noncirculating: wordFlag(flags, "noncirculating", ["locked", "counted"]),
        setAside: flags["set-aside"] ?? [],
      });
  const { categories, notes } = found;
  const corrections = found.unlocks.filter(({ units }) => units < 0n);
  const plan = planOf(
    found.unlocks.filter(({ units }) => units >= 0n),
    {
      startMs: undefined,
      // What is taken back is counted by its step, too.
      stepDay: corrections[0] === undefined ? undefined : Math.min(new Date(corrections[0].fromMs).getUTCDate(), 28),
      text,
      categories,
    },
  );
  const { unlocking } = plan;
  const maxSupply = stated ?? found.maxSupply ?? unlocking;
  if (unlocking > maxSupply)
    throw new Refusal([`${name}: unlocks add up to ${text(unlocking)}, more than the maximum ${text(maxSupply)}`]);
  const adjustments = corrections.map(({ bucket, fromMs, units }) => ({
    month: monthText(fromMs),
    bucket: plan.buckets.find(({ label }) => label === bucket)?.id ?? bucket,
    delta: text(units),
    kind: "correction",
    source: flags.source ?? EXAMPLE_SOURCE,
  }));
  // Beside a bucket that the file may call the same.
  const restId = plan.buckets.some(({ id }) => id === "reserve") ? "reserve_left" : "reserve";
  const rest = reserve(maxSupply - unlocking, decimals, restId);
  const restNotes = rest.map(
    ({ id }) => `what the maximum exceeds the unlocks by is the bucket ${id}, which never unlocks`,
  );
  return writeNew(
    context,
    { ...flags, symbol },
    {
      ...plan,
      maxSupply,
      content: { buckets: [...plan.buckets, ...rest], ...(adjustments.length === 0 ? {} : { adjustments }) },
      assumed: [...notes, ...plan.notes, ...restNotes],
    },
  );
}

/** Only when it is needed: a runtime and a compiler, which take longer to load than any other command to run. */
const emissionsReader = () => import("./emissions/evaluate.ts");

/** `/api/unlock-events.csv`, by its column names. */
function readEvents(name: string, text: string, decimals: number, flags: ImportFlags): Imported {
  const dates = wordFlag(flags, "dates", ["day-first", "month-first"]);
  const reader = new SheetReader(name, { decimals, symbol: "", dates }, ".");
  const { columns, lines } = tableOf(readCsv(text, name), reader);
  const column = (title: string): Column => {
    const found = columns.find((each) => each.title === title);
    if (found === undefined)
      reader.object(0, undefined, `the column ${title} is missing; it must be /api/unlock-events.csv`);
    return found ?? { title, cells: [] };
  };
  const [at, labels, amount] = [column("at"), column("label").cells, column("amount")];
  const named = column("category").cells;
  reader.settle();
  const categories = named.map((text) => CATEGORIES.find((known) => known === text) ?? "other");
  const { atMs, hasDays } = datesOf(at, lines, reader);
  if (!hasDays) reader.object(0, at.title, "has months, and an unlock has its day");
  const rows = lines.map((line, row) => {
    const [bucket = "", cell = ""] = [labels[row], amount.cells[row]];
    const units = parseSignedAmount(cell, decimals);
    if (units === undefined) reader.object(line, amount.title, `"${cell}" is not an amount with ${decimals} decimals`);
    if (bucket === "") reader.object(line, "label", "is empty: every row names its bucket");
    const instant = atMs[row] ?? 0;
    return { bucket, fromMs: instant, toMs: instant, units: units ?? 0n, source: `line ${line}` };
  });
  reader.settle();
  return {
    unlocks: rows,
    categories: new Map(labels.map((label, row) => [label, categories[row] ?? "other"])),
    maxSupply: undefined,
    notes: reader.assumed,
  };
}

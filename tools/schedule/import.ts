import { tokenText } from "../../src/chain/amount.ts";
import { monthText } from "../../src/supply/calendar.ts";
import { parseSignedAmount } from "../../src/supply/file/amount.ts";
import { CATEGORIES } from "../../src/supply/schedule.ts";
import { EXIT, Refusal } from "../lib/command-line.ts";
import { readCsv } from "../lib/csv.ts";
import { displayPath } from "../lib/display-path.ts";
import type { CellResult } from "./cells/cell.ts";
import { readPeriod } from "./cells/period.ts";
import { formatOf } from "./cells/workbook.ts";
import type { RunEmissions } from "./emissions/evaluate.ts";
import { type ImportedUnlocks, unlocksOfEmissions } from "./emissions/unlocks.ts";
import { readText, type ScheduleContext } from "./files.ts";
import { amountFlag, wordFlag } from "./flags.ts";
import { decimalsFlag, EXAMPLE_SOURCE, FILE_OPTIONS, type FileFlags, writeNew } from "./new.ts";
import { planOf } from "./plan/unlocks.ts";
import { readCells } from "./sheet/declared.ts";
import { Reasons } from "./sheet/reasons.ts";
import { type Column, tableBy } from "./sheet/table.ts";
import { neverBucket } from "./table.ts";

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
      [--chain-family NAME --chain-id N --asset TYPE|ADDRESS]
    FILE: /api/unlock-events.csv, or DefiLlama's .ts, which runs without network and files
      [--noncirculating locked|counted] [--set-aside SECTION ...]: a section that cannot be read never unlocks`;

/** Writes a schedule from another format's unlocks: DefiLlama's emissions file, or our own list of events. */
export async function importSchedule(
  context: ScheduleContext,
  path: string,
  flags: ImportFlags,
  run?: RunEmissions,
): Promise<string> {
  const { symbol, "max-supply": maximum } = flags;
  if (symbol === undefined)
    throw new Refusal(["--symbol: missing", `usage: npm run schedule -- ${IMPORT_USAGE}`], EXIT.unusable);
  const decimals = decimalsFlag(flags.decimals ?? "8");
  const stated = maximum === undefined ? undefined : amountFlag("--max-supply", maximum, decimals);
  const name = displayPath(path);
  const format = formatOf(Buffer.from(readText(path).slice(0, 200)));
  if (format !== undefined && format !== "workbook" && !path.endsWith(".csv"))
    throw new Refusal([`${name}: ${format.reason}`]);
  const text = (units: bigint): string => tokenText(units, decimals);
  const found = path.endsWith(".csv")
    ? readEvents(name, readText(path), decimals)
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
      // A correction applies from its step on, so the steps fall on the day of the corrections.
      stepDay: corrections[0] === undefined ? undefined : Math.min(new Date(corrections[0].fromMs).getUTCDate(), 28),
      text,
      categories,
    },
  );
  const { unlocking } = plan;
  const maxSupply = stated ?? found.maxSupply ?? unlocking;
  if (unlocking > maxSupply)
    throw new Refusal([
      `${name}: its unlocks add up to ${text(unlocking)}, more than the maximum supply ${text(maxSupply)}`,
    ]);
  const adjustments = corrections.map(({ bucket, fromMs, units }) => ({
    month: monthText(fromMs),
    bucket: plan.buckets.find(({ label }) => label === bucket)?.id ?? bucket,
    delta: text(units),
    kind: "correction",
    source: flags.source ?? EXAMPLE_SOURCE,
  }));
  // A bucket of the file may have the id `reserve` already.
  const restId = plan.buckets.some(({ id }) => id === "reserve") ? "reserve_left" : "reserve";
  const rest = neverBucket(maxSupply - unlocking, decimals, restId);
  const restNotes = rest.map(({ id }) => `the rest of the maximum supply is the bucket ${id}, which never unlocks`);
  return writeNew(
    context,
    { ...flags, symbol },
    {
      ...plan,
      maxSupply,
      content: { buckets: [...plan.buckets, ...rest], ...(adjustments.length === 0 ? {} : { adjustments }) },
      notes: () => [...notes, ...plan.notes, ...restNotes],
    },
  );
}

/**
 * Loads the reader of emissions only when it is needed: its runtime and compiler take longer to load than other
 * commands take to run.
 */
const emissionsReader = () => import("./emissions/evaluate.ts");

/** Reads `/api/unlock-events.csv` by its column titles. */
function readEvents(name: string, text: string, decimals: number): ImportedUnlocks {
  const reasons = new Reasons(name);
  const rows = readCsv(text, name);
  const { columns, lines } = tableBy(rows, { titles: rows[0]?.line ?? 0, outside: [], columns: [] }).table;
  const column = (title: string): Column => {
    const found = columns.find((each) => each.title === title);
    if (found === undefined) reasons.add(`the column ${title} is missing; it must be /api/unlock-events.csv`);
    return found ?? { letter: "", title, cells: [] };
  };
  const [at, labels, amounts, named] = [column("at"), column("label"), column("amount"), column("category")];
  reasons.refuseIfAny();
  const table = { reasons, lines };
  const instants = readCells(table, at, instantOf, 0);
  const buckets = readCells(
    table,
    labels,
    (cell) => (cell === "" ? { reason: "names no bucket" } : { value: cell }),
    "",
  );
  const units = readCells(table, amounts, (cell) => signedAmountOf(cell, decimals), 0n);
  const unlocks = lines.map((line, row) => {
    const [bucket = "", fromMs = 0, amount = 0n] = [buckets[row], instants[row], units[row]];
    return { bucket, fromMs, toMs: fromMs, units: amount, source: `line ${line}` };
  });
  reasons.refuseIfAny();
  const categories = named.cells.map((cell) => CATEGORIES.find((known) => known === cell) ?? "other");
  return {
    unlocks,
    categories: new Map(labels.cells.map((label, row) => [label, categories[row] ?? "other"])),
    maxSupply: undefined,
    notes: [],
  };
}

function instantOf(cell: string): CellResult<number> {
  const period = /^\d{4}-\d\d-\d\d(T|$)/.test(cell) ? readPeriod(cell) : undefined;
  if (period?.kind === "day") return { value: period.atMs };
  return { reason: "is not an instant in ISO 8601, such as 2026-01-01T00:00:00Z" };
}

function signedAmountOf(cell: string, decimals: number): CellResult<bigint> {
  const units = parseSignedAmount(cell, decimals);
  return units === undefined ? { reason: `is not an amount with ${decimals} decimals` } : { value: units };
}

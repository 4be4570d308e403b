import { join } from "node:path";
import { MAX_DECIMALS, parseSignedAmount } from "../../shared/amount.ts";
import { calendar } from "../../shared/calendar.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { monthText, stepIndexAt, stepMs } from "../../src/supply/calendar.ts";
import { CATEGORIES } from "../../src/supply/schedule.ts";
import { dayText } from "../../src/utc.ts";
import { Refusal } from "../command-line.ts";
import { readCsv } from "../csv.ts";
import { readDefillamaFile, type UnlockList } from "./defillama.ts";
import { displayPath, readText, type ScheduleContext } from "./files.ts";
import { wholeFlag, writeNew } from "./new.ts";
import { idOf } from "./sheet/reader.ts";
import { reserve } from "./table.ts";

const TEXT = { type: "string" } as const;
export const IMPORT_OPTIONS = { symbol: TEXT, name: TEXT, decimals: TEXT, source: TEXT, out: TEXT } as const;

type ImportFlags = { readonly [name in keyof typeof IMPORT_OPTIONS]?: string | undefined };

export const IMPORT_USAGE =
  "import FILE --symbol XYZ [--name NAME] [--decimals 8] [--source URL] [--out FILE]    FILE: DefiLlama's .ts, or /api/unlock-events.csv";

/** Writes a schedule of cliffs from a list of unlocks. They must be on one day of the month, at 00:00 UTC. */
export function importSchedule(context: ScheduleContext, path: string, flags: ImportFlags): string {
  if (flags.symbol === undefined)
    throw new Refusal(["--symbol: missing", `usage: npm run schedule -- ${IMPORT_USAGE}`]);
  const decimals = wholeFlag("--decimals", flags.decimals ?? "8", 0, MAX_DECIMALS);
  const list = path.endsWith(".csv") ? readEventsCsv(readText(path)) : readDefillamaFile(readText(path));
  const source = flags.source ?? "https://example.org/tokenomics";
  const file = scheduleFile(list, decimals, source, {
    symbol: flags.symbol,
    name: flags.name ?? flags.symbol,
    publishedAt: dayText(context.nowMs),
  });
  const out = flags.out ?? join(context.folder, "imported.json");
  writeNew(file, displayPath(path), out);
  const rest = file.buckets.length > new Set(list.unlocks.map(({ label }) => label)).size ? REST : "";
  return `${displayPath(out)}: written; ${rest}set labels, categories and sources, then: npm run schedule -- check ${displayPath(out)}`;
}

const REST = "what the file's maximum exceeds its unlocks by is the bucket reserve, which never unlocks; ";

interface Naming {
  readonly symbol: string;
  readonly name: string;
  readonly publishedAt: string;
}

function scheduleFile({ unlocks, total }: UnlockList, decimals: number, source: string, naming: Naming) {
  const startMs = Math.min(...unlocks.map(({ atMs }) => atMs));
  const stepDay = stepDayOf(unlocks, startMs);
  const steps = calendar(startMs, stepDay);
  const units = (text: string): bigint => {
    const amount = parseSignedAmount(text, decimals);
    if (amount === undefined) throw new Refusal([`${text} is not an amount with at most ${decimals} fraction digits`]);
    return amount;
  };
  const buckets = [...new Set(unlocks.map(({ label }) => label))].map((label, index) => {
    const own = unlocks.filter((unlock) => unlock.label === label && units(unlock.amount) > 0n);
    const sum = own.reduce((total, { amount }) => total + units(amount), 0n);
    const genesis = own.filter(({ atMs }) => atMs === startMs).reduce((total, { amount }) => total + units(amount), 0n);
    const category = CATEGORIES.find((known) => known === own[0]?.category) ?? "other";
    const phases = own
      .filter(({ atMs }) => atMs !== startMs)
      .map(({ atMs, amount }) => ({ kind: "cliff", amount, month: stepIndexAt(steps, atMs) }));
    const [allocation, atStart] = [tokenText(sum, decimals), tokenText(genesis, decimals)];
    return { id: idOf(label, index), label, category, allocation, genesis: atStart, phases };
  });
  const unlocking = buckets.reduce((sum, { allocation }) => sum + units(allocation), 0n);
  const maxSupply = total === undefined ? unlocking : units(total);
  const ids = new Map(buckets.map(({ id, label }) => [label, id]));
  const adjustments = unlocks
    .filter((unlock) => units(unlock.amount) < 0n)
    .map(({ label, atMs, amount: delta }) => ({
      month: monthText(atMs),
      bucket: ids.get(label) ?? label,
      delta,
      kind: "correction",
      source,
    }));
  return {
    revision: 1,
    published_at: naming.publishedAt,
    sources: [{ title: "Imported schedule", url: source }],
    token: { symbol: naming.symbol, name: naming.name, decimals },
    max_supply: tokenText(maxSupply, decimals),
    start: dayText(startMs),
    step_day: stepDay,
    buckets: [...buckets, ...reserve(maxSupply - unlocking, decimals, "reserve")],
    ...(adjustments.length === 0 ? {} : { adjustments }),
  };
}

/** The one day of the month of all unlocks after the start. */
function stepDayOf(unlocks: UnlockList["unlocks"], startMs: number): number {
  const days = new Set(unlocks.filter(({ atMs }) => atMs !== startMs).map(({ atMs }) => new Date(atMs).getUTCDate()));
  const odd = unlocks.find(({ atMs }) => atMs % 86_400_000 !== 0);
  if (odd !== undefined) throw new Refusal([`${odd.label}: ${new Date(odd.atMs).toISOString()} is not 00:00:00 UTC`]);
  const [day = new Date(startMs).getUTCDate(), ...others] = [...days];
  if (others.length > 0)
    throw new Refusal([
      `unlocks fall on the days ${[day, ...others].join(", ")} of the month; a schedule has one step day`,
    ]);
  const stepDay = Math.min(day, 28);
  const late = unlocks.find(
    ({ atMs }) =>
      atMs !== startMs && stepMs(calendar(startMs, stepDay), stepIndexAt(calendar(startMs, stepDay), atMs)) !== atMs,
  );
  if (late !== undefined) throw new Refusal([`${late.label}: ${dayText(late.atMs)} is no day that every month has`]);
  return stepDay;
}

/** `/api/unlock-events.csv`, by its column names. */
function readEventsCsv(text: string): UnlockList {
  const [first, ...rows] = readCsv(text);
  const header = first?.cells ?? [];
  const column = (name: string): number => {
    const index = header.indexOf(name);
    if (index === -1) throw new Refusal([`line 1: the column ${name} is missing; it must be /api/unlock-events.csv`]);
    return index;
  };
  const [at, label, category, amount] = [column("at"), column("label"), column("category"), column("amount")];
  const unlocks = rows.map(({ line, cells }) => {
    const atMs = Date.parse(cells[at] ?? "");
    if (Number.isNaN(atMs)) throw new Refusal([`line ${line}: ${cells[at]} is not an instant`]);
    if ((cells[label] ?? "") === "") throw new Refusal([`line ${line}: the bucket's label is missing`]);
    return { label: cells[label] ?? "", category: cells[category] ?? "", atMs, amount: cells[amount] ?? "" };
  });
  if (unlocks.length === 0) throw new Refusal(["the file has no rows"]);
  return { unlocks, total: undefined };
}

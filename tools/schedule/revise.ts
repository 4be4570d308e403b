import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tokenText } from "../../src/chain/amount.ts";
import { isRecord } from "../../src/json.ts";
import { monthEndMs, monthText } from "../../src/supply/calendar.ts";
import { NATIVE_CHAIN, type Schedule } from "../../src/supply/schedule.ts";
import { dayText, parseDay } from "../../src/utc.ts";
import { parseWords, Refusal } from "../command-line.ts";
import { parseAmount, parseSignedAmount } from "./amount.ts";
import { recordErrors, recordPaths } from "./check.ts";
import { changes } from "./diff.ts";
import { displayPath, nativePath, readText, type ScheduleContext } from "./files.ts";
import { wholeFlag } from "./new.ts";
import { parseScheduleText } from "./parse-schedule.ts";
import { parseRevision } from "./published.ts";
import { withAppended, withElements, withValue } from "./revise/edit.ts";
import { bucketsOf, changedPast, targetOf, withAmount, withDelay } from "./revise/plan.ts";
import { scheduleErrorText } from "./schedule-result.ts";

const TEXT = { type: "string" } as const;
const OPTIONS = {
  months: TEXT,
  phase: TEXT,
  from: TEXT,
  monthly: TEXT,
  amount: TEXT,
  delta: TEXT,
  month: TEXT,
  source: TEXT,
  restate: { type: "boolean" },
  bucket: TEXT,
  category: TEXT,
  label: TEXT,
  holds: TEXT,
  chain: TEXT,
  pool: TEXT,
  operator: TEXT,
  to: TEXT,
  file: TEXT,
  "published-at": TEXT,
  "dry-run": { type: "boolean" },
} as const;

type Flags = {
  readonly [name in keyof typeof OPTIONS]?: (typeof OPTIONS)[name]["type"] extends "boolean" ? boolean : string;
};

export const REVISE_USAGE = `revise delay BUCKET --months N [--phase I] [--from YYYY-MM]     what has not unlocked yet, N months later
  revise amount BUCKET --monthly TOKENS [--phase I] [--from YYYY-MM]   installments of this amount from then on
  revise burn BUCKET --amount TOKENS --month YYYY-MM --source URL [--restate]
  revise correct BUCKET --delta TOKENS --month YYYY-MM --source URL [--restate]   --restate: also a published month
  revise wallet add ADDRESS (--bucket ID | --category NAME) --label TEXT [--holds account] [--pool A | --operator A] [--chain native]
  revise wallet move ADDRESS --to ADDRESS [--label TEXT]           tokens that have gone to another address
  revise wallet retire ADDRESS                                     a wallet that no longer holds any
    each: [--dry-run] [--published-at DAY] [--file FILE]`;

/** Applies one change to the schedule file: the smallest that keeps every published figure. */
export function revise(context: ScheduleContext, args: readonly string[]): string {
  const { values: flags, positionals } = parseWords(`usage: npm run schedule -- ${REVISE_USAGE}`, {
    // A negative amount looks like an option to the parser.
    args: args.flatMap((word, index) =>
      args[index - 1] === "--delta" ? [] : word === "--delta" ? [`--delta=${args[index + 1] ?? ""}`] : [word],
    ),
    options: OPTIONS,
    allowPositionals: true,
  });
  const path = flags.file ?? nativePath(context);
  const text = readText(path);
  const before = scheduleOf(path, text);
  const time = { nowMs: context.nowMs, day: publishingDay(context, flags) };
  const edited = withRevision(context, changed(before, text, positionals, flags, time), before, time.day);
  const after = scheduleOf(path, edited);
  const past = flags.restate === true ? [] : changedPast(before, after, context.nowMs);
  if (past.length > 0) throw new Refusal([...rewritten(past), REWRITES]);
  const errors = recordErrors(context, path, after);
  if (errors.length > 0) throw new Refusal(errors);
  if (flags["dry-run"] !== true) writeFileSync(path, edited);
  const done =
    flags["dry-run"] === true
      ? "not written, because of --dry-run"
      : "written; next: npm run schedule -- check, commit, npm run deploy";
  return [changes(before, after), "", `${displayPath(path)}: ${done}`].join("\n");
}

const REWRITES =
  "A published month keeps its figure: give a later --from or --month, or, for a burn or correction that is reported late, --restate.";

function rewritten(past: readonly string[]): readonly string[] {
  const shown = past.slice(0, 12);
  const more = past.length - shown.length;
  return [
    `this would change ${past.length} published month${past.length === 1 ? "" : "s"}:`,
    ...shown.map((line) => `  ${line}`),
    ...(more > 0 ? [`  ... and ${more} more`] : []),
  ];
}

function scheduleOf(path: string, text: string): Schedule {
  const result = parseScheduleText(text);
  if (result.kind === "schedule") return result.schedule;
  throw new Refusal(result.errors.map((error) => scheduleErrorText(displayPath(path), error)));
}

function publishingDay({ nowMs }: ScheduleContext, flags: Flags): string {
  const day = flags["published-at"] ?? dayText(nowMs);
  if (parseDay(day) === undefined) throw new Refusal([`--published-at: ${day} is not a day as YYYY-MM-DD`]);
  return day;
}

/** A revision that was not published yet takes further changes; a published one is followed by the next. */
function withRevision(context: ScheduleContext, text: string, before: Schedule, day: string): string {
  const [, path = ""] = recordPaths(context);
  const last = existsSync(path) ? parseRevision(readFileSync(path, "utf8")) : undefined;
  const isOpen = last !== undefined && last.symbol === before.token.symbol && before.revision > last.revision;
  return withValue(withValue(text, ["revision"], before.revision + (isOpen ? 0 : 1)), ["published_at"], day);
}

function changed(
  before: Schedule,
  text: string,
  words: readonly string[],
  flags: Flags,
  { nowMs, day }: { readonly nowMs: number; readonly day: string },
): string {
  const [action, subject = "", ...more] = words;
  if (action === "wallet" && more.length === 1) return withWallet(before, text, subject, more[0] ?? "", flags);
  if (subject === "" || more.length > 0) throw new Refusal([`usage: npm run schedule -- ${REVISE_USAGE}`]);
  const phase = flags.phase === undefined ? undefined : wholeFlag("--phase", flags.phase, 0, 9999);
  const target = () => targetOf(before, subject, { phase, from: flags.from }, nowMs);
  switch (action) {
    case "delay":
      return withDelay(text, before, target(), wholeFlag("--months", needed(flags, "months"), 1, 600));
    case "amount":
      return withAmount(text, before, target(), positive(before, "--monthly", needed(flags, "monthly")));
    case "burn": {
      const delta = -positive(before, "--amount", needed(flags, "amount"));
      return withAdjustment(day, text, before, subject, delta, "burn", flags);
    }
    case "correct": {
      const delta = parseSignedAmount(needed(flags, "delta"), before.token.decimals) ?? 0n;
      if (delta === 0n) throw new Refusal([`--delta: must be an amount such as -1250.5 or 20, not ${flags.delta}`]);
      return withAdjustment(day, text, before, subject, delta, "correction", flags);
    }
    default:
      throw new Refusal([`${action} is no revision`, `usage: npm run schedule -- ${REVISE_USAGE}`]);
  }
}

function needed(flags: Flags, name: keyof Flags): string {
  const value = flags[name];
  if (typeof value === "string" && value !== "") return value;
  throw new Refusal([`--${name}: missing`, `usage: npm run schedule -- ${REVISE_USAGE}`]);
}

function positive({ token }: Schedule, flag: string, text: string): bigint {
  const amount = parseAmount(text, token.decimals) ?? 0n;
  if (amount > 0n) return amount;
  throw new Refusal([
    `${flag}: must be an amount above 0 such as 1250.5, with at most ${token.decimals} digits after the point, not ${text}`,
  ]);
}

function withAdjustment(
  day: string,
  text: string,
  before: Schedule,
  bucket: string,
  delta: bigint,
  kind: "burn" | "correction",
  flags: Flags,
): string {
  const ids = bucketsOf(before).map(({ id }) => id);
  if (!ids.includes(bucket)) throw new Refusal([`${bucket} is not the id of a bucket; there are ${ids.join(", ")}`]);
  const month = needed(flags, "month");
  if (monthEndMs(month) === undefined || month < monthText(before.calendar.startMs))
    throw new Refusal([`--month: ${month} is no month of the schedule, as YYYY-MM`]);
  const entry = {
    month,
    bucket,
    delta: tokenText(delta, before.token.decimals),
    kind,
    source: needed(flags, "source"),
    published_at: day,
  };
  return withAppended(text, ["adjustments"], entry);
}

type ListPath = readonly (string | number)[];

/** Every list of wallets in the file: of each bucket, and of the project. */
function walletLists(text: string) {
  const file: unknown = JSON.parse(text);
  const lists: { readonly path: ListPath; readonly items: readonly Readonly<Record<string, unknown>>[] }[] = [];
  const add = (path: ListPath, value: unknown): void => {
    if (Array.isArray(value)) lists.push({ path, items: value.filter(isRecord) });
  };
  if (!isRecord(file)) return lists;
  const buckets = file["buckets"];
  if (Array.isArray(buckets))
    buckets.forEach((bucket, index) => {
      if (isRecord(bucket)) add(["buckets", index, "addresses"], bucket["addresses"]);
    });
  add(["wallets"], file["wallets"]);
  return lists;
}

function withWallet(before: Schedule, text: string, action: string, address: string, flags: Flags): string {
  if (action === "add") return withNewWallet(before, text, address, flags);
  const same = (other: unknown): boolean => String(other).toLowerCase() === address.toLowerCase();
  const found = walletLists(text).flatMap(({ path, items }) =>
    items.flatMap((item, index) => (same(item["address"]) ? [{ path: [...path, index], item }] : [])),
  );
  const [wallet, ...others] = found;
  if (wallet === undefined || others.length > 0)
    throw new Refusal([
      `${address} is ${wallet === undefined ? "not in the file" : "in the file several times: edit it there"}`,
    ]);
  switch (action) {
    case "move": {
      const label = flags.label === undefined ? {} : { label: flags.label };
      return withElements(text, wallet.path, [{ ...wallet.item, address: needed(flags, "to"), ...label }]);
    }
    case "retire":
      return withValue(text, wallet.path, undefined);
    default:
      throw new Refusal([`wallet ${action} is no revision`, `usage: npm run schedule -- ${REVISE_USAGE}`]);
  }
}

function withNewWallet(before: Schedule, text: string, address: string, flags: Flags): string {
  const { bucket, category } = flags;
  if ((bucket === undefined) === (category === undefined))
    throw new Refusal([
      "give --bucket ID for a bucket's locked tokens, or --category NAME for a wallet of the project",
    ]);
  const { chain = NATIVE_CHAIN, holds = "account", pool, operator } = flags;
  const entry = {
    chain,
    address,
    label: needed(flags, "label"),
    ...(category === undefined ? {} : { category }),
    holds,
    ...(pool === undefined ? {} : { pool }),
    ...(operator === undefined ? {} : { operator }),
  };
  if (bucket === undefined) return withAppended(text, ["wallets"], entry);
  const index = bucketsOf(before).findIndex(({ id }) => id === bucket);
  if (index === -1) throw new Refusal([`--bucket: ${bucket} is not the id of a bucket`]);
  return withAppended(text, ["buckets", index, "addresses"], entry);
}

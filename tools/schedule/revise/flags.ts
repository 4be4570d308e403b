import { monthEndMs, monthText } from "../../../src/supply/calendar.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { EXIT, Refusal, textOptions } from "../../command-line.ts";
import { amountFlag, type TextFlags } from "../flags.ts";

const TEXTS = textOptions(
  ...(["months", "phase", "from", "until", "monthly", "amount", "delta", "month", "source", "of", "count"] as const),
  ...(["bucket", "category", "label", "holds", "chain", "pool", "operator", "to", "file", "published-at"] as const),
);
const SWITCHES = { locked: { type: "boolean" }, restate: { type: "boolean" }, "dry-run": { type: "boolean" } } as const;
export const REVISE_OPTIONS = { ...TEXTS, ...SWITCHES };

export type ReviseFlags = TextFlags<keyof typeof TEXTS> & { readonly [name in keyof typeof SWITCHES]?: boolean };

export const REVISE_USAGE = `revise delay BUCKET --months N [--phase I] [--from YYYY-MM] [--until YYYY-MM]   what unlocks then, N months later
  revise amount BUCKET --monthly TOKENS [--phase I|all] [--from YYYY-MM]   installments of this amount from then on
  revise burn BUCKET --amount TOKENS --month YYYY-MM --source URL [--restate]
  revise burn BUCKET --amount TOKENS --locked --source URL [--phase I] [--from YYYY-MM]   tokens that have not unlocked, and then never do
  revise bucket ID --of BUCKET --amount TOKENS --label TEXT --category NAME --from YYYY-MM [--count N]   a new bucket
  revise correct BUCKET --delta TOKENS --month YYYY-MM --source URL [--restate]   --restate: also a published month
  revise wallet add ADDRESS (--bucket ID | --category NAME) --label TEXT [--holds account] [--pool A | --operator A] [--chain native]
  revise wallet move ADDRESS --to ADDRESS [--label TEXT]           tokens that have gone to another address
  revise wallet retire ADDRESS                                     a wallet that no longer holds any
    each: [--dry-run] [--published-at DAY] [--file FILE]; a table first becomes a bucket, by convert`;

/** What each action takes. Only an adjustment, which names its source, may restate a month that was served. */
const TAKEN = new Map<string, readonly (keyof ReviseFlags)[]>([
  ["delay", ["months", "phase", "from", "until"]],
  ["amount", ["monthly", "phase", "from"]],
  ["burn", ["amount", "month", "source", "restate"]],
  ["burn --locked", ["amount", "locked", "source", "phase", "from"]],
  ["bucket", ["of", "amount", "label", "category", "from", "count"]],
  ["correct", ["delta", "month", "source", "restate"]],
  ["wallet add", ["bucket", "category", "label", "holds", "pool", "operator", "chain"]],
  ["wallet move", ["to", "label"]],
  ["wallet retire", []],
]);
const EACH_TAKES = ["dry-run", "published-at", "file"];

/** An option without effect is refused: whoever gives it expects another change than would be written. */
export function refuseOthers(action: string, flags: ReviseFlags): void {
  const form = action === "burn" && flags.locked === true ? "burn --locked" : action;
  const taken: readonly string[] | undefined = TAKEN.get(form);
  if (taken === undefined) return;
  const others = Object.keys(flags).filter((name) => !taken.includes(name) && !EACH_TAKES.includes(name));
  if (others.length === 0) return;
  const names = others.map((name) => `--${name}`).join(", ");
  throw new Refusal([`${form} takes no ${names}`, usage(action)], EXIT.unusable);
}

/** The usage of one action, or of all. */
export function usage(action?: string): string {
  const lines = REVISE_USAGE.split("\n").filter((line) => line.trim().startsWith(`revise ${action} `));
  return `usage: npm run schedule -- ${action === undefined ? REVISE_USAGE : lines.join("\n").trim()}`;
}

export function needed(flags: ReviseFlags, name: keyof ReviseFlags): string {
  const value = flags[name];
  if (typeof value === "string" && value !== "") return value;
  throw new Refusal([`--${name}: missing`, usage()]);
}

/** An amount above 0, in base units. */
export function positive({ token }: Schedule, flags: ReviseFlags, name: "amount" | "monthly"): bigint {
  return amountFlag(`--${name}`, needed(flags, name), token.decimals);
}

/** A month of the schedule, as `YYYY-MM`. */
export function scheduleMonth({ calendar }: Schedule, flags: ReviseFlags, name: "month" | "from"): string {
  const month = needed(flags, name);
  if (monthEndMs(month) !== undefined && month >= monthText(calendar.startMs)) return month;
  throw new Refusal([`--${name}: ${month} is no month of the schedule, as YYYY-MM`]);
}

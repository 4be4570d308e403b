import { monthEndMs, monthText } from "../../../src/supply/calendar.ts";
import type { Schedule, UnlockSchedule } from "../../../src/supply/schedule.ts";
import { EXIT, parseCommandLine, Refusal } from "../../lib/command-line.ts";
import { amountFlag, type TextFlags } from "../flags.ts";

export const REVISE_USAGE = `revise delay BUCKET --months N [--phase I] [--from YYYY-MM] [--until YYYY-MM]   unlocks of that time, N months later
  revise forward BUCKET --months N [--phase I] [--from YYYY-MM] [--until YYYY-MM]   unlocks of that time, N months earlier
  revise amount BUCKET --monthly TOKENS [--phase I|all] [--from YYYY-MM]   installments of this amount from then on
  revise burn BUCKET --amount TOKENS --month YYYY-MM --source URL [--restate]
  revise burn BUCKET --amount TOKENS --locked --source URL [--phase I] [--from YYYY-MM]   locked tokens, which then never unlock
  revise buyback BUCKET --amount TOKENS --month YYYY-MM --source URL [--restate]   unlocked tokens that no longer circulate
  revise move --from BUCKET --to BUCKET|never --amount TOKENS --month YYYY-MM --source URL [--count N | --locked]
                                                                   locked tokens, which unlock in that month, or never
  revise move --from BUCKET --to BUCKET|never --amount TOKENS --month YYYY-MM --source URL --unlocked [--restate]
                                                                   unlocked tokens; with never they no longer circulate
  revise bucket ID --of BUCKET --amount TOKENS --label TEXT --category NAME --from YYYY-MM [--count N]   a new bucket
  revise correct BUCKET --delta TOKENS --month YYYY-MM --source URL [--restate]   --restate allows a published month
  revise redenominate --by N|1/N [--source URL]                    one token becomes N, or N become one; changes every amount and the record
  revise wallet add ADDRESS (--bucket ID | --category NAME) --label TEXT [--holds account] [--pool A | --operator A | --view SIGNATURE [--contract A]] [--chain native]
  revise wallet import LIST.csv                                    wallets of the project, by columns address, label, category, chain
  revise wallet move ADDRESS --to ADDRESS [--chain ID] [--label TEXT]   tokens that moved to another address or chain
  revise wallet retire ADDRESS                                     a wallet that no longer holds tokens
  revise ...: [--dry-run] [--published-at DAY] [--file FILE] with every action; a table must be converted to a bucket first (convert)`;

const SWITCHES = ["locked", "unlocked", "restate", "dry-run"] as const;
const EACH_TAKES = ["dry-run", "published-at", "file"] as const;
const RULE = ["phase", "from"] as const;
const MOVE = ["from", "to", "amount", "month", "source"] as const;

/** Options of each action. Only an adjustment, which names its source, may restate a served month. */
const TAKES = {
  delay: ["months", "until", ...RULE],
  forward: ["months", "until", ...RULE],
  amount: ["monthly", ...RULE],
  burn: ["amount", "month", "source", "restate"],
  "burn --locked": ["amount", "locked", "source", ...RULE],
  buyback: ["amount", "month", "source", "restate"],
  move: [...MOVE, "count", "locked"],
  "move --unlocked": [...MOVE, "unlocked", "restate"],
  bucket: ["of", "amount", "label", "category", "from", "count"],
  correct: ["delta", "month", "source", "restate"],
  redenominate: ["by", "source"],
  "wallet add": ["bucket", "category", "label", "holds", "pool", "operator", "view", "contract", "chain"],
  "wallet move": ["to", "chain", "label"],
  "wallet retire": [],
  "wallet import": [],
} as const;
/** Options whose value may begin with a minus sign. */
const SIGNED: readonly string[] = ["--delta", "--months"];
type Name = (typeof TAKES)[keyof typeof TAKES][number] | (typeof EACH_TAKES)[number];
type Switch = (typeof SWITCHES)[number];
export type ReviseFlags = TextFlags<Exclude<Name, Switch>> & { readonly [name in Switch]?: boolean };

/** Parses a command line whose first word is the action. An option of another action is refused. */
export function parseReviseWords(args: readonly string[]): {
  readonly flags: ReviseFlags;
  readonly words: readonly string[];
} {
  const [action = "", subject = ""] = args;
  const forms = Object.entries(TAKES);
  const switched = forms.find(([name]) => args.some((word) => name === `${action} ${word}` && word.startsWith("--")));
  const form = action === "wallet" ? `wallet ${subject}` : (switched?.[0] ?? action);
  const takes = forms.find(([name]) => name === form)?.[1];
  if (takes === undefined) throw new Refusal([`${form} is not an action of revise`, reviseUsage()], EXIT.unusable);
  const options = [...takes, ...EACH_TAKES].map((name) => {
    const type = SWITCHES.some((each) => each === name) ? ("boolean" as const) : ("string" as const);
    return [name, { type }] as const;
  });
  const { values, positionals } = parseCommandLine(reviseUsage(switched === undefined ? form : action), {
    // A negative number looks like an option to the parser.
    args: args.flatMap((word, index) => {
      if (SIGNED.includes(args[index - 1] ?? "")) return [];
      return SIGNED.includes(word) ? [`${word}=${args[index + 1] ?? ""}`] : [word];
    }),
    options: Object.fromEntries(options),
    allowPositionals: true,
  });
  return { flags: values as ReviseFlags, words: positionals }; // of the types above
}

/** Usage of one action, or of all. */
export function reviseUsage(action?: string): string {
  const lines = REVISE_USAGE.split("\n").filter((line) => line.trim().startsWith(`revise ${action} `));
  return `usage: npm run schedule -- ${action === undefined ? REVISE_USAGE : lines.join("\n").trim()}`;
}

export function requiredFlag(flags: ReviseFlags, name: keyof ReviseFlags): string {
  const value = flags[name];
  if (typeof value === "string" && value !== "") return value;
  throw new Refusal([`--${name}: missing`, reviseUsage()], EXIT.unusable);
}

/** Reads a required amount above 0, in base units. */
export function requiredAmount({ token }: Schedule, flags: ReviseFlags, name: "amount" | "monthly"): bigint {
  return amountFlag(`--${name}`, requiredFlag(flags, name), token.decimals);
}

/** Reads a required month of the schedule, as `YYYY-MM`. */
export function scheduleMonth({ calendar }: UnlockSchedule, flags: ReviseFlags, name: "month" | "from"): string {
  const month = requiredFlag(flags, name);
  if (monthEndMs(month) !== undefined && month >= monthText(calendar.startMs)) return month;
  throw new Refusal([`--${name}: ${month} is not a month of the schedule, as YYYY-MM`]);
}

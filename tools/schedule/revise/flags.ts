import { monthEndMs, monthText } from "../../../src/supply/calendar.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { EXIT, parseWords, Refusal } from "../../lib/command-line.ts";
import { amountFlag, type TextFlags } from "../flags.ts";

export const REVISE_USAGE = `revise delay BUCKET --months N [--phase I] [--from YYYY-MM] [--until YYYY-MM]   what unlocks then, N months later
  revise forward BUCKET --months N [--phase I] [--from YYYY-MM] [--until YYYY-MM]   what unlocks then, N months earlier
  revise amount BUCKET --monthly TOKENS [--phase I|all] [--from YYYY-MM]   installments of this amount from then on
  revise burn BUCKET --amount TOKENS --month YYYY-MM --source URL [--restate]
  revise burn BUCKET --amount TOKENS --locked --source URL [--phase I] [--from YYYY-MM]   tokens that have not unlocked, and then never do
  revise buyback BUCKET --amount TOKENS --month YYYY-MM --source URL [--restate]   unlocked tokens that circulate no more
  revise move --from BUCKET --to BUCKET|never --amount TOKENS --month YYYY-MM --source URL [--count N | --locked]
                                                                   tokens that have not unlocked; they unlock in that month, or never
  revise move --from BUCKET --to BUCKET|never --amount TOKENS --month YYYY-MM --source URL --unlocked [--restate]
                                                                   tokens that have unlocked; to never: they circulate no more
  revise bucket ID --of BUCKET --amount TOKENS --label TEXT --category NAME --from YYYY-MM [--count N]   a new bucket
  revise correct BUCKET --delta TOKENS --month YYYY-MM --source URL [--restate]   --restate: also a published month
  revise redenominate --by N|1/N [--source URL]                    one token becomes N, or N become one: every amount, and the record
  revise wallet add ADDRESS (--bucket ID | --category NAME) --label TEXT [--holds account] [--pool A | --operator A] [--chain native]
  revise wallet move ADDRESS --to ADDRESS [--chain ID] [--label TEXT]   tokens that have gone to another address, or chain
  revise wallet retire ADDRESS                                     a wallet that no longer holds any
    each: [--dry-run] [--published-at DAY] [--file FILE]; a table first becomes a bucket, by convert`;

const SWITCHES = ["locked", "unlocked", "restate", "dry-run"] as const;
const EACH_TAKES = ["dry-run", "published-at", "file"] as const;
const RULE = ["phase", "from"] as const;
const MOVE = ["from", "to", "amount", "month", "source"] as const;

/** What each action takes besides. Only an adjustment, which names its source, may restate a month that was served. */
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
  "wallet add": ["bucket", "category", "label", "holds", "pool", "operator", "chain"],
  "wallet move": ["to", "chain", "label"],
  "wallet retire": [],
} as const;
/** Options whose value may begin with a minus sign. */
const SIGNED: readonly string[] = ["--delta", "--months"];
type Name = (typeof TAKES)[keyof typeof TAKES][number] | (typeof EACH_TAKES)[number];
type Switch = (typeof SWITCHES)[number];
export type ReviseFlags = TextFlags<Exclude<Name, Switch>> & { readonly [name in Switch]?: boolean };

/** The words of a command line, of which the action is the first; an option that it does not take is refused. */
export function reviseWords(args: readonly string[]): {
  readonly flags: ReviseFlags;
  readonly words: readonly string[];
} {
  const [action = "", subject = ""] = args;
  const forms = Object.entries(TAKES);
  const switched = forms.find(([name]) => args.some((word) => name === `${action} ${word}` && word.startsWith("--")));
  const form = action === "wallet" ? `wallet ${subject}` : (switched?.[0] ?? action);
  const takes = forms.find(([name]) => name === form)?.[1];
  if (takes === undefined) throw new Refusal([`${form} is no revision`, usage()], EXIT.unusable);
  const options = [...takes, ...EACH_TAKES].map((name) => {
    const type = SWITCHES.some((each) => each === name) ? ("boolean" as const) : ("string" as const);
    return [name, { type }] as const;
  });
  const { values, positionals } = parseWords(usage(switched === undefined ? form : action), {
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

/** The usage of one action, or of all. */
export function usage(action?: string): string {
  const lines = REVISE_USAGE.split("\n").filter((line) => line.trim().startsWith(`revise ${action} `));
  return `usage: npm run schedule -- ${action === undefined ? REVISE_USAGE : lines.join("\n").trim()}`;
}

export function needed(flags: ReviseFlags, name: keyof ReviseFlags): string {
  const value = flags[name];
  if (typeof value === "string" && value !== "") return value;
  throw new Refusal([`--${name}: missing`, usage()], EXIT.unusable);
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

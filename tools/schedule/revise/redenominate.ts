import { tokenText } from "../../../src/chain/amount.ts";
import { parseAmount, parseSignedAmount } from "../../../src/supply/file/amount.ts";
import type { ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { type ReviseFlags, requiredFlag } from "./flags.ts";

/** Ratio of a redenomination: `old` tokens become `now` tokens. */
interface Ratio {
  readonly old: bigint;
  readonly now: bigint;
}

const RATIO = /^(1\/)?([1-9]\d{0,17})$/;

function ratioOf(flags: ReviseFlags): Ratio {
  const [, parts, digits] = RATIO.exec(requiredFlag(flags, "by")) ?? [];
  if (digits === undefined || digits === "1")
    throw new Refusal([
      `--by: must be 100 where one token becomes 100, or 1/100 where 100 become one, not ${flags.by}`,
    ]);
  return parts === undefined ? { old: 1n, now: BigInt(digits) } : { old: BigInt(digits), now: 1n };
}

/** Text for the record of the published past, and for `sources` where `--source` is given. */
export function redenominationText({ token }: Schedule, flags: ReviseFlags): string {
  const { old, now } = ratioOf(flags);
  return `Redenomination: ${old} ${token.symbol} became ${now}`;
}

/** Converts every amount to new tokens. An amount that they cannot express exactly is refused. */
export function redenominated(file: ScheduleFile, schedule: Schedule, flags: ReviseFlags): object {
  const { old, now } = ratioOf(flags);
  const { decimals } = schedule.token;
  const inexact: string[] = [];
  const scaled = (text: string, parse = parseAmount): string => {
    const units = (parse(text, decimals) ?? 0n) * now;
    if (units % old !== 0n) inexact.push(text);
    return tokenText(units / old, decimals);
  };
  const result = {
    ...file,
    max_supply: file.max_supply === null ? null : scaled(file.max_supply),
    table: file.table?.map((row) => ({ ...row, circulating: scaled(row.circulating) })),
    buckets: file.buckets?.map((bucket) => ({
      ...bucket,
      allocation: scaled(bucket.allocation),
      genesis: scaled(bucket.genesis),
      phases: bucket.phases.map((phase) => ({ ...phase, amount: scaled(phase.amount) })),
    })),
    ...("adjustments" in file && {
      adjustments: file.adjustments?.map((each) => ({ ...each, delta: scaled(each.delta, parseSignedAmount) })),
    }),
    ...(flags.source !== undefined && {
      sources: [...file.sources, { title: redenominationText(schedule, flags), url: flags.source }],
    }),
  };
  if (inexact.length > 0)
    throw new Refusal([
      `--by: ${inexact[0]} cannot be expressed in the new tokens with ${decimals} decimals (${inexact.length} such amounts)`,
    ]);
  return result;
}

import { NATIVE_CHAIN } from "../../../src/chain/holding.ts";
import type { FileBucket, FileHolding, ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { type ReviseFlags, requiredFlag } from "./flags.ts";
import { revisableBuckets } from "./plan.ts";

/** Adds, moves or retires a wallet. */
export function withWallet(
  before: Schedule,
  file: ScheduleFile,
  action: string,
  address: string,
  flags: ReviseFlags,
): object {
  if (action === "add") return withNewWallet(before, file, address, flags);
  const { wallets = [], buckets = [] } = file;
  const isWallet = (other: FileHolding): boolean => other.address.toLowerCase() === address.toLowerCase();
  const [found, ...others] = [...buckets.flatMap(({ addresses = [] }) => addresses), ...wallets].filter(isWallet);
  if (found === undefined || others.length > 0)
    throw new Refusal([
      `${address} is ${found === undefined ? "not in the file" : "in the file several times: edit it there"}`,
    ]);
  const { chain = found.chain, label = found.label } = flags;
  const left = action === "retire" ? [] : [{ ...found, chain, address: requiredFlag(flags, "to"), label }];
  const replaced = (list: readonly FileHolding[] | undefined) =>
    list?.flatMap((each): readonly FileHolding[] => (isWallet(each) ? left : [each]));
  return {
    ...file,
    wallets: replaced(file.wallets),
    buckets: file.buckets?.map((each) => ({ ...each, addresses: replaced(each.addresses) })),
  };
}

function withNewWallet(before: Schedule, file: ScheduleFile, address: string, flags: ReviseFlags): object {
  const { bucket, category, chain = NATIVE_CHAIN, holds = "account", pool, operator } = flags;
  if ((bucket === undefined) === (category === undefined))
    throw new Refusal([
      "give --bucket ID for a bucket's locked tokens, or --category NAME for a wallet of the project",
    ]);
  const entry = { chain, address, label: requiredFlag(flags, "label"), category, holds, pool, operator };
  if (bucket === undefined) return { ...file, wallets: [...(file.wallets ?? []), entry] };
  if (!revisableBuckets(before).some(({ id }) => id === bucket))
    throw new Refusal([`--bucket: ${bucket} is not the id of a bucket`]);
  const withEntry = ({ addresses = [], ...rest }: FileBucket) => ({ ...rest, addresses: [...addresses, entry] });
  return { ...file, buckets: file.buckets?.map((each) => (each.id === bucket ? withEntry(each) : each)) };
}

import { NATIVE_CHAIN } from "../../../src/chain/holding.ts";
import { type FirstChainSettings, furtherChains } from "../../../src/families/token-chain.ts";
import type { FileBucket, FileHolding, ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import { firstFamilyOf } from "../../../src/supply/file/schedule-of-file.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { firstInFile } from "../../first-chain.ts";
import { Refusal } from "../../lib/command-line.ts";
import type { ScheduleContext } from "../files.ts";
import { readWalletList } from "../wallets/list.ts";
import { type ReviseFlags, requiredFlag } from "./flags.ts";
import { revisableBuckets } from "./plan.ts";

/** Adds, moves or retires a wallet, or adds those of a list. */
export function withWallet(
  { first = firstInFile() }: Pick<ScheduleContext, "first">,
  before: Schedule,
  file: ScheduleFile,
  { action, address, flags }: { readonly action: string; readonly address: string; readonly flags: ReviseFlags },
): object {
  if (action === "add") return withNewWallet(before, file, address, flags);
  if (action === "import") return withList(file, address, first);
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

function withList(file: ScheduleFile, path: string, first: FirstChainSettings): object {
  const { wallets = [], buckets = [], chains } = file;
  const families = new Map([
    [NATIVE_CHAIN, firstFamilyOf(file, first)],
    ...furtherChains(chains).map(({ id, family }) => [id, family] as const),
  ]);
  // Another kind of holding of the same address is counted by itself.
  const listed = [...buckets.flatMap(({ addresses = [] }) => addresses), ...wallets].filter(
    ({ holds }) => holds === "account",
  );
  return { ...file, wallets: [...wallets, ...readWalletList(path, { families, listed })] };
}

function withNewWallet(before: Schedule, file: ScheduleFile, address: string, flags: ReviseFlags): object {
  const { bucket, category, chain = NATIVE_CHAIN, holds = "account", pool, operator, view, contract } = flags;
  if ((bucket === undefined) === (category === undefined))
    throw new Refusal([
      "give --bucket ID for a bucket's locked tokens, or --category NAME for a wallet of the project",
    ]);
  const entry = {
    chain,
    address,
    label: requiredFlag(flags, "label"),
    category,
    holds,
    pool,
    operator,
    view,
    contract,
  };
  if (bucket === undefined) return { ...file, wallets: [...(file.wallets ?? []), entry] };
  if (!revisableBuckets(before).some(({ id }) => id === bucket))
    throw new Refusal([`--bucket: ${bucket} is not the id of a bucket`]);
  const withEntry = ({ addresses = [], ...rest }: FileBucket) => ({ ...rest, addresses: [...addresses, entry] });
  return { ...file, buckets: file.buckets?.map((each) => (each.id === bucket ? withEntry(each) : each)) };
}

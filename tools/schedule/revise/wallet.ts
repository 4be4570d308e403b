import { NATIVE_CHAIN } from "../../../src/chain/holding.ts";
import { type FirstChainSettings, furtherChains } from "../../../src/families/token-chain.ts";
import type { FileBucket, FileHolding, ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import { firstFamilyOf } from "../../../src/supply/file/schedule-of-file.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { firstInFile } from "../../first-chain.ts";
import { Refusal } from "../../lib/command-line.ts";
import { toolsOf } from "../../nodes/families.ts";
import type { ScheduleContext } from "../files.ts";
import { type ListTerms, readWalletList } from "../wallets/list.ts";
import { type ReviseFlags, requiredFlag } from "./flags.ts";
import { revisableBuckets } from "./plan.ts";

/** Adds, moves or retires a wallet, or adds those of a list. */
export function withWallet(
  { first = firstInFile() }: Pick<ScheduleContext, "first">,
  before: Schedule,
  file: ScheduleFile,
  { action, address, flags }: { readonly action: string; readonly address: string; readonly flags: ReviseFlags },
): object {
  const families = familiesIn(file, first);
  if (action === "import") return withList(file, address, families);
  if (action === "add") {
    refuseForeign(families, flags.chain ?? NATIVE_CHAIN, address);
    return withNewWallet(before, file, address, flags);
  }
  const { wallets = [], buckets = [] } = file;
  const isWallet = (other: FileHolding): boolean => other.address.toLowerCase() === address.toLowerCase();
  const [found, ...others] = [...buckets.flatMap(({ addresses = [] }) => addresses), ...wallets].filter(isWallet);
  if (found === undefined || others.length > 0)
    throw new Refusal([
      `${address} is ${found === undefined ? "not in the file" : "in the file several times: edit it there"}`,
    ]);
  const { chain = found.chain, label = found.label } = flags;
  const left = action === "retire" ? [] : [{ ...found, chain, address: requiredFlag(flags, "to"), label }];
  for (const moved of left) refuseForeign(families, chain, moved.address);
  const replaced = (list: readonly FileHolding[] | undefined) =>
    list?.flatMap((each): readonly FileHolding[] => (isWallet(each) ? left : [each]));
  return {
    ...file,
    wallets: replaced(file.wallets),
    buckets: file.buckets?.map((each) => ({ ...each, addresses: replaced(each.addresses) })),
  };
}

/** Family of each chain of the token, by its id. */
function familiesIn(file: ScheduleFile, first: FirstChainSettings): ListTerms["families"] {
  return new Map([
    [NATIVE_CHAIN, firstFamilyOf(file, first)],
    ...furtherChains(file.chains).map(({ id, family }) => [id, family] as const),
  ]);
}

/** Refuses the address of another family's chain, which this chain would read as an account without tokens. */
function refuseForeign(families: ListTerms["families"], chain: string, address: string): void {
  const family = families.get(chain);
  const problem = family === undefined ? null : toolsOf(family).foreignAddress(address);
  if (problem !== null) throw new Refusal([`${address} ${problem}`]);
}

function withList(file: ScheduleFile, path: string, families: ListTerms["families"]): object {
  const { wallets = [], buckets = [] } = file;
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

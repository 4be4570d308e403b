import { isRecord } from "../../../src/base/json.ts";
import { NATIVE_CHAIN, type Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../command-line.ts";
import { withAppended, withElements } from "./edit.ts";
import { needed, type ReviseFlags, usage } from "./flags.ts";
import { revisableBuckets } from "./plan.ts";

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

/** The text with a wallet added, moved or retired. */
export function withWallet(
  before: Schedule,
  text: string,
  action: string,
  address: string,
  flags: ReviseFlags,
): string {
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
      return withElements(text, wallet.path, []);
    default:
      throw new Refusal([`wallet ${action} is no revision`, usage()]);
  }
}

function withNewWallet(before: Schedule, text: string, address: string, flags: ReviseFlags): string {
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
  const index = revisableBuckets(before).findIndex(({ id }) => id === bucket);
  if (index === -1) throw new Refusal([`--bucket: ${bucket} is not the id of a bucket`]);
  return withAppended(text, ["buckets", index, "addresses"], entry);
}

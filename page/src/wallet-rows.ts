import { brand, chains, hasBlockPages } from "virtual:site";
import { columnOf, share } from "../view/format.ts";
import { addressOf, explorerPage } from "../view/wallet-address.ts";
import { categoryText, WALLET_KINDS } from "../view/wallet-kinds.ts";
import { type Constant, units, type Wallet } from "./documents.ts";
import { bdi, h, mark, withCopy } from "./dom.ts";
import { elementOf } from "./elements.ts";

const DASH = "–";

/** Displays a ledger version, with a link if the chain has an explorer of blocks. */
export function versionOf(version: string): (Node | string)[] {
  const [{ versionWord }] = chains;
  if (!hasBlockPages || brand.explorer === undefined) return [`${versionWord} ${version}`];
  const href = explorerPage(brand.explorer, "block", version);
  return [`${versionWord} `, h("a", { href, rel: "noopener noreferrer" }, version)];
}

/** Makes the row of a wallet: its allocation, its kind of holding, and its chain if that is named. */
export function walletRow(
  wallet: Wallet,
  { bucket, isNamed }: { readonly bucket: string | undefined; readonly isNamed: boolean },
  total: bigint,
  decimals: number,
): HTMLElement {
  const { balance, label, holds, chain } = wallet;
  const name = [bdi(label), withCopy(elementOf(addressOf(wallet, brand.explorer))), ...marksOf(wallet, decimals)];
  const where = [
    ...(bucket === undefined ? [] : [bdi(bucket), ", "]),
    `in ${WALLET_KINDS[holds]}${isNamed ? ` on ${chain}` : ""}`,
  ];
  return amountRow(name, where, balance, total, decimals);
}

/** Makes the row of a constant: its source and day stand where a wallet has its address. */
export function constantRow(
  { label, source, date, category, amount }: Constant,
  total: bigint,
  decimals: number,
): HTMLElement {
  const link = h("a", { href: source, rel: "noopener noreferrer" }, date);
  return amountRow([bdi(label), " ", link], [`${categoryText(category)}, as stated`], amount, total, decimals);
}

type Parts = readonly (Node | string)[];

function amountRow(name: Parts, where: Parts, amount: Wallet["balance"], total: bigint, decimals: number) {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, ...name),
    h("td", { "data-label": "Where" }, h("span", {}, ...where)),
    cell("Balance", amount === null ? DASH : columnOf(units(amount), decimals)),
    cell("Of total", amount === null ? DASH : share(units(amount), total)),
  );
}

function marksOf({ anomaly, anomaly_reason: reason, observed_balance: observed }: Wallet, decimals: number): Node[] {
  const read = observed === null ? "" : ` Read now: ${columnOf(units(observed), decimals)}.`;
  return anomaly ? [mark("anomaly"), h("span", { class: "note" }, ` ${reason ?? ""}${read}`)] : [];
}

export function cell(label: string, text: string): HTMLElement {
  return h("td", { "data-label": label, class: "number" }, text);
}

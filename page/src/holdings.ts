import { brand, hasBlockPages, versionWord } from "virtual:site";
import type { Schedule } from "../../src/supply/schedule.ts";
import { changeOf, columnOf, exactOf, share, timeOf } from "../view/format.ts";
import { addressOf, explorerPage } from "../view/wallet-address.ts";
import { WALLET_KINDS } from "../view/wallet-kinds.ts";
import { saidOf } from "./chain-figures.ts";
import { severalChains } from "./chain-nodes.ts";
import { showChains } from "./chains.ts";
import type { Holdings, SupplyBreakdown, Wallet } from "./documents.ts";
import { units } from "./documents.ts";
import { bdi, byId, elementOf, h, mark, setText, withCopy } from "./dom.ts";
import { type Reading, renewalText } from "./polling.ts";
import { GROUPS, type Group, groupOf, type Row, rowsOf } from "./reconciliation.ts";
import { isShort } from "./verdict.ts";

const DASH = "–";

/** The wallets of locked tokens compared with the schedule: the result first, then the sum, the wallets folded. */
export function showHoldings(reading: Reading<Holdings>, schedule: Schedule, nowMs: number): void {
  const { decimals } = schedule.token;
  const { value, readAtMs } = reading;
  setText("wallets-note", renewalText(reading, "The wallets", true));
  byId("wallets").querySelector(".room")?.remove();
  // The failure says it.
  if (value === undefined) byId("verdict").replaceChildren();
  if (value === undefined) return;
  const { breakdown } = value;
  const { buckets, non_circulating_wallets: wallets } = breakdown;
  const verdict = saidOf(reading, nowMs);
  setText("verdict", verdict.text);
  byId("verdict").dataset["state"] = verdict.state;
  const rows = wallets.length === 0 ? [] : rowsOf(value, schedule);
  byId("difference").hidden = rows.length === 0;
  const groups = new Set(wallets.map(groupOf));
  fill("difference", [h("tbody", {}, ...rows.map((row) => differenceRow(row, groups, decimals)))]);
  showChains(breakdown, decimals);
  byId("wallets-details").hidden = wallets.length === 0;
  fill("wallet-buckets", [h("tbody", {}, ...buckets.map((bucket) => bucketRow(bucket, decimals)))]);
  const isOnSeveral = severalChains(breakdown).length > 0;
  const labels = new Map(buckets.map(({ id, label }) => [id, label]));
  fill(
    "wallet-list",
    GROUPS.flatMap(({ id, title }) => {
      const members = wallets.filter((wallet) => groupOf(wallet) === id);
      if (members.length === 0) return [];
      const head = h("tr", {}, h("th", { colspan: 4, scope: "rowgroup" }, title));
      const list = members.map((one) =>
        walletRow(
          one,
          { bucket: labels.get(one.bucket), isNamed: isOnSeveral || one.chain !== "native" },
          value.total,
          decimals,
        ),
      );
      return [h("tbody", { id: `wallets-${id}` }, head, ...list)];
    }),
  );
  const version = versionOf(breakdown.ledger_version);
  byId("wallets-source").replaceChildren("Read at ", ...version, `, ${timeOf(readAtMs ?? nowMs)}.`);
}

/** A ledger version; a block where the chain has an explorer of blocks. */
function versionOf(version: string): (Node | string)[] {
  if (!hasBlockPages || brand.explorer === undefined) return [`${versionWord} ${version}`];
  const href = explorerPage(brand.explorer, "block", version);
  return [`${versionWord} `, h("a", { href, rel: "noopener noreferrer" }, version)];
}

type Bucket = SupplyBreakdown["buckets"][number];

/** Rounded to a whole token, as unlocks are. */
export function difference(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  return amount / unit === 0n ? "0" : changeOf(amount, decimals);
}

function fill(id: string, bodies: readonly HTMLElement[]): void {
  for (const body of byId(id).querySelectorAll("tbody")) body.remove();
  byId(id).append(...bodies);
}

/** One summand; its name leads to its wallets, where some are listed. */
function differenceRow(
  { label, amount, isSum, group, path }: Row,
  listed: ReadonlySet<Group>,
  decimals: number,
): HTMLElement {
  const href = path ?? (group && listed.has(group) ? `#wallets-${group}` : undefined);
  const name = href === undefined ? label : h("a", { href }, label);
  if (typeof name !== "string" && group !== undefined)
    name.onclick = () => {
      (byId("wallets-details") as HTMLDetailsElement).open = true; // as the page's HTML has it
    };
  const digits = h("td", { class: "number" }, isSum ? exactOf(amount, decimals) : signedOf(amount, decimals));
  digits.style.setProperty("--length", String(digits.textContent?.length));
  const kind = isSum ? "sum" : "part";
  const isAbove = path !== undefined && amount > 0n;
  return h("tr", { class: isAbove ? `${kind} above` : kind }, h("th", { scope: "row" }, name), digits);
}

function signedOf(amount: bigint, decimals: number): string {
  return amount < 0n ? `−${exactOf(-amount, decimals)}` : `+${exactOf(amount, decimals)}`;
}

function bucketRow(bucket: Bucket, decimals: number): HTMLElement {
  const { label, locked_by_schedule: locked, held_on_chain: held, difference: found } = bucket;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      bdi(label),
      ...(isShort(bucket) ? [" ", mark("less than scheduled")] : []),
      ...(held === null && units(locked) > 0n ? [" ", mark("no wallet read")] : []),
    ),
    cell("Locked by schedule", columnOf(units(locked), decimals)),
    cell("On chain", held === null ? DASH : columnOf(units(held), decimals)),
    cell("Difference", found === null ? DASH : difference(units(found), decimals)),
  );
}

/** A wallet with its place: allocation, kind of holding, and its chain where that is named. */
function walletRow(
  wallet: Wallet,
  { bucket, isNamed }: { readonly bucket: string | undefined; readonly isNamed: boolean },
  total: bigint,
  decimals: number,
): HTMLElement {
  const { balance, label, holds, chain } = wallet;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      bdi(label),
      withCopy(elementOf(addressOf(wallet, brand.explorer))),
      ...marksOf(wallet, decimals),
    ),
    h(
      "td",
      { "data-label": "Where" },
      h(
        "span",
        {},
        ...(bucket === undefined ? [] : [bdi(bucket), ", "]),
        `in ${WALLET_KINDS[holds]}${isNamed ? ` on ${chain}` : ""}`,
      ),
    ),
    cell("Balance", balance === null ? DASH : columnOf(units(balance), decimals)),
    cell("Of total", balance === null ? DASH : share(units(balance), total)),
  );
}

function marksOf(
  { anomaly, anomaly_reason: reason, observed_balance: observed, verification, chain }: Wallet,
  decimals: number,
): Node[] {
  const read = observed === null ? "" : ` Read now: ${columnOf(units(observed), decimals)}.`;
  return [
    ...(anomaly ? [mark("anomaly"), h("span", { class: "note" }, ` ${reason ?? ""}${read}`)] : []),
    ...(verification === "unverified" ? [mark(`unverified, on ${chain}`)] : []),
  ];
}

function cell(label: string, text: string): HTMLElement {
  return h("td", { "data-label": label, class: "number" }, text);
}
